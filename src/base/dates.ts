import { knownLocale, startOfDay } from './time';

/** The time of day, or the date if it isn't the day of `now`. Both in ms since 1970. */
export function shortTime(at: number, now: number, locale: string): string {
  const isToday = startOfDay(now) === startOfDay(at);
  return new Intl.DateTimeFormat(
    knownLocale(locale),
    isToday ? { timeStyle: 'short' } : { dateStyle: 'medium' },
  ).format(at);
}

/** Date and time to the second, with the time zone, for `locale`. In ms since 1970. */
export function exactWords(at: number, locale: string): string {
  return new Intl.DateTimeFormat(knownLocale(locale), { dateStyle: 'full', timeStyle: 'long' }).format(at);
}
