import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import { checkFolder, FolderOnDisk } from '../../../src/check/checkFolder';
import { embedded } from '../../../src/files/embeddedMetadata';
import { withImages } from '../../../src/renderFiles/givenFiles';
import { recipeToAdopt } from '../../../src/renderFiles/states';
import { readRenderFile } from '../../../src/renderFiles/readRenderFile';
import { withSources } from '../../../src/renderFiles/sources';
import { png } from '../files/pictures';

const program = resolve('dist/check.mjs');

/** A new folder that contains a fixture. */
function checkout(t: TestContext, fixture?: 'site' | 'sprites'): string {
  const folder = mkdtempSync(join(tmpdir(), 'check-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  if (fixture) cpSync(join('test/fixtures', fixture), folder, { recursive: true });
  return folder;
}

/** Runs the program as CI does: without an editor, a key, or a home folder. */
function check(folder: string, args: readonly string[] = []) {
  const env = { PATH: process.env.PATH };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: folder, env });
  return { status, lines: stdout.toString().trimEnd().split('\n'), stderr: stderr.toString() };
}

/** Creates the images that a render file asks for, with their prompts run through `change`. */
async function renderAll(folder: string, path: string, change = (prompt: string) => prompt): Promise<void> {
  const { renders } = await readRenderFile(readFileSync(join(folder, path), 'utf8'), path, systemClock);
  for (const render of renders) {
    const inputs = { ...render.inputs, prompt: change(render.inputs.prompt as string) };
    const recipe = recipeToAdopt({ ...render, inputs }, { tool: 'test', isPromptRecorded: true });
    const file = join(folder, `${render.target}.png`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.concat(embedded(png(), 'image/png', recipe)!.pieces));
  }
}

test('a check in a clean folder finds nothing, and says so', (t) => {
  const { status, lines, stderr } = check(checkout(t));
  assert.deepEqual([status, lines, stderr], [0, ['No render files found.'], '']);
});

test('a check of a site that isn’t rendered yet names each image with its place, and fails', (t) => {
  const { status, lines } = check(checkout(t, 'site'));
  assert.deepEqual(lines, [
    'docs/renders.jsonc:12:16: docs/images/hero is missing.',
    'docs/renders.jsonc:13:16: docs/images/getting-started is missing.',
    'docs/renders.jsonc:15:16: docs/images/plan-free is missing.',
    'docs/renders.jsonc:15:16: docs/images/plan-team is missing.',
    'Images: 4 · 4 missing · Render files: 1 · Errors: 0',
  ]);
  assert.equal(status, 1);
});

test('a check passes once everything is rendered, fails when a prompt changes, and accepts edited images', async (t) => {
  const folder = checkout(t, 'sprites');
  await renderAll(folder, 'game.renders.jsonc');
  assert.deepEqual(check(folder), {
    status: 0,
    lines: ['Images: 10 · 10 current · Render files: 1 · Errors: 0'],
    stderr: '',
  });
  await renderAll(folder, 'game.renders.jsonc', (prompt) =>
    prompt.replace('an open', 'a wide open').replace('lamp', 'lantern'),
  );
  writeFileSync(join(folder, 'sprites/door-open.png'), png());
  const { status, lines } = check(folder);
  assert.equal(status, 1);
  assert.ok(
    lines.includes('game.renders.jsonc:8:16: sprites/lamp-open.png is out of date: prompt changed.'),
    lines.join('\n'),
  );
  assert.ok(lines.includes('game.renders.jsonc:8:16: sprites/door-open.png has no record of how it was made.'));
  assert.equal(lines.at(-1), 'Images: 10 · 7 current · 2 stale · 1 foreign · Render files: 1 · Errors: 0');
});

test('a check sees that a given image has changed, is gone, or leads outside, without a model', async (t) => {
  const folder = checkout(t);
  const photo = (seed: number) => writeFileSync(join(folder, 'photos/a.png'), png(seed));
  mkdirSync(join(folder, 'photos'));
  photo(1);
  const entry = (name: string) => `    { "file": "${name}.png", "inputs": { "image": "photos/a.png" } }`;
  const names = Array.from({ length: 300 }, (_, index) => `print-${index}`);
  const text = `{ "model": "a/b/c", "folder": "prints", "renders": [\n${names.map(entry).join(',\n')}\n] }`;
  writeFileSync(join(folder, 'renders.jsonc'), text);
  mkdirSync(join(folder, 'prints'));
  const { renders } = await readRenderFile(text, 'renders.jsonc', systemClock);
  for (const render of renders) {
    const given = await withImages(render, () => true, new FolderOnDisk(folder));
    const recipe = recipeToAdopt(given, { tool: 'test', isPromptRecorded: true });
    writeFileSync(join(folder, render.target), Buffer.concat(embedded(png(), 'image/png', recipe)!.pieces));
  }
  const [current] = check(folder).lines;
  assert.equal(current, 'Images: 300 · 300 current · Render files: 1 · Errors: 0');
  photo(2);
  const changed = check(folder);
  assert.equal(changed.lines[0], 'renders.jsonc:2:16: prints/print-0.png is out of date: image changed.');
  assert.equal(changed.lines.at(-1), 'Images: 300 · 300 stale · Render files: 1 · Errors: 0');
  rmSync(join(folder, 'photos/a.png'));
  const gone = check(folder);
  assert.equal(gone.status, 1);
  assert.match(gone.lines[0]!, /^renders\.jsonc:2:51: “photos\/a\.png” doesn’t exist\. Enter the path/);
  assert.equal(gone.lines.at(-1), 'Images: 0 · Render files: 1 · Errors: 300');
  if (process.platform === 'win32') return;
  const secret = join(checkout(t), 'a.png');
  writeFileSync(secret, png(1));
  symlinkSync(secret, join(folder, 'photos/a.png'));
  assert.match(check(folder).lines[0]!, /“photos\/a\.png” is outside the workspace folder\./);
});

test('a check finds names of other entries that can’t be an input, and what is out of date with them', async (t) => {
  const folder = checkout(t);
  const entry = (file: string, inputs: object) => JSON.stringify({ file, inputs });
  const write = (...entries: readonly string[]) =>
    writeFileSync(join(folder, 'renders.jsonc'), `{ "model": "a/b/c", "renders": [\n${entries.join(',\n')}\n] }`);
  write(entry('fox', { image: '[fax]' }), entry('den', { image: '[tale]' }), entry('tale', { images: ['[den]'] }));
  assert.deepEqual(check(folder).lines, [
    'renders.jsonc:2:33: No entry has the file “fax”. Files that you can name: den, tale.',
    'renders.jsonc:3:33: These images need each other: den → tale → den. Remove one of the names.',
    'renders.jsonc:4:36: These images need each other: tale → den → tale. Remove one of the names.',
    'Images: 0 · Render files: 1 · Errors: 3',
  ]);
  write(entry('fox.png', { prompt: 'a fox' }), entry('den.png', { prompt: 'a den', image: '[fox]' }));
  const text = readFileSync(join(folder, 'renders.jsonc'), 'utf8');
  for (const target of ['fox.png', 'den.png']) {
    const project = new FolderOnDisk(folder);
    const file = await readRenderFile(text, 'renders.jsonc', systemClock);
    const { renders } = await withSources(file, () => undefined, project, systemClock);
    const given = await withImages(
      renders.find((render) => render.target === target)!,
      () => true,
      project,
    );
    const recipe = recipeToAdopt(given, { tool: 'test', isPromptRecorded: true });
    writeFileSync(join(folder, target), Buffer.concat(embedded(png(), 'image/png', recipe)!.pieces));
  }
  assert.deepEqual(check(folder).lines, ['Images: 2 · 2 current · Render files: 1 · Errors: 0']);
  write(entry('fox.png', { prompt: 'a red fox' }), entry('den.png', { prompt: 'a den', image: '[fox]' }));
  assert.deepEqual(check(folder), {
    status: 1,
    lines: [
      'renders.jsonc:2:10: fox.png is out of date: prompt changed.',
      'renders.jsonc:3:10: den.png is out of date, since what it’s made from is. First render what it’s made from: fox.',
      'Images: 2 · 2 stale · Render files: 1 · Errors: 0',
    ],
    stderr: '',
  });
});

test('the images of a folder are found, in whichever Unicode form its name was unpacked', async (t) => {
  const folder = checkout(t);
  const text = '{ "model": "a/b/c", "folder": "caf\u00e9/\u00fc", "renders": [{ "file": "hero" }] }';
  writeFileSync(join(folder, 'renders.jsonc'), text);
  mkdirSync(join(folder, 'cafe\u0301/u\u0308'), { recursive: true });
  assert.equal(check(folder).lines.at(-1), 'Images: 1 · 1 missing · Render files: 1 · Errors: 0');
  const { renders } = await readRenderFile(text, 'renders.jsonc', systemClock);
  const recipe = recipeToAdopt(renders[0]!, { tool: 'test', isPromptRecorded: true });
  const image = Buffer.concat(embedded(png(), 'image/png', recipe)!.pieces);
  writeFileSync(join(folder, 'cafe\u0301/u\u0308/hero.png'), image);
  assert.deepEqual(check(folder).lines, ['Images: 1 · 1 current · Render files: 1 · Errors: 0']);
});

test('two checkouts of the same folder agree, wherever they are and whoever made them', async (t) => {
  const first = checkout(t, 'site');
  await renderAll(first, 'docs/renders.jsonc', (prompt) => prompt.replace('dusk', 'dawn'));
  const second = join(checkout(t), 'clone');
  cpSync(first, second, { recursive: true });
  const [here, there] = [check(first), check(dirname(second), ['clone'])];
  assert.deepEqual(here, there);
  assert.equal(here.lines.at(-1), 'Images: 4 · 3 current · 1 stale · Render files: 1 · Errors: 0');
});

test('errors are reported with line and column for every render file, except those in packages', (t) => {
  const folder = checkout(t);
  mkdirSync(join(folder, 'node_modules/other'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/other/renders.jsonc'), '{');
  writeFileSync(
    join(folder, 'a.renders.jsonc'),
    '{\r\n  "model": "a/b/c",\r\n  "renders": [{ "file": "../x" }]\r\n}\r\n',
  );
  writeFileSync(join(folder, 'renders.jsonc'), '{ "stile": 1,\n "renders": [{ }');
  const { status, lines } = check(folder);
  assert.equal(status, 1);
  assert.deepEqual(lines, [
    'a.renders.jsonc:3:26: “../x” is outside the workspace folder. Choose a place inside it.',
    'renders.jsonc:1:4: Warning: Unknown property “stile”.',
    'renders.jsonc:2:14: Enter the file to render, for example "file": "hero".',
    'renders.jsonc:2:14: Enter a model for this render, or for all of them.',
    'renders.jsonc:2:17: This isn’t valid JSON, or it isn’t complete.',
    'Images: 0 · Render files: 2 · Errors: 4',
  ]);
});

test('a render file that begins with a byte order mark is checked like any other', (t) => {
  const folder = checkout(t);
  writeFileSync(join(folder, 'renders.jsonc'), '\uFEFF{ "model": "a/b/c", "renders": [{ "file": "hero" }] }');
  const { lines } = check(folder);
  assert.deepEqual(lines, [
    'renders.jsonc:1:44: hero is missing.',
    'Images: 1 · 1 missing · Render files: 1 · Errors: 0',
  ]);
});

test('wrong arguments end with 2, and help with 0', (t) => {
  const folder = checkout(t);
  for (const args of [['--watch'], ['a', 'b'], ['not-there']])
    assert.equal(check(folder, args).status, 2, args.join(' '));
  const { status, lines } = check(folder, ['--help']);
  assert.deepEqual([status, lines[0]], [0, 'Usage: node check.mjs [folder]']);
});

test('a render file of gigabytes is said to be too large, and an image that leads to a device isn’t read', (t) => {
  const folder = checkout(t);
  writeFileSync(join(folder, 'renders.jsonc'), '{ "model": "a/b/c", "renders": [{ "file": "hero", "inputs": {} }] }');
  if (process.platform !== 'win32') symlinkSync('/dev/zero', join(folder, 'hero.png'));
  writeFileSync(join(folder, 'vast.renders.jsonc'), '');
  truncateSync(join(folder, 'vast.renders.jsonc'), 5_000_000_000);
  const { status, lines, stderr } = check(folder);
  assert.equal(stderr, '');
  if (process.platform !== 'win32')
    assert.ok(lines.includes('renders.jsonc:1:44: hero.png has no record of how it was made.'));
  assert.match(lines.join('\n'), /^vast\.renders\.jsonc:1:1: This render file is too large\. Split it/m);
  assert.equal(status, 1);
});

/** Runs it as somebody who may read only what everybody may. */
async function asAnybody<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test('what can’t be read is named, and keeps nothing else from being checked', async (t) => {
  const folder = checkout(t);
  writeFileSync(
    join(folder, 'renders.jsonc'),
    '{ "model": "a/b/c", "renders": [{ "file": "hero" }, { "file": "text/hero" }] }',
  );
  writeFileSync(join(folder, 'text'), 'not a folder');
  const missing = ['renders.jsonc:1:44: hero is missing.', 'renders.jsonc:1:64: text/hero is missing.'];
  assert.deepEqual(check(folder).lines.slice(0, -1), missing);
  if (process.platform === 'win32') return;
  for (const name of ['secret', 'images']) mkdirSync(join(folder, name));
  for (const name of ['secret/renders.jsonc', 'locked.renders.jsonc']) writeFileSync(join(folder, name), '{}');
  const text = '{ "model": "a/b/c", "folder": "images", "renders": [{ "file": "fox" }] }';
  writeFileSync(join(folder, 'fox.renders.jsonc'), text);
  chmodSync(folder, 0o755);
  for (const name of ['secret', 'images', 'locked.renders.jsonc']) chmodSync(join(folder, name), 0);
  const { lines, isGood } = await asAnybody(() => checkFolder(folder, systemClock));
  assert.deepEqual(lines, [
    'images can’t be read.',
    'secret can’t be read.',
    'locked.renders.jsonc can’t be read.',
    'fox.renders.jsonc:1:64: images/fox can’t be read.',
    ...missing,
    'Images: 3 · 2 missing · 1 unreadable · Render files: 2 · Errors: 3',
  ]);
  assert.equal(isGood, false);
});
