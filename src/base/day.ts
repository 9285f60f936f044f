/** When the person's own day began, ms since 1970. */
export function startOfToday(): number {
  return startOfDay(Date.now());
}

/** When the person's own day at `time` began, or the day so many days before it; ms since 1970. */
export function startOfDay(time: number, daysBefore = 0): number {
  const day = new Date(time);
  day.setHours(0, 0, 0, 0);
  // By the calendar: a day on which the clocks change has 23 or 25 hours.
  day.setDate(day.getDate() - daysBefore);
  return day.getTime();
}
