import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import { test } from 'node:test';
import { calendar } from '../../../src/files/calendar';
import { folded, numberedNames } from '../../../src/files/names';
import { fillTemplate, type NameFacts } from '../../../src/files/template';

const names = 100_000;

/** Integers from 0 up to `below`, reproducible by seed. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const pieces: readonly string[] = [
  ...[
    '.',
    '..',
    ' ',
    '-',
    '_',
    '/',
    '\\',
    ':',
    '(',
    ')',
    ' (2)',
    '$&',
    '$1',
    '${date}',
    '${slug}',
    '$' + '{',
    '}',
    '~1',
    '%00',
    '%2e%2e',
    '%USERPROFILE%',
  ],
  ...[
    'con',
    'NUL',
    'aux.',
    'COM1',
    'com¹',
    'LPT³.',
    'CONIN$',
    'CLOCK$',
    'ｎｕｌ',
    'cоn',
    '.git',
    '.vscode',
    'desktop.ini',
    '~',
    '-rf',
    'C:',
    '\\\\srv\\',
    'a:b',
  ],
  ...[
    '\0',
    '\r\n',
    '\t',
    '\u001b[31m',
    '\u007f',
    '\u0085',
    '\u00a0',
    '\u00ad',
    '\u034f',
    '\u061c',
    '\u115f',
    '\u180e',
    '\u200b',
    '\u200d',
    '\u202e',
    '\u2066',
  ],
  ...[
    '\u2028',
    '\u3000',
    '\u3164',
    '\ufe0f',
    '\ufeff',
    '\uffff',
    '\ud800',
    '\udfff',
    '\u{e0041}',
    '\u{f0000}',
    '\u0301',
    'e\u0301',
    'ﬀ',
    'İ',
    'ß',
    '\u212b',
    '\u1e9b\u0323',
  ],
  ...[
    '🦊',
    '👩‍👩‍👧',
    '🇩🇪',
    'word',
    ' a red fox ',
    '狐',
    'लोमड़ी',
    'ثعلب',
    'x'.repeat(130),
    '字'.repeat(60),
    '𝒜'.repeat(40),
    '\u0301'.repeat(90),
    'nul'.repeat(50),
  ],
  ...[
    '<',
    '>',
    '"',
    '|',
    '?',
    '*',
    '`',
    '$(zap)',
    '[x](command:y)',
    '<b>',
    "'",
    ';',
    '&',
    '#',
    '@',
    '=',
    '+',
    ',',
    '!',
  ],
];

const templates = [
  '${date}-${model}-${slug}',
  '${slug}',
  '${model}',
  '${id}',
  '${model}.${slug}',
  '${slug} ',
  '.${slug}',
  '${unknown}${slug}',
  '../${slug}',
  '${slug}/${model}',
];
const extensions = ['png', 'webm', 'bin'];
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)$/i;

/** Why a file name is invalid on Windows, macOS, or Linux; undefined if it isn't. */
function unfit(name: string): string | undefined {
  if (/[<>:"/\\|?*\p{Cc}]/u.test(name)) return 'a character Windows forbids';
  if (/[\p{Cf}\p{Cs}\p{Cn}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(name))
    return 'something nobody sees';
  if (/[. ]$/.test(name) || /^[. -]/.test(name)) return 'an end or a beginning that systems drop or tools misread';
  if (/[. ]\.[a-z]+$/.test(name)) return 'a name without its extension that systems change';
  if (devices.test((name.split('.')[0] ?? '').trimEnd())) return 'a device of Windows';
  if (Buffer.byteLength(name) > 120) return 'too long';
  if (name !== name.normalize('NFC')) return 'not in the composed form';
  if (win32.basename(name) !== name || posix.normalize(name) !== name || win32.normalize(name) !== name)
    return 'a path';
  return undefined;
}

test(`${names} names made of hostile models, prompts, ids and templates are fit for every system`, (t) => {
  const chance = seeded(20_261_121);
  const one = <T>(of: readonly T[]) => of[chance(of.length)]!;
  const text = () => Array.from({ length: chance(5) }, () => one(pieces)).join('');
  const days = calendar('UTC');
  const distinct = new Set<string>();
  let longest = 0;
  for (let n = 0; n < names; n++) {
    const facts: NameFacts = { time: chance(2 ** 31) * 1000, modelId: text(), prompt: text(), id: text(), index: n };
    const template = one(templates) + (chance(3) === 0 ? text() : '');
    const base = fillTemplate(template, facts, days);
    const tried = numberedNames(base, one(extensions));
    // The first name, and one of those tried if it's taken.
    const files = [
      tried.next().value as string,
      Array.from({ length: 98 }, () => tried.next().value as string).at(-1)!,
    ];
    for (const file of files) assert.equal(unfit(file), undefined, JSON.stringify([template, facts, file]));
    assert.notEqual(folded(files[0]!), folded(files[1]!));
    assert.notEqual(base, '');
    longest = Math.max(longest, Buffer.byteLength(files[1]!));
    distinct.add(folded(files[0]!));
  }
  t.diagnostic(`${names} names, ${distinct.size} of them distinct, the longest of ${longest} bytes: 0 unfit`);
  assert.ok(distinct.size > names / 3 && longest > 100, 'what is tried is of many kinds');
});
