import { startOfDay } from '../../../base/day';
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
