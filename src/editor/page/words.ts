import { formatCents, knownLocale, spokenCents } from '../../base/format';
import { decimalOf, formatSize, formatNames } from '../../base/numbers';

/** The texts of a webview in the editor's language, and numbers and money in its format. */
export class Words<Key extends string> {
  protected readonly numbers: Intl.NumberFormat;
  /** The decimal separator. */
  readonly decimal: '.' | ',';

  constructor(
    private readonly strings: Readonly<Record<Key, string>>,
    private readonly locale: string,
  ) {
    this.decimal = decimalOf(locale);
    this.numbers = new Intl.NumberFormat(knownLocale(locale), { maximumFractionDigits: 20 });
  }

  /** The text of `key` with `{0}`, `{1}` … replaced; inserted parts aren't searched again. */
  say(key: Key, ...parts: readonly (string | number)[]): string {
    const shown = parts.map((part) => (typeof part === 'number' ? this.number(part) : part));
    return this.strings[key].replace(/\{(\d)\}/g, (hole, index: string) => shown[Number(index)] ?? hole);
  }

  money(cents: number): string {
    return formatCents(cents, this.locale);
  }

  /** An amount for screen readers. */
  spokenMoney(cents: number): string {
    return spokenCents(cents, this.locale);
  }

  number(value: number): string {
    return this.numbers.format(value);
  }

  readonly size = (bytes: number): string => formatSize(bytes, this.locale);

  /** As `formatNames`. */
  readonly formats = (types: readonly string[]): string => formatNames(types, this.locale);

  /** The language of the texts, as far as Intl knows it. */
  protected get language(): string {
    return this.numbers.resolvedOptions().locale;
  }
}
