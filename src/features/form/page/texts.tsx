import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FormStrings } from './formMessages';
import { ActionWords } from '../../../editor/page/controls';

/** The form's texts in the editor's language. */
export class Texts extends ActionWords<keyof FormStrings> {
  /** "12 s", "3 min 5 s". */
  duration(ms: number): string {
    const seconds = Math.floor(ms / 1000);
    return seconds < 60
      ? this.say('elapsed', seconds)
      : this.say('elapsedMinutes', Math.floor(seconds / 60), seconds % 60);
  }

  /** "3 s, usually 4 s". */
  progress(elapsedMs: number, usualMs: number | undefined): string {
    const elapsed = this.duration(elapsedMs);
    if (usualMs === undefined) return elapsed;
    return this.say('usually', elapsed, this.duration(1000 * Math.max(1, Math.round(usualMs / 1000))));
  }
}

const context = createContext<Texts | undefined>(undefined);

/** Provides the texts to everything below. */
export const TextsProvider = context.Provider;

/** The texts of the form; it isn't shown before they arrive. */
export function useTexts(): Texts {
  const texts = useContext(context);
  if (!texts) throw new Error('The form was shown before its texts arrived');
  return texts;
}
