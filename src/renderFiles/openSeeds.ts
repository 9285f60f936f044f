import type { JsonObject } from '../base/json';
import { isSeedName } from '../catalog/fields';
import type { Field } from '../catalog/types';

/**
 * The fields as render files take them: that a number was drawn shows in an image only by its name. So what the model
 * takes as a seed under another name isn't drawn, but is a number like any other.
 */
export function withNamedSeeds(fields: readonly Field[]): readonly Field[] {
  return fields.map((field) =>
    field.kind === 'seed' && !isSeedName(field.name) ? { ...field, kind: 'integer' } : field,
  );
}

/** The inputs of an entry, with the seeds of its image that it leaves open: those were drawn, so any matches. */
export function withOpenSeeds(asked: JsonObject, told: JsonObject): JsonObject {
  const open = Object.entries(told).filter(([name]) => isSeedName(name) && !Object.hasOwn(asked, name));
  return open.length === 0 ? asked : Object.fromEntries([...Object.entries(asked), ...open]);
}
