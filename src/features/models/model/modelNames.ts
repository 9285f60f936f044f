import { oneLine } from '../../../base/plain';
import type { Session } from '../../../catalog/session';

/** What a window knows of models without any request. */
type KnownModels = Pick<Session, 'models' | 'modelsAt' | 'readModel'>;

/**
 * The display name of each model, without any request: its title in the last list, or in its details if it's one of
 * `ids` and they were read, else its id.
 */
export async function modelNames(session: KnownModels, ids: readonly string[] = []): Promise<(id: string) => string> {
  const listed = session.modelsAt === undefined ? [] : (await session.models()).items;
  const read = await Promise.all(ids.map((id) => session.readModel(id)));
  const known = [...listed, ...read.filter((model) => model !== undefined)];
  const titles = new Map(known.map(({ id, title }) => [id, title]));
  // A title may have no visible characters.
  return (id) => oneLine(titles.get(id) ?? '') || id;
}

/** The same, but the end of the id where no name is known. Never rejects. */
export async function shortModelNames(session: KnownModels): Promise<(id: string) => string> {
  const named = await modelNames(session).catch(() => lastSegment);
  return (id) => {
    const name = named(id);
    return name === id ? lastSegment(id) : name;
  };
}

/** The end of a model’s id: its display name when only the id is known. */
export function lastSegment(modelId: string): string {
  return modelId.slice(modelId.lastIndexOf('/') + 1);
}
