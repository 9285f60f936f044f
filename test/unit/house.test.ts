import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { circles, fileImports, folderImports } from '../house/circles';
import { largestCircle, meanLines, ownImportsPer100, partsPer1000, repeated } from '../house/figures';
import { readSources, sourceOf } from '../house/sources';
import { strayIn, waysIn } from '../house/ways';

const sources = readSources();

test('no two folders import each other, however indirectly', () => {
  assert.deepEqual(circles(folderImports(sources)), []);
});

test('the house stays as easy to follow as it once was', () => {
  const [imports, parts, mean] = [ownImportsPer100(sources), partsPer1000(sources), meanLines(sources)];
  assert.ok(imports <= 4, `own imports per 100 lines: ${imports.toFixed(2)}`);
  assert.ok(parts <= 2, `Pick and Omit per 1,000 lines: ${parts.toFixed(2)}`);
  assert.ok(mean >= 180, `mean lines of a file: ${mean.toFixed(0)}`);
  assert.ok(sources.length <= 420, `files: ${sources.length}`);
  const names = repeated(sources.flatMap(({ exported }) => exported));
  assert.ok(names <= 10, `exported names that exist twice or more: ${names}`);
  const circle = largestCircle(sources, { lazy: true });
  assert.ok(circle <= 4, `files in the largest circle: ${circle}`);
});

test('of a feature, the files that talk to the editor or register it are in its folder, and no others', () => {
  const misplaced = sources
    .filter(({ path }) => path.startsWith('features/') && !/\/register\w*$/.test(path))
    .filter(({ path, imports }) => /\/(model|page)\//.test(path) === imports.some(({ from }) => from === 'vscode'))
    .map(({ path }) => path);
  assert.deepEqual(misplaced, []);
});

test('what decides for a feature, and its page, run without the editor', () => {
  const needs = new Map(sources.map(({ path, imports }) => [path, imports.filter((one) => !one.isType)]));
  const reaches = (start: string) => {
    const seen = new Set([start]);
    // Iterating over a set includes values added on the way.
    for (const path of seen) for (const { from } of needs.get(path) ?? []) seen.add(from);
    return seen;
  };
  const paths = sources.map(({ path }) => path).filter((path) => /\/(model|page)\//.test(path));
  assert.ok(paths.length > 60);
  assert.deepEqual(
    paths.filter((path) => reaches(path).has('vscode')),
    [],
  );
});

test('activation only lists features', () => {
  const entry = sources.find(({ path }) => path === 'extension');
  const activate = entry?.functions.find(({ name }) => name === 'activate');
  assert.ok(activate && activate.lines <= 60);
  assert.doesNotMatch(entry!.lines.join('\n'), /registerCommand|commands\.register/);
});

test('four ways through the house are listed step by step, and stay short', () => {
  const ways = waysIn(readFileSync('src/README.md', 'utf8'), sources);
  const most = [24, 40, 24, 28];
  assert.equal(ways.length, most.length);
  assert.deepEqual(ways.flatMap(strayIn), [], 'a step is missing');
  assert.deepEqual(
    ways.filter(({ files }, index) => files.length > most[index]!).map(({ name, files }) => `${name}: ${files.length}`),
    [],
  );
});

test('CONTRIBUTING.md is read in five minutes', () => {
  assert.ok(readFileSync('CONTRIBUTING.md', 'utf8').split(/\s+/).length <= 1000);
});

test('no comment is wider than 120 characters', () => {
  const wide = [...sources, ...readSources('test')].flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => (isComment(line) && line.length > 120 ? [`${path}:${index + 1}`] : [])),
  );
  assert.deepEqual(wide, []);
});

test('every file and folder that CONTRIBUTING.md and src/README.md name exists', () => {
  const text = ['CONTRIBUTING.md', 'src/README.md'].map((file) => readFileSync(file, 'utf8')).join('\n');
  const named = [...text.matchAll(/`([\w./*<>-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => /^(?:src|test|media)\/|\.(?:tsx?|mjs|json)$/.test(path));
  assert.ok(named.length > 60);
  const paths = pathsHere();
  const missing = named.filter((path) => !paths.some((one) => patternOf(path).test(one)));
  assert.deepEqual(missing, []);
});

/** The repository's own files and folders, with `/` between segments. */
function pathsHere(): string[] {
  const below = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path.replaceAll('\\', '/')}`);
  return [...readdirSync('.'), ...['src', 'test', 'l10n', 'media'].flatMap(below)];
}

/** Sources go by the end of their path; `*` and `<id>` match part of a name. */
function patternOf(path: string): RegExp {
  const name = path.replaceAll('.', '\\.').replaceAll(/\*|<\w+>/g, '[^/]*');
  return new RegExp(`(?:^|/)${name}$`);
}

/** The formatter breaks all other lines that can be broken. */
function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/?\*|\{\/\*)/.test(line);
}

test('a circle of folders is found, whether short or long, and type imports don’t count', () => {
  const of = (file: string, text: string) => sourceOf(file, text);
  const one = of('a/one.ts', "import { two } from '../b/two';");
  const two = of('b/two.ts', "const three = () => import('../c/three');");
  const three = of('c/three.ts', "export { one } from '../a/one';");
  assert.deepEqual(circles(folderImports([one, two, three])), [['a', 'b', 'c']]);
  const typed = of('c/three.ts', "import type { one } from '../a/one';\nimport { type other } from '../a/one';");
  assert.deepEqual(circles(folderImports([one, two, typed])), []);
});

test('a circle of files is found through types, and through what is loaded later only if that counts', () => {
  const one = sourceOf('a/one.ts', "import type { two } from './two';");
  const two = sourceOf('a/two.ts', "const one = () => import('./one');");
  assert.deepEqual(circles(fileImports([one, two], { lazy: true })), [['a/one', 'a/two']]);
  assert.deepEqual(circles(fileImports([one, two], { lazy: false })), []);
});

test('what a file exports, and the types it makes of others’ parts, are counted', () => {
  const { exported, parts } = sourceOf(
    'a/one.ts',
    'export const y = 2, z = 3;\nexport function f(p: Pick<A, "b">) {}\ninterface I extends Omit<A, "b"> {}\nexport type { I };',
  );
  assert.deepEqual([exported, parts], [['y', 'z', 'f'], 2]);
});
