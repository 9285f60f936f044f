import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { imageSize } from 'image-size';
import manifest from '../../package.json';
import texts from '../../package.nls.json';

const readme = readFileSync('README.md', 'utf8');
const { contributes } = manifest;

/** The cells of the table below a heading, without its header. */
function table(heading: string): string[][] {
  const [, section = ''] = readme.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const rows = own.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function shown(value: string | number | null): string {
  if (value === null) return 'none';
  if (value === '') return 'empty';
  return typeof value === 'string' ? `\`${value}\`` : String(value);
}

test('the README lists every command of the Command Palette by its title, and no other', () => {
  const hidden = new Set(
    contributes.menus.commandPalette.flatMap((item) => (item.when === 'false' ? [item.command] : [])),
  );
  const titles = contributes.commands
    .filter(({ command }) => !hidden.has(command))
    .map(({ title }) => texts[title.slice(1, -1) as keyof typeof texts]);
  assert.deepEqual(
    table('Commands')
      .map(([title]) => title)
      .sort(),
    titles.sort(),
  );
});

test('the README lists every setting with its default, and no other', () => {
  const settings = contributes.configuration.flatMap(({ properties }) =>
    Object.entries(properties as object as Record<string, { readonly default: string | number | null }>),
  );
  assert.deepEqual(
    table('Settings')
      .map(([id, standard]) => `${id} ${standard}`)
      .sort(),
    settings.map(([id, setting]) => `\`${id}\` ${shown(setting.default)}`).sort(),
  );
});

/** The README as packaged. */
async function packaged(): Promise<string> {
  const module = pathToFileURL(join(process.cwd(), 'esbuild.mjs')).href;
  const { packagedReadme } = (await import(module)) as { packagedReadme: () => string };
  return packagedReadme();
}

function targets(text: string, links: RegExp): string[] {
  return [...text.matchAll(links)].map(([, target]) => target!);
}

test('every image of the README opens', () => {
  const images = targets(readme, /!\[[^\]]+\]\(([^)]+)\)/g);
  assert.ok(images.length >= 10);
  for (const image of images) assert.ok(imageSize(readFileSync(image)).width > 0, image);
});

test('the packaged README has no image, which the editor would show as broken, and points to the walkthrough', async () => {
  const text = await packaged();
  assert.deepEqual(targets(text, /!\[[^\]]*\]\(([^)]+)\)/g), []);
  assert.match(text, /run \*\*Model Catalog: Get Started\*\*/);
  assert.doesNotMatch(text, /\n{3}/, 'no gap is left');
});

test('the packaged README has links to websites and to its own headings only', async () => {
  const text = await packaged();
  const headings = targets(text, /^#+ (.+)$/gm).map((heading) => `#${heading.toLowerCase().replaceAll(' ', '-')}`);
  const dead = targets(text, /\[[^\]]*\]\(([^)]+)\)/g).filter(
    (target) => !headings.includes(target) && !URL.parse(target)?.protocol.startsWith('https'),
  );
  assert.deepEqual(dead, []);
});

test('a file that the README refers to exists, and the security policy is packaged', () => {
  const files = targets(readme, /\]\((?!https:|#)([^)]+)\)/g);
  assert.ok(files.includes('SECURITY.md'));
  assert.deepEqual(
    files.filter((file) => !existsSync(file)),
    [],
  );
  assert.match(readFileSync('.vscodeignore', 'utf8'), /^!SECURITY\.md$/m);
});

test('the security policy lists each packaged library and each tool with its version', () => {
  const policy = readFileSync('SECURITY.md', 'utf8');
  const shipped = [...readFileSync('dist/THIRD-PARTY-NOTICES.txt', 'utf8').matchAll(/^(\S+) (\d\S*) \([\w.-]+\)$/gm)];
  assert.ok(shipped.length > 5);
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const tools = Object.entries(devDependencies).filter(([name]) => !name.startsWith('@types/'));
  for (const [name, version] of [...shipped.map(([, name = '', version = '']) => [name, version] as const), ...tools]) {
    const rows = policy.split('\n').filter((line) => line.startsWith('|') && line.includes(name));
    assert.ok(
      rows.some((row) => row.includes(version)),
      `${name} ${version}`,
    );
  }
});

test('the notices name the parser inside undici, and say that the icons were changed', () => {
  const notices = readFileSync('dist/THIRD-PARTY-NOTICES.txt', 'utf8');
  assert.match(notices, /^Contains llhttp \(MIT\)\n\nCopyright Fedor Indutny, 2018\.\n\nPermission is hereby granted/m);
  assert.match(notices, /^Changed: single icons are taken out of the set/m);
});

test('the README begins with an animation of less than 400 kB', () => {
  const [first = ''] = targets(readme, /!\[[^\]]+\]\(([^)]+)\)/g);
  const animation = readFileSync(first);
  assert.ok(animation.length < 400_000, `${animation.length} bytes`);
  assert.ok(animation.toString('latin1').split('ANMF').length > 10, 'it has many frames');
});

test('the README has 1,100 to 1,400 words, without headings, tables, code, and images', () => {
  const prose = readme
    .replace(/```.*?```/gs, '')
    .replace(/^[#|].*$/gm, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\]\([^)]*\)/g, ']');
  const words = prose.split(/\s+/).filter((word) => /\p{Letter}/u.test(word));
  assert.ok(words.length >= 1100 && words.length <= 1400, `${words.length} words`);
});
