import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ancestorsOf, childrenOf, parentsOf } from '../../../src/renders/lineage';
import type { RenderRecord } from '../../../src/renders/record';
import { record } from './records';

const hash = (name: string) => name.padEnd(64, '0').replaceAll(/[^0-9a-f]/g, 'a');
const image = (name: string) => ({ file: `photos/${name}.png`, sha256: hash(name), type: 'image/png', bytes: 10 });

/** A saved image of this name, made from these. */
function made(name: string, plannedAt: number, ...from: string[]): RenderRecord {
  return record({
    ...{ key: name, plannedAt, state: 'saved', file: `file:///project/${name}.png` },
    inputs: { prompt: name, images: from.map(image) },
    spooled: { sha256: hash(name) } as RenderRecord['spooled'],
  });
}

/** The records of a history, as it finds them. */
const finding = (records: readonly RenderRecord[]) => (isWanted: (result: { sha256?: string }) => boolean) =>
  Promise.resolve(records.filter(({ spooled }) => isWanted({ sha256: spooled?.sha256 })));

async function* slices(...parts: RenderRecord[][]): AsyncGenerator<readonly RenderRecord[]> {
  for (const part of parts) yield await Promise.resolve(part);
}

test('a result came from the images among its inputs, each once, and from the renders that saved them', async () => {
  const first = made('b1', 10);
  const found = await parentsOf(
    [{ prompt: 'a', image: image('b1'), more: [image('c0'), image('b1')] }],
    finding([first]),
  );
  assert.deepEqual(
    found.map(({ image: { file }, record }) => [file, record?.key]),
    [
      ['photos/b1.png', 'b1'],
      ['photos/c0.png', undefined],
    ],
  );
  assert.deepEqual(await parentsOf([{ prompt: 'a', url: 'https://a.example/b1.png' }], finding([first])), []);
});

test('ancestors are listed from the nearest to the farthest, also when records name each other', async () => {
  const records = [made('a1', 10, 'a3', 'e0'), made('a2', 20, 'a1'), made('a3', 30, 'a2')];
  const found = await ancestorsOf({ image: image('a3') }, finding(records));
  assert.deepEqual(
    found.map(({ image: { file } }) => file),
    ['photos/a3.png', 'photos/a2.png', 'photos/a1.png', 'photos/e0.png'],
  );
});

test('an image led to the saved renders that were given its bytes, newest first', async () => {
  const deleted = { ...made('d4', 40, 'a1'), deleted: true };
  const failed = { ...made('d5', 50, 'a1'), state: 'failed' as const };
  const history = () =>
    slices([made('b1', 10, 'a1'), made('b2', 20, 'c1')], [made('b3', 30, 'c1', 'a1'), deleted, failed]);
  const keys = (records: readonly RenderRecord[]) => records.map(({ key }) => key);
  assert.deepEqual(keys(await childrenOf(new Set([hash('a1')]), history())), ['b3', 'b1']);
  assert.deepEqual(keys(await childrenOf(new Set(), history())), []);
});
