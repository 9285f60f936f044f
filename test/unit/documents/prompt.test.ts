import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageLinks } from '../../../src/documents/imageLinks';
import { altFrom, promptOf } from '../../../src/documents/prompt';

const prompt = (text: string) => promptOf(imageLinks(text, 'markdown')[0]!);

test('a prompt is the alt text, plus what the title adds to it', () => {
  assert.equal(prompt('![A red fox in the snow](a.png)'), 'A red fox in the snow');
  assert.equal(prompt('![A *red* fox &amp; \\[friends\\]](a.png "In the snow")'), 'A red fox & [friends]. In the snow');
  assert.equal(prompt('![A fox.](a.png "a fox")'), 'A fox.');
  assert.equal(prompt('![fox](a.png "A red fox")'), 'A red fox');
  assert.equal(prompt('![](a.png "A red fox")'), 'A red fox');
  assert.equal(prompt('![赤い狐](a.png)'), '赤い狐');
});

test('text that says nothing about the image isn’t a prompt', () => {
  for (const alt of ['', ' ', 'image', 'Alt text', 'An image', 'hero.png', '…', 'TODO'])
    assert.equal(prompt(`![${alt}](a.png)`), undefined);
});

test('a long prompt is cut after a word for the alternative text, and never within a character', () => {
  assert.equal(altFrom('A red fox\n in the snow '), 'A red fox in the snow');
  assert.equal(altFrom(`${'a '.repeat(120)}lighthouse keeper`), `${'a '.repeat(119)}a…`);
  assert.equal(altFrom(`${'x'.repeat(249)}😀`), `${'x'.repeat(249)}…`);
});
