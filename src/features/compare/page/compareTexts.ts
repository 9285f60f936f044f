import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { CompareStrings } from './compareStrings';
import { Words } from '../../../editor/page/words';

/** The comparison's words in the editor's language. */
export class CompareTexts extends Words<keyof CompareStrings> {}

const context = createContext<CompareTexts | undefined>(undefined);

/** Provides the texts to everything below. */
export const CompareTextsProvider = context.Provider;

/** The texts of the comparison; it isn't shown before they arrive. */
export function useCompareTexts(): CompareTexts {
  const texts = useContext(context);
  if (!texts) throw new Error('The comparison was shown before its texts arrived');
  return texts;
}
