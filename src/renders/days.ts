/** The day of a time (ms since 1970) in the local calendar: `2026-03-29`. */
export function dayOf(time: number): string {
  const date = new Date(time);
  return `${monthOf(time)}-${twoDigits(date.getDate())}`;
}

/** The month of a time (ms since 1970) in the local calendar: `2026-03`. */
export function monthOf(time: number): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}`;
}

/** Every day from that of `from` to that of `to` (ms since 1970), inclusive. */
export function daysBetween(from: number, to: number): string[] {
  return stepped(from, to, dayOf, (date) => date.setDate(date.getDate() + 1));
}

/** Every month from that of `from` to that of `to` (ms since 1970), inclusive. */
export function monthsBetween(from: number, to: number): string[] {
  return stepped(from, to, monthOf, (date) => date.setMonth(date.getMonth() + 1, 1));
}

const quarterMs = 15 * 60_000;

/** The same names with less work for many moments: every day of every calendar begins on a quarter of an hour. */
export function byQuarters(name: (time: number) => string): (time: number) => string {
  const names = new Map<number, string>();
  return (time) => {
    const quarter = Math.floor(time / quarterMs);
    let known = names.get(quarter);
    if (known === undefined) names.set(quarter, (known = name(time)));
    return known;
  };
}

/** By the calendar: a day on which the clocks change has 23 or 25 hours. */
function stepped(from: number, to: number, name: (time: number) => string, step: (date: Date) => unknown): string[] {
  const names: string[] = [];
  // Noon exists exactly once on every day.
  for (const date = new Date(new Date(from).setHours(12, 0, 0, 0)); ; step(date)) {
    const next = name(date.getTime());
    if (next > name(to)) return names;
    names.push(next);
  }
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
