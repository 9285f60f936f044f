import type { Clock } from '../base/clock';
import { wait } from '../base/concurrency';
import type { Disposable } from '../base/disposable';
import { type Log, reasonOf } from '../base/log';
import type { HistoryPage, Ledger } from './ledger';
import type { RenderRecord, RenderState } from './record';

/** The number of newest renders held, and how many more with each request for older ones. */
const pageSize = 1000;

/** Rows read at a time, which takes a few ms. */
const sliceSize = 200;

/** The pause after reading failed, ms. */
const restMs = 4000;

/** States that are in progress or may need the user: held, however old. */
const open: readonly RenderState[] = ['planned', 'sent', 'accepted', 'succeeded', 'unknown'];

/**
 * The renders of a ledger that are shown: open ones, and the newest, which are read in slices so as not to block other
 * work. What concerns all of them is asked of the ledger.
 */
export class History implements Disposable {
  private readonly held = new Map<string, RenderRecord>();
  private readonly ending = new AbortController();
  /** See `Ledger.changedSince`. */
  private mark: number;
  /** Resolves once the first page was read, or on disposal. */
  private readonly begun: Promise<void>;

  /** Everything at or above this index is held. */
  floor = Number.MAX_SAFE_INTEGER;

  /** `read` is called when background reading added records. Throws LedgerError. */
  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly read: () => void,
  ) {
    ledger.changedElsewhere();
    this.mark = ledger.mark;
    for (const record of ledger.inStates(...open)) this.hold(record);
    this.holdPage(ledger.page(this.floor, sliceSize));
    this.begun = this.floor === 0 ? Promise.resolve() : this.holdFirst();
  }

  /** The held renders. */
  get records(): IterableIterator<RenderRecord> {
    return this.held.values();
  }

  /** The held record; undefined when it isn't held. */
  get(key: string): RenderRecord | undefined {
    return this.held.get(key);
  }

  /** Holds the current record. */
  hold(record: RenderRecord): void {
    this.held.set(record.key, record);
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
    await this.begun;
    const wanted = this.held.size + pageSize;
    for await (const page of this.slicesBelow(this.floor)) {
      this.holdPage(page);
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

  private holdPage({ records, unreadable, before = 0 }: HistoryPage): void {
    // Changes to held records arrive in another way.
    for (const record of records) if (!this.held.has(record.key)) this.hold(record);
    for (const { key, reason } of unreadable)
      this.log.error(`Couldn’t read render ${key}, so it was left unchanged: ${reason}`);
    this.floor = before;
  }

  private async holdFirst(): Promise<void> {
    let hasFailed = false;
    for (let left = pageSize - sliceSize; left > 0 && this.floor > 0;) {
      try {
        // What was read until then is shown meanwhile.
        if (hasFailed) this.read();
        hasFailed = false;
        await wait(this.clock, 0, this.ending.signal);
        this.holdPage(this.ledger.page(this.floor, sliceSize));
        left -= sliceSize;
        // Announced once, since every view then lists everything again.
        if (left <= 0 || this.floor === 0) this.read();
      } catch (error) {
        if (this.ending.signal.aborted) return;
        this.log.error(`Couldn’t read earlier renders: ${reasonOf(error)}`);
        hasFailed = true;
        await wait(this.clock, restMs, this.ending.signal).catch(() => {});
      }
    }
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
