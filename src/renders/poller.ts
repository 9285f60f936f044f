import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import type { ServiceErrorKind } from '../catalog/errors';
import { ServiceError } from '../catalog/errors';
import type { Generation } from '../catalog/types';
import type { Connected, Connection } from './connected';
import type { Ledger } from './ledger';
import type { RenderRecord } from './record';
import { belongs } from './recovery';
import { applyStatus } from './statuses';
import type { WindowLease } from './windowLease';

const minute = 60_000;
/** How long a failed render is asked after, for the refund that the service makes by itself. ms */
const refundWatchMs = 2 * minute;
/** The longest pause between two rounds, ms. */
const longestPauseMs = minute;
/** Single requests of one round at the same time. */
const atOnce = 4;
/** Errors of the list that say nothing against asking for each render by itself. */
const useless: ReadonlySet<ServiceErrorKind> = new Set(['status', 'unreadable', 'tooLarge']);

export interface PollerSettings {
  /** The pause between rounds while renders are young, ms. */
  pollIntervalMs(): number;
}

/**
 * Asks the service how the active renders stand: one request a round while its list carries them all. One window asks for all; rounds come
 * further apart the longer a render lasts; nothing is asked while nothing is active; no error ends it.
 */
export class Poller {
  private next: Disposable | undefined;
  private round: Promise<void> | undefined;
  private failures = 0;
  private readonly missing = new Map<string, number>();
  private readonly listening: Disposable;
  private gone = false;
  /** The lease this window asks by, kept from round to round: one window asks for all. */
  private lease: string | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly connection: Connection,
    private readonly window: WindowLease,
    private readonly settings: PollerSettings,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.listening = ledger.onDidChange(({ state }) => {
      if (state === 'accepted') this.wake();
    });
  }

  /** Starts the rounds if something is active and none is to come. */
  wake(): void {
    if (this.gone || this.next || this.round) return;
    const pause = this.pauseIfActive();
    if (pause === undefined) return this.leave();
    this.next = this.clock.after(pause, () => {
      this.next = undefined;
      void this.pollNow();
    });
  }

  /** One round at once; joins the one under way. Never rejects. */
  pollNow(): Promise<void> {
    this.next?.dispose();
    this.next = undefined;
    this.round ??= this.oneRound().finally(() => {
      this.round = undefined;
      this.wake();
    });
    return this.round;
  }

  dispose(): void {
    this.gone = true;
    this.listening.dispose();
    this.next?.dispose();
  }

  private async oneRound(): Promise<void> {
    const connected = this.connection();
    if (!connected) return;
    try {
      if (this.isTheOne(connected)) await this.ask(connected);
      this.failures = 0;
    } catch (error) {
      this.failures++;
      this.log.warn(`Could not ask how the renders stand: ${reasonOf(error)}`);
    }
  }

  private isTheOne({ place, client }: Connected): boolean {
    const lease = `poller:${place}:${client.account}`;
    if (lease !== this.lease) this.leave();
    if (!this.window.keep(lease)) return false;
    this.lease = lease;
    return true;
  }

  private leave(): void {
    if (this.lease !== undefined) this.window.drop(this.lease);
    this.lease = undefined;
  }

  private async ask(connected: Connected): Promise<void> {
    const active = this.active();
    const [only] = active;
    if (only && active.length === 1) return this.askOne(only, connected);
    const listed = await this.list(connected);
    const left = active.filter((record) => !this.applyListed(record, listed.get(record.generationId ?? '')));
    const failed: unknown[] = [];
    for (let from = 0; from < left.length; from += atOnce) {
      const asked = left.slice(from, from + atOnce).map((record) => this.askOne(record, connected));
      for (const one of await Promise.allSettled(asked)) if (one.status === 'rejected') failed.push(one.reason);
    }
    // One that cannot be had keeps none of the others from being asked after.
    if (failed.length > 0) throw failed[0];
  }

  /** The service's list by id; empty when the service answers and its list is of no use: then each is asked for by itself. */
  private async list({ client }: Connected): Promise<ReadonlyMap<string, Generation>> {
    try {
      const { value } = await client.generations();
      return new Map(value.items.map((generation) => [generation.id, generation]));
    } catch (error) {
      if (!(error instanceof ServiceError) || !useless.has(error.kind)) throw error;
      this.log.warn(`The service's list cannot be had: ${reasonOf(error)}`);
      return new Map();
    }
  }

  /** True when the list says enough: of a success it may leave out what was made. */
  private applyListed(record: RenderRecord, listed: Generation | undefined): boolean {
    if (!listed) return false;
    const whole = listed.status !== 'succeeded' || listed.contentUrl !== undefined || listed.textOutput !== undefined;
    if (whole) this.apply(record, listed);
    return whole;
  }

  private async askOne(record: RenderRecord, { client }: Connected): Promise<void> {
    if (record.generationId === undefined) return;
    try {
      const { value } = await client.generation(record.generationId);
      this.apply(record, value);
    } catch (error) {
      // A web page is not the service's word: something stands in between.
      if (!(error instanceof ServiceError) || error.status !== 404 || error.html) throw error;
      this.isMissing(record);
    }
  }

  private apply(record: RenderRecord, generation: Generation): void {
    this.missing.delete(record.key);
    applyStatus(this.ledger, record.key, generation, this.clock);
  }

  /** The service denies knowing it: believed at the third time, and then no longer asked. */
  private isMissing(record: RenderRecord): void {
    const times = (this.missing.get(record.key) ?? 0) + 1;
    this.missing.set(record.key, times);
    if (times < 3) return;
    this.missing.delete(record.key);
    this.ledger.advance(record.key, ({ state }) =>
      state === 'accepted' ? { state: 'unknown', problem: { code: 'gone' }, endedAt: this.clock.now() } : undefined,
    );
  }

  private active(): RenderRecord[] {
    const connected = this.connection();
    if (!connected || this.ledger.readOnly) return [];
    const now = this.clock.now();
    return this.ledger
      .inStates('accepted', 'failed')
      .filter(
        (record) =>
          belongs(record, connected) && (record.state === 'accepted' || now - (record.endedAt ?? 0) < refundWatchMs),
      );
  }

  /** Undefined while nothing is active. No error ends the rounds: when the ledger cannot be read now, it may be later. */
  private pauseIfActive(): number | undefined {
    try {
      return this.active().length === 0 ? undefined : this.pause();
    } catch (error) {
      this.log.error(`The active renders cannot be read: ${reasonOf(error)}`);
      return longestPauseMs;
    }
  }

  private pause(): number {
    const now = this.clock.now();
    const youngest = Math.min(...this.active().map((record) => now - (record.acceptedAt ?? now)));
    const slower = youngest < 2 * minute ? 1 : youngest < 10 * minute ? 2 : 5;
    const pause = this.settings.pollIntervalMs() * slower * 2 ** Math.min(this.failures, 5);
    return Math.min(pause, longestPauseMs);
  }
}
