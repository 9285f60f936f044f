import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstFree, folded, isInstructions, isSafeName, numberedNames, safeName } from '../../../src/files/names';

const devices = new Set(
  ['CON', 'PRN', 'AUX', 'NUL', 'CONIN$', 'CONOUT$', 'CLOCK$', 'COM', 'LPT'].flatMap((name) =>
    /COM|LPT/.test(name) ? Array.from('0123456789¹²³', (digit) => name + digit) : [name],
  ),
);

/** Why a name is invalid on Windows, macOS, or Linux; undefined if it isn't. */
function unfit(name: string): string | undefined {
  if (name === '') return 'empty';
  if (/[<>:"/\\|?*\p{Cc}]/u.test(name)) return 'a character Windows forbids';
  if (/[. ]$/.test(name)) return 'an end Windows drops';
  if (/^[.\- ]/.test(name)) return 'a beginning tools misread';
  if (devices.has((name.split('.')[0] ?? '').trimEnd().toUpperCase())) return 'a device of Windows';
  if (/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u3164\ufe00-\ufe0f]/u.test(name)) return 'something nobody sees';
  if (Buffer.byteLength(`${name} (99).webm`) > 120) return 'too long';
  if (name !== name.normalize('NFC')) return 'not in the composed form';
  if (win32.basename(name) !== name || posix.basename(name) !== name) return 'more than one segment';
  if (posix.normalize(name) !== name) return 'not itself as a path';
  return undefined;
}

const hostile = [
  ...[
    '..',
    '../../x',
    'C:\\x',
    '\\\\srv\\s',
    'a:b',
    'NUL',
    'nul.png',
    'com1.png',
    'COM¹',
    'CONIN$',
    'lpt² .txt',
    'aux .',
    'con',
  ],
  ...[
    'x. . .',
    ' x',
    '.git',
    '-rf',
    '--',
    '🦊',
    '🦊🦊',
    '\u202egpj.exe',
    'a\u200b\u0308',
    '\u0301',
    '%00',
    'a\0b',
    'a\r\nb',
    '\ud800',
  ],
  ...[
    'a'.repeat(1000),
    '字'.repeat(300),
    'e\u0301'.repeat(200),
    'ﬀ',
    '\u212a',
    '\u3164',
    '$(x)',
    '`x`',
    '~1',
    'PROGRA~1',
    '[x](y)',
  ],
];

test('a name made from anything is valid on every system, and stays as it is (D01)', () => {
  const piece = fc.oneof(
    fc.constantFrom(...hostile),
    fc.constantFrom('.', ' ', '-', '/', '\\', ':', '\u0301', '\u200d', '(', '_', 'nul', 'COM', '1', '¹'),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('word ', 'é', '字', 'x').map((text) => text.repeat(40)),
  );
  const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, (given) => {
      const name = safeName(given);
      assert.equal(unfit(name), undefined);
      assert.equal(safeName(name), name);
    }),
    { numRuns: 100_000 },
  );
});

test('every hostile name becomes a valid one', () => {
  for (const given of hostile) assert.equal(unfit(safeName(given)), undefined, given);
});

test('a name keeps its safe characters', () => {
  assert.equal(safeName('2026-11-21-lumen-a red fox (draft)'), '2026-11-21-lumen-a red fox (draft)');
  assert.equal(safeName('Füchsin & Söhne: 50%'), 'Füchsin - Söhne- 50');
  assert.equal(safeName('赤い狐'), '赤い狐');
});

test('a name that every system accepts is kept exactly, tidy or not', () => {
  for (const name of ['hero--dark', 'two  spaces', 'logo@2x', '_draft', 'fox (2)', 'étude']) {
    assert.equal(isSafeName(name), true, name);
    assert.equal(safeName(name), name);
  }
  for (const name of [...hostile, '', 'a..b', 'a&b', '-x', 'x '])
    assert.equal(isSafeName(name), safeName(name) === name, name);
});

test('a name without any valid character becomes render', () => {
  for (const given of ['', '...', '🦊', '///', '\u200b', ' - ']) assert.equal(safeName(given), 'render', given);
});

test('a name that is cut down to a Windows device name is one no longer', () => {
  assert.equal(safeName(`aux${'. -'.repeat(60)}x`), '_aux');
  assert.match(safeName(`aux .${'é'.repeat(200)}`), /^_aux \.é+$/);
});

test('a Windows device name gets a prefix that makes it valid', () => {
  assert.equal(safeName('nul'), '_nul');
  assert.equal(safeName('COM¹.backup'), '_COM¹.backup');
  assert.equal(safeName('console'), 'console');
});

test('no numbered name is one that agents obey', () => {
  for (const name of ['AGENTS', 'CLAUDE.local', 'copilot-instructions', 'x.instructions'])
    assert.deepEqual([...numberedNames(name, 'md')].filter(isInstructions), [`${name}.md`]);
});

test('names are tried with numbers from 2', () => {
  const names = numberedNames('fox', 'png');
  assert.deepEqual([names.next().value, names.next().value, names.next().value], ['fox.png', 'fox-2.png', 'fox-3.png']);
});

test('the first free name is the first that numbers give, and the name itself if none is left', () => {
  const taken = ['fox', 'fox-2', 'fox-4'];
  assert.equal(
    firstFree('fox', (name) => taken.includes(name)),
    'fox-3',
  );
  assert.equal(
    firstFree('hare', (name) => taken.includes(name)),
    'hare',
  );
  assert.equal(
    firstFree('fox', () => true),
    'fox',
  );
});

test('names that differ only in case or Unicode form are one name', () => {
  assert.equal(folded('FÜCHSE.png'), folded('fu\u0308chse.PNG'));
  assert.notEqual(folded('fox.png'), folded('fax.png'));
});

test('the names of files that agents obey are known, in any case, and no others', () => {
  const obeyed = [
    'AGENTS.md',
    'agents.md',
    'AGENTS.override.md',
    'CLAUDE.md',
    'Claude.local.md',
    'SKILL.md',
    'GEMINI.md',
  ];
  const more = ['copilot-instructions.md', 'web.instructions.md', 'review.prompt.md', '.cursorrules', 'AGENTS.txt'];
  for (const name of [...obeyed, ...more]) assert.ok(isInstructions(name), name);
  for (const name of ['a-red-kite.md', 'claude-monet.md', 'agents.png', 'skills.md', 'README.md', 'AGENTS (2).md'])
    assert.ok(!isInstructions(name), name);
});
