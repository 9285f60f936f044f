import { safeName } from '../files/names';
import { afterRename, isInside, pathBelow, type Renamed } from '../files/sameFile';
import type { Target } from './record';

/**
 * The target of a result that is to replace a file, after these files and folders were renamed or moved. Undefined when
 * the file didn't move, or left these roots (URIs).
 */
export function renamedTarget(
  target: Target,
  renamed: readonly Renamed[],
  roots: readonly string[],
): Target | undefined {
  const { replaces } = target;
  if (!replaces) return undefined;
  const uri = renamed.map((one) => afterRename(replaces.uri, one)).find((to) => to !== undefined);
  const root = [target.root, ...roots].find((one) => one !== undefined && isInside(uri, one));
  if (uri === undefined || root === undefined) return undefined;
  const [, folder = '', base = ''] = /^(?:(.*)\/)?([^/]*?)(?:\.[^./]*)?$/.exec(pathBelow(uri, root)) ?? [];
  return { ...target, root, folder, fileName: safeName(base), replaces: { ...replaces, uri } };
}
