import type { JsonObject } from '../base/json';
import type { Random } from '../base/random';
import { drawSeed } from './fields';
import type { Field } from './types';

/**
 * Seeds that a person leaves open. They are drawn here, not by the service, so that each render is another, and what
 * was drawn is priced and recorded with it.
 */
export class Seeds {
  private readonly drawn = new Map<string, number>();

  constructor(private readonly random: Pick<Random, 'unit'>) {}

  /** The inputs, with a number for each seed they leave out: the same one until `renew`. */
  fill(modelId: string, fields: readonly Field[], inputs: JsonObject): JsonObject {
    const open = fields.filter(({ kind, name }) => kind === 'seed' && !Object.hasOwn(inputs, name));
    if (open.length === 0) return inputs;
    const seeds = open.map((field) => [field.name, this.seedOf(modelId, field)] as const);
    return Object.fromEntries([...Object.entries(inputs), ...seeds]);
  }

  /** The next ones are others. */
  renew(): void {
    this.drawn.clear();
  }

  private seedOf(modelId: string, field: Field): number {
    const id = JSON.stringify([modelId, field.name]);
    const seed = this.drawn.get(id) ?? drawSeed(field, this.random.unit());
    this.drawn.set(id, seed);
    return seed;
  }
}
