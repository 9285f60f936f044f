import type { Entry, RenderFile } from '../../../renderFiles/renderFile';
import type { StateOf } from '../../../renderFiles/states';

/** An entry with the states of its images. */
export interface EntryRow {
  readonly entry: Entry;
  /** None if the entry has an error. */
  readonly states: readonly StateOf[];
}

/** The entries of a file in their order. */
export function entryRows({ entries }: Pick<RenderFile, 'entries'>, states: readonly StateOf[]): readonly EntryRow[] {
  const byEntry = new Map<number, StateOf[]>();
  for (const state of states) {
    const own = byEntry.get(state.render.entry);
    if (own) own.push(state);
    else byEntry.set(state.render.entry, [state]);
  }
  return entries.map((entry) => ({ entry, states: byEntry.get(entry.index) ?? [] }));
}
