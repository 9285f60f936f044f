import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entriesMoved, type Move } from '../../../src/renderFiles/movedEntries';
import { read } from './reading';

/** The names of the entries after these moves. */
async function namesAfter(moves: readonly Move[], names: readonly string[], folder?: string): Promise<string[]> {
  const renders = names.map((file) => ({
    file,
    inputs: { prompt: file },
    ...(file.includes('{') ? { for: { season: ['spring', 'autumn'] } } : {}),
  }));
  const text = JSON.stringify({ folder, model: 'a/b/c', renders });
  const edits = entriesMoved(await read(text, 'site/renders.jsonc'), moves);
  const changed = [...edits]
    .reverse()
    .reduce((rest, { start, end, text: fresh }) => rest.slice(0, start) + fresh + rest.slice(end), text);
  return (JSON.parse(changed) as { renders: { file: string }[] }).renders.map(({ file }) => file);
}

test('an entry follows its image to a new name and folder', async () => {
  const moves = [
    { from: 'site/hero.png', to: 'site/large hero.png' },
    { from: 'site/icons/save.png', to: 'shared/save.webp' },
  ];
  assert.deepEqual(await namesAfter(moves, ['hero.png', 'icons/save.png', 'other.png']), [
    'large hero.png',
    '../shared/save.webp',
    'other.png',
  ]);
});

test('entries follow the folder that their images are in', async () => {
  const moves = [{ from: 'site/icons', to: 'site/symbols' }];
  assert.deepEqual(await namesAfter(moves, ['save.png', 'dark/open'], 'icons'), [
    '../symbols/save.png',
    '../symbols/dark/open',
  ]);
  assert.deepEqual(await namesAfter(moves, ['icons-old/a.png', 'icons/b.png']), ['icons-old/a.png', 'symbols/b.png']);
});

test('an entry without a file extension stays without one, unless the image gets another', async () => {
  assert.deepEqual(await namesAfter([{ from: 'site/hero.png', to: 'site/lake.png' }], ['hero']), ['lake']);
  assert.deepEqual(await namesAfter([{ from: 'site/hero.png', to: 'site/lake.webp' }], ['hero']), ['lake.webp']);
});

test('the paths of given images follow them, wherever they’re stated, and other texts stay', async () => {
  const text = JSON.stringify({
    model: 'a/b/c',
    inputs: { image: '../photos/a.png', prompt: '../photos/a.png' },
    styles: { print: { inputs: { overlay: 'b.png' } } },
    renders: [
      { file: 'x', style: 'print' },
      { file: 'y', style: 'print', inputs: { note: '../photos/a' } },
      { file: 'w', inputs: { images: ['https://a.example/a.png', '../photos/c.png', 'b.png'] } },
      { file: 'z-{n}', for: { n: ['a', 'b'] }, inputs: { image: '../photos/{n}.png', overlay: '../photos/a.png' } },
    ],
  });
  const moves = [
    { from: 'photos', to: 'site/art/photos' },
    { from: 'site/b.png', to: 'b "2".png' },
  ];
  const edits = entriesMoved(await read(text, 'site/renders.jsonc'), moves);
  const changed = edits
    .toReversed()
    .reduce((all, one) => all.slice(0, one.start) + one.text + all.slice(one.end), text);
  assert.equal(
    changed,
    text
      .replace('"image":"../photos/a.png"', '"image":"art/photos/a.png"')
      .replace('"overlay":"b.png"', '"overlay":"../b \\"2\\".png"')
      .replace('"../photos/c.png","b.png"', '"art/photos/c.png","../b \\"2\\".png"')
      .replace('"overlay":"../photos/a.png"', '"overlay":"art/photos/a.png"'),
  );
});

test('an entry for several images, and a name that an entry can’t have, stay as they are', async () => {
  const moves = [
    { from: 'site/spring.png', to: 'site/may.png' },
    { from: 'site/hero.png', to: 'site/{hero}.png' },
  ];
  assert.deepEqual(await namesAfter(moves, ['{season}.png', 'hero.png']), ['{season}.png', 'hero.png']);
});
