import type { Clock } from '../../../base/clock';
import { type Disposable, Emitter } from '../../../base/disposable';
import { type Log, reasonOf } from '../../../base/log';
import { isObject } from '../../../base/json';
import type { Store } from '../../../base/store';
import { startOfDay } from '../../../base/format';
import type { RenderRecord } from '../../../renders/record';

/** An order rejected because of the daily cap, and when the user is asked about it, ms since 1970. */
interface Postponed {
  readonly key: string;
  readonly from: number;
}

/** Dependencies of postponed orders. */
export interface TomorrowDeps {
  record(key: string): RenderRecord | undefined;
  /** True while the account of the order is in use. */
  isInUse(record: RenderRecord): boolean;
  /** True in only one window: that one asks. May throw LedgerError. */
  mayAsk(): boolean;
  /** Asks the user whether to start them, once whatever they answer. */
  ask(records: readonly RenderRecord[]): void;
}

const storeKey = 'startTomorrow';

/** How often it checks whether the day has come, ms: a timer may sleep with the machine. */
const lookMs = 10 * 60_000;

/** Orders rejected because of the daily cap, kept until the next day, when the user is asked. Sends nothing. */
export class Tomorrow implements Disposable {
  private readonly changed = new Emitter<void>();
  /** Other orders are postponed now. */
  readonly onDidChange = this.changed.event;
  private next: Disposable | undefined;
  private gone = false;

  constructor(
    private readonly store: Store,
    private readonly deps: TomorrowDeps,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** True until the day on which the user is asked about this order. */
  has(key: string): boolean {
    return this.kept().some((one) => one.key === key && one.from > this.clock.now());
  }

  /** Asks the user about these from the next day on. */
  async keep(records: readonly RenderRecord[]): Promise<void> {
    const from = nextDay(this.clock.now());
    const keys = new Set(records.map(({ key }) => key));
    const others = this.kept().filter(({ key }) => !keys.has(key));
    await this.write([...others, ...[...keys].map((key) => ({ key, from }))]);
    this.plan();
  }

  /** Asks about those that are due if their account is in use. Never throws. */
  look(): void {
    try {
      this.askAboutDue();
    } catch (error) {
      this.log.warn(`Couldn’t read the postponed renders: ${reasonOf(error)}`);
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
    const due = kept.filter(({ from }) => from <= now).flatMap(({ key }) => this.deps.record(key) ?? []);
    const refused = due.filter(({ state, forgotten }) => state === 'refused' && !forgotten);
    const inUse = refused.filter((record) => this.deps.isInUse(record));
    const asked = inUse.length > 0 && this.deps.mayAsk() ? inUse : [];
    const waiting = new Set(refused.filter((record) => !asked.includes(record)).map(({ key }) => key));
    const rest = kept.filter(({ key, from }) => from > now || waiting.has(key));
    if (rest.length < kept.length) void this.write(rest);
    if (asked.length > 0) this.deps.ask(asked);
  }

  private async write(kept: readonly Postponed[]): Promise<void> {
    await this.store.update(storeKey, kept);
    this.changed.announce(undefined, this.log);
  }

  private plan(): void {
    this.next?.dispose();
    const times = this.kept().map(({ from }) => from - this.clock.now());
    if (this.gone || times.length === 0) return;
    const ahead = times.filter((ms) => ms > 0);
    this.next = this.clock.after(Math.min(lookMs, ...ahead), () => this.look());
  }

  private kept(): readonly Postponed[] {
    const kept = this.store.get(storeKey);
    return Array.isArray(kept) ? kept.filter(isKept) : [];
  }
}

/**
 * When the next day has begun both here and in UTC, ms since 1970: the service doesn't state which of them its day
 * follows.
 */
export function nextDay(now: number): number {
  const dayMs = 86_400_000;
  return Math.max(startOfDay(now, -1), (Math.floor(now / dayMs) + 1) * dayMs);
}

function isKept(value: unknown): value is Postponed {
  return isObject(value) && typeof value.key === 'string' && typeof value.from === 'number';
}
