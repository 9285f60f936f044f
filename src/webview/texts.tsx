import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { formatCents, spokenCents } from '../base/money';
import type { FormStrings } from '../form/strings';

/** The form's words in the editor's language. */
export class Texts {
  private readonly numbers: Intl.NumberFormat;

  constructor(
    private readonly strings: FormStrings,
    private readonly locale: string,
  ) {
    this.numbers = numberFormat(locale);
  }

  /** The text of `key` with `{0}`, `{1}` … replaced; what is put in is not searched again. */
  say(key: keyof FormStrings, ...parts: readonly (string | number)[]): string {
    const shown = parts.map((part) => (typeof part === 'number' ? this.number(part) : part));
    return this.strings[key].replace(/\{(\d)\}/g, (hole, index: string) => shown[Number(index)] ?? hole);
  }

  money(cents: number): string {
    return formatCents(cents, this.locale);
  }

  /** An amount for those who hear it. */
  spokenMoney(cents: number): string {
    return spokenCents(cents, this.locale);
  }

  number(value: number): string {
    return this.numbers.format(value);
  }

  /** "12 s", "3 min 5 s". */
  duration(ms: number): string {
    const seconds = Math.floor(ms / 1000);
    return seconds < 60
      ? this.say('elapsed', seconds)
      : this.say('elapsedMinutes', Math.floor(seconds / 60), seconds % 60);
  }

  /** "840 B", "1.4 MB". */
  size(bytes: number): string {
    const power = Math.min(Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)), units.length - 1);
    const value = bytes / 1000 ** power;
    return new Intl.NumberFormat(this.numbers.resolvedOptions().locale, {
      style: 'unit',
      unit: units[power],
      unitDisplay: power === 0 ? 'narrow' : 'short',
      maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
    }).format(value);
  }
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

function numberFormat(locale: string): Intl.NumberFormat {
  const options = { maximumFractionDigits: 20 };
  try {
    return new Intl.NumberFormat(locale, options);
  } catch {
    // The editor also runs in languages Intl does not know, such as its pseudo-locale.
    return new Intl.NumberFormat('en', options);
  }
}

const context = createContext<Texts | undefined>(undefined);

/** Gives the words to everything below. */
export const TextsProvider = context.Provider;

/** The words of the form; there is no form before they have come. */
export function useTexts(): Texts {
  const texts = useContext(context);
  if (!texts) throw new Error('the form is shown before its texts have come');
  return texts;
}
