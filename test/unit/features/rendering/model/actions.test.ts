import assert from 'node:assert/strict';
import { test } from 'node:test';
import manifest from '../../../../../package.json';
import texts from '../../../../../package.nls.json';
import {
  actionOn,
  actionsOf,
  actionsOn,
  canDo,
  renderActions,
} from '../../../../../src/features/rendering/model/actions';
import type { LibraryEntry } from '../../../../../src/renders/library';
import type { RenderRecord } from '../../../../../src/renders/record';
import { iconNames } from '../../../../../src/editor/page/icon';

function entry(part: Partial<LibraryEntry>): LibraryEntry {
  return { id: 'a', group: 'finished', modelId: 'p/f/m', inputs: { prompt: 'a fox' }, ...part };
}

const idsOf = (actions: readonly { readonly id: string }[]) => actions.map(({ id }) => id);

test('an action has the same name and icon as a command and on every page', () => {
  interface Command {
    readonly command: string;
    readonly title: string;
    /** A name among the editor's icons, or files of our own. */
    readonly icon?: string | object;
  }
  const commands = new Map(
    (manifest.contributes.commands as readonly Command[]).map(({ command, title, icon }) => [
      command.replace('modelCatalog.', ''),
      {
        label: texts[title.slice(1, -1) as keyof typeof texts],
        icon: typeof icon === 'string' ? icon.replace(/^\$\((.+)\)$/, '$1') : icon,
      },
    ]),
  );
  // Only the box for unconfirmed renders offers these.
  const boxed = ['markNotCharged', 'markCharged', 'removeMark'];
  for (const { id, label, icon } of renderActions) {
    const command = commands.get(id);
    assert.equal(command?.label, boxed.includes(id) ? undefined : label, id);
    // A command has an icon where it's a button.
    assert.equal(command?.icon ?? icon, icon, id);
  }
});

test('the pages have the icons of all their actions', () => {
  const shown = renderActions.filter(({ pages }) => pages !== undefined).map(({ icon }) => icon);
  assert.deepEqual(
    shown.filter((icon) => !(iconNames as readonly string[]).includes(icon)),
    [],
  );
});

test('the available actions follow from the outcome of a render', () => {
  const file = 'file:///project/a.png';
  const saved = entry({ state: 'saved', file, mediaType: 'image/png' });
  assert.deepEqual(idsOf(actionsOn('form', saved)), [
    'openResult',
    'revealResult',
    'copyPath',
    'copyLink',
    'renderAgain',
    'editImage',
    'useAsInput',
  ]);
  assert.deepEqual(idsOf(actionsOn('form', entry({ group: 'notSent', state: 'planned' }))), [
    'sendPlanned',
    'discardPlanned',
  ]);
  assert.deepEqual(idsOf(actionsOn('form', entry({ group: 'paidNotSaved', state: 'succeeded' }))), ['saveAs']);
  assert.deepEqual(idsOf(actionsOn('form', entry({ group: 'unknown', state: 'unknown' }))), ['resolve']);
  const away = entry({ group: 'active', state: 'accepted', generationId: 'g1', awayAt: 'https://a.example' });
  assert.deepEqual(idsOf(actionsOn('form', away)), ['compareWithService']);
  const staged = entry({ state: 'saved', file, mediaType: 'image/png', record: { staged: true } as RenderRecord });
  assert.ok(!idsOf(actionsOf(staged)).includes('revealResult'), 'where a staged file lies is nobody’s business');
  const atService = { generationId: 'g1', ...saved };
  assert.ok(canDo('deleteGeneration', atService));
  assert.ok(!canDo('deleteGeneration', { ...staged, generationId: 'g1' }), 'a new image is decided on first');
});

test('what is paid and not saved, in progress, or to be decided on can’t be moved to the trash', () => {
  const can = (part: Partial<RenderRecord>) => canDo('moveToTrash', entry({ record: part as RenderRecord }));
  assert.ok(can({ state: 'saved' }));
  assert.ok(can({ state: 'failed' }));
  for (const state of ['planned', 'sent', 'accepted', 'succeeded', 'unknown'] as const)
    assert.ok(!can({ state }), state);
  assert.ok(!can({ state: 'saved', staged: true }));
});

test('after a rejection, the actions that help are offered, and a retry only if it could succeed', () => {
  const refused = (code: 'invalidInput' | 'balanceTooLow' | 'dailyCap') =>
    idsOf(actionsOn('form', entry({ state: 'refused', problem: { code } })));
  assert.deepEqual(refused('invalidInput'), ['changeAndTryAgain']);
  assert.deepEqual(refused('balanceTooLow'), ['whatFits', 'renderAgain', 'changeAndTryAgain']);
  assert.deepEqual(refused('dailyCap'), ['startTomorrow', 'renderAgain', 'changeAndTryAgain']);
  assert.deepEqual(idsOf(actionsOn('form', entry({ state: 'failed' }))), ['renderAgain', 'changeAndTryAgain']);
});

test('a user’s word on an unconfirmed render can be given once, and taken back', () => {
  const marks = (part: Partial<LibraryEntry>) =>
    idsOf(actionsOf(entry({ group: 'unknown', state: 'unknown', ...part }))).filter((id) => /mark/i.test(id));
  assert.deepEqual(marks({}), ['markNotCharged', 'markCharged']);
  assert.deepEqual(marks({ record: { settled: { charged: true, at: 1 } } as RenderRecord }), ['removeMark']);
});

test('a page can request only the actions it offers', () => {
  assert.equal(actionOn('gallery', 'openResult'), 'openResult');
  assert.equal(actionOn('gallery', 'moveToTrash'), 'moveToTrash');
  assert.equal(actionOn('gallery', 'deleteGeneration'), undefined);
  assert.equal(actionOn('gallery', 'forgetGeneration'), undefined);
  assert.equal(actionOn('form', 'deleteGeneration'), undefined);
  assert.equal(actionOn('form', 'copyPrompt'), undefined);
  assert.equal(actionOn('form', 'constructor'), undefined);
});
