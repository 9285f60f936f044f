import type { JsonObject } from '../../base/json';
import type { Origin } from '../../renders/origin';

/** What somebody needs to make a file again. */
export interface Recipe {
  readonly modelId: string;
  readonly inputs: JsonObject;
  /** The name of its service; undefined when nobody said. */
  readonly service?: string;
  readonly promptLeftOut?: boolean;
}

/** Undefined when nobody knows: a file that only has the name of one of ours may be any other. */
export function recipeIn({ record, told, change }: Origin): Recipe | undefined {
  if (record && change !== 'replaced') return { modelId: record.modelId, inputs: record.inputs, service: record.place };
  return told?.provenance;
}
