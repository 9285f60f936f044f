import type { Sinks } from './placement';
import type { Target } from './record';
import type { Places } from './staging';

/**
 * Resolves when nothing is known to keep a result from its target: checks the real location of its folder and of the
 * file it is to replace. Rejects with FileProblem as saving, accepting, or keeping both would. What this window can't
 * check counts as reachable.
 */
export async function proveReachable(target: Target, sinks: Sinks, places: Pick<Places, 'replacing'>): Promise<void> {
  const { root, folder, replaces } = target;
  if (root === undefined) return;
  await sinks(root)?.prove(root, folder);
  if (replaces) await (await places.replacing(replaces.uri, root)).read(replaces.uri);
}
