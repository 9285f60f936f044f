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
import { FileProblem } from '../files/problem';
import type { Spool } from '../files/spool';
import type { Connected, Connection } from './connected';
import type { Inscriber } from './inscriber';
import type { Ledger } from './ledger';
import { Placement, type Sinks } from './placement';
import { besides, type Problem, type RenderRecord, type Spooled, type Target } from './record';
import { belongs } from './recovery';
import { acceptance } from './renderer';
import { pauseAfter } from './repeating';
import { problemOf } from './verdict';
import { leaseMs } from './windowLease';
import { Undelivered } from './undelivered';
import type { WindowLease } from './windowLease';

/** How often a download that failed is tried before it is left to the person. */
const tries = 4;
/** Downloads at the same time. */
const atOnce = 3;
/** How long a person's own delivery waits before it looks whether another window has ended its own, ms. */
const turnMs = 500;
/** The largest result taken, bytes. */
const largestResult = 4 * 1024 ** 3;

/** The folder for copies that are only looked at. */
export const copiesFolder = 'compared';

/**
 * Brings what was paid for to the disk: from the service into the spool, checked, from there to where it was ordered for. What
 * cannot be done stays with its problem and can be tried again; nothing is dropped.
 */
export class Downloader {
  private readonly under = new Map<string, Promise<void>>();
  /** Left to the person in this window: tried again only when asked. */
  private readonly left = new Set<string>();
  private readonly listening: Disposable;
  private readonly ending = new AbortController();
  private readonly placement: Placement;

  constructor(
    private readonly ledger: Ledger,
    private readonly connection: Connection,
    private readonly window: WindowLease,
    private readonly spool: Spool,
    private readonly sinks: Sinks,
    calendar: Calendar,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly log: Log,
    /** Has results tell how they were made; without one they stay as they came. */
    private readonly inscriber?: Inscriber,
    /** URI of the folder in which results are staged that were rendered to replace a file; without one they are saved beside it. */
    private readonly staging?: string,
  ) {
    this.placement = new Placement(ledger, sinks, calendar, log, inscriber, staging);
    this.listening = ledger.onDidChange(({ state }) => {
      if (state === 'succeeded') this.wake();
    });
  }

  /** Removes from the spool what is known to be saved; what no readable record speaks of may have been paid for. Never rejects. */
  async tidy(): Promise<void> {
    try {
      await this.spool.sweep((name) => this.isSaved(name));
    } catch (error) {
      this.log.warn(`The spool could not be tidied: ${reasonOf(error)}`);
    }
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
      if (deleted === true) continue;
      if (!this.left.has(key) && !this.under.has(key) && (isHere || isAtHand(record))) void this.deliver(key);
    }
  }

  /** Forgets what was left to the person: the account connected, or a folder was opened. */
  wakeAll(): void {
    this.left.clear();
    this.wake();
  }

  /** Delivers one result; joins the delivery under way. Never rejects: what went wrong stands in the record. */
  deliver(key: string): Promise<void> {
    let under = this.under.get(key);
    if (!under) {
      under = this.window
        .holding(leaseOf(key), async () => {
          await this.attempts(key);
          return true;
        })
        .catch((error: unknown) => {
          // The ledger could not be written, so nobody was told of anything: tried again until somebody can be.
          this.log.error(`Render ${key} could not be delivered: ${reasonOf(error)}`);
          return undefined;
        })
        .then((isDone) => {
          this.left.add(key);
          if (isDone !== true) this.lookAgain(key);
        });
      under = this.over(key, under);
    }
    return under;
  }

  /** Puts the result where the person chose, under that name though it may be saved elsewhere already. Rejects with FileProblem or ServiceError; the record keeps what it had. */
  saveAs(key: string, target: Target): Promise<RenderRecord | undefined> {
    return this.alone(key, async () => {
      const record = this.ledger.get(key);
      return record && this.publish(await this.received(record), target, undefined);
    });
  }

  /** Fetches the result once more, also when it was saved before and has gone since. Rejects as `saveAs`. */
  downloadAgain(key: string): Promise<RenderRecord | undefined> {
    return this.alone(key, async () => {
      const record = this.ledger.get(key);
      if (!record) return undefined;
      // What was decided once is not to be decided again.
      const target = record.file === undefined || record.staged === true ? record.target : besides(record.target);
      return this.publish(await this.received(record), target, record.claimed);
    });
  }

  /** A copy of the result to look at, below the folder for staging: the record keeps what it had. Resolves with its URI. Rejects as `saveAs`. */
  copy(key: string): Promise<string | undefined> {
    return this.alone(key, async () => {
      const record = this.ledger.get(key);
      const sink = this.staging === undefined ? undefined : this.sinks(this.staging);
      if (!record || !sink || this.staging === undefined) return undefined;
      const { spooled } = await this.received(record);
      const { uri } = await sink.publish(spooled, this.staging, copiesFolder, key);
      await this.forget(spooled);
      return uri;
    });
  }

  /** Takes up a render of the service's list that was started elsewhere, and delivers it. Resolves with its key at once; taken up before, it is the same one. */
  takeUp(generation: Generation, target: Target): string | undefined {
    const connected = this.connection();
    if (!connected) return undefined;
    const { id, modelId = '', inputs = {}, createdAt } = generation;
    const before = this.ledger.all().find((record) => record.generationId === id && belongs(record, connected));
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
    this.ending.abort(new Error('The window is closing'));
  }

  /** Does the work when no other delivery of the result is under way, here or in another window: both would write under the same names. */
  async alone<T>(key: string, work: () => Promise<T>): Promise<T> {
    for (;;) {
      for (let under = this.under.get(key); under; under = this.under.get(key)) await under;
      const turn = this.window.holding(leaseOf(key), async () => ({ value: await work() }));
      const over = this.over(
        key,
        turn.then(
          () => {},
          () => {},
        ),
      );
      const done = await turn;
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
    const safe = over.catch((error: unknown) => this.log.error(`Deliveries could not go on: ${reasonOf(error)}`));
    this.under.set(key, safe);
    return safe;
  }

  /** Another window is at it, and should that one go half way, its lease ends soon after; or the ledger was out of reach. */
  private lookAgain(key: string): void {
    const look = () => {
      this.left.delete(key);
      this.wake();
    };
    wait(this.clock, leaseMs, this.ending.signal).then(look, () => {
      // The window is closing.
    });
  }

  private isSaved(key: string): boolean {
    return this.ledger.get(key)?.state === 'saved' && !this.window.isTaken(leaseOf(key));
  }

  private async attempts(key: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const record = this.ledger.get(key);
      if (record?.state !== 'succeeded') return;
      try {
        await this.publish(await this.received(record), record.target, record.claimed);
        return;
      } catch (error) {
        if (this.ending.signal.aborted) return;
        this.log.warn(`Render ${key}, delivery ${attempt}: ${reasonOf(error)}`);
        if (attempt >= tries || !passes(error)) {
          this.keep(key, problemIn(error));
          return;
        }
        const floor = error instanceof ServiceError ? (error.retryAfterMs ?? 0) : 0;
        await wait(this.clock, Math.max(floor, pauseAfter(attempt, this.random.unit())), this.ending.signal);
      }
    }
  }

  /** The record with its result in the spool. */
  private async received(record: RenderRecord): Promise<RenderRecord & { spooled: Spooled }> {
    if (record.spooled && (await this.spool.has(record.spooled.name))) return { ...record, spooled: record.spooled };
    const received = await this.receive(record);
    return { ...record, spooled: (await this.inscriber?.inscribe(record, received)) ?? received };
  }

  private async receive(record: RenderRecord): Promise<Spooled> {
    if (record.textOutput !== undefined) return this.spool.receiveText(record.key, record.textOutput);
    const connected = this.connection();
    if (!connected || !belongs(record, connected)) throw new Undelivered({ code: 'otherAccount' });
    if (record.generationId === undefined) throw new Undelivered({ code: 'noContent' });
    const { signal } = this.ending;
    const text = await this.textOf(record, connected);
    if (text !== undefined) return this.spool.receiveText(record.key, text);
    const content = await connected.client.content(record.generationId, { signal });
    return this.spool.receive(record.key, content.stream, { length: content.length, maxBytes: largestResult, signal });
  }

  /** The answer of a text render whose success was read from a list that left it out. */
  private async textOf(
    { key, generationId, contentUrl }: RenderRecord,
    { client }: Connected,
  ): Promise<string | undefined> {
    if (generationId === undefined || contentUrl !== undefined) return undefined;
    const { value } = await client.generation(generationId, { signal: this.ending.signal });
    const { textOutput } = value;
    if (textOutput !== undefined) this.ledger.advance(key, () => ({ textOutput }));
    return textOutput;
  }

  private async publish(
    record: RenderRecord & { spooled: Spooled },
    target: Target,
    earlier: string | undefined,
  ): Promise<RenderRecord | undefined> {
    const { key, spooled } = record;
    try {
      const placed = await this.placement.place(record, target, earlier);
      const saved = this.ledger.advance(key, () => ({ state: 'saved', ...placed, spooled, problem: undefined }));
      await this.forget(spooled);
      return saved;
    } catch (error) {
      // What lies in the spool is not what came: the next try fetches it anew.
      if (error instanceof FileProblem && error.code === 'cutFile') await this.forget(spooled);
      else await this.leave(key, spooled);
      throw error;
    }
  }

  /** The result stays in the spool, perhaps for days. */
  private async leave(key: string, spooled: Spooled): Promise<void> {
    await this.spool.settle().catch((error: unknown) => this.log.warn(`The spool may lose ${key}: ${reasonOf(error)}`));
    this.ledger.advance(key, (record) => (isDeepStrictEqual(record.spooled, spooled) ? undefined : { spooled }));
  }

  /** What cannot be removed now is in nobody's way, and goes with the next tidying. */
  private async forget({ name }: Spooled): Promise<void> {
    try {
      await this.spool.remove(name);
    } catch (error) {
      this.log.warn(`The spool keeps ${name}: ${reasonOf(error)}`);
    }
  }

  private keep(key: string, problem: Problem): void {
    this.ledger.advance(key, ({ state }) => (state === 'succeeded' ? { problem } : undefined));
  }
}

function leaseOf(key: string): string {
  return `delivery:${key}`;
}

/** True when nothing has to be fetched to save it. */
function isAtHand({ spooled, textOutput }: RenderRecord): boolean {
  return spooled !== undefined || textOutput !== undefined;
}

/** True for what another try may mend by itself. */
function passes(error: unknown): boolean {
  if (error instanceof FileProblem) return error.code === 'cutFile' || error.code === 'emptyFile';
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
