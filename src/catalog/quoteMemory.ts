import { ageOf, type Clock, type Moment } from '../base/clock';
import type { JsonObject } from '../base/json';
import type { Quote } from './types';

/** A price, and when it was requested. */
export interface Remembered {
  readonly quote: Quote;
  readonly askedAt: Moment;
}

/** The total length of the remembered requests, UTF-16 code units: inputs can contain entire images. */
const mostCharacters = 16 * 1024 * 1024;

/**
 * Prices of one account for a limited number of inputs, for as long as they may be shown again without a new request,
 * ms, unless a request says otherwise.
 */
export class QuoteMemory {
  private readonly remembered = new Map<string, Remembered>();
  private characters = 0;

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'ticks'>,
    private readonly forMs = 60_000,
    private readonly most = 50,
  ) {}

  recall(question: string, forMs = this.forMs): Remembered | undefined {
    const found = this.remembered.get(question);
    return found && ageOf(found.askedAt, this.clock) < forMs ? found : undefined;
  }

  remember(question: string, remembered: Remembered): void {
    this.forget(question);
    this.remembered.set(question, remembered);
    this.characters += question.length;
    for (const oldest of this.remembered.keys()) {
      if (oldest === question || !this.isOverfull) return;
      this.forget(oldest);
    }
  }

  clear(): void {
    this.remembered.clear();
    this.characters = 0;
  }

  private get isOverfull(): boolean {
    return this.remembered.size > this.most || this.characters > mostCharacters;
  }

  private forget(question: string): void {
    if (this.remembered.delete(question)) this.characters -= question.length;
  }
}

/** The same text for the same model and exactly the same inputs. */
export function questionOf(modelId: string, inputs: JsonObject): string {
  return JSON.stringify([modelId, inputs]);
}
