import { startOfDay } from './day';
import { knownLocale } from './locale';

/** The time of day, or the date where the day is another than that of `now`. Both in ms since 1970. */
export function shortMoment(at: number, now: number, locale: string): string {
  const isToday = startOfDay(now) === startOfDay(at);
  return new Intl.DateTimeFormat(
    knownLocale(locale),
    isToday ? { timeStyle: 'short' } : { dateStyle: 'medium' },
  ).format(at);
}

/** A moment to the second, with its day and its time zone, in the language of `locale`. In ms since 1970. */
export function exactWords(at: number, locale: string): string {
  return new Intl.DateTimeFormat(knownLocale(locale), { dateStyle: 'full', timeStyle: 'long' }).format(at);
}
