import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { localImage, imageMarkdown } from '../../../src/editor/hoverImage';
import { entry } from './entries';

test('only an image saved on this computer is shown', () => {
  const file = 'file:///project/renders/fox.png';
  const mediaType = 'image/png';
  assert.equal(localImage(entry({ file, mediaType })), file);
  assert.equal(localImage(entry({ mediaType })), undefined);
  assert.equal(localImage(entry({ file })), undefined);
  assert.equal(localImage(entry({ file, mediaType: 'text/plain' })), undefined);
  assert.equal(localImage(entry({ file, mediaType: 'image/svg+xml' })), undefined);
  for (const elsewhere of ['https://models.example/fox.png', 'vscode-remote://ssh/fox.png', 'file://server/fox.png'])
    assert.equal(localImage(entry({ file: elsewhere, mediaType })), undefined);
});

const hostile = [
  'a) ![x](https://models.example/x.png',
  'a](command:workbench.action.quit) [b',
  '<img src=x onerror=alert(1)>',
  'a|width=5000',
  'a "title" \'b\'',
  'a`b` *c* _d_ ~~e~~ \\) \\',
  'a\nb\r\tc',
  'a&quot;&#41;b',
  '100%29 %0a #1 ?x=1',
  'ピザ 🦊 é',
];

test('no file name breaks out of the Markdown', () => {
  for (const name of hostile)
    for (const uri of [`file:///p/${name}`, pathToFileURL(`/p/${name}`).href]) {
      const markdown = imageMarkdown(uri);
      assert.match(markdown, /^!\[\]\(file:\/\/\/[\w.~%:/-]+\|width=200\)$/, name);
    }
});

test('the URI still leads to the file', () => {
  for (const name of hostile) {
    const [, address = ''] = /\((.*)\|/.exec(imageMarkdown(pathToFileURL(`/p/${name}`).href)) ?? [];
    assert.equal(address.split('/').map(decodeURIComponent).join('/'), `file://${posix.normalize(`/p/${name}`)}`);
  }
});
