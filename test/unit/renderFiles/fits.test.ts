import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read, told } from './reading';

const model = 'a/b/c';

async function fits(file: object): Promise<(readonly [target: string, fit: unknown])[]> {
  const { renders, problems } = await read({ model, ...file });
  assert.deepEqual(problems, []);
  return renders.map(({ target, fit }) => [target, fit]);
}

test('an entry’s images are fitted to the size it states, else to the one that all share', async () => {
  const renders = [
    { file: 'a.png' },
    { file: 'b.webp', width: 64 },
    { file: 'c', fit: 'contain' },
    { file: 'd.gif', fit: null },
  ];
  assert.deepEqual(await fits({ width: 1200, height: 630, renders }), [
    ['a.png', { width: 1200, height: 630, mode: 'cover' }],
    ['b.webp', { width: 64, height: undefined, mode: 'cover' }],
    ['c', { width: 1200, height: 630, mode: 'contain' }],
    ['d.gif', undefined],
  ]);
});

test('without a size nothing is fitted, unless a fit is stated', async () => {
  assert.deepEqual(await fits({ renders: [{ file: 'a.webp' }] }), [['a.webp', undefined]]);
  assert.deepEqual(await fits({ fit: 'cover', renders: [{ file: 'a.webp' }] }), [['a.webp', { mode: 'cover' }]]);
});

test('sizes and fits that aren’t possible are errors at their place, and such entries aren’t rendered', async () => {
  const text = `{ "model": "a/b/c", "renders": [
    { "file": "a.png", "width": 0 },
    { "file": "b.png", "height": "630" },
    { "file": "c.png", "fit": "fill" },
    { "file": "d.svg", "width": 64 },
    { "file": "e.png", "width": 16000, "height": 16000 },
    { "file": "f.png", "width": 16383, "height": 2 }
  ] }`;
  const file = await read(text);
  assert.deepEqual(told(text, file), [
    '0: Enter a number of pixels from 1 to 16383 for “width”.',
    '"630": Enter a number of pixels from 1 to 16383 for “height”.',
    '"fill": Enter "cover", "contain", or null for “fit”.',
    'd.svg: “d.svg” can’t be fitted. Use .png, .jpg, or .webp, or enter "fit": null.',
    'e.png: “e.png” can’t be fitted. Use .png, .jpg, or .webp, or enter "fit": null.',
  ]);
  assert.deepEqual(
    file.renders.map(({ target }) => target),
    ['f.png'],
  );
});
