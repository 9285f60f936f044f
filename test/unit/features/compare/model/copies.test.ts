import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../../../src/base/log';
import { systemClock, systemRandom } from '../../../../../src/base/clock';
import { Copies } from '../../../../../src/features/compare/model/comparison';

const folder = 'file:///storage/compared';
const head = Buffer.from('the picture of the last commit');

/** The folder as all windows see it. */
function shared() {
  const files = new Map<string, Uint8Array>();
  const disk = {
    writeFile: (uri: string, bytes: Uint8Array) => Promise.resolve(void files.set(uri, bytes)),
    delete: (uri: string) => (files.delete(uri) ? Promise.resolve() : Promise.reject(new Error(`${uri} is not there`))),
  };
  return { files, openWindow: () => new Copies(folder, disk, systemClock, systemRandom, silentLog) };
}

test('closing a page in one window keeps the copy that a page in another one shows', async () => {
  const { files, openWindow } = shared();
  const [one, other] = [openWindow(), openWindow()];
  const [first, second] = [await one.of(head, '.png'), await other.of(head, '.png')];
  await one.remove([first], new Set());
  assert.deepEqual([...files], [[second, head]]);
});

test('one window keeps one copy of an image while any page shows it, and removes nothing else', async () => {
  const { files, openWindow } = shared();
  const window = openWindow();
  const copy = await window.of(head, '.png');
  assert.equal(await window.of(head, '.png'), copy);
  files.set('file:///project/hero.png', head);
  await window.remove([copy, 'file:///project/hero.png'], new Set([copy]));
  assert.deepEqual([...files.keys()], [copy, 'file:///project/hero.png']);
  await window.remove([copy, 'file:///project/hero.png'], new Set());
  await window.remove([copy], new Set());
  assert.deepEqual([...files.keys()], ['file:///project/hero.png']);
});
