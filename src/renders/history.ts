import { type Clock, wait } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import type { HistoryPage, Ledger } from './ledger';
import { type Outline, Outlines } from './outline';
import type { RenderRecord, RenderState } from './record';

/** The number of newest renders held in full, and how many more with each request for older ones. */
export const pageSize = 1000;

/** Rows read at a time, which takes a few ms. */
const sliceSize = 200;

/** The pause after reading failed, ms. */
const restMs = 4000;

/** States that are in progress or may need the person: held in full, however old. */
const open: readonly RenderState[] = ['planned', 'sent', 'accepted', 'succeeded', 'unknown'];

/**
 * Every render of a ledger: open and newest ones in full, all others as outlines. A long history is read in slices so
 * as not to block other work: open and newest ones first, then the rest.
 */
export class History implements Disposable {
  private readonly held = new Map<string, RenderRecord>();
  private readonly outlined: Outlines;
  private readonly ending = new AbortController();
  /** Index below which nothing has been read yet; undefined when everything has. */
  private unread: number | undefined = Number.MAX_SAFE_INTEGER;
  /** How many of the newest are still to be held. */
  private newest = pageSize;
  /** Everything at or above this index is held. */
  private floor = Number.MAX_SAFE_INTEGER;
  /** See `Ledger.changedSince`. */
  private mark: number;

  /** Resolves once everything was read, or on disposal. Never rejects. */
  readonly whole: Promise<void>;

  /** `read` is called when background reading added held records, and at its end. Throws LedgerError. */
  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly read: () => void,
  ) {
    ledger.changedElsewhere();
    this.mark = ledger.mark;
    this.outlined = new Outlines(ledger.lastIndex);
    for (const record of ledger.inStates(...open)) this.hold(record);
    this.readSlice();
    this.whole = this.unread === undefined ? Promise.resolve() : this.readOn();
  }

  /** The renders held in full. */
  get records(): IterableIterator<RenderRecord> {
    return this.held.values();
  }

  /** Every render. Reads at once what is missing. Throws LedgerError. */
  get outlines(): Iterable<Outline> {
    while (this.unread !== undefined) this.readSlice();
    return this.outlined;
  }

  get isWhole(): boolean {
    return this.unread === undefined;
  }

  /** How many of the renders read but not held match. */
  countOlder(isCounted: (outline: Outline) => boolean): number {
    const isOlder = (one: Outline) => one.index < this.floor && isCounted(one);
    return count(this.outlined, isOlder) - count(this.records, isOlder);
  }

  /** The held record; undefined when it isn't held. */
  get(key: string): RenderRecord | undefined {
    return this.held.get(key);
  }

  /** The part that was read of the render with that index, held or not. */
  outlineOf(index: number): Outline | undefined {
    return this.outlined.get(index);
  }

  /** Holds the current record. */
  hold(record: RenderRecord): void {
    this.held.set(record.key, record);
    this.outlined.put(record);
  }

  /** The changes made by other windows since the last call. Throws LedgerError. */
  changes(): readonly RenderRecord[] {
    if (!this.ledger.changedElsewhere()) return [];
    const { mark } = this.ledger;
    const changed = this.ledger.changedSince(this.mark);
    this.mark = mark;
    return changed;
  }

  /** Also holds the records of these generations, however old. */
  holdGenerations(ids: readonly string[]): void {
    const known = new Set([...this.records].map(({ generationId }) => generationId));
    for (const id of ids) if (!known.has(id)) for (const record of this.ledger.ofGeneration(id)) this.hold(record);
  }

  /** All records, newest first, pausing for other work after each slice. Rejects with LedgerError. */
  async *slices(): AsyncGenerator<readonly RenderRecord[]> {
    for await (const { records } of this.slicesBelow(Number.MAX_SAFE_INTEGER)) yield records;
  }

  /** Holds the next page of older ones. Rejects with LedgerError. */
  async holdOlder(): Promise<void> {
    await this.whole;
    const wanted = this.held.size + pageSize;
    for await (const { records, before } of this.slicesBelow(this.floor)) {
      for (const record of records) if (!this.held.has(record.key)) this.hold(record);
      this.floor = before ?? 0;
      if (this.held.size >= wanted) break;
    }
    this.read();
  }

  /**
   * Holds older records that match `isWanted`, at most a page. Rejects with LedgerError, or with the signal's reason
   * when aborted.
   */
  async holdWanted(isWanted: (record: RenderRecord) => boolean, signal: AbortSignal): Promise<void> {
    let left = pageSize;
    for await (const { records } of this.slicesBelow(this.floor)) {
      signal.throwIfAborted();
      const found = records.filter((record) => !this.held.has(record.key) && isWanted(record)).slice(0, left);
      for (const record of found) this.hold(record);
      left -= found.length;
      if (found.length > 0) this.read();
      if (left === 0) return;
    }
  }

  dispose(): void {
    this.ending.abort();
  }

  private readSlice(): void {
    const { records, unreadable, before } = this.ledger.page(this.unread ?? 0, sliceSize);
    const isNewest = this.newest > 0;
    for (const record of records) {
      // Changes to held records arrive in another way.
      if (this.held.has(record.key)) continue;
      if (isNewest) this.hold(record);
      else this.outlined.put(record);
    }
    for (const { key, reason } of unreadable)
      this.log.error(`Couldn’t read render ${key}, so it was left unchanged: ${reason}`);
    if (isNewest) this.floor = before ?? 0;
    this.newest -= sliceSize;
    this.unread = before;
  }

  private async readOn(): Promise<void> {
    while (this.unread !== undefined) {
      try {
        await wait(this.clock, 0, this.ending.signal);
        this.readSlice();
        if (this.newest >= 0) this.read();
      } catch (error) {
        if (this.ending.signal.aborted) return;
        this.log.error(`Couldn’t read earlier renders: ${reasonOf(error)}`);
        await wait(this.clock, restMs, this.ending.signal).catch(() => {});
      }
    }
    this.read();
  }

  /** The slices of rows below that index, newest first, each after a pause for other work. */
  private async *slicesBelow(index: number): AsyncGenerator<HistoryPage> {
    for (let before: number | undefined = index; before !== undefined;) {
      await wait(this.clock, 0, this.ending.signal);
      const page = this.ledger.page(before, sliceSize);
      before = page.before;
      yield page;
    }
  }
}

function count(outlines: Iterable<Outline>, isCounted: (outline: Outline) => boolean): number {
  let counted = 0;
  for (const outline of outlines) if (isCounted(outline)) counted += 1;
  return counted;
}

/**
 * When renders of one account last reached the key's daily cap, ms since 1970. Undefined when that was before `from` or
 * when a render was charged since. Only the service knows when the cap resets.
 */
export function capReachedAt(records: readonly RenderRecord[], from: number): number | undefined {
  const refusals = records.filter(({ state, problem }) => state === 'refused' && problem?.code === 'dailyCap');
  const reached = latest(refusals.map(({ endedAt }) => endedAt));
  const charged = latest(records.map(({ acceptedAt }) => acceptedAt));
  return reached >= from && reached >= charged ? reached : undefined;
}

function latest(times: readonly (number | undefined)[]): number {
  return times.reduce<number>((last, time) => Math.max(last, time ?? -Infinity), -Infinity);
}
