import type { Session } from '../../catalog/session';
import { oneLine } from '../../base/plain';

/**
 * What a person knows each model by, asking the service for nothing: its title in the list that was read, else its id.
 */
export async function modelNames(session: Pick<Session, 'models' | 'modelsAt'>): Promise<(id: string) => string> {
  const items = session.modelsAt === undefined ? [] : (await session.models()).items;
  const titles = new Map(items.map(({ id, title }) => [id, title]));
  // A title may hold nothing that can be seen.
  return (id) => oneLine(titles.get(id) ?? '') || id;
}

/** The end of a model’s id: its name to whom only the id is known. */
export function lastSegment(modelId: string): string {
  return modelId.slice(modelId.lastIndexOf('/') + 1);
}
