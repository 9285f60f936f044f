import { formatCents, spokenCents } from '../base/money';

/** The words of a webview in the editor's language: the texts of a table, and numbers and money as they are written there. */
export class Words<Key extends string> {
  protected readonly numbers: Intl.NumberFormat;

  constructor(
    private readonly strings: Readonly<Record<Key, string>>,
    private readonly locale: string,
  ) {
    this.numbers = numberFormat(locale);
  }

  /** The text of `key` with `{0}`, `{1}` … replaced; what is put in is not searched again. */
  say(key: Key, ...parts: readonly (string | number)[]): string {
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

  /** "840 B", "1.4 MB". */
  size(bytes: number): string {
    const power = Math.min(Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)), units.length - 1);
    const value = bytes / 1000 ** power;
    return new Intl.NumberFormat(this.language, {
      style: 'unit',
      unit: units[power],
      unitDisplay: power === 0 ? 'narrow' : 'short',
      maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
    }).format(value);
  }

  /** The language words are written in, as far as Intl knows it. */
  protected get language(): string {
    return this.numbers.resolvedOptions().locale;
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
