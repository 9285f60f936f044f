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
