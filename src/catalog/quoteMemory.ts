import type { Clock } from '../base/clock';
import type { JsonObject } from '../base/json';
import type { Quote } from './types';

interface Remembered {
  readonly quote: Quote;
  /** When it was asked for, in the clock's ticks. */
  readonly at: number;
}

/** Prices of one account, for as long as they may be shown again without asking, ms, where a question says nothing else; of at most so many inputs. */
export class QuoteMemory {
  private readonly remembered = new Map<string, Remembered>();

  constructor(
    private readonly clock: Pick<Clock, 'ticks'>,
    private readonly forMs = 60_000,
    private readonly most = 50,
  ) {}

  recall(modelId: string, inputs: JsonObject, forMs = this.forMs): Quote | undefined {
    const found = this.remembered.get(keyOf(modelId, inputs));
    return found && this.clock.ticks() - found.at < forMs ? found.quote : undefined;
  }

  /** `at`: when it was asked for, in the clock's ticks. */
  remember(modelId: string, inputs: JsonObject, quote: Quote, at: number): void {
    const key = keyOf(modelId, inputs);
    this.remembered.delete(key);
    this.remembered.set(key, { quote, at });
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > this.most && oldest !== undefined) this.remembered.delete(oldest);
  }

  clear(): void {
    this.remembered.clear();
  }
}

function keyOf(modelId: string, inputs: JsonObject): string {
  return JSON.stringify([modelId, inputs]);
}
