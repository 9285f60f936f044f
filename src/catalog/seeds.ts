import type { JsonObject } from '../base/json';
import type { Random } from '../base/random';
import { drawOtherSeed, drawSeed, seedCount } from './fields';
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

/**
 * The inputs with a number for each of their seeds that neither they nor the others have; undefined if there is none
 * that could differ.
 */
export function otherSeeds(
  fields: readonly Field[],
  inputs: JsonObject,
  random: Pick<Random, 'unit'>,
  others: readonly JsonObject[] = [],
): JsonObject | undefined {
  const drawn = fields.flatMap((field): [string, number][] => {
    if (field.kind !== 'seed' || seedIn(field, inputs) === undefined) return [];
    const taken = [inputs, ...others].flatMap((one) => seedIn(field, one) ?? []);
    const other = drawOtherSeed(field, taken, random.unit());
    return other === undefined ? [] : [[field.name, other]];
  });
  return drawn.length === 0 ? undefined : Object.fromEntries([...Object.entries(inputs), ...drawn]);
}

/** The inputs, and the same with other seeds, no two alike: `count` of them, or as many as the fields accept. */
export function variantsOf(
  fields: readonly Field[],
  inputs: JsonObject,
  count: number,
  random: Pick<Random, 'unit'>,
): readonly JsonObject[] {
  const variants = [inputs];
  while (variants.length < count) {
    const next = otherSeeds(fields, inputs, random, variants);
    if (!next) break;
    variants.push(next);
  }
  return variants;
}

/** How many variants the fields accept; 1 without a seed. */
export function mostVariants(fields: readonly Field[]): number {
  return Math.max(1, ...fields.filter(({ kind }) => kind === 'seed').map(seedCount));
}

function seedIn({ name }: Field, inputs: JsonObject): number | undefined {
  const seed = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  return typeof seed === 'number' ? seed : undefined;
}
