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
