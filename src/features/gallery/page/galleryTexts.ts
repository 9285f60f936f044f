import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { GalleryStrings } from './galleryStrings';
import { ActionWords } from '../../../editor/page/actionWords';

/** The gallery's texts in the editor's language. */
export class GalleryTexts extends ActionWords<keyof GalleryStrings> {
  private dates: Intl.DateTimeFormat | undefined;

  /** Day and time of a moment, ms since 1970. */
  date(ms: number): string {
    this.dates ??= new Intl.DateTimeFormat(this.language, { dateStyle: 'medium', timeStyle: 'short' });
    return this.dates.format(ms);
  }
}

const context = createContext<GalleryTexts | undefined>(undefined);

/** Provides the texts to everything below. */
export const GalleryTextsProvider = context.Provider;

/** The texts of the gallery; it isn't shown before they arrive. */
export function useGalleryTexts(): GalleryTexts {
  const texts = useContext(context);
  if (!texts) throw new Error('The gallery was shown before its texts arrived');
  return texts;
}
