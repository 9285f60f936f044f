/** Numbers and times: added up, and as text for a locale. */

/** The start of today in local time, ms since 1970. */
export function startOfToday(): number {
  return startOfDay(Date.now());
}

/** The start of the local day of `time`, or of that many days before; ms since 1970. */
export function startOfDay(time: number, daysBefore = 0): number {
  const day = new Date(time);
  day.setHours(0, 0, 0, 0);
  // Uses the calendar, since a day on which the clocks change has 23 or 25 hours.
  day.setDate(day.getDate() - daysBefore);
  return day.getTime();
}

const dayMs = 86_400_000;

/**
 * A readable time for `locale`: only the time if it's today, "yesterday 14:03", and the date with time before that.
 * Both in ms since 1970.
 */
export function timeWords(at: number, now: number, locale: string): string {
  const language = knownLocale(locale);
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(at);
  const days = Math.round((startOfDay(now) - startOfDay(at)) / dayMs);
  if (days === 0) return time;
  if (days === 1) return `${new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-1, 'day')} ${time}`;
  return dateWords(at, locale);
}

/** The remaining time as a countdown: "0:12", "1:02:05". */
export function countdownWords(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Date and time, independent of when it's read, for `locale`. In ms since 1970. */
export function dateWords(at: number, locale: string): string {
  return new Intl.DateTimeFormat(knownLocale(locale), { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

/** The locale if Intl accepts it, else English: the editor also runs in pseudo-locales. */
export function knownLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    // Not a valid locale.
    return 'en';
  }
}

/** Formats integer euro cents for `locale`: 4 → "€0.04". */
export function formatCents(cents: number, locale: string): string {
  return formatter(locale, 'symbol').format(cents / 100);
}

/** The same amount for screen readers, with the currency spelled out: 4 → "0.04 euros". */
export function spokenCents(cents: number, locale: string): string {
  return formatter(locale, 'name').format(cents / 100);
}

/**
 * The cents of an amount in euros as somebody types it (`0.50`, `0,50`, or `2`), or of the same as a number. Undefined
 * for anything else: a fraction of a cent, a sign, or a separator of thousands.
 */
export function centsIn(euros: unknown): number | undefined {
  if (typeof euros !== 'string' && typeof euros !== 'number') return undefined;
  const [, whole = '', digits = ''] = /^(\d+)(?:[.,](\d{1,2}))?$/.exec(String(euros).trim()) ?? [];
  const cents = Number(whole + digits.padEnd(2, '0'));
  return whole !== '' && Number.isSafeInteger(cents) ? cents : undefined;
}

type Display = 'symbol' | 'name';

const formatters = new Map<string, Intl.NumberFormat>();

function formatter(locale: string, display: Display): Intl.NumberFormat {
  const key = `${display} ${locale}`;
  let found = formatters.get(key);
  if (!found) {
    found = currency(locale, display);
    formatters.set(key, found);
  }
  return found;
}

function currency(locale: string, currencyDisplay: Display): Intl.NumberFormat {
  return new Intl.NumberFormat(knownLocale(locale), { style: 'currency', currency: 'EUR', currencyDisplay });
}

/** Date and time to the second, with the time zone, for `locale`. In ms since 1970. */
export function exactWords(at: number, locale: string): string {
  return new Intl.DateTimeFormat(knownLocale(locale), { dateStyle: 'full', timeStyle: 'long' }).format(at);
}
