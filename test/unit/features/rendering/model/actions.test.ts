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
  const named = manifest.contributes.commands.map(({ command, title, icon }) => [
    command.replace('modelCatalog.', ''),
    { label: texts[title.slice(1, -1) as keyof typeof texts], icon: icon.replace(/^\$\((.+)\)$/, '$1') },
  ]) as [string, { label: string; icon: string }][];
  const commands = new Map(named);
  for (const { id, label, icon } of renderActions) assert.deepEqual(commands.get(id), { label, icon }, id);
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
  assert.deepEqual(idsOf(actionsOn('form', saved)), ['openResult', 'revealResult', 'copyPath', 'renderAgain']);
  assert.deepEqual(idsOf(actionsOn('form', entry({ group: 'notSent', state: 'planned' }))), [
    'sendPlanned',
    'discardPlanned',
  ]);
  assert.deepEqual(idsOf(actionsOn('form', entry({ group: 'paidNotSaved', state: 'succeeded' }))), ['saveAs']);
  assert.deepEqual(idsOf(actionsOn('form', entry({ group: 'unknown', state: 'unknown' }))), ['compareWithService']);
  const staged = entry({ state: 'saved', file, mediaType: 'image/png', record: { staged: true } as RenderRecord });
  assert.ok(!idsOf(actionsOf(staged)).includes('revealResult'), 'where a staged file lies is nobody’s business');
  const atService = { generationId: 'g1', ...saved };
  assert.ok(canDo('deleteGeneration', atService));
  assert.ok(!canDo('deleteGeneration', { ...staged, generationId: 'g1' }), 'a new image is decided on first');
});

test('after a rejection, the actions that help are offered, and a retry only if it could succeed', () => {
  const refused = (code: 'invalidInput' | 'balanceTooLow' | 'dailyCap') =>
    idsOf(actionsOn('form', entry({ state: 'refused', problem: { code } })));
  assert.deepEqual(refused('invalidInput'), ['changeAndTryAgain']);
  assert.deepEqual(refused('balanceTooLow'), ['whatFits', 'renderAgain', 'changeAndTryAgain']);
  assert.deepEqual(refused('dailyCap'), ['startTomorrow', 'renderAgain', 'changeAndTryAgain']);
  assert.deepEqual(idsOf(actionsOn('form', entry({ state: 'failed' }))), ['renderAgain', 'changeAndTryAgain']);
});

test('a person’s word on an unconfirmed render can be given once, and taken back', () => {
  const marks = (part: Partial<LibraryEntry>) =>
    idsOf(actionsOf(entry({ group: 'unknown', state: 'unknown', ...part }))).filter((id) => /mark/i.test(id));
  assert.deepEqual(marks({}), ['markNotCharged', 'markCharged']);
  assert.deepEqual(marks({ record: { settled: { charged: true, at: 1 } } as RenderRecord }), ['removeMark']);
});

test('a page can request only the actions it offers', () => {
  assert.equal(actionOn('gallery', 'openResult'), 'openResult');
  assert.equal(actionOn('gallery', 'deleteGeneration'), 'deleteGeneration');
  assert.equal(actionOn('gallery', 'forgetGeneration'), undefined);
  assert.equal(actionOn('form', 'deleteGeneration'), undefined);
  assert.equal(actionOn('form', 'copyPrompt'), undefined);
  assert.equal(actionOn('form', 'constructor'), undefined);
});
