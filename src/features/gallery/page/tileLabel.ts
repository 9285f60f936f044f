import type { TileView } from './galleryMessages';
import { nameOf } from './filter';
import type { GalleryTexts } from './galleryTexts';

/** The label of a tile for a screen reader: prompt, model, price, date, and position. */
export function tileLabel(tile: TileView, missing: boolean, texts: GalleryTexts): string {
  const parts = [
    promptWords(tile, texts),
    nameOf(tile.modelId),
    tile.spokenPrice,
    texts.date(tile.at),
    missing ? texts.say('gone') : tile.status,
  ];
  return parts.filter(Boolean).join(', ');
}

/** The prompt, or its substitute. */
export function promptWords({ prompt }: TileView, texts: GalleryTexts): string {
  return prompt || texts.say('withoutPrompt');
}
