import { reasonOf } from '../base/errors';
import { wait, type Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import type { Log } from '../base/log';
import type { Ledger, HistoryPage } from './ledger';
import { Outlines, type Outline } from './outline';
import type { RenderRecord, RenderState } from './record';

/** How many of the newest renders are held whole, and how many more each time older ones are asked for. */
export const pageSize = 1000;

/** How many rows are read in one piece, which takes some ms. */
const sliceSize = 200;

/** How long reading rests after it failed, ms. */
const restMs = 4000;

/** What a person may still have to do with, or that goes on: held whole however old it is. */
const open: readonly RenderState[] = ['planned', 'sent', 'accepted', 'succeeded', 'unknown'];

/**
 * Every render of a ledger: those that are open and the newest are held whole, of all others the outline. A long
 * history is read in slices, so that it holds up nobody: first what is open and what is newest, the rest by and by.
 */
export class History implements Disposable {
  private readonly held = new Map<string, RenderRecord>();
  private readonly outlined: Outlines;
  private readonly ending = new AbortController();
  /** What is older has not been read yet; undefined when there is none. */
  private unread: number | undefined = Number.MAX_SAFE_INTEGER;
  /** How many of the newest are still to be held. */
  private newest = pageSize;
  /** All that is not older is held. */
  private floor = Number.MAX_SAFE_INTEGER;
  /** See `Ledger.changedSince`. */
  private mark: number;

  /** Resolves once all was read, or this was disposed of. Never rejects. */
  readonly whole: Promise<void>;

  /** `read` is called when more was read by and by that is held, and when all was read. Throws LedgerError. */
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

  /** The renders that are held whole. */
  get records(): IterableIterator<RenderRecord> {
    return this.held.values();
  }

  /** Every render. What was not read yet is read now. Throws LedgerError. */
  get outlines(): Iterable<Outline> {
    while (this.unread !== undefined) this.readSlice();
    return this.outlined;
  }

  get isWhole(): boolean {
    return this.unread === undefined;
  }

  /** How many of those that were read, and are not held, answer to that. */
  countOlder(isCounted: (outline: Outline) => boolean): number {
    const isOlder = (one: Outline) => one.index < this.floor && isCounted(one);
    return count(this.outlined, isOlder) - count(this.records, isOlder);
  }

  /** The record as it is held; undefined when it is not. */
  get(key: string): RenderRecord | undefined {
    return this.held.get(key);
  }

  /** What was read of the render of that index, held or not. */
  outlineOf(index: number): Outline | undefined {
    return this.outlined.get(index);
  }

  /** Holds the record as it is now. */
  hold(record: RenderRecord): void {
    this.held.set(record.key, record);
    this.outlined.put(record);
  }

  /** What other windows have changed since the last look. Throws LedgerError. */
  changes(): readonly RenderRecord[] {
    if (!this.ledger.changedElsewhere()) return [];
    const { mark } = this.ledger;
    const changed = this.ledger.changedSince(this.mark);
    this.mark = mark;
    return changed;
  }

  /** Holds the records of these generations too, however old they are. */
  holdGenerations(ids: readonly string[]): void {
    const known = new Set([...this.records].map(({ generationId }) => generationId));
    for (const id of ids) if (!known.has(id)) for (const record of this.ledger.ofGeneration(id)) this.hold(record);
  }

  /** All records, the newest first, with a rest for everything else after each few. Rejects with LedgerError. */
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
   * Holds all older ones that answer to `isWanted`, a page of them at most. Rejects with LedgerError, with the signal's
   * reason when it is aborted.
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
      // What is held already is told of its changes in another way.
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

  /** The slices of rows below that index, the newest first, with a rest for all others before each. */
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
