import type { Session } from '../../catalog/session';
import { oneLine } from '../../base/plain';

/** The display name of each model, without any request: its title in the last list, else its id. */
export async function modelNames(session: Pick<Session, 'models' | 'modelsAt'>): Promise<(id: string) => string> {
  const items = session.modelsAt === undefined ? [] : (await session.models()).items;
  const titles = new Map(items.map(({ id, title }) => [id, title]));
  // A title may have no visible characters.
  return (id) => oneLine(titles.get(id) ?? '') || id;
}

/** The end of a model’s id: its display name when only the id is known. */
export function lastSegment(modelId: string): string {
  return modelId.slice(modelId.lastIndexOf('/') + 1);
}
