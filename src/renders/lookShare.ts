const minute = 60_000;
/** Two looks are never closer than that, ms: a render is polled “every few seconds” (specification, Endpoints). */
export const closestMs = 2000;

/**
 * The share of requests that looks may take: never more in a minute than one each interval would be. While half of that
 * is left, two looks may be as close as two seconds; then the rest is spread over the rest of the minute.
 */
export class LookShare {
  /** When the looks of the last minute were, in ticks. */
  private looks: number[] = [];

  /** Counts a look at `now`, in ticks. */
  count(now: number): void {
    this.looks = [...this.looks.filter((at) => at > now - minute), now];
  }

  /** The earliest that the next look may be, in ticks; may be past. `intervalMs`: the pause between two, on average. */
  earliest(now: number, intervalMs: number): number {
    const recent = this.looks.filter((at) => at > now - minute);
    const [first] = recent;
    const last = recent.at(-1);
    if (first === undefined || last === undefined) return now;
    const closest = Math.min(closestMs, intervalMs);
    const share = Math.max(1, Math.floor(minute / intervalMs));
    const end = first + minute;
    if (recent.length >= share) return Math.max(last + closest, (recent.at(-share) ?? first) + minute);
    if (recent.length * 2 < share) return last + closest;
    return last + Math.max(closest, (end - last) / (share - recent.length + 1));
  }
}
