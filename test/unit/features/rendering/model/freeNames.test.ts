import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FreeNames } from '../../../../../src/features/rendering/model/freeNames';
import { silentLog } from '../../../../../src/base/log';
import { TestClock } from '../../../clock';

const renders = 'file:///project/renders';
const isImage = (ending: string) => ['png', 'jpg'].includes(ending);

/** Folders on a disk that the test controls. */
class Desk {
  readonly clock = new TestClock();
  files: readonly string[] = [];
  /** The folders that were read, in turn. */
  readonly read: string[] = [];
  /** How often others may have become free. */
  changes = 0;
  /** What the disk waits for. */
  turn: Promise<void> = Promise.resolve();
  readonly names = new FreeNames(
    async (folder) => {
      this.read.push(folder);
      const { files } = this;
      await this.turn;
      return files;
    },
    this.clock,
    silentLog,
  );

  constructor() {
    this.names.onDidChange(() => (this.changes += 1));
  }

  /** The name shown once the disk has answered. */
  async name(baseName: string, mayGet = isImage): Promise<string> {
    this.names.first(renders, baseName, mayGet);
    await this.clock.advance(0);
    return this.names.first(renders, baseName, mayGet);
  }
}

test('a name is shown at once, and the free one as soon as the folder was read', async () => {
  const desk = new Desk();
  desk.files = ['fox.png', 'fox-2.jpg', 'fox-4.png'];
  assert.equal(desk.names.first(renders, 'fox', isImage), 'fox');
  assert.equal(desk.changes, 0);
  await desk.clock.advance(0);
  assert.equal(desk.changes, 1);
  assert.equal(desk.names.first(renders, 'fox', isImage), 'fox-3');
  assert.equal(desk.names.first(renders, 'hare', isImage), 'hare');
});

test('a name is taken in any case and Unicode form, by files that the result could be, and by no others', async () => {
  const desk = new Desk();
  desk.files = ['Fu\u0308chse.PNG', 'notes.md', 'a.b.png', 'bare', '.png', 'hare.png.render.json'];
  assert.equal(await desk.name('füchse'), 'füchse-2');
  assert.equal(await desk.name('notes'), 'notes');
  assert.equal(await desk.name('notes', () => true), 'notes-2');
  assert.equal(await desk.name('a.b'), 'a.b-2');
  for (const free of ['a', 'bare', 'hare']) assert.equal(await desk.name(free, () => true), free);
});

test('however fast somebody types, a folder is read once, and again only after a while', async () => {
  const desk = new Desk();
  for (const typed of ['f', 'fo', 'fox']) await desk.name(typed);
  assert.deepEqual(desk.read, [renders]);
  await desk.clock.advance(1000);
  await desk.name('fox');
  assert.equal(desk.read.length, 1);
  desk.files = ['fox.png'];
  await desk.clock.advance(1500);
  assert.equal(await desk.name('fox'), 'fox-2');
  assert.equal(desk.read.length, 2);
});

test('nothing changes, and nobody is told, when a folder is as it was', async () => {
  const desk = new Desk();
  desk.files = ['fox.png'];
  await desk.name('fox');
  await desk.clock.advance(3000);
  assert.equal(await desk.name('fox'), 'fox-2');
  assert.deepEqual([desk.read.length, desk.changes], [2, 1]);
});

test('a saved result takes its name, also one that was saved while the folder was being read', async () => {
  const desk = new Desk();
  desk.names.onDidChange(() => desk.names.first(renders, 'fox', isImage));
  assert.equal(await desk.name('fox'), 'fox');
  desk.files = ['fox.png'];
  desk.names.renew();
  await desk.clock.advance(0);
  assert.equal(desk.names.first(renders, 'fox', isImage), 'fox-2');
  let answer = () => {};
  desk.turn = new Promise((resolve) => (answer = resolve));
  desk.names.renew();
  desk.files = ['fox.png', 'fox-2.png'];
  desk.names.renew();
  assert.equal(desk.names.first(renders, 'fox', isImage), 'fox-2');
  answer();
  await desk.clock.advance(0);
  assert.equal(desk.names.first(renders, 'fox', isImage), 'fox-3');
});

test('of folders that change with each key, only the last ones are remembered', async () => {
  const desk = new Desk();
  desk.files = ['fox.png'];
  assert.equal(await desk.name('fox'), 'fox-2');
  for (let key = 0; key < 60; key++) desk.names.first(`file:///project/${key}`, 'fox', isImage);
  await desk.clock.advance(0);
  assert.equal(desk.names.first(renders, 'fox', isImage), 'fox');
});
