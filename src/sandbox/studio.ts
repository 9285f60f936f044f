import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { type Log, reasonOf } from '../base/log';
import type { Account, Generation } from './account';
import { complete } from './fields';
import { say } from './problem';
import { modelOf } from './models';

/** How long a worker has a render to itself, ms. If it takes longer and is drawn twice, the first result counts. */
const lease = 10_000;

/**
 * Finishes queued renders in the background, one at a time, each when it's due. Leaves those in another process's hands
 * alone, and takes over those it leaves behind.
 */
export class Studio {
  private readonly name = randomUUID();
  private readonly timers = new Map<string, Disposable>();
  private readonly closing = new AbortController();
  private line = Promise.resolve();

  constructor(
    private readonly account: Account,
    private readonly clock: Clock,
    /** The time until a failed render is refunded, ms. */
    private readonly refundAfter: number,
    private readonly log: Log,
  ) {}

  /** Makes sure this render gets finished. Safe to call again. */
  take(generation: Generation): void {
    if (generation.status === 'queued') this.at(generation.readyAt, generation.id, () => this.render(generation));
    if (generation.status === 'failed')
      this.at((generation.finishedAt ?? 0) + this.refundAfter, generation.id, () => this.account.refund(generation.id));
  }

  /** Stops all work; unfinished renders stay queued for the next start. Resolves when no work is in progress. */
  async close(): Promise<void> {
    this.closing.abort();
    for (const timer of this.timers.values()) timer.dispose();
    this.timers.clear();
    await this.line;
  }

  private at(time: number, id: string, work: () => Promise<void> | void): void {
    if (this.closing.signal.aborted || this.timers.has(id)) return;
    const begin = () => {
      this.line = this.line.then(() => this.carry(id, work));
    };
    this.timers.set(id, this.clock.after(Math.max(0, time - this.clock.now()), begin));
  }

  /** Never rejects: one bad render mustn't stop the others. */
  private async carry(id: string, work: () => Promise<void> | void): Promise<void> {
    if (this.closing.signal.aborted) return;
    try {
      await work();
      this.timers.delete(id);
      const generation = this.account.generation(id);
      if (generation?.status === 'failed') this.take(generation);
    } catch (error) {
      this.timers.delete(id);
      this.log.warn(`Sandbox: render ${id} was interrupted: ${reasonOf(error)}`);
    }
  }

  private async render({ id, modelId, inputs }: Generation): Promise<void> {
    if (!this.account.claim(id, this.name, this.clock.now() + lease)) return;
    try {
      const model = modelOf(modelId);
      if (!model) throw new Error(say('The model is no longer in the catalog.').english);
      this.account.succeed(id, await model.make(complete(model.fields, inputs), this.closing.signal));
    } catch (error) {
      // Closing leaves it queued for the next start.
      if (!this.closing.signal.aborted) this.account.fail(id, reasonOf(error));
    }
  }
}
