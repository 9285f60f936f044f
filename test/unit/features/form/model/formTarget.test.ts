import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field, Model } from '../../../../../src/catalog/fields';
import { englishFormStrings } from '../../../../../src/features/form/page/formMessages';
import type { LinkPlace } from '../../../../../src/documents/link';
import { Quotes } from '../../../../../src/catalog/quotes';
import { Composer, type UsualTargets } from '../../../../../src/compose/composer';
import { Offer } from '../../../../../src/compose/offer';
import { FormTarget } from '../../../../../src/features/form/model/formTarget';
import type { Target } from '../../../../../src/renders/record';
import { TestClock } from '../../../clock';
import { TestShelf } from '../../../compose/shelf';
import { ScriptedSession } from '../../../editor/scriptedSession';

const model: Model = { id: 'a/b/c', provider: 'a', family: 'b', name: 'c', title: 'C', kind: 'image', fields: [] };
const prompt: Field = { name: 'prompt', label: 'Prompt', kind: 'text', statedType: 'text', required: true };
const standard: Target = { root: 'file:///project', folder: 'renders', fileName: '${slug}' };

/** An editor whose settings, dialog, and cursor the test controls. */
class Desk {
  standard: Target | undefined = standard;
  chooses: Target | undefined;
  line: number | undefined;

  /** What is composed, for a target that was chosen, with its form. */
  make(chosen?: Target) {
    const clock = new TestClock();
    const session = new ScriptedSession(() => Promise.resolve(model), 100);
    const random = { uuid: () => 'intent', unit: () => 0 };
    const targets: UsualTargets = {
      defaultTarget: () => this.standard,
      isOpen: ({ root }) => root === undefined || root === this.standard?.root,
    };
    const offer = new Offer(new Quotes(clock), () => session.client, clock, random);
    const draft = new Composer({ session, offer, styles: new TestShelf(), start: () => Promise.resolve() }, targets, {
      find: () => session.model(model.id),
      found: (found) => draft.adopt(found),
      failed: () => undefined,
      linkPlace: () => form.linkPlace,
    });
    draft.adopt(model);
    draft.target.choose(chosen);
    draft.target.renew();
    const form: FormTarget = new FormTarget(
      {
        host: {
          isRestricted: () => false,
          ...targets,
          chooseTarget: () => Promise.resolve(this.chooses),
          linkPlace: () =>
            this.line === undefined ? undefined : ({ name: 'README.md', line: this.line } as LinkPlace),
          previewName: ({ fileName }, { id }, inputs) => `${fileName} ${id} ${JSON.stringify(inputs)}`,
        },
        strings: englishFormStrings,
        folder: ({ folder, root }) => (root === undefined ? undefined : folder),
      },
      draft,
    );
    return { draft, form, target: draft.target };
  }
}

test('it follows the settings, even when they change, until the user chooses one', async () => {
  const desk = new Desk();
  const { form, target } = desk.make();
  assert.deepEqual([target.now, target.chosen], [standard, undefined]);
  desk.standard = { ...standard, folder: 'art' };
  target.renew();
  assert.equal(target.now.folder, 'art');
  await form.choose();
  assert.deepEqual([target.chosen], [undefined]);
  desk.chooses = { ...standard, folder: 'docs' };
  await form.choose();
  target.renew();
  assert.deepEqual([target.now.folder, target.chosen?.folder], ['docs', 'docs']);
  assert.equal(desk.make(desk.chooses).target.chosen?.folder, 'docs');
});

test('what was chosen in a folder that was removed from the workspace counts no longer, in this window or a later one', () => {
  const other: Target = { root: 'file:///other', folder: 'art', fileName: 'fox' };
  const desk = new Desk();
  desk.standard = other;
  const { form, target } = desk.make();
  form.rename('fox');
  form.forLink({ target: { ...other, ending: 'png' }, path: 'other/art/fox.png' });
  target.renew();
  assert.equal(target.now.ending, 'png');
  desk.standard = standard;
  target.renew();
  assert.deepEqual([target.now, target.chosen], [standard, undefined]);
  const later = desk.make(other).target;
  assert.deepEqual([later.now, later.chosen], [standard, undefined]);
});

test('a name that is a path or has an unknown variable is rejected; an empty one uses the settings', () => {
  const { form, target } = new Desk().make();
  assert.match(form.rename('a/b') ?? '', /\//);
  assert.match(form.rename('${nothing}') ?? '', /\$\{nothing\}/);
  assert.equal(target.chosen, undefined);
  assert.equal(form.rename('fox'), undefined);
  assert.equal(target.now.fileName, 'fox');
  assert.equal(form.rename(' '), undefined);
  assert.equal(target.now.fileName, '${slug}');
});

test('a link to an image is offered, and inserted on request', () => {
  const desk = new Desk();
  const { draft, form, target } = desk.make();
  const line = () => draft.insertsAt?.line;
  target.inserts = true;
  assert.equal(line(), undefined);
  desk.line = 3;
  assert.equal(line(), 3);
  draft.adopt({ ...model, kind: 'text' });
  assert.equal(line(), undefined);
  // Inserting it requires knowing what the model makes.
  draft.adopt({ ...model, kind: undefined });
  assert.equal(line(), 3);
  target.inserts = false;
  assert.equal(line(), undefined);
  assert.deepEqual(form.view().link, { document: 'README.md', line: 3, insert: false });
});

test('a result for a link inserts no other link, and a chosen folder or name isn’t for any link', async () => {
  const desk = new Desk();
  const hero = { target: { ...standard, fileName: 'hero', ending: 'png' }, path: 'renders/hero.png' };
  desk.line = 3;
  const { draft, form, target } = desk.make();
  target.inserts = true;
  form.forLink(hero);
  assert.deepEqual([target.now, target.chosen], [hero.target, undefined]);
  assert.deepEqual([draft.insertsAt, form.view().link], [undefined, undefined]);
  assert.deepEqual(form.view().named, { path: 'renders/hero.png', document: undefined });
  form.rename('fox');
  assert.deepEqual([target.now.fileName, target.now.ending, form.view().named], ['fox', undefined, undefined]);
  form.forLink(hero);
  desk.chooses = { ...standard, folder: 'docs' };
  await form.choose();
  assert.deepEqual([target.now.folder, target.now.ending], ['docs', undefined]);
});

test('the cursor has moved when the line shown differs', () => {
  const desk = new Desk();
  const { form } = desk.make();
  assert.equal(form.isMoved, false);
  desk.line = 3;
  assert.equal(form.isMoved, true);
  form.view();
  assert.equal(form.isMoved, false);
});

test('without an open folder, the form says so, and previews nothing', () => {
  const desk = new Desk();
  desk.standard = undefined;
  assert.deepEqual(desk.make().form.view(), { folder: '', hasFolder: false, fileName: '', preview: '' });
  const rootless = desk.make({ ...standard, root: undefined });
  rootless.draft.adopt({ ...model, fields: [prompt] });
  rootless.draft.kept = [['prompt', 'a fox']];
  assert.deepEqual(rootless.form.view(), {
    folder: '',
    hasFolder: false,
    fileName: '${slug}',
    preview: '${slug} a/b/c {"prompt":"a fox"}',
  });
});
