import type { JsonObject } from '../base/json';
import type { Random } from '../base/random';
import { drawOtherSeed, drawSeed } from './fields';
import type { Field } from './types';

/**
 * Seeds that a person leaves open. They're drawn here, not by the service, so that each render differs and its seed is
 * priced and recorded with it.
 */
export class Seeds {
  private readonly drawn = new Map<string, number>();

  constructor(private readonly random: Pick<Random, 'unit'>) {}

  /** The inputs with a number for each omitted seed: the same one until `renew`. */
  fill(modelId: string, fields: readonly Field[], inputs: JsonObject): JsonObject {
    const open = fields.filter(({ kind, name }) => kind === 'seed' && !Object.hasOwn(inputs, name));
    if (open.length === 0) return inputs;
    const seeds = open.map((field) => [field.name, this.seedOf(modelId, field)] as const);
    return Object.fromEntries([...Object.entries(inputs), ...seeds]);
  }

  /** Makes the next numbers different ones. */
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

/** The inputs with a different number for each of their seeds; undefined if there is none that could differ. */
export function otherSeeds(
  fields: readonly Field[],
  inputs: JsonObject,
  random: Pick<Random, 'unit'>,
): JsonObject | undefined {
  const drawn = fields.flatMap((field): [string, number][] => {
    const seed = field.kind === 'seed' && Object.hasOwn(inputs, field.name) ? inputs[field.name] : undefined;
    const other = typeof seed === 'number' ? drawOtherSeed(field, seed, random.unit()) : undefined;
    return other === undefined ? [] : [[field.name, other]];
  });
  return drawn.length === 0 ? undefined : Object.fromEntries([...Object.entries(inputs), ...drawn]);
}
