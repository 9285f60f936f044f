import type { LibraryEntry } from '../../../renders/library';

/** True for a result that is on this computer until it's saved; any other has to be downloaded first. */
export function isSpooled({ record, textOutput }: LibraryEntry): boolean {
  return record?.spooled !== undefined || textOutput !== undefined;
}

/** True for a result that only waits to be told where to go: no folder was open, and nothing went wrong. */
export function isUnplaced({ group, problem }: LibraryEntry): boolean {
  return group === 'paidNotSaved' && problem?.code === 'noFolder';
}
