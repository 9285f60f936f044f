import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../../../src/base/clock';
import { Emitter } from '../../../../../src/base/disposable';
import { PendingImages } from '../../../../../src/features/renderFiles/model/pendingImages';
import type { FileRenders } from '../../../../../src/renders/fileRenders';
import { isToDo, statesOf } from '../../../../../src/renderFiles/states';
import type { RenderRecord } from '../../../../../src/renders/record';
import { read } from '../../../renderFiles/reading';
import { entry } from '../../../editor/entries';

type ByFile = FileRenders['byFile'];

/** The images of these entries, none of which exists, with those that wait for a render. */
async function pending(files: readonly string[], byFile: ByFile) {
  const { renders } = await read({ model: 'a/b/c', renders: files.map((file) => ({ file })) });
  const pictures = {
    names: () => Promise.resolve([]),
    metadata: () => Promise.resolve(undefined),
    given: () => Promise.resolve({ why: 'missing' } as const),
  };
  const states = await statesOf(renders, pictures, systemClock);
  const images = new PendingImages({ byFile, onDidChange: new Emitter<void>().event });
  return images.marked(states, 'file:///project').map((one) => [one.pending?.is, isToDo(one)]);
}

const [inProgress, toDo] = [
  ['active', false],
  [undefined, true],
];

test('an image with a render that isn’t over isn’t to do again, whatever that render waits for', async () => {
  for (const group of ['active', 'notSent', 'paidNotSaved', 'unknown'] as const)
    assert.deepEqual(await pending(['hero.png'], new Map([['file:///project/hero.png', entry({ group })]])), [
      [group, false],
    ]);
  const staged = entry({ record: { staged: true } as RenderRecord });
  assert.deepEqual(await pending(['hero.png'], new Map([['file:///project/hero.png', staged]])), [['toReview', false]]);
  const failed = entry({ state: 'failed' });
  assert.deepEqual(await pending(['hero.png'], new Map([['file:///project/hero.png', failed]])), [toDo]);
});

test('a name without a file extension is that of any image, and one with an extension isn’t another’s', async () => {
  const byFile: ByFile = new Map([
    ['file:///project/hero.png', entry({ group: 'active' })],
    ['file:///project/logo', entry({ group: 'active' })],
  ]);
  assert.deepEqual(await pending(['HERO', 'logo.png'], byFile), [inProgress, inProgress]);
  assert.deepEqual(await pending(['hero.jpg', 'hero-2.png', 'sub/hero.png'], byFile), [toDo, toDo, toDo]);
});

test('it announces only what changes for an image', () => {
  const changed = new Emitter<void>();
  const active = entry({ group: 'active' });
  const renders = { byFile: new Map([['file:///project/hero.png', active]]), onDidChange: changed.event };
  const images = new PendingImages(renders);
  let changes = 0;
  images.onDidChange(() => (changes += 1));
  const become = (now: typeof active) => {
    renders.byFile = new Map([['file:///project/hero.png', now]]);
    changed.fire();
  };
  become({ ...active, status: 'rendering' });
  assert.equal(changes, 0);
  become({ ...active, group: 'paidNotSaved' });
  assert.equal(changes, 1);
  become({ ...active, group: 'finished' });
  assert.equal(changes, 2);
});
