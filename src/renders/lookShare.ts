const minute = 60_000;
/** The shortest pause between two polls, ms: the specification (Endpoints) says “every few seconds”. */
export const closestMs = 2000;

/**
 * The share of requests that polling may use: per minute never more than one per interval. While half of that is left,
 * two polls may be two seconds apart; after that, the rest is spread over the minute.
 */
export class LookShare {
  /** Ticks of the polls in the last minute. */
  private looks: number[] = [];

  /** Counts a poll at `now`, in ticks. */
  count(now: number): void {
    this.looks = [...this.looks.filter((at) => at > now - minute), now];
  }

  /** The earliest time for the next poll, in ticks; may be in the past. `intervalMs`: the average pause between two. */
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
