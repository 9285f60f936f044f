import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Model } from '../../../../../src/catalog/types';
import { englishFormStrings } from '../../../../../src/features/form/page/formMessages';
import type { LinkPlace } from '../../../../../src/documents/link';
import { FormTarget } from '../../../../../src/features/form/model/formTarget';
import type { Target } from '../../../../../src/renders/record';

const model: Model = { id: 'a/b/c', provider: 'a', family: 'b', name: 'c', title: 'C', kind: 'image', fields: [] };
const standard: Target = { root: 'file:///project', folder: 'renders', fileName: '${slug}' };

/** An editor whose settings, dialog, and cursor the test controls. */
class Desk {
  standard: Target | undefined = standard;
  chooses: Target | undefined;
  line: number | undefined;

  make(chosen?: Target): FormTarget {
    return new FormTarget(
      {
        port: {
          defaultTarget: () => this.standard,
          isOpen: ({ root }) => root === undefined || root === this.standard?.root,
          chooseTarget: () => Promise.resolve(this.chooses),
          linkPlace: () =>
            this.line === undefined ? undefined : ({ name: 'README.md', line: this.line } as LinkPlace),
          previewName: ({ fileName }, { id }, inputs) => `${fileName} ${id} ${JSON.stringify(inputs)}`,
        },
        strings: englishFormStrings,
        folder: ({ folder, root }) => (root === undefined ? undefined : folder),
      },
      chosen,
    );
  }
}

test('it follows the settings, even when they change, until the person chooses one', async () => {
  const desk = new Desk();
  const target = desk.make();
  assert.deepEqual([target.now, target.chosen], [standard, undefined]);
  desk.standard = { ...standard, folder: 'art' };
  target.renew();
  assert.equal(target.now.folder, 'art');
  await target.choose();
  assert.deepEqual([target.chosen], [undefined]);
  desk.chooses = { ...standard, folder: 'docs' };
  await target.choose();
  target.renew();
  assert.deepEqual([target.now.folder, target.chosen?.folder], ['docs', 'docs']);
  assert.equal(desk.make(desk.chooses).chosen?.folder, 'docs');
});

test('what was chosen in a folder that was removed from the workspace counts no longer, in this window or a later one', () => {
  const other: Target = { root: 'file:///other', folder: 'art', fileName: 'fox' };
  const desk = new Desk();
  desk.standard = other;
  const target = desk.make();
  target.rename('fox');
  target.forLink({ target: { ...other, ending: 'png' }, path: 'other/art/fox.png' });
  target.renew();
  assert.equal(target.now.ending, 'png');
  desk.standard = standard;
  target.renew();
  assert.deepEqual([target.now, target.chosen], [standard, undefined]);
  const later = desk.make(other);
  assert.deepEqual([later.now, later.chosen], [standard, undefined]);
});

test('a name that is a path or has an unknown variable is rejected; an empty one uses the settings', () => {
  const target = new Desk().make();
  assert.match(target.rename('a/b') ?? '', /\//);
  assert.match(target.rename('${nothing}') ?? '', /\$\{nothing\}/);
  assert.equal(target.chosen, undefined);
  assert.equal(target.rename('fox'), undefined);
  assert.equal(target.now.fileName, 'fox');
  assert.equal(target.rename(' '), undefined);
  assert.equal(target.now.fileName, '${slug}');
});

test('a link to an image is offered, and inserted on request', () => {
  const desk = new Desk();
  const target = desk.make();
  target.insertLink(true);
  assert.equal(target.insertsAt(model), undefined);
  desk.line = 3;
  assert.equal(target.insertsAt(model)?.line, 3);
  assert.equal(target.insertsAt({ ...model, kind: 'text' }), undefined);
  // Inserting it requires knowing what the model makes.
  assert.equal(target.insertsAt({ ...model, kind: undefined })?.line, 3);
  target.insertLink(false);
  assert.equal(target.insertsAt(model), undefined);
  assert.deepEqual(target.view(model, {}).link, { document: 'README.md', line: 3, insert: false });
});

test('a result for a link inserts no other link, and a chosen folder or name isn’t for any link', async () => {
  const desk = new Desk();
  const hero = { target: { ...standard, fileName: 'hero', ending: 'png' }, path: 'renders/hero.png' };
  desk.line = 3;
  const target = desk.make();
  target.insertLink(true);
  target.forLink(hero);
  assert.deepEqual([target.now, target.chosen], [hero.target, undefined]);
  assert.deepEqual([target.insertsAt(model), target.view(model, {}).link], [undefined, undefined]);
  assert.deepEqual(target.view(model, {}).named, { path: 'renders/hero.png', document: undefined });
  target.rename('fox');
  assert.deepEqual(
    [target.now.fileName, target.now.ending, target.view(model, {}).named],
    ['fox', undefined, undefined],
  );
  target.forLink(hero);
  desk.chooses = { ...standard, folder: 'docs' };
  await target.choose();
  assert.deepEqual([target.now.folder, target.now.ending], ['docs', undefined]);
});

test('the cursor has moved when the line shown differs', () => {
  const desk = new Desk();
  const target = desk.make();
  assert.equal(target.isMoved(model), false);
  desk.line = 3;
  assert.equal(target.isMoved(model), true);
  target.view(model, {});
  assert.equal(target.isMoved(model), false);
});

test('without an open folder, the form says so, and previews nothing', () => {
  const desk = new Desk();
  desk.standard = undefined;
  assert.deepEqual(desk.make().view(model, {}), { folder: '', hasFolder: false, fileName: '', preview: '' });
  assert.deepEqual(desk.make({ ...standard, root: undefined }).view(model, { prompt: 'a fox' }), {
    folder: '',
    hasFolder: false,
    fileName: '${slug}',
    preview: '${slug} a/b/c {"prompt":"a fox"}',
  });
});
