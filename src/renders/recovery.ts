import { reasonOf } from '../base/errors';
import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import type { Log } from '../base/log';
import type { Listing, Generation } from '../catalog/types';
import type { Connected, AccountInUse } from './connected';
import type { Ledger } from './ledger';
import { LedgerError } from './ledgerError';
import { matchesOf } from './matching';
import { isThere, maySend, tellsOf } from './reach';
import type { RenderRecord } from './record';
import type { Renderer } from './renderer';
import { acceptance } from './renderer';
import { leaseMs } from './windowLease';
import type { WindowLease } from './windowLease';

/**
 * How long after a render became unknown the service's list is looked at for it, ms; four times as long before each
 * further look.
 */
const firstLookMs = 5_000;
/** The longest pause between two such looks, ms. */
const longestLookMs = 3_600_000;

/**
 * Brings the renders that an ended window left half way to their end, and compares the unknown with the service's list.
 */
export class Recovery {
  private again: Disposable | undefined;
  private look: Disposable | undefined;
  private gone = false;
  /** The renders that are looked for, and how often they were. */
  private lookedFor = { keys: '', times: 0 };

  constructor(
    private readonly ledger: Ledger,
    private readonly connection: AccountInUse,
    private readonly renderer: Renderer,
    private readonly window: WindowLease,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Goes on with what was sent and not answered; a planned record is left for the person to decide. Run at the start
   * and whenever the account connects; running it again changes nothing. Never rejects.
   */
  async run(): Promise<void> {
    this.stop();
    this.watch();
    await this.goOn();
    try {
      const connected = this.connection();
      if (connected && !this.ledger.readOnly && this.unknown(connected).length > 0) await this.compare();
    } catch (error) {
      this.log.warn(`Couldn’t check unconfirmed renders with the service: ${reasonOf(error)}`);
    }
  }

  /**
   * Compares every unknown render with the service's list: a unique match is adopted; several are reported, none is
   * taken. One the service denied and lists again is followed again. Returns how many were found. Rejects with
   * ServiceError when the list cannot be had.
   */
  async compare(): Promise<number> {
    const connected = this.connection();
    if (!connected) return 0;
    const unknown = this.unknown(connected);
    const { value: list } = await connected.client.generations({ all: true });
    return unknown.filter((record) =>
      record.generationId === undefined ? this.adopt(record, list, connected) : this.isBack(record, list, connected),
    ).length;
  }

  /**
   * Something changed: what another window sends is looked after here, should that window end half way, as its lease
   * ends soon after; so is what this one couldn't go on with, and what became unknown. Never throws.
   */
  watch(): void {
    try {
      if (this.gone || this.ledger.readOnly) return;
      if (!this.again && this.ledger.inStates('sent').length > 0) this.runAgain();
      this.lookLater();
    } catch (error) {
      this.log.error(`Couldn’t read the renders to recover: ${reasonOf(error)}`);
    }
  }

  dispose(): void {
    this.gone = true;
    this.stop();
  }

  private stop(): void {
    this.again?.dispose();
    this.look?.dispose();
    this.again = this.look = undefined;
  }

  private runAgain(): void {
    if (this.gone) return;
    this.again ??= this.clock.after(leaseMs, () => {
      this.again = undefined;
      void this.goOn(true);
    });
  }

  /** Goes on with what was sent. `giveUp`: what its key isn't in use for ends when its time is over. Never rejects. */
  private async goOn(giveUp = false): Promise<void> {
    try {
      const connected = this.connection();
      const left = this.ledger.readOnly ? [] : this.left();
      const isOurs = (record: RenderRecord) => connected !== undefined && maySend(record, connected);
      // At the start nobody is connected yet.
      if (giveUp) for (const record of left) if (!isOurs(record)) this.renderer.giveUp(record);
      await Promise.all(left.filter(isOurs).map(({ key }) => this.renderer.send(key)));
      this.watch();
    } catch (error) {
      this.log.error(`Recovery stopped: ${reasonOf(error)}`);
      // A disk that was full for a moment leaves nothing half way for good.
      if (error instanceof LedgerError) this.runAgain();
    }
  }

  /** Looks at the service's list for what is unknown: soon, as a list may be late, and then ever more seldom. */
  private lookLater(): void {
    const connected = this.connection();
    const sought = connected ? this.unknown(connected).filter(isSought) : [];
    const keys = sought.map(({ key }) => key).join();
    if (keys !== this.lookedFor.keys) {
      this.lookedFor = { keys, times: 0 };
      this.look?.dispose();
      this.look = undefined;
    }
    if (keys === '') return;
    const pause = Math.min(firstLookMs * 4 ** this.lookedFor.times, longestLookMs);
    this.look ??= this.clock.after(pause, () => {
      this.lookedFor.times++;
      this.look = undefined;
      this.compare().then(
        () => this.watch(),
        (error: unknown) => {
          this.log.warn(`Couldn’t check unconfirmed renders with the service: ${reasonOf(error)}`);
          this.watch();
        },
      );
    });
  }

  private adopt(record: RenderRecord, list: Listing<Generation>, { client }: Connected): boolean {
    const found = this.matchesOf(record, list.items);
    if (!found) return false;
    const [only] = found;
    // What was ordered twice and is listed once may be either.
    const others = [...this.ledger.inStates('sent', 'unknown'), ...this.ledger.repeated()];
    const rivals = others.filter((other) => isRival(record, other));
    const isAnothers = rivals.some((other) => this.matchesOf(other, found)?.length !== 0);
    const moved = this.ledger.advance(record.key, (now) => {
      if (now.state !== 'unknown' || only === undefined) return undefined;
      if (found.length === 1 && isAnothers) return undefined;
      if (found.length === 1) return { ...acceptance(only, this.clock.now()), unanswered: 0, readBy: client.account };
      const detail = found.map(({ id }) => id).join(', ');
      const isTold = now.problem?.code === 'twoFound' && now.problem.detail === detail;
      return isTold ? undefined : { problem: { code: 'twoFound', detail } };
    });
    return moved?.state === 'accepted';
  }

  /** As `matchesOf`, by all that was put in; undefined when that is lost: then it may be any of them. */
  private matchesOf(record: RenderRecord, listed: readonly Generation[]) {
    try {
      const matches = matchesOf({ ...record, inputs: this.ledger.inputsOf(record) }, listed);
      return matches.filter(({ id }) => !this.isTaken(id));
    } catch (error) {
      this.log.warn(`Couldn’t check render ${record.key} with the service: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** True for what another record has, or may have. */
  private isTaken(id: string): boolean {
    const others = () => this.ledger.ofSeveral().flatMap(({ otherIds = [] }) => otherIds);
    return this.ledger.ofGeneration(id).length > 0 || others().includes(id);
  }

  private isBack(record: RenderRecord, list: Listing<Generation>, connected: Connected): boolean {
    if (!list.items.some((listed) => tellsOf(record, listed, connected))) return false;
    const moved = this.ledger.advance(record.key, ({ state }) =>
      state === 'unknown'
        ? { state: 'accepted', problem: undefined, endedAt: undefined, readBy: connected.client.account }
        : undefined,
    );
    return moved?.state === 'accepted';
  }

  /** What was sent by a window that is gone, or by this one, and nobody is sending now. */
  private left(): RenderRecord[] {
    return this.ledger.inStates('sent').filter((record) => !this.window.isAlive(record.owner) || this.isMine(record));
  }

  private isMine(record: RenderRecord): boolean {
    return record.owner === this.window.id && !this.renderer.isSending(record.key);
  }

  /** The unknown renders that the list of the service in use may hold, whichever key they were ordered with. */
  private unknown(connected: Connected): RenderRecord[] {
    return this.ledger.inStates('unknown').filter((record) => isThere(record, connected));
  }
}

/** True for one that nobody can follow by its id and no person has settled. */
function isSought({ generationId, settled }: RenderRecord): boolean {
  return generationId === undefined && settled === undefined;
}

/**
 * True for another render of the same service that may have a generation nobody knows of, maybe of a try before its
 * last.
 */
function isRival({ key, place }: RenderRecord, other: RenderRecord): boolean {
  const isSought = other.state === 'unknown' && other.generationId === undefined;
  const isOpen = other.state === 'sent' || isSought || other.attempt > 1;
  return isOpen && other.key !== key && other.place === place;
}
