/** When the person's own day began, ms since 1970. */
export function startOfToday(): number {
  return new Date().setHours(0, 0, 0, 0);
}
