import { startOfDay } from '../../../base/format';
import { promptOf } from '../../../catalog/fields';
import { fileNameOf } from '../../../files/names';
import type { LibraryEntry } from '../../../renders/library';

/** The groups of the Generations view, in order. */
export const groupIds = ['active', 'paidNotSaved', 'unknown', 'notSent', 'today', 'yesterday', 'earlier'] as const;

export type GroupId = (typeof groupIds)[number];

export interface GenerationGroup {
  readonly id: GroupId;
  /** In the given order. */
  readonly entries: readonly LibraryEntry[];
}

/**
 * The groups that aren't empty. `now` is ms since 1970; days are local. A render without a stated time counts as
 * earlier.
 */
export function groupGenerations(entries: readonly LibraryEntry[], now: number): GenerationGroup[] {
  const today = startOfDay(now);
  const yesterday = startOfDay(now, 1);
  const groups = new Map<GroupId, LibraryEntry[]>(groupIds.map((id) => [id, []]));
  for (const entry of entries) groups.get(groupOf(entry, today, yesterday))?.push(entry);
  return [...groups].filter(([, own]) => own.length > 0).map(([id, own]) => ({ id, entries: own }));
}

function groupOf({ group, startedAt }: LibraryEntry, today: number, yesterday: number): GroupId {
  if (group !== 'finished') return group;
  if (startedAt === undefined || startedAt < yesterday) return 'earlier';
  return startedAt < today ? 'yesterday' : 'today';
}

/** The parts of a view that shows `before` to refresh, so that it shows `after`. */
export interface Changes {
  /** Groups were added or removed: refresh everything. */
  readonly all: boolean;
  /** Groups with other members, or in another order. */
  readonly groups: readonly GroupId[];
  /** Renders that stay in place and look different. */
  readonly entries: readonly (readonly [GroupId, LibraryEntry])[];
}

/** Compares by identity: an unchanged entry is the same object. */
export function changesOf(before: readonly GenerationGroup[], after: readonly GenerationGroup[]): Changes {
  if (before.map(({ id }) => id).join() !== after.map(({ id }) => id).join())
    return { all: true, groups: [], entries: [] };
  const groups: GroupId[] = [];
  const entries: (readonly [GroupId, LibraryEntry])[] = [];
  for (const [at, { id, entries: now }] of after.entries()) {
    const then = before[at]?.entries ?? [];
    if (now.length !== then.length || now.some((entry, index) => entry.id !== then[index]?.id)) groups.push(id);
    else entries.push(...now.filter((entry, index) => entry !== then[index]).map((entry) => [id, entry] as const));
  }
  return { all: false, groups, entries };
}

/**
 * The renders whose prompt, model, file name, or agent contains every word of the query, in any spelling; all of them
 * for an empty query.
 */
export function searchGenerations(entries: readonly LibraryEntry[], query: string): readonly LibraryEntry[] {
  const words = folded(query).split(/\s+/).filter(Boolean);
  return words.length === 0
    ? entries
    : entries.filter((entry) => words.every((word) => searchTextOf(entry).includes(word)));
}

/** The searched text, built once for each entry. */
const texts = new WeakMap<LibraryEntry, string>();

function searchTextOf(entry: LibraryEntry): string {
  let text = texts.get(entry);
  if (text === undefined) {
    const { inputs, modelId = '', file, record } = entry;
    const name = file === undefined ? '' : fileNameOf(file);
    text = folded([promptOf(undefined, inputs), modelId, name, record?.agent ?? ''].join('\n'));
    texts.set(entry, text);
  }
  return text;
}

/** Normalizes text: case, wide forms, and composed accents make no difference. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/**
 * The ids of the renders that a command applies to: the given items if they include the one it was called on, else that
 * item, else the selection. Groups among them have no render and are skipped.
 */
export function chosenIds(item: unknown, items: unknown, selection: readonly unknown[]): string[] {
  const given: readonly unknown[] =
    Array.isArray(items) && items.length > 0 ? (items as unknown[]) : item === undefined ? selection : [item];
  return [...new Set(given.flatMap(idOf))];
}

function idOf(item: unknown): string[] {
  const id = typeof item === 'string' ? item : (item as { readonly id?: unknown } | null)?.id;
  return typeof id === 'string' ? [id] : [];
}
