import { decimalOf } from '../base/decimal';
import { knownLocale } from '../base/locale';
import { formatCents, spokenCents } from '../base/money';
import { formatSize } from '../base/size';

/**
 * The words of a webview in the editor's language: the texts of a table, and numbers and money as they are written
 * there.
 */
export class Words<Key extends string> {
  protected readonly numbers: Intl.NumberFormat;
  /** What is between a number and its fraction. */
  readonly decimal: '.' | ',';

  constructor(
    private readonly strings: Readonly<Record<Key, string>>,
    private readonly locale: string,
  ) {
    this.decimal = decimalOf(locale);
    this.numbers = new Intl.NumberFormat(knownLocale(locale), { maximumFractionDigits: 20 });
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

  size(bytes: number): string {
    return formatSize(bytes, this.locale);
  }

  /** The language words are written in, as far as Intl knows it. */
  protected get language(): string {
    return this.numbers.resolvedOptions().locale;
  }
}
