import type { JsonObject } from '../../base/json';
import type { Origin } from '../../renders/origin';
import type { RenderRecord } from '../../renders/record';

/** What somebody needs to make a file again. */
export interface Recipe {
  readonly modelId: string;
  readonly inputs: JsonObject;
  /** The name of its service; undefined when nobody said. */
  readonly service?: string;
  readonly promptLeftOut?: boolean;
  /** True when our own ledger says so: what only the file says, anybody can have written. */
  readonly isProven?: boolean;
}

/** Undefined when nobody knows: a file that only has the name of one of ours may be any other. */
export function recipeIn({ record, told, change }: Origin, inputsOf = shortInputsOf): Recipe | undefined {
  if (record && change !== 'replaced')
    return { modelId: record.modelId, inputs: inputsOf(record), service: record.place, isProven: true };
  return told?.provenance;
}

/** Large inputs are cut short in a record: enough for a name. */
function shortInputsOf({ inputs }: RenderRecord): JsonObject {
  return inputs;
}
