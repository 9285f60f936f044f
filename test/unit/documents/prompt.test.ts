import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageLinks } from '../../../src/documents/imageLinks';
import { altFrom, isWorthRendering, promptOfLink } from '../../../src/documents/prompt';

const prompt = (text: string) => promptOfLink(imageLinks(text, 'markdown')[0]!);

test('a prompt is the alt text, plus what the title adds to it', () => {
  assert.equal(prompt('![A red fox in the snow](a.png)'), 'A red fox in the snow');
  assert.equal(prompt('![A *red* fox &amp; \\[friends\\]](a.png "In the snow")'), 'A red fox & [friends]. In the snow');
  assert.equal(prompt('![A fox.](a.png "a fox")'), 'A fox.');
  assert.equal(prompt('![fox](a.png "A red fox")'), 'A red fox');
  assert.equal(prompt('![](a.png "A red fox")'), 'A red fox');
  assert.equal(prompt('![赤い狐](a.png)'), '赤い狐');
});

test('text that says nothing about the image isn’t a prompt', () => {
  for (const alt of ['', ' ', 'image', 'Alt text', 'An image', 'hero.png', '…', 'TODO', 'Screenshot', 'Screenshots.'])
    assert.equal(prompt(`![${alt}](a.png)`), undefined);
});

test('what shows a program or figures, is drawn in lines, moves, or has one or two words isn’t worth rendering', () => {
  const isWorth = (text: string) => isWorthRendering(imageLinks(text, 'markdown')[0]!);
  for (const text of [
    '![A red fox](fox.png)',
    '![](fox.png)',
    '![赤い狐が雪の中で眠る](a.png)',
    '![A tablet of stone](a.png)',
  ])
    assert.ok(isWorth(text), text);
  const none = [
    '![A fox](fox.png)',
    '![狐](a.png)',
    '![A screenshot of the fox](a.png)',
    '![The login Dialog, open](a.png)',
    '![Three tables and a bar-chart](a.png)',
    '![A red fox](img/logos/fox.png)',
    '![A red fox](img/mainWindow.png)',
    '![A red fox](img/login_screen_2.png)',
    '![](icons/fox.png)',
    '![A red fox](fox.svg)',
    '![A red fox](fox.GIF)',
  ];
  for (const text of none) assert.ok(!isWorth(text), text);
});

test('a long prompt is cut after a word for the alternative text, and never within a character', () => {
  assert.equal(altFrom('A red fox\n in the snow '), 'A red fox in the snow');
  assert.equal(altFrom(`${'a '.repeat(120)}lighthouse keeper`), `${'a '.repeat(119)}a…`);
  assert.equal(altFrom(`${'x'.repeat(249)}😀`), `${'x'.repeat(249)}…`);
});
