import { isDeepStrictEqual } from 'node:util';
import { wait } from '../base/clock';
import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import type { Random } from '../base/random';
import { ServiceError } from '../catalog/errors';
import type { Generation } from '../catalog/types';
import type { Calendar } from '../files/calendar';
import { FileProblem, type FileProblemCode } from '../files/problem';
import type { Spool } from '../files/spool';
import type { Connected, AccountInUse } from './connected';
import type { Inscriber } from './inscriber';
import type { Ledger } from './ledger';
import { copiesFolder, Placement, type Sinks } from './placement';
import { isDenied, isThere, mayRead, tellsOf } from './reach';
import { answerOf, besides, type Problem, type RenderRecord, type Spooled, type Target } from './record';
import { acceptance } from './renderer';
import { pauseAfter } from './repeating';
import { problemOf } from './verdict';
import { Undelivered } from './undelivered';
import { leaseMs, LeaseLost, type Hold, type WindowLease } from './windowLease';

/** How often a download that failed is tried before it is left to the person. */
const tries = 4;
/**
 * The first pause after which what the disk refused is tried again by itself, and the longest: each is twice the one
 * before. ms
 */
const patienceMs = { first: 60_000, longest: 15 * 60_000 };
/** Downloads at the same time. */
const atOnce = 3;
/** How long a person's own delivery waits before it looks whether another window has ended its own, ms. */
const turnMs = 500;
/** The largest result taken, bytes. */
const largestResult = 4 * 1024 ** 3;

/** A copy of a result. */
export interface Copy {
  readonly uri: string;
  /** What its bytes are. */
  readonly spooled: Spooled;
}

/**
 * Brings what was paid for to the disk: from the service into the spool, checked, from there to where it was ordered
 * for. What cannot be done stays with its problem and can be tried again; nothing is dropped.
 */
export class Downloader {
  private readonly under = new Map<string, Promise<void>>();
  /** Left in this window: tried again when asked, and what time may mend then as well. */
  private readonly left = new Set<string>();
  /** What is left and looked at again by itself, one timer each. */
  private readonly again = new Map<string, Disposable>();
  /** The last of the pauses after which what the disk refused is tried again, ms. */
  private readonly pauses = new Map<string, number>();
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
    /** Has results tell how they were made; without one they stay as they came. */
    private readonly inscriber?: Inscriber,
    /**
     * URI of the folder in which results are staged that were rendered to replace a file; without one they are saved
     * beside it.
     */
    private readonly staging?: string,
  ) {
    this.placement = new Placement(ledger, sinks, calendar, clock, log, inscriber, staging);
    this.listening = ledger.onDidChange(({ state }) => {
      if (state === 'succeeded') this.wake();
    });
  }

  /**
   * Removes from the spool what is known to be saved; what no readable record speaks of may have been paid for. Never
   * rejects.
   */
  async tidy(): Promise<void> {
    if (await this.swept()) return;
    // What a crashed window had looks taken until it was silent for long enough.
    wait(this.clock, leaseMs, this.ending.signal).then(
      () => this.swept(),
      () => {
        // The window is closing.
      },
    );
  }

  /** False when something that is saved is being worked on, and stays. Never rejects. */
  private async swept(): Promise<boolean> {
    let isAll = true;
    try {
      await this.spool.sweep((key) => {
        if (this.ledger.get(key)?.state !== 'saved') return false;
        const isTaken = this.window.isTaken(leaseOf(key));
        if (isTaken) isAll = false;
        return !isTaken;
      });
    } catch (error) {
      this.log.warn(`Couldn’t clean up the spool: ${reasonOf(error)}`);
    }
    return isAll;
  }

  /** Begins what is to be delivered and is neither under way nor left to the person. */
  wake(): void {
    if (this.ending.signal.aborted || this.ledger.readOnly) return;
    // While nobody is connected, nothing can be fetched and nothing is amiss: connecting wakes all.
    const isHere = this.connection() !== undefined;
    for (const record of this.ledger.inStates('succeeded')) {
      const { key, deleted } = record;
      if (this.under.size >= atOnce) return;
      // The person gave it up.
      if (deleted === true || this.under.has(key)) continue;
      if (this.left.has(key)) this.takeOver(record);
      else if (isHere || isAtHand(record)) void this.deliver(key);
    }
  }

  /**
   * What was left to the person, and time may mend, is looked at again, whichever window found that: it may be gone
   * before it does.
   */
  private takeOver({ key, problem }: RenderRecord): void {
    if (problem && mendedByTime.has(problem.code) && !this.again.has(key)) this.lookAgain(key, this.nextPause(key));
  }

  /** Forgets what was left to the person: the account connected, or a folder was opened. */
  wakeAll(): void {
    this.left.clear();
    this.pauses.clear();
    this.wake();
  }

  /** Delivers one result; joins the delivery under way. Never rejects: what went wrong stands in the record. */
  deliver(key: string): Promise<void> {
    let under = this.under.get(key);
    if (!under) {
      under = this.window
        .holding(leaseOf(key), async (hold) => {
          await this.attempts(key, hold);
          return true;
        })
        .catch((error: unknown) => {
          // The ledger could not be written, or another window may have taken over, so nobody was told of anything:
          // tried again until somebody can be.
          this.log.error(`Couldn’t deliver render ${key}: ${reasonOf(error)}`);
          return undefined;
        })
        .then((held) => {
          this.left.add(key);
          // Another window is at it, and should that one stop half way, its lease ends soon after; or the ledger was
          // out of reach. What time mends is taken over once this has ended.
          this.lookAgain(key, held ? undefined : leaseMs);
        });
      under = this.over(key, under);
    }
    return under;
  }

  /**
   * Puts the result where the person chose, under that name though it may be saved elsewhere already. Rejects with
   * FileProblem or ServiceError; the record keeps what it had.
   */
  saveAs(key: string, target: Target): Promise<RenderRecord | undefined> {
    return this.alone(key, async (hold) => {
      const record = this.ledger.get(key);
      return record && this.publish(await this.received(record, hold), target, undefined, hold);
    });
  }

  /** Fetches the result once more, also when it was saved before and has gone since. Rejects as `saveAs`. */
  downloadAgain(key: string): Promise<RenderRecord | undefined> {
    return this.alone(key, async (hold) => {
      const record = this.ledger.get(key);
      if (!record) return undefined;
      // What was decided once is not to be decided again.
      const target = record.file === undefined || record.staged === true ? record.target : besides(record.target);
      return this.publish(await this.received(record, hold), target, record.claimed, hold);
    });
  }

  /**
   * A copy of the result to look at, below the folder for staging: the record keeps what it had. Rejects as `saveAs`.
   */
  copy(key: string): Promise<Copy | undefined> {
    return this.alone(key, async (hold) => {
      const record = this.ledger.get(key);
      const sink = this.staging === undefined ? undefined : this.sinks(this.staging);
      if (!record || !sink || this.staging === undefined) return undefined;
      const { spooled } = await this.received(record, hold);
      const claim = { record: () => true, prove: () => hold.prove() };
      const { uri } = await sink.publish(spooled, this.staging, copiesFolder, key, claim);
      hold.prove();
      await this.forget(spooled);
      return { uri, spooled };
    });
  }

  /**
   * Takes up a render of the service's list that was started elsewhere, and delivers it. Resolves with its key at once;
   * taken up before, it is the same one.
   */
  takeUp(generation: Generation, target: Target): string | undefined {
    const connected = this.connection();
    if (!connected) return undefined;
    const { id, modelId = '', inputs = {}, createdAt } = generation;
    const before = this.ledger.ofGeneration(id).findLast((record) => mayRead(record, connected));
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
    for (const timer of this.again.values()) timer.dispose();
    this.ending.abort(new Error('The window is closing'));
  }

  /**
   * Does the work when no other delivery of the result is under way, here or in another window: both would write under
   * the same names.
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
        // Another window may have taken over meanwhile: after it, it's our turn again.
        if (error instanceof LeaseLost && !this.ending.signal.aborted) return undefined;
        throw error;
      });
      if (done) return done.value;
      await over;
      await wait(this.clock, turnMs, this.ending.signal);
    }
  }

  /** Counts the work as the delivery under way of this result until it has ended. */
  private over(key: string, work: Promise<void>): Promise<void> {
    const over = work.then(() => {
      this.under.delete(key);
      this.wake();
    });
    const safe = over.catch((error: unknown) => this.log.error(`Couldn’t continue deliveries: ${reasonOf(error)}`));
    this.under.set(key, safe);
    return safe;
  }

  /** Has what was left looked at once more after `ms`; never by itself where that is undefined. */
  private lookAgain(key: string, ms: number | undefined): void {
    this.again.get(key)?.dispose();
    this.again.delete(key);
    if (ms === undefined || this.ending.signal.aborted) return;
    const look = () => {
      this.again.delete(key);
      this.left.delete(key);
      this.wake();
    };
    this.again.set(key, this.clock.after(ms, look));
  }

  /** Resolves when it's over, or its problem stands in the record. Rejects with LeaseLost or LedgerError. */
  private async attempts(key: string, hold: Hold): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const record = this.ledger.get(key);
      if (record?.state !== 'succeeded') return;
      try {
        await this.publish(await this.received(record, hold), record.target, record.claimed, hold);
        this.pauses.delete(key);
        return;
      } catch (error) {
        if (this.ending.signal.aborted) return;
        hold.prove();
        this.log.warn(`Render ${key}, delivery ${attempt}: ${reasonOf(error)}`);
        if (attempt >= tries || !passes(error)) return this.keep(key, problemIn(error));
        const floor = error instanceof ServiceError ? (error.retryAfterMs ?? 0) : 0;
        await wait(this.clock, Math.max(floor, pauseAfter(attempt, this.random.unit())), this.until(hold));
      }
    }
  }

  private nextPause(key: string): number {
    const { first, longest } = patienceMs;
    const pause = Math.min(2 * (this.pauses.get(key) ?? first / 2), longest);
    this.pauses.set(key, pause);
    return pause;
  }

  /** Aborted when the window closes, or may be doing what another one does. */
  private until(hold: Hold): AbortSignal {
    return AbortSignal.any([this.ending.signal, hold.signal]);
  }

  /** The record with its result in the spool. */
  private async received(record: RenderRecord, hold: Hold): Promise<RenderRecord & { spooled: Spooled }> {
    if (record.spooled && (await this.spool.has(record.spooled.name))) return { ...record, spooled: record.spooled };
    const received = await this.receive(record, hold);
    return { ...record, spooled: (await this.inscriber?.inscribe(record, received, hold)) ?? received };
  }

  private async receive(record: RenderRecord, hold: Hold): Promise<Spooled> {
    const { key, generationId } = record;
    const known = answerOf(record);
    if (known !== undefined) return this.spool.receiveText(key, known, hold);
    const connected = this.connection();
    if (!connected || !isThere(record, connected)) throw new Undelivered({ code: 'otherAccount' });
    if (generationId === undefined) throw new Undelivered({ code: 'noContent' });
    const signal = this.until(hold);
    if (!mayRead(record, connected)) await this.prove(record, generationId, connected, signal);
    const answer = await this.answer(record, connected, signal);
    if (answer !== undefined) return this.spool.receiveText(key, answer, hold);
    const { stream, length } = await connected.client.content(generationId, { signal });
    return this.spool.receive(key, stream, { length, maxBytes: largestResult, signal, hold });
  }

  /**
   * A key isn't an account: what was ordered with another is fetched with the one in use when the service answers it
   * what matches.
   */
  private async prove(
    record: RenderRecord,
    generationId: string,
    connected: Connected,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const { value } = await connected.client.generation(generationId, { signal });
      if (tellsOf(record, value, connected)) {
        this.ledger.advance(record.key, () => ({ readBy: connected.client.account }));
        return;
      }
    } catch (error) {
      if (!isDenied(error, record, connected)) throw error;
    }
    throw new Undelivered({ code: 'otherAccount' });
  }

  /** The answer of a text render whose success was read from a list that left it out. */
  private async answer(
    { key, generationId, contentUrl }: RenderRecord,
    { client }: Connected,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (generationId === undefined || contentUrl !== undefined) return undefined;
    const { value } = await client.generation(generationId, { signal });
    const answer = answerOf(value);
    if (answer !== undefined) this.ledger.advance(key, () => ({ textOutput: answer }));
    return answer;
  }

  private async publish(
    record: RenderRecord & { spooled: Spooled },
    target: Target,
    earlier: string | undefined,
    hold: Hold,
  ): Promise<RenderRecord | undefined> {
    const { key, spooled } = record;
    try {
      const placed = await this.placement.place(record, target, earlier, hold);
      hold.prove();
      const saved = this.ledger.advance(key, () => ({ state: 'saved', ...placed, spooled, problem: undefined }));
      await this.forget(spooled);
      return saved;
    } catch (error) {
      // Whoever took over decides what becomes of it.
      hold.prove();
      // What lies in the spool is not what came: the next try fetches it anew.
      if (error instanceof FileProblem && error.code === 'cutFile') await this.forget(spooled);
      else await this.leave(key, spooled);
      throw error;
    }
  }

  /** The result stays in the spool, perhaps for days. */
  private async leave(key: string, spooled: Spooled): Promise<void> {
    await this.spool
      .settle()
      .catch((error: unknown) => this.log.warn(`Couldn’t make sure that the spool keeps ${key}: ${reasonOf(error)}`));
    this.ledger.advance(key, (record) => (isDeepStrictEqual(record.spooled, spooled) ? undefined : { spooled }));
  }

  /** What cannot be removed now is in nobody's way, and goes with the next tidying. */
  private async forget({ name }: Spooled): Promise<void> {
    try {
      await this.spool.remove(name);
    } catch (error) {
      this.log.warn(`Couldn’t remove ${name} from the spool: ${reasonOf(error)}`);
    }
  }

  private keep(key: string, problem: Problem): void {
    // Of the same kind it's told already.
    this.ledger.advance(key, (record) =>
      record.state === 'succeeded' && record.problem?.code !== problem.code ? { problem } : undefined,
    );
  }
}

function leaseOf(key: string): string {
  return `delivery:${key}`;
}

/** True when nothing has to be fetched to save it. */
function isAtHand(record: RenderRecord): boolean {
  return record.spooled !== undefined || answerOf(record) !== undefined;
}

const passing: ReadonlySet<FileProblemCode> = new Set(['cutFile', 'emptyFile', 'notWritable']);
/** What costs nothing to try again: a virus scanner lets go of it, a person makes room, or a network is back. */
const mendedByTime: ReadonlySet<Problem['code']> = new Set(['notWritable', 'diskFull', 'folderGone']);

/** True for what may be over in seconds. */
function passes(error: unknown): boolean {
  if (error instanceof FileProblem) return passing.has(error.code);
  if (!(error instanceof ServiceError)) return false;
  // A web page comes from something in between, which may let the next try through.
  return error.kind === 'noAnswer' || error.kind === 'tooManyRequests' || error.html || (error.status ?? 0) >= 500;
}

function problemIn(error: unknown): Problem {
  if (error instanceof Undelivered) return error.problem;
  if (error instanceof FileProblem) return { code: error.code, detail: error.detail };
  if (error instanceof ServiceError && error.status === 404) return { code: 'noContent', detail: error.serviceMessage };
  return problemOf(error);
}
