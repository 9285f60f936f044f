import type { Clock } from '../../base/clock';
import { startOfDay } from '../../base/day';
import type { Disposable } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import { isObject } from '../../base/json';
import type { Log } from '../../base/log';
import type { RenderRecord } from '../../renders/record';
import type { Store } from '../models/drafts';

/** An order that the daily cap has turned away, and from when on the person is asked about it, ms since 1970. */
interface Kept {
  readonly key: string;
  readonly from: number;
}

/** What keeping orders for the next day needs of the rest. */
export interface TomorrowWorld {
  record(key: string): RenderRecord | undefined;
  /** True while the account it was ordered with is the one in use. */
  isInUse(record: RenderRecord): boolean;
  /** True in one window of all: that one asks. May throw LedgerError. */
  mayAsk(): boolean;
  /** Asks the person whether to start them; whatever they answer, they are not asked again. */
  ask(records: readonly RenderRecord[]): void;
}

const storeKey = 'startTomorrow';
/** How often is looked whether the day has come, ms: a machine may sleep through it. */
const lookMs = 10 * 60_000;

/** Orders the daily cap has turned away, kept until the next day: then the person is asked. It sends nothing. */
export class Tomorrow implements Disposable {
  private next: Disposable | undefined;
  private gone = false;

  constructor(
    private readonly store: Store,
    private readonly world: TomorrowWorld,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** From the next day on the person is asked about these. */
  async keep(records: readonly RenderRecord[]): Promise<void> {
    const from = nextDay(this.clock.now());
    const keys = new Set(records.map(({ key }) => key));
    const others = this.kept().filter(({ key }) => !keys.has(key));
    await this.store.update(storeKey, [...others, ...[...keys].map((key) => ({ key, from }))]);
    this.plan();
  }

  /** Asks about those whose day has come, if their account is in use. Never throws. */
  look(): void {
    try {
      this.askAboutDue();
    } catch (error) {
      this.log.warn(`Couldn’t read the renders that are postponed: ${reasonOf(error)}`);
    }
    this.plan();
  }

  dispose(): void {
    this.gone = true;
    this.next?.dispose();
  }

  private askAboutDue(): void {
    const now = this.clock.now();
    const kept = this.kept();
    const due = kept.filter(({ from }) => from <= now).flatMap(({ key }) => this.world.record(key) ?? []);
    const refused = due.filter(({ state, forgotten }) => state === 'refused' && !forgotten);
    const inUse = refused.filter((record) => this.world.isInUse(record));
    const asked = inUse.length > 0 && this.world.mayAsk() ? inUse : [];
    const waiting = new Set(refused.filter((record) => !asked.includes(record)).map(({ key }) => key));
    const rest = kept.filter(({ key, from }) => from > now || waiting.has(key));
    if (rest.length < kept.length) void this.store.update(storeKey, rest);
    if (asked.length > 0) this.world.ask(asked);
  }

  private plan(): void {
    this.next?.dispose();
    const times = this.kept().map(({ from }) => from - this.clock.now());
    if (this.gone || times.length === 0) return;
    const ahead = times.filter((ms) => ms > 0);
    this.next = this.clock.after(Math.min(lookMs, ...ahead), () => this.look());
  }

  private kept(): readonly Kept[] {
    const kept = this.store.get(storeKey);
    return Array.isArray(kept) ? kept.filter(isKept) : [];
  }
}

/**
 * When the next day has begun both here and by UTC, ms since 1970: by which of them the service counts its day, it does
 * not state.
 */
export function nextDay(now: number): number {
  const dayMs = 86_400_000;
  return Math.max(startOfDay(now, -1), (Math.floor(now / dayMs) + 1) * dayMs);
}

function isKept(value: unknown): value is Kept {
  return isObject(value) && typeof value.key === 'string' && typeof value.from === 'number';
}
