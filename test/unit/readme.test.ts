import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import manifest from '../../package.json';
import texts from '../../package.nls.json';

const readme = readFileSync('README.md', 'utf8');
const { contributes } = manifest;

/** The cells of the table below a heading, without its head. */
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

test('the README lists every command of the palette by its title, and no other', () => {
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

test('every picture of the README is there', () => {
  const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path]) => path!);
  assert.ok(pictures.length >= 3);
  assert.deepEqual(
    pictures.filter((path) => !existsSync(path)),
    [],
  );
});
