import { wait } from '../base/clock';
import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import type { Random } from '../base/random';
import { ServiceError } from '../catalog/errors';
import { promptOf } from '../catalog/fields';
import type { Generation } from '../catalog/types';
import type { Calendar } from '../files/calendar';
import { FileProblem } from '../files/problem';
import type { NameClaim, Sink } from '../files/sink';
import type { Spool } from '../files/spool';
import { fillTemplate } from '../files/template';
import type { Connection } from './connected';
import type { Ledger } from './ledger';
import type { Problem, RenderRecord, Spooled, Target } from './record';
import { belongs } from './recovery';
import { acceptance } from './renderer';
import { pauseAfter } from './repeating';
import { problemOf } from './verdict';
import type { WindowLease } from './windowLease';

/** How often a download that failed is tried before it is left to the person. */
const tries = 4;
/** Downloads at the same time. */
const atOnce = 3;
/** The largest result taken, bytes. */
const largestResult = 4 * 1024 ** 3;

/** Where results of a root folder are published; undefined while this window cannot reach it. */
export type Sinks = (root: string) => Sink | undefined;

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

  constructor(
    private readonly ledger: Ledger,
    private readonly connection: Connection,
    private readonly window: WindowLease,
    private readonly spool: Spool,
    private readonly sinks: Sinks,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly log: Log,
  ) {
    this.listening = ledger.onDidChange(({ state }) => {
      if (state === 'succeeded') this.wake();
    });
  }

  /** Removes from the spool what no render waits for any more. Never rejects. */
  async tidy(): Promise<void> {
    try {
      await this.spool.sweep(new Set(this.ledger.inStates('succeeded').map(({ key }) => key)));
    } catch (error) {
      this.log.warn(`The spool could not be tidied: ${reasonOf(error)}`);
    }
  }

  /** Begins what is to be delivered and is neither under way nor left to the person. */
  wake(): void {
    if (this.ending.signal.aborted || this.ledger.readOnly) return;
    for (const { key } of this.ledger.inStates('succeeded')) {
      if (this.under.size >= atOnce) return;
      if (!this.left.has(key) && !this.under.has(key)) void this.deliver(key);
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
        .holding(`delivery:${key}`, () => this.attempts(key))
        .catch((error: unknown) => this.log.error(`Render ${key} could not be delivered: ${reasonOf(error)}`))
        .then(() => {
          this.left.add(key);
          this.under.delete(key);
          this.wake();
        });
      this.under.set(key, under);
    }
    return under;
  }

  /** Puts the result where the person chose. Rejects with FileProblem or ServiceError; the record keeps what it had. */
  async saveAs(key: string, target: Target): Promise<RenderRecord | undefined> {
    const record = this.ledger.get(key);
    if (!record) return undefined;
    return this.publish(await this.received(record), target);
  }

  /** Fetches the result once more, also when it was saved before and has gone since. Rejects as `saveAs`. */
  async downloadAgain(key: string): Promise<RenderRecord | undefined> {
    const record = this.ledger.get(key);
    return record && this.saveAs(key, record.target);
  }

  /** Takes up a render of the service's list that was started elsewhere, and delivers it. Resolves with its key at once. */
  takeUp(generation: Generation, target: Target): string | undefined {
    const connected = this.connection();
    if (!connected) return undefined;
    const { id, modelId = '', inputs = {}, createdAt } = generation;
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

  private async attempts(key: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const record = this.ledger.get(key);
      if (record?.state !== 'succeeded') return;
      try {
        await this.publish(await this.received(record), record.target);
        return;
      } catch (error) {
        if (this.ending.signal.aborted) return;
        this.log.warn(`Render ${key}, delivery ${attempt}: ${reasonOf(error)}`);
        // What lies in the spool is not what came, or came cut: the next try fetches it anew.
        if (error instanceof FileProblem && error.code === 'cutFile') await this.spool.remove(key);
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
    const { name, bytes, sha256, mediaType, extension } = await this.receive(record);
    const spooled = { name, bytes, sha256, mediaType, extension };
    const kept = this.ledger.advance(record.key, () => ({ spooled }));
    return { ...(kept ?? record), spooled };
  }

  private async receive(record: RenderRecord): Promise<Spooled> {
    if (record.textOutput !== undefined) return this.spool.receiveText(record.key, record.textOutput);
    const connected = this.connection();
    if (!connected || !belongs(record, connected)) throw new Undelivered({ code: 'otherAccount' });
    if (record.generationId === undefined) throw new Undelivered({ code: 'noContent' });
    const { signal } = this.ending;
    const content = await connected.client.content(record.generationId, { signal });
    return this.spool.receive(record.key, content.stream, { length: content.length, maxBytes: largestResult, signal });
  }

  private async publish(
    record: RenderRecord & { spooled: Spooled },
    target: Target,
  ): Promise<RenderRecord | undefined> {
    if (target.root === undefined) throw new Undelivered({ code: 'noFolder' });
    const sink = this.sinks(target.root);
    if (!sink) throw new Undelivered({ code: 'folderGone', detail: target.root });
    const { spooled } = record;
    const claim: NameClaim = {
      earlier: record.claimed,
      record: (uri) => void this.ledger.advance(record.key, () => ({ claimed: uri })),
    };
    const { uri } = await sink.publish(spooled, target.root, target.folder, this.nameOf(record, target), claim);
    const saved = this.ledger.advance(record.key, () => ({ state: 'saved', file: uri, problem: undefined }));
    await this.spool.remove(spooled.name);
    return saved;
  }

  private nameOf({ plannedAt, modelId, inputs, generationId, index }: RenderRecord, target: Target): string {
    const facts = { time: plannedAt, modelId, prompt: promptOf(undefined, inputs), id: generationId ?? '', index };
    return fillTemplate(target.fileName, facts, this.calendar);
  }

  private keep(key: string, problem: Problem): void {
    this.ledger.advance(key, ({ state }) => (state === 'succeeded' ? { problem } : undefined));
  }
}

/** A delivery that has to wait for something other than time. */
class Undelivered extends Error {
  constructor(readonly problem: Problem) {
    super(`The result cannot be delivered (${problem.code})`);
  }
}

/** True for what another try may mend by itself. */
function passes(error: unknown): boolean {
  if (error instanceof FileProblem) return error.code === 'cutFile' || error.code === 'emptyFile';
  if (!(error instanceof ServiceError)) return false;
  return error.kind === 'noAnswer' || error.kind === 'tooManyRequests' || (error.status ?? 0) >= 500;
}

function problemIn(error: unknown): Problem {
  if (error instanceof Undelivered) return error.problem;
  if (error instanceof FileProblem) return { code: error.code, detail: error.detail };
  if (error instanceof ServiceError && error.status === 404) return { code: 'noContent', detail: error.serviceMessage };
  return problemOf(error);
}
