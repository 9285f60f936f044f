import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { type Log, reasonOf } from '../base/log';
import { ServiceError, type ServiceErrorKind } from '../catalog/errors';
import type { Generation } from '../catalog/fields';
import { type Durations, Expectations, type Expected, nextLook, type Timed } from './expectations';
import type { Ledger } from './ledger';
import { compared, pauseAfter, tellsOf } from './proof';
import {
  type AccountInUse,
  type Connected,
  isDenied,
  isThere,
  maySend,
  type Problem,
  type RenderRecord,
} from './record';
import { applyStatus, awaitsStatus, isStuck } from './statuses';
import type { WindowLease } from './windowLease';

const minute = 60_000;
const hour = 60 * minute;
/** How long a failed render is polled for its automatic refund. ms */
const refundWatchMs = 24 * hour;
/** How long a service may deny a render it accepted before the user is told, ms: parts of it may learn of it late. */
const denialMs = 10 * minute;
/** The longest pause between two rounds while renders are in progress, ms. */
const longestPauseMs = minute;
/**
 * The share of a usual pause after which a render of unknown duration is first polled. “Every few seconds”
 * (specification: Endpoints) is a mean: a minute has no more polls for it.
 */
const firstShare = 0.6;
/** Concurrent single requests of one round. */
const atOnce = 4;
/** Errors that say nothing about other requests: the service responded. */
const ofOne: ReadonlySet<ServiceErrorKind> = new Set(['status', 'unreadable', 'tooLarge']);
/** How long an unknown status may last until the user is asked, ms, if nobody knows how long such renders take. */
const oddStatusMs = 24 * hour;
/**
 * The same if it's known: at least this, and this many times the longest. It's known only of those that somebody looked
 * at meanwhile: a window that was closed for a day learns only then of what had ended.
 */
const leastOddStatusMs = hour;
const longestTimes = 4;
/** How often the list is requested for refunds of renders that have succeeded, ms. */
const refundLookMs = 6 * hour;

/** A render that the service has denied at every poll since. */
interface Denial {
  readonly times: number;
  /** The first denial, in the clock's ticks. */
  readonly since: number;
}

export interface PollerSettings {
  /** The pause between rounds while renders are young, ms. */
  pollIntervalMs(): number;
}

/**
 * Polls the service for renders in progress: one request a round while its list covers them all. One window polls for
 * all. A render of a model with known durations is polled when it is likely to have ended, others at a fixed interval.
 * The pauses grow with the age of a render, and with each denial by the service, but polling never quite ends. It rests
 * while nothing is in progress, and no error stops it.
 */
export class Poller {
  private next: Disposable | undefined;
  /** When that is due, in the clock's ticks. */
  private nextAt = 0;
  private round: Promise<void> | undefined;
  /** Rounds in a row that got no response. */
  private outages = 0;
  /** How often in a row the service failed to say how a render stands, by its key. */
  private readonly failures = new Map<string, number>();
  /** When the list was last requested, in the clock's ticks. */
  private listedAt: number;
  private readonly denials = new Map<string, Denial>();
  /** The last poll of each render, by its key, in the clock's ticks. */
  private readonly looks = new Map<string, number>();
  private readonly listening: Disposable;
  private readonly expectations: Expectations;
  private readonly share = new LookShare();
  private gone = false;
  /** The lease that lets one window poll for all, kept from round to round. */
  private lease: string | undefined;
  /** The lease that was last requested. */
  private asked: string | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly connection: AccountInUse,
    private readonly window: WindowLease,
    private readonly settings: PollerSettings,
    private readonly durations: Durations,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.listedAt = clock.ticks();
    this.expectations = new Expectations(durations, clock);
    this.listening = ledger.onDidChange(({ now: { state } }) => {
      if (state === 'accepted') this.wake();
    });
  }

  /** Starts the rounds if something is in progress and none is scheduled. */
  wake(): void {
    const now = this.clock.ticks();
    const isSoon = this.next !== undefined && this.nextAt <= now + this.closest;
    if (this.gone || this.round || isSoon) return;
    const pause = this.pauseIfNeeded();
    if (pause === undefined) return;
    // A render accepted since the last round shouldn't wait for a distant one.
    if (this.next && this.nextAt <= now + pause) return;
    this.next?.dispose();
    this.nextAt = now + pause;
    this.next = this.clock.after(pause, () => {
      this.next = undefined;
      void this.begin();
    });
  }

  /** Runs one round for all renders now; joins a running one. Never rejects. */
  pollNow(): Promise<void> {
    this.looks.clear();
    return this.begin();
  }

  dispose(): void {
    this.gone = true;
    this.listening.dispose();
    this.next?.dispose();
  }

  private begin(): Promise<void> {
    this.next?.dispose();
    this.next = undefined;
    this.round ??= this.oneRound().finally(() => {
      this.round = undefined;
      this.wake();
    });
    return this.round;
  }

  private async oneRound(): Promise<void> {
    const connected = this.connection();
    if (!connected) return;
    try {
      const isListDue = this.untilRefundLook() === 0;
      // By this window or another one.
      if (isListDue) this.listedAt = this.clock.ticks();
      const isTheOne = this.isTheOne(connected);
      const active = this.active();
      this.expectations.keep(new Set(active.map(({ key }) => key)));
      const due = active.filter((record) => this.expectedOf(record) ?? this.waitFor(record) <= 0);
      for (const { key } of due) this.looks.set(key, this.clock.ticks());
      if (isTheOne) await this.ask(due, isListDue, connected);
      this.outages = 0;
    } catch (error) {
      this.outages++;
      this.log.warn(`Couldn’t check on renders: ${reasonOf(error)}`);
    }
  }

  private isTheOne({ place, client }: Connected): boolean {
    const lease = `poller:${place}:${client.account}`;
    if (lease !== this.lease) this.leave();
    if (lease !== this.asked) {
      // Another key may be able to read what this one couldn't.
      this.looks.clear();
      this.denials.clear();
      this.failures.clear();
    }
    this.asked = lease;
    if (!this.window.keep(lease)) return false;
    this.lease = lease;
    return true;
  }

  private leave(): void {
    if (this.lease !== undefined) this.window.drop(this.lease);
    this.lease = undefined;
  }

  private async ask(due: readonly RenderRecord[], isListDue: boolean, connected: Connected): Promise<void> {
    const [only] = due;
    if (!only && !isListDue) return;
    this.share.count(this.clock.ticks());
    if (only && due.length === 1 && !isListDue) return this.askOne(only, connected);
    const at = this.clock.now();
    const list = await this.list(connected);
    const listed = list ?? new Map<string, Generation>();
    const left = due.filter(
      (record) => !this.applyListed(record, listed.get(record.generationId ?? ''), connected, at),
    );
    const failed: unknown[] = [];
    for (let from = 0; from < left.length; from += atOnce) {
      const asked = left.slice(from, from + atOnce).map((record) => this.askOne(record, connected));
      for (const one of await Promise.allSettled(asked)) if (one.status === 'rejected') failed.push(one.reason);
    }
    // One failed request doesn't slow down the others.
    if (failed.length > 0 && !list && failed.length === left.length) throw failed[0];
  }

  /**
   * The service's list by id. Undefined when the service responds with an unusable list: then each render is requested
   * on its own.
   */
  private async list(connected: Connected): Promise<ReadonlyMap<string, Generation> | undefined> {
    this.listedAt = this.clock.ticks();
    try {
      const { value } = await connected.client.generations();
      this.takeRefunds(value.items, connected);
      return new Map(value.items.map((generation) => [generation.id, generation]));
    } catch (error) {
      if (!isOfOne(error)) throw error;
      this.log.warn(`Couldn’t get the service’s list: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** What succeeded isn't polled anymore, and may still be refunded. */
  private takeRefunds(items: readonly Generation[], connected: Connected): void {
    for (const generation of items) {
      if (generation.status !== 'refunded') continue;
      for (const record of this.ledger.ofGeneration(generation.id))
        if (tellsOf(record, generation, connected))
          applyStatus(this.ledger, record.key, generation, connected, this.clock);
    }
  }

  /** How long until the list is requested for refunds, ms; undefined when there is nothing to be refunded. */
  private untilRefundLook(): number | undefined {
    if (!this.connection() || this.ledger.readOnly || !this.ledger.hasSuccesses) return undefined;
    return Math.max(0, this.listedAt + refundLookMs - this.clock.ticks());
  }

  /** True when the list says enough: it may omit the result of a success. */
  private applyListed(
    record: RenderRecord,
    listed: Generation | undefined,
    connected: Connected,
    askedAt: number,
  ): boolean {
    if (!listed) return false;
    const whole = listed.status !== 'succeeded' || listed.contentUrl !== undefined;
    return whole && this.apply(record, listed, connected, askedAt);
  }

  private async askOne(record: RenderRecord, connected: Connected): Promise<void> {
    if (record.generationId === undefined) return;
    const at = this.clock.now();
    try {
      const { value } = await connected.client.generation(record.generationId, { times: 1 });
      if (this.apply(record, value, connected, at)) return;
      const isOther = maySend(record, connected) && compared(record, value) === 'other';
      this.deny(record, connected, isOther ? { code: 'contradicted', detail: value.id } : undefined);
    } catch (error) {
      if (isDenied(error, record, connected)) return this.deny(record, connected);
      this.failures.set(record.key, (this.failures.get(record.key) ?? 0) + 1);
      this.log.warn(`Couldn’t check on render ${record.key}: ${reasonOf(error)}`);
      if (!isOfOne(error)) throw error;
    }
  }

  /** False when the response isn't about this render: the key in use is of another account. */
  private apply(record: RenderRecord, generation: Generation, connected: Connected, askedAt: number): boolean {
    const { key } = record;
    if (!tellsOf(record, generation, connected)) return false;
    this.denials.delete(key);
    this.failures.delete(key);
    const now = applyStatus(this.ledger, key, generation, connected, this.clock, this.expectations.pendingAt(key));
    if (now?.state === 'accepted') {
      this.expectations.goesOn(key, askedAt);
      this.askAboutOdd(now);
    }
    return true;
  }

  /** A status that isn't the specification's may be an end, and nobody knows which: after long, the user is asked. */
  private askAboutOdd({ key, status = 'queued', acceptedAt, ...record }: RenderRecord): void {
    if (status === 'queued' || acceptedAt === undefined) return;
    const age = this.clock.now() - acceptedAt;
    // A clock that was set back doesn't tell.
    if (age >= 0 && age < this.longestFor(record)) return;
    const problem = { code: 'oddStatus', detail: status } as const;
    this.ledger.advance(key, ({ state }) =>
      state === 'accepted' ? { state: 'unknown', problem, endedAt: this.clock.now(), settled: undefined } : undefined,
    );
  }

  /** How long such a render may take, ms. */
  private longestFor(record: Timed): number {
    const known = this.durations.of(record);
    if (!known) return oddStatusMs;
    const most = longestTimes * Math.max(...known.map(({ atMost }) => atMost));
    const least = longestTimes * Math.max(...known.map(({ longerThan }) => longerThan));
    return Math.max(leastOddStatusMs, Math.min(most, Math.max(oddStatusMs, least)));
  }

  private expectedOf(record: RenderRecord): Expected | undefined {
    return this.denials.has(record.key) || this.failures.has(record.key) ? undefined : this.expectations.of(record);
  }

  /** The service says it doesn't know it: the user is told after ten minutes of that. Polls grow rarer. */
  private deny({ key }: RenderRecord, connected: Connected, problem?: Problem): void {
    const now = this.clock.ticks();
    const { times, since } = this.denials.get(key) ?? { times: 0, since: now };
    this.denials.set(key, { times: times + 1, since });
    if (now - since < denialMs) return;
    this.ledger.advance(key, (record) => {
      if (record.state !== 'accepted') return undefined;
      const code = maySend(record, connected) ? 'gone' : 'otherAccount';
      // A user's earlier word was about not knowing whether it exists; since then the service has listed it.
      return { state: 'unknown', problem: problem ?? { code }, endedAt: this.clock.now(), settled: undefined };
    });
  }

  private active(): RenderRecord[] {
    const connected = this.connection();
    if (!connected || this.ledger.readOnly) return [];
    const since = this.clock.now() - refundWatchMs;
    return [...this.ledger.inStates('accepted', 'unknown'), ...this.ledger.failedSince(since)].filter(
      (record) => awaitsStatus(record) && isThere(record, connected) && isToBeAsked(record),
    );
  }

  /**
   * Undefined while nothing is in progress, and nothing can be refunded. No error ends the rounds: a ledger that can't
   * be read now may be readable later.
   */
  private pauseIfNeeded(): number | undefined {
    try {
      const active = this.active();
      if (active.length > 0) return this.pause(active);
      this.leave();
      return this.untilRefundLook();
    } catch (error) {
      this.log.error(`Couldn’t read the renders in progress: ${reasonOf(error)}`);
      return longestPauseMs;
    }
  }

  /** The shortest pause between two rounds, ms. */
  private get closest(): number {
    return Math.min(closestMs, this.settings.pollIntervalMs());
  }

  private pause(active: readonly RenderRecord[]): number {
    const expected = active.flatMap((record) => this.expectedOf(record) ?? []);
    const interval = this.settings.pollIntervalMs();
    const now = this.clock.ticks();
    const soonest = Math.max(0, this.share.earliest(now, interval) - now);
    // A duration during which the clock was set forward may be of hours.
    const laid = expected.length > 0 ? Math.min(nextLook(expected, soonest, this.closest), longestPauseMs) : hour;
    const next = active
      .filter((record) => !this.expectedOf(record))
      .reduce(
        (least, record) => Math.min(least, Math.max(soonest, this.waitFor(record, this.firstWait(record)))),
        laid,
      );
    const slower = Math.min(interval * 2 ** Math.min(this.outages, 5), longestPauseMs);
    return this.outages > 0 ? Math.max(next, slower) : next;
  }

  /** How long until the first poll of a render, ms: many take less than a usual pause. */
  private firstWait(record: RenderRecord): number {
    return firstShare * this.pace(record);
  }

  /** How long until the next poll of a render, ms; `first` before its first poll. */
  private waitFor(record: RenderRecord, first = 0): number {
    const look = this.looks.get(record.key);
    return look === undefined ? first : Math.max(0, look + this.pace(record) - this.clock.ticks());
  }

  /** The pause between two polls of a render, ms. */
  private pace(record: RenderRecord): number {
    const interval = this.settings.pollIntervalMs();
    const denial = this.denials.get(record.key);
    if (denial) return Math.min(interval * 2 ** denial.times, record.state === 'unknown' ? hour : minute);
    const failures = this.failures.get(record.key);
    if (failures !== undefined) return Math.max(interval, pauseAfter(failures, 0.5, hour));
    const { state, acceptedAt, endedAt } = record;
    const age = Math.max(0, this.clock.now() - ((state === 'failed' ? endedAt : acceptedAt) ?? 0));
    // A refund that doesn't come soon may come any time.
    if ((state === 'failed' && age >= 2 * minute) || isStuck(record)) return Math.min(age / 4, hour);
    const slower = age < 2 * minute ? 1 : age < 10 * minute ? 2 : 5;
    return Math.min(interval * slower, longestPauseMs);
  }
}

/** What was deleted from the service isn't there. What failed, and was only hidden here, may still be refunded. */
function isToBeAsked({ state, deleted, hidden }: RenderRecord): boolean {
  return deleted !== true || (hidden === true && state === 'failed');
}

function isOfOne(error: unknown): boolean {
  return error instanceof ServiceError && ofOne.has(error.kind);
}

/** The shortest pause between two polls, ms: the specification (Endpoints) says “every few seconds”. */
const closestMs = 2000;

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
