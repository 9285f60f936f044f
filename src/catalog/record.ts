import type { Shape } from './shape';
import { around, walk, type WalkEntry, type WalkPlace } from './walk';

/** Names of objects that aren't about the record in or around them. */
const others = new Set(
  [
    [
      'inputs',
      'input',
      'parameters',
      'params',
      'prompt',
      'model',
      'user',
      'account',
      'owner',
      'key',
      'apikey',
      'project',
    ],
    ['organization', 'team', 'provider', 'webhook', 'error', 'errors', 'failure', 'reason', 'request', 'links', 'meta'],
    ['relationships', 'included', 'pagination', 'file', 'files', 'asset', 'assets', 'usage', 'context', 'trace'],
  ].flat(),
);

/** An object in a response with everything it states, including in objects inside it. */
export interface Record {
  /**
   * Values by name, in lower case, letters and digits only. Of two, the outer one counts; of two at the same level that
   * differ, neither.
   */
  readonly own: Shape;
  /** As `own`, for what is stated around it. */
  readonly outside: Shape;
}

/**
 * The one record of a response: the object with an ID that contains the most of the `telling` names, `named` before
 * others, outer before inner. Undefined if no object has an ID.
 */
export function recordOf(
  json: unknown,
  isId: (name: string, value: unknown) => boolean,
  telling: ReadonlySet<string>,
  named: ReadonlySet<string>,
): Record | undefined {
  const entries = walk(json, new Set(), others).entries.filter(({ place }) => !place.among);
  const homes = new Set(entries.filter((entry) => isId(nameOf(entry), entry.value)).map(({ place }) => place));
  const byHome = new Map<WalkPlace | undefined, WalkEntry[]>([...homes, undefined].map((home) => [home, []]));
  for (const entry of entries) byHome.get([...around(entry.place)].find((place) => homes.has(place)))?.push(entry);
  const weight = (home: WalkPlace) =>
    new Set((byHome.get(home) ?? []).map(nameOf).filter((name) => telling.has(name))).size +
    (named.has(home.words.join('')) ? telling.size : 0);
  const [best] = [...homes].sort((a, b) => weight(b) - weight(a));
  if (!best) return undefined;
  const inside = new Set(byHome.get(best));
  return { own: flat([...inside]), outside: flat(entries.filter((entry) => !inside.has(entry))) };
}

function nameOf({ words }: WalkEntry): string {
  return words.join('');
}

/** The entries come from the outside in. */
function flat(entries: readonly WalkEntry[]): Shape {
  const byName = new Map<string, { readonly depth: number; readonly value: unknown }>();
  for (const entry of entries) {
    const { value, place } = entry;
    if (value === null || value === undefined || value === '') continue;
    const depth = [...around(place)].length;
    const before = byName.get(nameOf(entry));
    if (!before) byName.set(nameOf(entry), { depth, value });
    else if (before.depth === depth && before.value !== value) byName.set(nameOf(entry), { depth, value: undefined });
  }
  return Object.fromEntries([...byName].map(([name, { value }]) => [name, value]));
}
