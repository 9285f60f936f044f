import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Uri } from 'vscode';
import { linkFit } from '../../../../src/features/links/linkFit';

const settings = (mode: 'cover' | 'none') => ({ fitMissingImages: () => mode });
const file = (path: string) => ({ path }) as unknown as Uri;

test('an image is saved in the format of its link, also where the document states no size', () => {
  const fit = linkFit(file('/project/fox.jpg'), undefined, settings('cover'));
  assert.deepEqual([fit?.format, fit?.width, fit?.height], ['jpeg', undefined, undefined]);
  assert.equal(linkFit(file('/project/fox.webp'), undefined, settings('cover'))?.format, 'webp');
  assert.equal(linkFit(file('/project/fox.avif'), undefined, settings('cover')), undefined);
  assert.equal(linkFit(file('/project/fox.jpg'), undefined, settings('none')), undefined);
});
