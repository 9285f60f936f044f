import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growsInProportion } from '../growth';
import { onOneLine, redact, warnOnce, withoutNames } from '../../../src/base/log';

test('a message with line breaks, escape sequences, or reversed text stays one line that shows them', () => {
  assert.equal(onOneLine('no\r\n2026-01-01 [info] charged'), 'no\\u{d}\\u{a}2026-01-01 [info] charged');
  assert.equal(onOneLine('\u001b[2J\u202egnp.evil\u2066'), '\\u{1b}[2J\\u{202e}gnp.evil\\u{2066}');
  assert.equal(onOneLine('a\u2028b\u2029c\u0085d\u200be'), 'a\\u{2028}b\\u{2029}c\\u{85}d\\u{200b}e');
  assert.equal(onOneLine('Größe 3 µm – 日本 🚲'), 'Größe 3 µm – 日本 🚲');
});

test('a key is removed completely, even if something invisible splits it', () => {
  assert.equal(onOneLine(redact('key ai_live_ab\u200bcd\nnext')), 'key ai_live_…\\u{a}next');
});

test('a file in the log has no name made from a prompt, only its folder and file extension', () => {
  const shortened = {
    "ENOSPC: no space left on device, open '/home/me/My Site/renders/a-red-fox.png'":
      "ENOSPC: no space left on device, open '/home/me/My Site/renders/….png'",
    "EXDEV: cross-device link, rename '/a/a-red-fox.png' -> '/b/a-red-fox (2).png'":
      "EXDEV: cross-device link, rename '/a/….png' -> '/b/….png'",
    "Unable to write file 'C:\\site\\a-red-fox.webp' (Error)": "Unable to write file 'C:\\site\\….webp' (Error)",
    'file:///site/renders/a-red-fox.png.render.json has changed': 'file:///site/renders/….json has changed',
    'Couldn’t remove vscode-vfs://github/site/a-red-fox.v2.png: gone':
      'Couldn’t remove vscode-vfs://github/site/….png: gone',
    'git:/site/a-red-fox.png?%7B%22path%22%3A%22%2Fsite%2Fa-red-fox.png%22%7D': 'git:/site/….png%22%7D',
    '“a-red-fox.png” isn’t in a Git repository.': '“….png” isn’t in a Git repository.',
    '„a-red-fox.png“ ist in keinem Git-Repository.': '„….png“ ist in keinem Git-Repository.',
    '« a-red-fox.png » n’est pas': '« ….png » n’est pas',
    '「a-red-fox.png」は': '「….png」は',
    "another file has the name 'a-red-fox.png'": "another file has the name '….png'",
  };
  for (const [line, expected] of Object.entries(shortened)) assert.equal(withoutNames(line), expected);
});

test('the log still shows which document, configuration file, folder, and page of the service is meant', () => {
  for (const line of [
    'docs/guide.md is too large to search for images',
    "ENOENT: no such file or directory, scandir '/site/renders'",
    '“docs/.gitignore” has more lines than are read',
    "Can't read it: don't try docs/guide.md again",
    'https://service.example/v1.2/me.json rejected the key',
    'file:///site was closed',
  ])
    assert.equal(withoutNames(line), line);
});

test('a failure that repeats has one line in the log', () => {
  const lines: string[] = [];
  const log = { warn: (line: string) => void lines.push(line) };
  for (const line of ['one', 'two', 'one']) warnOnce(log, line);
  assert.deepEqual(lines, ['one', 'two']);
});

test('text of any kind is shortened in time proportional to its length', () => {
  for (const part of ["'", '/', "'/a.b", 'a.', 'ab:/', 'ab:/.c/', '“', '« ']) {
    const shortened = (length: number) => () => withoutNames(part.repeat(length / part.length));
    assert.ok(growsInProportion(shortened(20_000), shortened(160_000)), part);
  }
});
