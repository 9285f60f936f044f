import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, test } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import type { JsonObject } from '../../../src/base/json';
import type { Edit } from '../../../src/documents/scan';
import { type AddedRender, entriesAdded } from '../../../src/renderFiles/addEntries';
import { listable, renderFileText, type MadeImage } from '../../../src/renderFiles/newRenderFile';
import { stateOf } from '../../../src/renderFiles/states';
import { png } from '../files/pictures';
import { asked, imagesOf, noImages, read, told } from './reading';

/** A text with edits at its own offsets. */
function applied(text: string, edits: readonly Edit[]): string {
  return edits.toReversed().reduce((all, edit) => all.slice(0, edit.start) + edit.text + all.slice(edit.end), text);
}

/** An image whose metadata has these inputs. */
function made(target: string, inputs: JsonObject, modelId = 'a/b/c'): MadeImage {
  const provenance = { modelId, inputs };
  return { target, modelId, inputs, metadata: { record: { provenance, where: 'inside' }, change: 'none' } };
}

suite('a new render file', () => {
  const images = [
    made('site/art/hero.png', { prompt: 'a lighthouse', size: 'small', seed: 1 }),
    made('site/art/icons/save.png', { prompt: 'a disk', size: 'small', seed: 2 }),
  ];

  test('states once what all images share, and makes each of them current', async () => {
    const text = renderFileText('site/renders.jsonc', images, ['No record: old.png']);
    assert.equal(
      text,
      `// No record: old.png
{
  "folder": "art",
  "model": "a/b/c",
  "inputs": { "size": "small" },
  "renders": [
    { "file": "hero.png", "inputs": { "prompt": "a lighthouse", "seed": 1 } },
    { "file": "icons/save.png", "inputs": { "prompt": "a disk", "seed": 2 } }
  ]
}
`,
    );
    const file = await read(text, 'site/renders.jsonc');
    assert.deepEqual(told(text, file), []);
    for (const [index, render] of file.renders.entries())
      assert.equal((await stateOf(render, render.target, images[index]!.metadata, noImages)).state, 'current');
  });

  test('writes long inputs on several lines', () => {
    const [image] = images;
    const text = renderFileText('renders.jsonc', [{ ...image!, inputs: { prompt: 'a '.repeat(60) } }]);
    assert.match(text, /\n {4}\{\n {6}"file": "hero.png",\n {6}"model": "a\/b\/c",\n {6}"inputs": \{\n {8}"prompt"/);
  });

  test('names the images that others were made from by their paths, if they are what they were', async () => {
    const given = (file: string, bytes: Buffer) => ({
      ...{ file, type: 'image/png', bytes: bytes.length },
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const photos = { 'photos/a.png': png(1), 'site/b.png': png(2) };
    const prints = [
      made('site/print-a.png', { image: given('photos/a.png', png(1)), tones: 2 }),
      made('site/print-b.png', { image: given('site/b.png', png(2)), tones: 3 }),
    ];
    const others = [
      made('site/print-c.png', { image: given('photos/a.png', png(3)) }),
      made('site/print-d.png', { image: given('', png(1)) }),
    ];
    const path = 'site/renders.jsonc';
    assert.deepEqual(await listable(path, [...prints, ...others], imagesOf(photos), systemClock), prints);
    const { renders } = await read(renderFileText(path, prints), path);
    assert.deepEqual(
      renders.map(({ inputs }) => inputs),
      [
        { image: '../photos/a.png', tones: 2 },
        { image: 'b.png', tones: 3 },
      ],
    );
    const [, second] = prints;
    const text = renderFileText(path, prints.slice(0, 1));
    const edits = await entriesAdded(text, path, [second!], systemClock);
    assert.deepEqual((await read(applied(text, edits!), path)).renders[1]?.inputs, { image: 'b.png', tones: 3 });
  });

  test('lists only images that its entries can ask for', async () => {
    const others = [
      made('site/what?.png', { prompt: 'a fox' }),
      made('site/none.png', { prompt: 'a fox', mask: null }),
      made('site/long.png', { prompt: 'a'.repeat(200_000) }),
      made('site/Fox.png', { prompt: 'a fox' }),
      made('site/fox.png', { prompt: 'a fox' }),
    ];
    const left = { ...made('site/hidden.png', {}), inputs: { prompt: 'another' } };
    const listed = await listable('site/renders.jsonc', [...others, ...images, left], noImages, systemClock);
    assert.deepEqual(listed, images);
  });
});

suite('entries added to a render file', () => {
  const hero: AddedRender = { target: 'art/hero.png', modelId: 'a/b/c', inputs: { prompt: 'a lighthouse' } };

  async function added(text: string, ...renders: AddedRender[]): Promise<string> {
    const edits = await entriesAdded(text, 'renders.jsonc', renders, systemClock);
    return applied(text, edits!);
  }

  test('follow the last one, and keep comments and formatting', async () => {
    const text = `{
    // Shared
    "model": "a/b/c",
    "renders": [
        { "file": "fox.png" } // the first
        // and its successors
    ]
}`;
    const after = await added(text, hero);
    assert.equal(
      after,
      text.replace(
        '} // the first',
        '}, // the first\n        { "file": "art/hero.png", "inputs": { "prompt": "a lighthouse" } }',
      ),
    );
    assert.deepEqual(told(after, await read(after)), []);
  });

  test('keep a trailing comma', async () => {
    const text = '{\n  "renders": [\n    { "file": "fox.png", "model": "x/y/z" }, // first\n  ],\n}';
    const entry = '{ "file": "art/hero.png", "model": "a/b/c", "inputs": { "prompt": "a lighthouse" } },';
    assert.equal(await added(text, hero), text.replace('// first', `// first\n    ${entry}`));
  });

  test('stay on the line of a list that has one', async () => {
    const text = '{ "model": "a/b/c", "renders": [{ "file": "fox.png" }] }';
    const entry = ', { "file": "art/hero.png", "inputs": { "prompt": "a lighthouse" } }';
    assert.equal(await added(text, hero), text.replace('}]', `}${entry}]`));
  });

  for (const [what, text] of [
    ['an empty file', ''],
    ['an empty object', '{}'],
    ['an empty list', '{ "model": "a/b/c", "renders": [] }'],
    ['a list with only a comment', '{\n\t"renders": [\n\t\t// none yet\n\t]\n}'],
    ['a file without a list', '{\n  "model": "a/b/c" // of all\n}'],
    ['a file without a list and a trailing comma', '{\n  "model": "a/b/c",\n}'],
  ] as const)
    test(`start ${what}`, async () => {
      const file = await read(await added(text, hero, { ...hero, target: 'fox.png' }));
      assert.deepEqual(file.problems, []);
      assert.deepEqual(asked(file), [
        ['art/hero.png', 'a lighthouse'],
        ['fox.png', 'a lighthouse'],
      ]);
      assert.ok(file.renders.every(({ modelId }) => modelId === 'a/b/c'));
    });

  const shared = `{
  "folder": "art",
  "model": "x/y/z",
  "inputs": { "size": "small", "seed": 4 },
  "style": { "after": "Flat." },
  "renders": [{ "file": "../fox.png", "inputs": { "prompt": "a fox" } }]
}`;

  test('ask for exactly what an image was made from, whatever the file has for all', async () => {
    const after = await added(shared, { ...hero, inputs: { prompt: 'a lighthouse', size: 'small' } });
    const { renders, problems } = await read(after);
    assert.deepEqual(problems, []);
    assert.deepEqual(renders[1], {
      renderFile: 'renders.jsonc',
      entry: 1,
      values: new Map(),
      target: 'art/hero.png',
      modelId: 'a/b/c',
      inputs: { prompt: 'a lighthouse', size: 'small' },
    });
    assert.match(
      after,
      /"file": "hero.png",\s+"model": "a\/b\/c",\s+"inputs": \{ "prompt": "a lighthouse", "seed": null \}/,
    );
  });

  test('take over the model, inputs, and style of the file for a missing image', async () => {
    const { renders } = await read(await added(shared, { ...hero, target: 'logo.svg', inherits: true }));
    const inputs = { size: 'small', seed: 4, prompt: 'a lighthouse Flat.' };
    assert.deepEqual([renders[1]?.target, renders[1]?.modelId, renders[1]?.inputs], ['logo.svg', 'x/y/z', inputs]);
  });

  test('aren’t added to a half-typed file', async () => {
    for (const text of ['{ "renders": [', '{ "renders": {} }', '[]'])
      assert.equal(await entriesAdded(text, 'renders.jsonc', [hero], systemClock), undefined, text);
  });
});

suite('the size of an image', () => {
  const fit = { width: 1200, height: 630, mode: 'cover' } as const;

  test('is stated in a new render file, so that the image is current', async () => {
    const image = made('hero.webp', { prompt: 'a lighthouse' });
    const { record } = image.metadata;
    const fitted = {
      ...image,
      fit,
      metadata: { ...image.metadata, record: { ...record, provenance: { ...record.provenance, fit } } },
    };
    assert.equal((await listable('renders.jsonc', [fitted], noImages, systemClock)).length, 1);
    assert.match(renderFileText('renders.jsonc', [fitted]), /"width": 1200,\s+"height": 630/);
  });

  test('is stated by an added entry only if it differs from what all share', async () => {
    const added = async (head: string, render: Partial<AddedRender>) => {
      const text = `{ ${head} "model": "a/b/c", "renders": [] }`;
      const one = { target: 'hero.webp', modelId: 'a/b/c', inputs: { prompt: 'a kite' }, ...render };
      const { renders, problems } = await read(
        applied(text, (await entriesAdded(text, 'renders.jsonc', [one], systemClock))!),
      );
      assert.deepEqual(problems, []);
      return renders[0]?.fit;
    };
    const shared = '"width": 1200, "height": 630,';
    assert.deepEqual(await added('', { fit }), fit);
    assert.deepEqual(await added(shared, { fit }), fit);
    assert.equal(await added(shared, {}), undefined);
    assert.deepEqual(await added(shared, { inherits: true }), fit);
    assert.deepEqual(await added(shared, { inherits: true, fit: { ...fit, width: 64 } }), { ...fit, width: 64 });
    assert.deepEqual(await added(shared, { fit: { ...fit, mode: 'contain' } }), { ...fit, mode: 'contain' });
  });
});
