import type * as vscode from 'vscode';
import type { CompareMode } from '../../pages/compareMessages';
import type { LibraryEntry } from '../../renders/library';
import { fileNameOf } from '../../files/fileName';
import { oneLine } from '../../base/plain';
import { priceOf, titleOf } from '../renders/renderWords';

/** A picture to compare. Its words are shown as they are, as text. */
export interface ComparedPicture {
  /** What it goes by, as its file's name. */
  readonly title: string;
  /** What else is to know of it, in a few words, as its model and price. */
  readonly detail?: string;
  readonly uri: vscode.Uri;
}

/**
 * Opens the comparison of two or more pictures, or shows it where it is open. Two can be laid over each other; more
 * stand in a grid. `mode` is how two are compared at first. With the key of a render in `staged`, the second picture is
 * its staged result, and the page has the buttons to decide.
 */
export type OpenCompare = (pictures: readonly ComparedPicture[], mode?: CompareMode, staged?: string) => Promise<void>;

/** A file as it is compared; of a render with its model, price and prompt. */
export function pictureOf(uri: vscode.Uri, entry?: LibraryEntry): ComparedPicture {
  return { title: oneLine(fileNameOf(uri.toString())), uri, detail: entry && detailOf(entry) };
}

function detailOf(entry: LibraryEntry): string {
  return [oneLine(entry.modelId ?? ''), priceOf(entry), titleOf(entry)].filter(Boolean).join(' · ');
}
