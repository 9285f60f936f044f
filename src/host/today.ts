import { startOfDay } from '../base/day';

/** When the person's own day began, ms since 1970. */
export function startOfToday(): number {
  return startOfDay(Date.now());
}
