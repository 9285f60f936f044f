import type { JsonObject } from '../../../base/json';
import type { Fit } from '../../../files/fit/fit';
import type { Origin } from '../../../renders/origin';
import type { RenderRecord } from '../../../renders/record';

/** Everything needed to make a file again. */
export interface Recipe {
  readonly modelId: string;
  readonly inputs: JsonObject;
  /** What it was fitted to; undefined if it's as it came. */
  readonly fit?: Fit;
  /** The name of its service; undefined when unknown. */
  readonly service?: string;
  readonly promptLeftOut?: boolean;
  /** True when our own ledger says so: anyone can have written the file's metadata. */
  readonly isProven?: boolean;
}

/** Undefined when unknown: a file that only has the name of one of our results may be any other. */
export function recipeIn({ record, fileRecord, change }: Origin, inputsOf = shortInputsOf): Recipe | undefined {
  if (record && change !== 'replaced')
    return {
      modelId: record.modelId,
      inputs: inputsOf(record),
      fit: record.spooled?.fitted ? record.target.fit : undefined,
      service: record.place,
      isProven: true,
    };
  return fileRecord?.provenance;
}

/** A record holds only the beginnings of large inputs: enough for a name. */
function shortInputsOf({ inputs }: RenderRecord): JsonObject {
  return inputs;
}
