import type { LibraryEntry } from '../../../renders/library';

/** True for a result that is on this computer until it's saved; any other has to be downloaded first. */
export function isKept({ record, textOutput }: Pick<LibraryEntry, 'record' | 'textOutput'>): boolean {
  return record?.spooled !== undefined || textOutput !== undefined;
}
