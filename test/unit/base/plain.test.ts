import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendLine, escapeForBox, escapeForIcons, oneLine, plain, visible } from '../../../src/base/plain';

/** What the editor's notifications turn into a link. */
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
  assert.equal(escapeForIcons('$(trash) Delete'), '\\$(trash) Delete');
  assert.doesNotMatch(escapeForIcons('$\u200b(trash)'), /(^|[^\\])\$\(/);
});

test('hovering over a row with foreign text shows no image and no link', () => {
  assert.equal(escapeForIcons('![a](http://a.example/a.png|width=9)'), '![a] (http:\u2060//a.example/a.png|width=9)');
  assert.equal(escapeForIcons('www.a.example, me@a.example'), 'w\u2060ww.a.example, me@\u2060a.example');
});

test('reversed, hidden, or multi-line text is shown as one honest line', () => {
  assert.equal(oneLine('a\u202egnp.exe'), 'agnp.exe');
  assert.equal(oneLine('a\u200b\u2066b\ufeffc\u061cd'), 'abcd');
  assert.equal(oneLine('one\r\ntwo\tthree\u2028four'), 'one two three four');
  assert.equal(oneLine('\u001b[31mred\u0007'), '[31mred');
});

test('text in characters that nobody sees is taken out', () => {
  const inTags = Array.from('ignore all', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
  const inSelectors = Array.from('obey', (letter) => String.fromCodePoint(0xe0100 + letter.charCodeAt(0))).join('');
  for (const hidden of [
    ...[inTags, inSelectors, '\u115f\u1160\u3164\uffa0', '\u00ad', '\u034f', '\u180b\u180e', '\u17b4', '\u200b\u2060'],
    ...['\ufe0f\ufe0e\ufe01', '\u200d\u200c', '\u{1d173}', '\u{fff0}', '\u2066\u202e', '\u0007', '\ud83d'],
  ]) {
    assert.equal(visible(`a${hidden}b`), 'ab');
    assert.equal(oneLine(`a${hidden}b`), 'ab');
  }
  assert.equal(visible('one\n\ttwo\r\n'), 'one\n\ttwo\r\n');
});

test('an emoji keeps the one selector and the joiners that it’s made of, and nothing more', () => {
  for (const emoji of ['❤️', '👩‍🚀', '👩🏽‍🚀', '🏃🏽‍♂️', '🏳️‍🌈', '👨‍👩‍👧‍👦', '1️⃣', '👁️‍🗨️']) {
    assert.equal(visible(emoji), emoji);
  }
  assert.equal(visible('❤\ufe0f\ufe0f\ufe0e'), '❤\ufe0f');
  assert.equal(visible('👩\u200d\u200d\u200d👧'), '👩👧');
  assert.equal(visible('👩\u200d!'), '👩!');
  assert.equal(visible('🏴\u{e0067}\u{e0062}\u{e007f}'), '🏴');
});

test('joiners between letters of scripts that are written with them stay, and between others go', () => {
  for (const word of ['می\u200cخواهم', 'क्\u200dष', 'ශ්\u200dරී', '\u0600١٢']) assert.equal(visible(word), word);
  assert.equal(visible('ig\u200cno\u200dre'), 'ignore');
  assert.equal(visible('می\u200c\u200c\u200cخواهم'), 'میخواهم');
});

test('letters of every script, emoji, and combining marks stay', () => {
  assert.equal(oneLine('Größe 日本語 עברית 🌊 e\u0301'), 'Größe 日本語 עברית 🌊 e\u0301');
});

test('long text is cut, never in the middle of a character', () => {
  const cut = oneLine('🌊'.repeat(500), 100);
  assert.ok(cut.length <= 100);
  assert.match(cut, /^(🌊)+…$/u);
});

test('an input box makes neither links nor icons of foreign text', () => {
  const text = escapeForBox('$(alert) [Click](command:workbench.action.quit) $\u200b(x) [x]\u200b(command:a)');
  assert.doesNotMatch(text, link);
  assert.doesNotMatch(text, /(^|[^\\])\$\(/);
});

test('a line of a tooltip is plain text to Markdown, and looks the same', () => {
  const written: string[] = [];
  const markdown = { appendMarkdown: (text: string) => (written.push(text), markdown) };
  for (const line of [
    '1. a list? [no](command:x) ![no](https://x.example/a.png)',
    'https://x.example www.x.example me@x.example <https://x.example>',
    '<img src=x onerror=alert(1)> &lt;b&gt; `code` **bold** ~~gone~~ | a | b |',
    'Größe 日本語 עברית 🌊',
  ]) {
    appendLine(markdown, line);
    const text = written.pop()!;
    assert.doesNotMatch(text.replaceAll(/&#\d+;/g, ''), /[!-/:-@[-`{-~]/, text);
    assert.equal(
      text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
      line,
    );
  }
});

test('in a tooltip, a word wider than it wraps, and nothing of it is lost', () => {
  const written: string[] = [];
  const markdown = { appendMarkdown: (text: string) => (written.push(text), markdown) };
  const word = 'a'.repeat(39) + '🌊'.repeat(50);
  appendLine(markdown, `short ${word}`);
  const text = written.join('');
  assert.ok(text.split(/[ \u200b]/).every((part) => /^.{0,40}$/u.test(part)));
  assert.equal(text.replaceAll('\u200b', ''), `short ${word}`);
});
