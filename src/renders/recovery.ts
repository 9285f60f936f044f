import { type Log, reasonOf } from '../base/log';
import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import type { Field, Generation } from '../catalog/fields';
import { type AccountInUse, type Connected, isThere, maySend, type RenderRecord } from './record';
import type { Ledger } from './ledger';
import { LedgerError } from './ledgerError';
import { extrasOf, isAdoptable, isTaken, matchesOf, possibleMatchesOf, tellsOf } from './proof';
import { type Renderer, acceptance, foundProblem } from './renderer';
import { isStuck } from './statuses';
import { leaseMs, type WindowLease } from './windowLease';

/**
 * Pause before the service's list is first searched for an unknown render, ms; four times as long before each further
 * search.
 */
const firstLookMs = 5_000;
/** The longest pause between two searches, ms. */
const longestLookMs = 3_600_000;
/** How long a render that the user has settled is searched for, ms. After that it's found in lists read anyway. */
const settledLookMs = 24 * 3_600_000;

/** Completes the renders that a closed window left unfinished, and matches unknown ones with the service's list. */
export class Recovery {
  private again: Disposable | undefined;
  private look: Disposable | undefined;
  private gone = false;
  /** The renders searched for, and how often. */
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
   * Continues renders that were sent without a response; what a closed window was about to send is left to the user.
   * Run at startup and whenever the account connects; idempotent. Never rejects.
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
   * Matches every unknown render with the service's list: a unique match is adopted if all that it states is certain to
   * be the record's; any other is reported, for the user to decide. A denied render that is listed again is followed
   * again. Resolves with the number found. Rejects with ServiceError.
   */
  async compare(): Promise<number> {
    const connected = this.connection();
    if (!connected) return 0;
    const { value: list } = await connected.client.generations({ all: true });
    return this.match(list.items, connected);
  }

  /** As `compare`, with a list of the service in use that was read for another reason. Never rejects. */
  async take(list: readonly Generation[]): Promise<void> {
    try {
      const connected = this.connection();
      if (connected && !this.ledger.readOnly) await this.match(list, connected);
    } catch (error) {
      this.log.warn(`Couldn’t check unconfirmed renders with the service’s list: ${reasonOf(error)}`);
    }
  }

  /**
   * The user's word that a generation is this render, which is unconfirmed or wasn't sent: it's followed and delivered.
   * False when another render has it, or this one is no longer open. Rejects with ServiceError.
   */
  async use(key: string, id: string): Promise<boolean> {
    const connected = this.connection();
    if (!connected) return false;
    const { value: generation } = await connected.client.generation(id);
    const record = this.ledger.get(key);
    if (!record || isTaken(this.ledger, generation, record)) return false;
    let isUsed = false;
    this.ledger.advance(key, (now) => {
      isUsed = now.state === 'unknown' || (now.state === 'planned' && now.unanswered === 0);
      if (!isUsed) return undefined;
      const at = this.acceptedAt(now, generation);
      // Limits count what was sent, by whichever ledger.
      const sent = now.attempt === 0 && { attempt: 1, firstSentAt: at };
      return { ...acceptance(generation, at), ...sent, unanswered: 0, matched: true, readBy: connected.client.account };
    });
    return isUsed;
  }

  /**
   * Something changed: continue what another window leaves behind once its lease ends, what this one couldn't continue,
   * and what became unknown. Never throws.
   */
  watch(): void {
    try {
      if (this.gone || this.ledger.readOnly) return;
      const planned = this.ledger.inStates('planned').filter(({ due }) => due);
      for (const record of planned) this.renderer.leaveIfDropped(record);
      if (!this.again && planned.length + this.ledger.inStates('sent').length > 0) this.runAgain();
      this.lookLater();
    } catch (error) {
      // What a full disk keeps from being left to the user is left to them later, even if nothing changes meanwhile.
      this.runAgain();
      this.log.error(`Couldn’t recover renders: ${reasonOf(error)}`);
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

  /** Continues sent renders. `giveUp`: ends those whose key isn't in use once their time is up. Never rejects. */
  private async goOn(giveUp = false): Promise<void> {
    try {
      const connected = this.connection();
      const left = this.ledger.readOnly ? [] : this.left();
      const isOurs = (record: RenderRecord) => connected !== undefined && maySend(record, connected);
      // At startup nobody is connected yet.
      if (giveUp) for (const record of left) if (!isOurs(record)) this.renderer.giveUp(record);
      await Promise.all(left.filter(isOurs).map(({ key }) => this.renderer.send(key)));
      this.watch();
    } catch (error) {
      this.log.error(`Recovery stopped: ${reasonOf(error)}`);
      // A disk that was full for a moment mustn't leave anything unfinished for good.
      if (error instanceof LedgerError) this.runAgain();
    }
  }

  /** Searches the service's list for unknown renders: soon, since a list may lag, then ever more rarely. */
  private lookLater(): void {
    const connected = this.connection();
    const since = this.clock.now() - settledLookMs;
    const sought = connected ? this.unknown(connected).filter((record) => isSought(record, since)) : [];
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

  private async match(list: readonly Generation[], connected: Connected): Promise<number> {
    const open = this.unknown(connected);
    const models = new Map<string, readonly Field[]>();
    for (const record of open.filter(({ generationId }) => generationId === undefined)) {
      const hasExtras = (found: Generation) => extrasOf(record.inputs, found).length > 0;
      if (models.has(record.modelId) || !matchesOf(this.knownOf(record), list).some(hasExtras)) continue;
      const model = await connected.client.model(record.modelId).catch(() => undefined);
      models.set(record.modelId, model?.fields ?? []);
    }
    return open.filter((record) =>
      record.generationId === undefined
        ? this.adopt(record, list, connected, models.get(record.modelId))
        : this.isBack(record, list, connected),
    ).length;
  }

  private adopt(
    record: RenderRecord,
    list: readonly Generation[],
    { client }: Connected,
    fields: readonly Field[] | undefined,
  ): boolean {
    const whole = this.wholeOf(record);
    if (!whole) return false;
    const found = matchesOf(whole, list).filter((one) => !isTaken(this.ledger, one, record));
    const [only] = found;
    // Two orders with one listing: it may be either's.
    const others = [...this.ledger.inStates('planned', 'sent', 'unknown'), ...this.ledger.repeated()];
    const rivals = others.filter(
      (other) => isRival(record, other) && this.ledger.isOneService(record.place, other.place) === true,
    );
    const isAnothers = rivals.some((rival) => possibleMatchesOf(this.knownOf(rival), found).length > 0);
    const moved = this.ledger.advance(record.key, (now) => {
      if (now.state !== 'unknown' || only === undefined) return undefined;
      if (found.length === 1 && isAnothers) return undefined;
      if (found.length === 1 && isAdoptable(whole, only, fields)) {
        const accepted = acceptance(only, this.acceptedAt(now, only));
        return { ...accepted, unanswered: 0, matched: true, readBy: client.account };
      }
      const problem = foundProblem(found.map(({ id }) => id));
      const isTold = now.problem?.code === problem.code && now.problem.detail === problem.detail;
      return isTold ? undefined : { problem };
    });
    return moved?.state === 'accepted';
  }

  /** It was charged when the service created it, by this machine's clock not before it was sent. */
  private acceptedAt({ plannedAt, firstSentAt = plannedAt }: RenderRecord, { createdAt }: Generation): number {
    const now = this.clock.now();
    return Math.min(Math.max(firstSentAt, createdAt ?? now), now);
  }

  /** The record with its full inputs; undefined when those are lost. */
  private wholeOf(record: RenderRecord): RenderRecord | undefined {
    try {
      return { ...record, inputs: this.ledger.inputsOf(record) };
    } catch (error) {
      this.log.warn(`Couldn’t read the inputs of render ${record.key}: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** The record with the inputs that are certain: without its own, it may be any render of its model and time. */
  private knownOf(record: RenderRecord): RenderRecord {
    return this.wholeOf(record) ?? { ...record, inputs: {} };
  }

  private isBack(record: RenderRecord, list: readonly Generation[], connected: Connected): boolean {
    if (!list.some((listed) => tellsOf(record, listed, connected))) return false;
    const moved = this.ledger.advance(record.key, (now) =>
      now.state === 'unknown' && !isStuck(now)
        ? { state: 'accepted', problem: undefined, endedAt: undefined, readBy: connected.client.account }
        : undefined,
    );
    return moved?.state === 'accepted';
  }

  /** Sent by a closed window or by this one, and not being sent now. */
  private left(): RenderRecord[] {
    return this.ledger.inStates('sent').filter((record) => !this.window.isAlive(record.owner) || this.isMine(record));
  }

  private isMine(record: RenderRecord): boolean {
    return record.owner === this.window.id && !this.renderer.isSending(record.key);
  }

  /** Unknown renders that the list of the service in use may hold, whatever key ordered them. */
  private unknown(connected: Connected): RenderRecord[] {
    return this.ledger.inStates('unknown').filter((record) => isThere(record, connected) && !record.forgotten);
  }
}

/** True for a render that has no known id. What the user has settled before `since` (ms since 1970) isn't sought. */
function isSought({ generationId, settled }: RenderRecord, since: number): boolean {
  return generationId === undefined && (settled === undefined || settled.at >= since);
}

/**
 * True for another render that may have an unknown generation, perhaps of an earlier attempt, or of
 * one that a ledger restored from a backup doesn't know.
 */
function isRival({ key }: RenderRecord, other: RenderRecord): boolean {
  const isSought = other.state === 'unknown' && other.generationId === undefined;
  const isOpen = other.state === 'planned' || other.state === 'sent' || isSought || other.attempt > 1;
  return isOpen && other.key !== key;
}
