import { isDeepStrictEqual } from 'node:util';
import { promptOf } from '../catalog/fields';
import type { RenderRecord } from './record';

/**
 * The render before the one in a file: the latest earlier one saved to the same file, else the latest one of the same
 * model and prompt, since the file is then another try. Undefined when there is none. `isAt` recognizes the file's URI;
 * `record` is the file's render, undefined when it isn't ours: then every render saved there is earlier.
 */
export function previousOf(
  record: RenderRecord | undefined,
  isAt: (uri: string) => boolean,
  records: readonly RenderRecord[],
): RenderRecord | undefined {
  const earlier = records
    .filter((one) => one.state === 'saved' && one.deleted !== true && (!record || one.plannedAt < record.plannedAt))
    .filter((one) => !record?.spooled || one.spooled?.sha256 !== record.spooled.sha256)
    .sort((a, b) => b.plannedAt - a.plannedAt);
  return (
    earlier.find(({ file, claimed }) => [file, claimed].some((uri) => uri !== undefined && isAt(uri))) ??
    // A discarded render has no file, and nobody wants to see it again.
    earlier.find((one) => record && one.file !== undefined && isAnotherTry(one, record))
  );
}

function isAnotherTry(one: RenderRecord, record: RenderRecord): boolean {
  const prompt = promptOf(undefined, record.inputs);
  return (
    one.modelId === record.modelId &&
    (isDeepStrictEqual(one.inputs, record.inputs) || (prompt !== '' && promptOf(undefined, one.inputs) === prompt))
  );
}
