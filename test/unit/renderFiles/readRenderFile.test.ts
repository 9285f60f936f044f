import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Clock, systemClock } from '../../../src/base/clock';
import { readRenderFile } from '../../../src/renderFiles/readRenderFile';
import { isRenderFile } from '../../../src/renderFiles/renderFile';
import { sharedTargets } from '../../../src/renderFiles/targets';
import { asked, read, told } from './reading';

const model = 'a/b/c';

/** The problems of a file with these entries. */
async function problems(entries: unknown, head: object = {}): Promise<string[]> {
  const text = JSON.stringify({ model, ...head, renders: entries });
  return told(text, await read(text));
}

test('a documentation site lists its images, with shared inputs, a style, and a variable', async () => {
  const text = readFileSync('test/fixtures/site/docs/renders.jsonc', 'utf8');
  const file = await read(text, 'docs/renders.jsonc');
  assert.deepEqual(told(text, file), []);
  const around = (prompt: string) => `Muted blues. ${prompt} No text.`;
  assert.deepEqual(asked(file), [
    ['docs/images/hero', around('a lighthouse at dusk, seen from the harbor')],
    ['docs/images/getting-started', around('a small boat that leaves the harbor')],
    ['docs/images/plan-free', around('one small boat on a calm sea')],
    ['docs/images/plan-team', around('a crew on a sailing ship on a calm sea')],
  ]);
  assert.deepEqual(file.renders[0]?.inputs, { ...file.renders[0]?.inputs, aspect_ratio: '16:9', seed: 7 });
  assert.equal(file.renders[2]?.inputs.aspect_ratio, '1:1');
});

test('a sprite set lists each thing in each state, and a lone variable stays a number', async () => {
  const text = readFileSync('test/fixtures/sprites/game.renders.jsonc', 'utf8');
  const file = await read(text, 'game.renders.jsonc');
  assert.deepEqual(told(text, file), []);
  assert.equal(file.renders.length, 10);
  assert.deepEqual(asked(file)[1], [
    'sprites/chest-closed',
    'Game sprite, a closed chest. Plain background, hard shadow from the left.',
  ]);
  assert.deepEqual(
    file.renders.slice(6).map(({ target, inputs }) => [target, inputs.seed]),
    [0, 1, 2, 3].map((frame) => [`sprites/coin-${frame}`, frame]),
  );
});

test('an input comes from the entry, else from its style, else from the file, and null omits it', async () => {
  const file = await read({
    model,
    inputs: { a: 'file', b: 'file', c: 'file', d: 'file' },
    styles: { base: { inputs: { b: 'base', c: 'base' } }, one: { extends: 'base', inputs: { c: 'one' } } },
    style: 'one',
    renders: [
      { file: 'x', inputs: { a: 'own', d: null } },
      { file: 'y', style: null, model: 'd/e/f' },
      { file: 'z', style: { extends: 'base', before: 'B' }, inputs: { prompt: 'p' } },
    ],
  });
  assert.deepEqual(
    file.renders.map(({ inputs, modelId }) => [modelId, inputs]),
    [
      [model, { a: 'own', b: 'base', c: 'one' }],
      ['d/e/f', { a: 'file', b: 'file', c: 'file', d: 'file' }],
      [model, { a: 'file', b: 'base', c: 'base', d: 'file', prompt: 'B p' }],
    ],
  );
});

test('the words of nested styles surround a prompt, the outer ones outside', async () => {
  const words = fc.constantFrom('', 'one', 'two.', 'three ', '\nfour');
  const style = fc.record({ before: words, after: words });
  await fc.assert(
    fc.asyncProperty(fc.array(style, { minLength: 1, maxLength: 6 }), async (chain) => {
      const styles = Object.fromEntries(
        chain.map((one, index) => [`s${index}`, { ...one, ...(index > 0 && { extends: `s${index - 1}` }) }]),
      );
      const style = `s${chain.length - 1}`;
      const file = await read({ model, style, styles, renders: [{ file: 'x', inputs: { prompt: 'P' } }] });
      const all = [...chain.map(({ before }) => before), 'P', ...chain.map(({ after }) => after).reverse()];
      const prompt = file.renders[0]?.inputs.prompt as string;
      assert.equal(prompt.replace(/\s/g, ''), all.join('').replace(/\s/g, ''));
      assert.doesNotMatch(prompt, / {2}|\.\w/);
    }),
  );
});

test('a matrix lists each combination of values once, each with its own file', async () => {
  const name = fc.stringMatching(/^[a-z]{1,6}$/);
  const values = fc.uniqueArray(fc.oneof(name, fc.integer({ min: 0, max: 99 })), { minLength: 1, maxLength: 5 });
  const matrix = fc.dictionary(name, values, { minKeys: 1, maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(matrix, async (variables) => {
      const names = Object.keys(variables);
      const template = names.map((one) => `${one}={${one}}`).join('_');
      const file = await read({ model, renders: [{ file: template, for: variables, inputs: { prompt: template } }] });
      const count = Object.values(variables).reduce((product, list) => product * list.length, 1);
      assert.equal(file.renders.length, count);
      assert.equal(new Set(file.renders.map(({ target }) => target)).size, count);
      for (const { target, inputs, values: chosen } of file.renders) {
        assert.equal(target, inputs.prompt);
        for (const one of names) assert.ok(variables[one]!.map(String).includes(chosen.get(one)!));
      }
    }),
  );
});

test('a value’s content is text, and never a variable', async () => {
  const file = await read({
    model,
    renders: [{ file: 'x-{a}', for: { a: { one: '{b}' }, b: ['two'] }, inputs: { prompt: '{a} {b} {c}' } }],
  });
  assert.deepEqual(asked(file), [['x-one', '{b} two {c}']]);
});

test('a matrix of a billion renders is counted, reported, and not expanded', async () => {
  const thousand = Array.from({ length: 1000 }, (_, index) => index);
  const entry = { file: '{a}-{b}-{c}', for: { a: thousand, b: thousand, c: thousand } };
  assert.deepEqual(await problems([entry, { file: 'x' }]), [
    'a: Too many entries: 1000000000. Only the first 2000 are read.',
  ]);
  const file = await read({ model, renders: [entry, { file: 'x' }] });
  assert.deepEqual(asked(file), [['x', undefined]]);
});

test('of ten thousand entries, the first two thousand are read, and the next is reported', async () => {
  const renders = Array.from({ length: 10_000 }, (_, index) => ({ file: `i${index}` }));
  const text = JSON.stringify({ model, renders });
  const file = await read(text);
  assert.equal(file.renders.length, 2000);
  assert.deepEqual(told(text, file), ['i2000: Too many entries: 10000. Only the first 2000 are read.']);
});

test('two entries with the same file are both reported, and neither is rendered', async () => {
  const two = 'Two entries use the file “x.png”. Give each a different one.';
  assert.deepEqual(await problems([{ file: 'x.png' }, { file: 'X.png' }, { file: 'y' }]), [
    'X.png: Two entries use the file “X.png”. Give each a different one.',
    'x.png: Two entries use the file “X.png”. Give each a different one.',
  ]);
  assert.deepEqual((await problems([{ file: 'x' }, { file: 'x.png' }]))[0], `x.png: ${two}`);
  assert.deepEqual(await problems([{ file: 'x.webp' }, { file: 'x.png' }]), []);
  const file = await read({ model, renders: [{ file: '{a}', for: { a: ['x', 'X'] } }, { file: 'y' }] });
  assert.deepEqual(asked(file), [['y', undefined]]);
});

test('two render files that list the same file are both reported, each with the other, and neither is sound there', async () => {
  const one = JSON.stringify({ model, renders: [{ file: 'a' }, { file: 'x' }] });
  const other = JSON.stringify({ model, folder: '..', renders: [{ file: 'x' }] });
  const files = [await read(one, 'renders.jsonc'), await read(other, 'docs/renders.jsonc')];
  const { problems, unsound } = await sharedTargets(files, systemClock);
  assert.deepEqual(told(one, { problems: problems.get(files[0]!)! }), [
    'x: “x” is also in docs/renders.jsonc. Give each entry a different file.',
  ]);
  assert.deepEqual(told(other, { problems: problems.get(files[1]!)! }), [
    'x: “x” is also in renders.jsonc. Give each entry a different file.',
  ]);
  assert.deepEqual([...unsound], [files[1]!.renders[0], files[0]!.renders[1]]);
});

test('a file outside the workspace folder, or with a name that not every system accepts, is reported', async () => {
  assert.deepEqual(await problems([{ file: '../x' }, { file: 'a/../../x' }, { file: 'a/../x' }]), [
    '../x: “../x” is outside the workspace folder. Choose a place inside it.',
    'a/../../x: “a/../../x” is outside the workspace folder. Choose a place inside it.',
  ]);
  for (const name of ['.git/x', 'a:b', 'con', '', '/', 'x/', '..', 'a\\b', '-x'])
    assert.equal((await problems([{ file: name }])).length, 1, name);
  assert.equal((await problems([{ file: 'hook' }], { folder: '.git' })).length, 1);
});

test('a file in a folder where nothing can be saved is reported, wherever the render file is', async () => {
  const here = JSON.stringify({ model, renders: [{ file: 'hero' }] });
  for (const path of ['.storybook/renders.jsonc', 'site/~old/renders.jsonc']) {
    const file = await read(here, path);
    assert.deepEqual(told(here, file), [
      'hero: The folder of “hero” starts with a dot or isn’t valid on every system. Choose another "folder".',
    ]);
    assert.deepEqual(file.renders, []);
  }
  const elsewhere = { model, folder: '../images', renders: [{ file: 'hero' }] };
  const { problems: none, renders } = await read(elsewhere, '.storybook/renders.jsonc');
  assert.deepEqual([none, renders.map(({ target }) => target)], [[], ['images/hero']]);
});

test('styles that extend each other in a circle are reported once, and whatever uses them isn’t rendered', async () => {
  const styles = { a: { extends: 'b' }, b: { extends: 'c' }, c: { extends: 'a' }, d: { extends: 'd' }, e: {} };
  const renders = [
    { file: 'x', style: 'a' },
    { file: 'y', style: 'e' },
  ];
  assert.deepEqual(await problems(renders, { styles }), [
    '"a": Circular styles: a → b → c → a.',
    '"d": Circular styles: d → d.',
  ]);
  assert.deepEqual(asked(await read({ model, styles, renders })), [['y', undefined]]);
});

test('anything missing, misspelled, or of the wrong type is reported at its place', async () => {
  assert.deepEqual(await problems([{ file: 1 }, {}, 3, { file: 'x', stile: 'a', style: 'b' }]), [
    '1: Enter text in quotes for “file”.',
    '{}: Enter the file to render, for example "file": "hero".',
    '3: Enter an object for “renders”.',
    'stile: Unknown property “stile”.',
    '"b": This file has no style “b”.',
  ]);
  assert.deepEqual(await problems([{ file: 'x' }], { model: undefined }), [
    '{"file":"x"}: Enter a model for this render, or for all of them.',
  ]);
  assert.deepEqual(await problems([{ file: '{a}-{b}', for: { a: [], c: [1, 2] } }]), [
    '[]: Enter at least one value for “a”: a list, or an object with a string for each name.',
    '{a}-{b}: Add “b” to "for", or remove it from the file name.',
    'c: Put {c} into the file name, so that each render has its own file.',
  ]);
  assert.deepEqual(told('[]', await read('[]')), ['[]: A render file must be a JSON object.']);
});

test('a half-typed file shows everything readable, and orders nothing', async () => {
  const whole = readFileSync('test/fixtures/site/docs/renders.jsonc', 'utf8');
  for (let length = 0; length < whole.trimEnd().length; length += 7) {
    const file = await read(whole.slice(0, length), 'docs/renders.jsonc');
    assert.ok(file.isBroken, `${length} characters`);
  }
  const typing = `{ "model": "a/b/c", "renders": [ { "file": "x", "inputs": { "prompt": } }, { "file":\n "style": null }, { "file": "y" "mod`;
  const file = await read(typing);
  assert.deepEqual(
    file.entries.map(({ file: name }) => name?.text),
    ['x', undefined, 'y'],
  );
  assert.ok(file.isBroken);
});

test('comments and trailing commas are no errors', async () => {
  const file = await read('/* a */ { "model": "a/b/c", // b\n "renders": [ { "file": "x", }, ], }');
  assert.deepEqual([file.isBroken, file.problems, asked(file)], [false, [], [['x', undefined]]]);
});

test('any text is read to its end, with places inside it', async () => {
  const parts = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"a"', '"renders"', '"file"', '"for"', '"styles"', '"extends"', '"', '\\'],
    ...['/*', '//', '\n', 'null', '1', '1e999', '-', '"__proto__"', '"inputs"', '"model"', 'x', '{"file":"a{b}"}'],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(parts, { maxLength: 60 }), async (texts) => {
      const text = texts.join('');
      const file = await read(text);
      for (const { start, end } of [...file.problems, ...file.entries.map(({ span }) => span)])
        assert.ok(start >= 0 && start <= end && end <= text.length + 1, text);
    }),
    { numRuns: 500 },
  );
});

test('complete JSON is never a broken render file, whatever it contains', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ maxDepth: 5 }), async (text) => {
      assert.equal((await read(text)).isBroken, false, text);
    }),
  );
});

/** The CPU time of this thread, ms. */
function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** A clock that records the longest time a piece of work held the thread. */
class Watch implements Clock {
  longest = 0;
  private since = used();
  readonly now = () => 0;
  readonly ticks = () => performance.now();

  after(_: number, call: () => void) {
    this.longest = Math.max(this.longest, used() - this.since);
    const timer = setImmediate(() => {
      this.since = used();
      call();
    });
    return { dispose: () => clearImmediate(timer) };
  }
}

/** Files that would take long if anything in them were done in one go, or again for each entry. */
const heavy: Readonly<Record<string, () => string>> = {
  'many entries': () =>
    JSON.stringify({ model, renders: Array.from({ length: 100_000 }, (_, index) => ({ file: `image-${index}` })) }),
  'many styles in a chain': () =>
    JSON.stringify({
      styles: Object.fromEntries(
        Array.from({ length: 60_000 }, (_, index) => [
          `s${index}`,
          { extends: `s${index - 1}`, inputs: { [index]: 1 } },
        ]),
      ),
    }),
  'many inputs for all entries': () =>
    JSON.stringify({
      model,
      inputs: Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`input${index}`, index])),
      renders: Array.from({ length: 10_000 }, (_, index) => ({ file: `image-${index}` })),
    }),
  'long words in a style': () =>
    JSON.stringify({
      model,
      style: { before: 'x '.repeat(1_000_000) },
      renders: Array.from({ length: 10_000 }, (_, index) => ({ file: `i${index}`, inputs: { prompt: 'a' } })),
    }),
  'a variable in a text again and again': () =>
    JSON.stringify({
      model,
      renders: [
        {
          file: '{a}-{b}',
          for: { a: Array.from({ length: 1000 }, (_, index) => index), b: ['x'.repeat(100_000)] },
          inputs: { prompt: '{b}'.repeat(500_000) },
        },
      ],
    }),
  'many unknown names': () => `{${'"a":1,'.repeat(800_000)}}`,
  'brackets that nothing closes': () => '[{"a":'.repeat(800_000),
  'brackets that nothing opens': () => `{"renders":[${']}'.repeat(2_000_000)}`,
  'faults only': () => '@ '.repeat(2_400_000),
};

for (const [name, text] of Object.entries(heavy))
  test(`a file of up to 5 MB with ${name} holds the thread for less than 50 ms at a time`, async () => {
    const pieces: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const content = text();
      const watch = new Watch();
      await readRenderFile(content, 'renders.jsonc', watch);
      pieces.push(watch.longest);
      if (watch.longest < 50) return;
    }
    assert.fail(`the longest pieces took ${pieces.join(', ')} ms`);
  });

test('a file of more than 5 MB isn’t read', async () => {
  const text = `{"model":"a","renders":[]}${' '.repeat(5_000_000)}`;
  assert.deepEqual(told(text, await read(text)), [
    '{: This render file is too large. Split it into files of at most 5000000 characters.',
  ]);
});

test('render files are recognized by their names', () => {
  for (const name of ['renders.jsonc', 'docs/renders.jsonc', 'a/icons.renders.jsonc']) assert.ok(isRenderFile(name));
  for (const name of ['renders.json', 'myrenders.jsonc', 'renders.jsonc.bak']) assert.ok(!isRenderFile(name));
});
