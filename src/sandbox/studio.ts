import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { type Log, reasonOf } from '../base/log';
import type { Account, Generation, Result } from './account';
import { complete } from './fields';
import { say } from './problem';
import { modelOf } from './models';

/** How long after it's due a worker has a render to itself, ms. If it's made twice then, the first result counts. */
const lease = 1000;

/** Why a render failed. */
interface Failure {
  readonly failure: string;
}

/**
 * Makes queued renders in the background, one at a time, and finishes each when it's due: at a service, too, the making
 * is part of the wait. Leaves those in another process's hands alone, and takes over those it leaves behind.
 */
export class Studio {
  private readonly name = randomUUID();
  private readonly timers = new Map<string, Disposable>();
  private readonly closing = new AbortController();
  private readonly work = new Set<Promise<void>>();
  private line: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly account: Account,
    private readonly clock: Clock,
    /** The time until a failed render is refunded, ms. */
    private readonly refundAfter: number,
    private readonly log: Log,
  ) {}

  /** Makes sure this render gets finished. Safe to call again. */
  take(generation: Generation): void {
    const { id, status, readyAt, finishedAt = 0 } = generation;
    if (this.closing.signal.aborted || this.timers.has(id)) return;
    if (status === 'queued') {
      if (!this.claim(id, readyAt)) return;
      const making = this.make(generation);
      this.at(readyAt, id, () => this.finish(id, making));
    }
    if (status === 'failed') this.at(finishedAt + this.refundAfter, id, () => this.account.refund(id));
  }

  /** Stops all work; unfinished renders stay queued for the next start. Resolves when no work is in progress. */
  async close(): Promise<void> {
    this.closing.abort();
    for (const timer of this.timers.values()) timer.dispose();
    this.timers.clear();
    await Promise.all([this.line, ...this.work]);
    this.account.release(this.name);
  }

  /** False also while another process writes: whoever looks at the render next claims it again. */
  private claim(id: string, readyAt: number): boolean {
    try {
      return this.account.claim(id, this.name, readyAt + lease);
    } catch (error) {
      this.log.warn(`Sandbox: render ${id} couldn’t be claimed: ${reasonOf(error)}`);
      return false;
    }
  }

  private at(time: number, id: string, act: () => Promise<void> | void): void {
    const begin = () => {
      const work = this.carry(id, act).finally(() => this.work.delete(work));
      this.work.add(work);
    };
    this.timers.set(id, this.clock.after(Math.max(0, time - this.clock.now()), begin));
  }

  /** Never rejects: one bad render mustn't stop the others. */
  private async carry(id: string, act: () => Promise<void> | void): Promise<void> {
    try {
      await act();
      this.timers.delete(id);
      const generation = this.account.generation(id);
      if (generation?.status === 'failed') this.take(generation);
    } catch (error) {
      this.timers.delete(id);
      this.log.warn(`Sandbox: render ${id} was interrupted: ${reasonOf(error)}`);
    }
  }

  /** Its result, made when those before it are; or why it failed. Never rejects. */
  private make({ modelId, inputs }: Generation): Promise<Result | Failure> {
    const make = async () => {
      try {
        this.closing.signal.throwIfAborted();
        const model = modelOf(modelId);
        if (!model) throw new Error(say('The model is no longer in the catalog.').english);
        return await model.make(complete(model.fields, inputs), this.closing.signal);
      } catch (error) {
        return { failure: reasonOf(error) };
      }
    };
    const made = this.line.then(make);
    this.line = made;
    return made;
  }

  private async finish(id: string, making: Promise<Result | Failure>): Promise<void> {
    const made = await making;
    // Closing leaves it queued for the next start.
    if (this.closing.signal.aborted) return;
    if ('failure' in made) this.account.fail(id, made.failure);
    else this.account.succeed(id, made);
  }
}
