import assert from 'node:assert/strict';
import { test } from 'node:test';
import { englishGalleryStrings, type TileView } from '../../../../../src/features/gallery/page/galleryMessages';
import { GalleryTexts } from '../../../../../src/features/gallery/page/galleryView';
import { tileLabel } from '../../../../../src/features/gallery/page/tile';

const texts = new GalleryTexts(englishGalleryStrings, 'en', []);
const tile: TileView = {
  id: 'a',
  kind: 'image',
  stage: 'saved',
  status: 'saved',
  prompt: 'a red fox',
  modelId: 'paperlight/strata/strata-2',
  model: 'Strata 2',
  price: '€0.04',
  spokenPrice: '0.04 euros',
  at: new Date(2026, 10, 21, 9, 30).getTime(),
  actions: [],
  menu: [],
};

test('the label has prompt, model, price, date, and position', () => {
  assert.match(tileLabel(tile, false, texts), /^a red fox, Strata 2, 0\.04 euros, Nov 21, 2026, 9:30\sAM, saved$/);
});

test('the label mentions a missing file, and leaves out unknown facts', () => {
  const bare = { ...tile, prompt: '', spokenPrice: undefined };
  assert.match(tileLabel(bare, true, texts), /^No prompt, Strata 2, Nov 21, .*, The file no longer exists, or can’t/);
});

test('an unknown language isn’t an error', () => {
  assert.match(new GalleryTexts(englishGalleryStrings, 'qps-ploc!', []).date(tile.at), /2026/);
});
