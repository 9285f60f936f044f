import { isDeepStrictEqual } from 'node:util';
import type { Clock, Random } from '../base/clock';
import { wait } from '../base/concurrency';
import type { Disposable } from '../base/disposable';
import { type Log, reasonOf } from '../base/log';
import type { AskOptions } from '../catalog/client';
import type { Generation, ModelKind } from '../catalog/fields';
import type { Calendar } from '../files/calendar';
import type { ResultKind } from '../files/completeness';
import { FileProblem } from '../files/problem';
import { kindOfEnding } from '../files/sniff';
import type { Spool } from '../files/spool';
import {
  type AccountInUse,
  responseOf,
  besides,
  type Connected,
  isDenied,
  isThere,
  mayRead,
  type Progress,
  type RenderRecord,
  type Spooled,
  type Target,
} from './record';
import type { MetadataEmbedder } from './metadataEmbedder';
import type { Ledger } from './ledger';
import { copiesFolder, Placement, type Sinks } from './placement';
import { isCertainly, pauseAfter, tellsOf } from './proof';
import { acceptance } from './renderer';
import { afterFailure, longestPauseMs, Undelivered, untilRetry } from './undelivered';
import { leaseMs, LeaseLost, type Hold, type WindowLease } from './windowLease';

/** The longest wait until the schedule is looked at again, ms: a machine that slept or was set doesn't tell. */
const lookMs = 60_000;
/**
 * How requests for a result are sent. None waits long for its turn, since it holds a download: the schedule sends it
 * again. A user's own goes out at once.
 */
const scheduled: AskOptions = { times: 1, patienceMs: 5_000 };
const pressed: AskOptions = { probes: true, patienceMs: 5_000 };
/** Downloads at the same time. */
const atOnce = 3;
/** How long a delivery requested by a user waits before it checks again whether another window is done, ms. */
const turnMs = 500;
/** The largest result accepted, bytes. */
const largestResult = 4 * 1024 ** 3;

/** A copy of a result. */
export interface Copy {
  readonly uri: string;
  /** Its bytes in the spool. */
  readonly spooled: Spooled;
}

/**
 * Delivers paid results: from the service into the spool, checked, then to their target. A delivery that fails keeps
 * its problem in the record and can be tried again; nothing is dropped.
 */
export class Downloader {
  private readonly under = new Map<string, Promise<void>>();
  /** Keys that this window has tried, and left to the user. */
  private readonly left = new Set<string>();
  /** Until when this window leaves a result to another one, by key, in the clock's ticks. */
  private readonly leftToOthers = new Map<string, number>();
  /** Waits that are over early, by key: each as the time of the next try that it named. */
  private readonly woken = new Map<string, number>();
  /** An account was connected before in this window. */
  private wasConnected = false;
  private next: Disposable | undefined;
  private readonly listening: Disposable;
  private readonly ending = new AbortController();
  private readonly placement: Placement;

  constructor(
    private readonly ledger: Ledger,
    private readonly connection: AccountInUse,
    private readonly window: WindowLease,
    private readonly spool: Spool,
    private readonly sinks: Sinks,
    calendar: Calendar,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly log: Log,
    /** Writes into results how they were made; without one they're saved as received. */
    private readonly embedder?: MetadataEmbedder,
    /** URI of the folder for staged results that are to replace a file; without one they're saved next to that file. */
    private readonly staging?: string,
    /** What the model of a render makes, as far as it's known. */
    private readonly makes: (record: RenderRecord) => Promise<ModelKind | undefined> = () => Promise.resolve(undefined),
  ) {
    this.placement = new Placement(ledger, sinks, calendar, clock, log, embedder, staging);
    this.listening = ledger.onDidChange(({ now: { state } }) => {
      if (state === 'succeeded') this.wake();
    });
  }

  /**
   * Removes from the spool what is known to be saved or given up. Files without a readable record stay: they may have
   * been paid for. Never rejects.
   */
  async tidy(): Promise<void> {
    if (await this.swept()) return;
    // Leases of a crashed window look alive until it has been silent for long enough.
    this.later(leaseMs, () => this.swept());
  }

  private later(ms: number, work: () => unknown): void {
    wait(this.clock, ms, this.ending.signal).then(work, () => {
      // The window is closing.
    });
  }

  /** False when such a result is being worked on and so stays. Never rejects. */
  private async swept(): Promise<boolean> {
    let isAll = true;
    try {
      await this.spool.sweep(async (key) => {
        const record = this.ledger.get(key);
        if (record?.state !== 'saved' && record?.deleted !== true) return false;
        if (this.window.isTaken(leaseOf(key))) {
          isAll = false;
          return false;
        }
        // A copy that wasn't saved was the reason to keep it.
        const left = nameLeft(record);
        return left === undefined || this.frees(key, left);
      });
    } catch (error) {
      this.log.warn(`Couldn’t clean up the spool: ${reasonOf(error)}`);
    }
    return isAll;
  }

  /**
   * Frees a name that a result was about to get, unless it has it by now. False if it can't be freed yet: then it's
   * tried again until it can, ever less often. Never rejects.
   */
  private async frees(key: string, name: string, tries = 1): Promise<boolean> {
    try {
      await this.alone(key, async (hold) => {
        if (this.ledger.get(key)?.file === name || !(await this.placement.free(name, hold))) return;
        this.ledger.advance(key, ({ state, claimed, file }) =>
          state === 'saved' && claimed === name ? { claimed: file } : undefined,
        );
      });
      return true;
    } catch (error) {
      this.log.warn(`Couldn’t free the name that render ${key} didn’t get: ${reasonOf(error)}`);
      this.freesLater(key, name, tries + 1);
      return false;
    }
  }

  private freesLater(key: string, name: string, tries = 1): void {
    const pause = pauseAfter(tries, this.random.unit(), longestPauseMs);
    this.later(Math.max(leaseMs, pause), () => this.frees(key, name, tries));
  }

  /**
   * Removes what the spool has of a render. Never rejects: a file that can't be removed now does no harm, and the next
   * cleanup removes it.
   */
  async forget(key: string): Promise<void> {
    try {
      await this.spool.remove(key);
    } catch (error) {
      this.log.warn(`Couldn’t remove ${key} from the spool: ${reasonOf(error)}`);
    }
  }

  /** Starts every delivery that is due, and again when the next one is. Throws LedgerError. */
  wake(): void {
    this.next?.dispose();
    if (this.ending.signal.aborted || this.ledger.readOnly) return;
    // Without a connection nothing can be fetched, but nothing is wrong either: connecting wakes all.
    const isHere = this.connection() !== undefined;
    let soonest = Infinity;
    for (const record of this.ledger.inStates('succeeded')) {
      // The user has given it up.
      if (record.deleted === true || this.under.has(record.key)) continue;
      const ms = this.waitFor(record);
      if (ms > 0) soonest = Math.min(soonest, ms);
      else if (this.under.size < atOnce && (isHere || isAtHand(record))) void this.deliver(record.key);
    }
    if (soonest < Infinity) this.lookAfter(Math.min(soonest, lookMs));
  }

  private lookAfter(ms: number): void {
    this.next?.dispose();
    if (this.ending.signal.aborted) return;
    this.next = this.clock.after(ms, () => {
      try {
        this.wake();
      } catch (error) {
        this.log.error(`Couldn’t read the results to deliver: ${reasonOf(error)}`);
        this.lookAfter(lookMs);
      }
    });
  }

  /** How long this window waits before it tries to deliver a result, ms; Infinity when it's left to the user. */
  private waitFor(record: RenderRecord): number {
    const { key, retry } = record;
    const others = (this.leftToOthers.get(key) ?? -Infinity) - this.clock.ticks();
    if (others > 0) return others;
    if (this.isForAnotherWindow(record)) return leaseMs;
    if (!retry) return this.left.has(key) ? Infinity : 0;
    return this.woken.get(key) === retry.nextAt ? 0 : untilRetry(record, this.clock.now());
  }

  /**
   * True when this window can't reach its folder, and the one that ordered it is open, or has said why it isn't saved.
   */
  private isForAnotherWindow({ owner, target, problem }: RenderRecord): boolean {
    if (owner === this.window.id || this.placement.reaches(target)) return false;
    return problem !== undefined || this.window.isAlive(owner);
  }

  /**
   * Tries everything again, also what waits or was left to the user: the account was connected, the network is back, or
   * a folder was opened. A new window goes on with the waits for the service where they stood. Throws LedgerError.
   */
  wakeAll(): void {
    this.left.clear();
    for (const record of this.ledger.inStates('succeeded')) {
      const { key, retry } = record;
      if (retry && (this.wasConnected || isAtHand(record))) this.woken.set(key, retry.nextAt);
    }
    this.wasConnected ||= this.connection() !== undefined;
    this.wake();
  }

  /** Tries to deliver one result; joins a running delivery. Never rejects: the record keeps the problem. */
  deliver(key: string): Promise<void> {
    let under = this.under.get(key);
    if (!under) {
      // That was for one try: a service that states a fixed time to try again leaves the wait as it was.
      this.woken.delete(key);
      under = this.window
        .holding(leaseOf(key), async (hold) => {
          await this.attempt(key, hold);
          return true;
        })
        .catch((error: unknown) => {
          // The ledger can't be written, or another window may have taken over, so nobody knows of the result. Keep
          // trying.
          this.log.error(`Couldn’t deliver render ${key}: ${reasonOf(error)}`);
          return undefined;
        })
        .then((held) => {
          // Either another window is delivering it, and its lease soon ends if it stops; or the ledger was unreachable.
          if (held === undefined) this.leftToOthers.set(key, this.clock.ticks() + leaseMs);
          else this.left.add(key);
        });
      under = this.over(key, under);
    }
    return under;
  }

  /**
   * Saves the result where the user chose, even if it is saved elsewhere already. Rejects with FileProblem or
   * ServiceError; the record stays as it was. `mayInstruct` is as in NameClaim.
   */
  saveAs(key: string, target: Target, mayInstruct = false): Promise<RenderRecord | undefined> {
    return this.alone(key, async (hold) => {
      const record = this.ledger.get(key);
      return (
        record &&
        this.publish(await this.received(record, hold, pressed, target), target, undefined, hold, {}, mayInstruct)
      );
    });
  }

  /**
   * Saves what `make` puts into the spool for a result, and makes this its target from now on. Rejects as `saveAs` or
   * `make`; the record stays as it was.
   */
  saveMade(
    key: string,
    target: Target,
    make: (record: RenderRecord, hold: Hold) => Promise<Spooled>,
  ): Promise<RenderRecord | undefined> {
    return this.alone(key, async (hold) => {
      const record = this.ledger.get(key);
      if (!record) return undefined;
      try {
        const spooled = await make(record, hold);
        return await this.publish({ ...record, spooled, target }, target, undefined, hold, { moved: target });
      } catch (error) {
        hold.prove();
        const { spooled, claimed } = record;
        this.ledger.advance(key, () => ({ spooled, claimed }));
        await this.forget(key);
        throw error;
      }
    });
  }

  /** Downloads the result again, also when its saved file is gone. Rejects as `saveAs`. */
  downloadAgain(key: string): Promise<RenderRecord | undefined> {
    return this.alone(key, async (hold) => {
      const record = this.ledger.get(key);
      if (!record) return undefined;
      // Don't repeat a decision that was made.
      const target = record.file === undefined || record.staged === true ? record.target : besides(record.target);
      return this.publish(await this.received(record, hold, pressed), target, record.claimed, hold);
    });
  }

  /**
   * A copy of the result to look at, in the staging folder. The record doesn't change, except that what isn't saved yet
   * stays in the spool. Rejects as `saveAs`.
   */
  copy(key: string): Promise<Copy | undefined> {
    return this.alone(key, async (hold) => {
      const record = this.ledger.get(key);
      const sink = this.staging === undefined ? undefined : this.sinks(this.staging);
      if (!record || !sink || this.staging === undefined) return undefined;
      const { spooled } = await this.received(record, hold, pressed);
      const claim = { record: () => true, prove: () => hold.prove() };
      const { uri } = await sink.publish(spooled, this.staging, copiesFolder, key, claim);
      hold.prove();
      if (record.state === 'saved') await this.forget(key);
      else await this.leave(key, spooled);
      return { uri, spooled };
    });
  }

  /**
   * Adopts and delivers a render of the service's list that was started elsewhere. Returns its key at once, the same
   * one if it was adopted before, or ordered at another URL of the service.
   */
  takeUp(generation: Generation, target: Target): string | undefined {
    const connected = this.connection();
    if (!connected) return undefined;
    const { id, modelId = '', inputs = {}, createdAt } = generation;
    const isThis = (record: RenderRecord) =>
      mayRead(record, connected) || (isThere(record, connected) && isCertainly(record, generation));
    const before = this.ledger.ofGeneration(id).findLast(isThis);
    if (before) return before.key;
    const now = this.clock.now();
    const { key } = this.ledger.takeUp(
      {
        key: this.random.uuid(),
        place: connected.place,
        account: connected.client.account,
        modelId,
        inputs,
        body: new TextEncoder().encode(JSON.stringify({ modelId, inputs })),
        target,
        plannedAt: createdAt ?? now,
      },
      {
        ...acceptance(generation, createdAt ?? now),
        state: 'succeeded',
        attempt: 0,
        unanswered: 0,
        owner: this.window.id,
        generationId: id,
        endedAt: now,
      },
    );
    this.wake();
    return key;
  }

  dispose(): void {
    this.listening.dispose();
    this.next?.dispose();
    this.ending.abort(new Error('The window is closing'));
  }

  /**
   * Runs the work when no other delivery of the result is running, here or in another window: both would write to the
   * same names.
   */
  async alone<T>(key: string, work: (hold: Hold) => Promise<T>): Promise<T> {
    for (;;) {
      for (let under = this.under.get(key); under; under = this.under.get(key)) await under;
      const turn = this.window.holding(leaseOf(key), async (hold) => ({ value: await work(hold) }));
      const over = this.over(
        key,
        turn.then(
          () => {},
          () => {},
        ),
      );
      const done = await turn.catch((error: unknown) => {
        // Another window may have taken over meanwhile; take the next turn.
        if (error instanceof LeaseLost && !this.ending.signal.aborted) return undefined;
        throw error;
      });
      if (done) return done.value;
      await over;
      await wait(this.clock, turnMs, this.ending.signal);
    }
  }

  /** Registers the work as this result's delivery until it ends. */
  private over(key: string, work: Promise<void>): Promise<void> {
    const over = work.then(() => {
      this.under.delete(key);
      this.wake();
    });
    const safe = over.catch((error: unknown) => {
      this.log.error(`Couldn’t read the results to deliver: ${reasonOf(error)}`);
      this.lookAfter(lookMs);
    });
    this.under.set(key, safe);
    return safe;
  }

  /** Resolves when it's delivered or its problem is in the record. Rejects with LeaseLost or LedgerError. */
  private async attempt(key: string, hold: Hold): Promise<void> {
    const record = this.ledger.get(key);
    if (record?.state !== 'succeeded') return;
    try {
      await this.publish(await this.received(record, hold, scheduled), record.target, record.claimed, hold);
    } catch (error) {
      if (this.ending.signal.aborted) return;
      hold.prove();
      this.log.warn(`Couldn’t deliver render ${key}: ${reasonOf(error)}`);
      const unit = this.random.unit();
      this.ledger.advance(key, (now) =>
        now.state === 'succeeded' ? newOf(now, afterFailure(now, error, this.clock.now(), unit)) : undefined,
      );
    }
  }

  /** Aborted when the window closes or loses its lease. */
  private until(hold: Hold): AbortSignal {
    return AbortSignal.any([this.ending.signal, hold.signal]);
  }

  /** The record, with its result in the spool. `target` is where it's to be saved. */
  private async received(
    record: RenderRecord,
    hold: Hold,
    how: AskOptions,
    target = record.target,
  ): Promise<RenderRecord & { spooled: Spooled }> {
    const { spooled } = record;
    if (spooled) {
      if (await this.spool.has(spooled.name)) return { ...record, spooled };
      hold.prove();
      await this.drop(record.key);
    }
    const received = await this.receive(record, hold, how, target);
    const { odd } = received;
    const made = (await this.embedder?.embed(record, received, hold)) ?? received;
    return { ...record, spooled: { ...made, ...(odd && { odd }) } };
  }

  private async receive(record: RenderRecord, hold: Hold, how: AskOptions, target: Target): Promise<Spooled> {
    const { key, generationId } = record;
    const known = responseOf(record);
    if (known !== undefined) return this.spool.receiveText(key, known, hold);
    const connected = this.connection();
    if (!connected || !isThere(record, connected)) throw new Undelivered({ code: 'otherAccount' });
    if (generationId === undefined) throw new Undelivered({ code: 'noContent' });
    const signal = this.until(hold);
    const options = { ...how, signal };
    if (!mayRead(record, connected)) await this.prove(record, generationId, connected, options);
    const response = await this.response(record, connected, options);
    if (response !== undefined) return this.spool.receiveText(key, response, hold);
    const kind = kindAt(target) ?? (await this.makes(record));
    const { stream, length, type } = await connected.client.content(generationId, options);
    return this.spool.receive(key, stream, { length, ordered: { kind, type }, maxBytes: largestResult, signal, hold });
  }

  /**
   * An API key isn't an account: a render ordered with another key is fetched with the current one if the service's
   * response matches the record.
   */
  private async prove(
    record: RenderRecord,
    generationId: string,
    connected: Connected,
    options: AskOptions,
  ): Promise<void> {
    try {
      const { value } = await connected.client.generation(generationId, options);
      if (tellsOf(record, value, connected)) {
        this.ledger.advance(record.key, () => ({ readBy: connected.client.account }));
        return;
      }
    } catch (error) {
      if (!isDenied(error, record, connected)) throw error;
    }
    throw new Undelivered({ code: 'otherAccount' });
  }

  /** The text of a render whose success came from a list that omits it. */
  private async response(
    { key, generationId, contentUrl }: RenderRecord,
    { client }: Connected,
    options: AskOptions,
  ): Promise<string | undefined> {
    if (generationId === undefined || contentUrl !== undefined) return undefined;
    const { value } = await client.generation(generationId, options);
    const response = responseOf(value);
    if (response !== undefined) this.ledger.advance(key, () => ({ textOutput: response }));
    return response;
  }

  private async publish(
    record: RenderRecord & { spooled: Spooled },
    target: Target,
    earlier: string | undefined,
    hold: Hold,
    more: Pick<Progress, 'moved'> = {},
    mayInstruct = false,
  ): Promise<RenderRecord | undefined> {
    const { key, spooled } = record;
    try {
      // Only the last name is on record.
      const left = nameLeft(record);
      if (left !== undefined) await this.placement.free(left, hold).catch(() => this.freesLater(key, left));
      const placed = await this.placement.place(record, target, earlier, hold, mayInstruct);
      hold.prove();
      const saved = this.ledger.advance(key, () => ({
        state: 'saved',
        ...placed,
        spooled,
        problem: undefined,
        retry: undefined,
        ...more,
      }));
      await this.forget(key);
      return saved;
    } catch (error) {
      // The window that took over decides.
      hold.prove();
      if (error instanceof FileProblem && error.code === 'cutFile') await this.drop(key);
      else await this.leave(key, spooled);
      const left = nameLeft(this.ledger.get(key));
      // What isn't saved yet is tried again under that name.
      if (left !== undefined && record.state === 'saved') this.freesLater(key, left);
      throw error;
    }
  }

  /** The result stays in the spool, possibly for days. */
  private async leave(key: string, spooled: Spooled): Promise<void> {
    await this.spool
      .settle()
      .catch((error: unknown) =>
        this.log.warn(`Couldn’t make sure that the result of render ${key} survives a crash: ${reasonOf(error)}`),
      );
    this.ledger.advance(key, (record) => (isDeepStrictEqual(record.spooled, spooled) ? undefined : { spooled }));
  }

  /** The spooled file is gone, or isn't what was received: the next attempt downloads it again. */
  private async drop(key: string): Promise<void> {
    // What was saved keeps the facts of its file.
    this.ledger.advance(key, ({ state, spooled }) =>
      state === 'succeeded' && spooled ? { spooled: undefined } : undefined,
    );
    await this.forget(key);
  }
}

/** The name (URI) that a result was about to get and that isn't its file's. */
function nameLeft(record: RenderRecord | undefined): string | undefined {
  return record?.claimed === record?.file ? undefined : record?.claimed;
}

function leaseOf(key: string): string {
  return `delivery:${key}`;
}

/** What the target makes of its file, whatever the model usually makes. */
function kindAt({ fit, replaces, ending = '' }: Target): ResultKind | undefined {
  return fit || replaces ? 'image' : kindOfEnding(ending);
}

/** True when it can be saved without a download. */
function isAtHand(record: RenderRecord): boolean {
  return record.spooled !== undefined || responseOf(record) !== undefined;
}

/** The change, unless the record already is so. */
function newOf(record: RenderRecord, change: Partial<Progress>): Partial<Progress> | undefined {
  const isNew = Object.entries(change).some(
    ([name, value]) => !isDeepStrictEqual(record[name as keyof Progress], value),
  );
  return isNew ? change : undefined;
}
