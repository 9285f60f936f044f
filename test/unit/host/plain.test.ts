import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendLine, iconless, oneLine, plain } from '../../../src/host/plain';

/** What the editor's notifications make a link of. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)/i;

test('a link in foreign text stays text in a notification', () => {
  for (const text of [
    '[Click](command:workbench.action.terminal.new)',
    '[x](file:///etc/passwd)',
    '[x](https://evil.example)',
    '[x]\n(command:a)',
    '[x]\u200b(command:a)',
    '[x]\u0000(command:a)',
    '[[x]](command:a)',
    '[x](](command:a)',
  ]) {
    assert.doesNotMatch(plain(text), link, text);
  }
});

test('an icon in foreign text stays text in a label', () => {
  assert.equal(iconless('$(trash) Delete'), '\\$(trash) Delete');
  assert.doesNotMatch(iconless('$\u200b(trash)'), /(^|[^\\])\$\(/);
});

test('text that is turned around, hidden or broken into lines is shown as one line that says what it is', () => {
  assert.equal(oneLine('a\u202egnp.exe'), 'agnp.exe');
  assert.equal(oneLine('a\u200b\u2066b\ufeffc\u061cd'), 'abcd');
  assert.equal(oneLine('one\r\ntwo\tthree\u2028four'), 'one two three four');
  assert.equal(oneLine('\u001b[31mred\u0007'), '[31mred');
});

test('letters of every script, emoji and joined marks come through', () => {
  assert.equal(oneLine('Größe 日本語 עברית 🌊 e\u0301'), 'Größe 日本語 עברית 🌊 e\u0301');
});

test('long text is cut, never in the middle of a character', () => {
  const cut = oneLine('🌊'.repeat(500), 100);
  assert.ok(cut.length <= 100);
  assert.match(cut, /^(🌊)+…$/u);
});

test('a line of a tooltip wraps between its words, and stays text', () => {
  const parts: string[] = [];
  const markdown = {
    appendText: (text: string) => (parts.push(`<${text}>`), markdown),
    appendMarkdown: (text: string) => (parts.push(text), markdown),
  };
  appendLine(markdown, '1. a list? [no](command:x)');
  assert.deepEqual(parts, ['<1. a>', ' ', '<list?>', ' ', '<[no](command:x)>']);
  parts.length = 0;
  appendLine(markdown, 'word');
  assert.deepEqual(parts, ['<word>']);
});
