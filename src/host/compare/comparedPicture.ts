import type * as vscode from 'vscode';
import type { CompareMode } from '../../pages/compareMessages';
import type { LibraryEntry } from '../../renders/library';
import { fileNameOf } from '../../files/fileName';
import { oneLine } from '../../base/plain';
import { priceOf, titleOf } from '../renders/renderWords';

/** An image to compare. Its texts are shown as plain text. */
export interface ComparedPicture {
  /** Its name in the comparison, such as its file's. */
  readonly title: string;
  /** More about it in a few words, such as its model and price. */
  readonly detail?: string;
  readonly uri: vscode.Uri;
}

/**
 * Opens the comparison of two or more images, or reveals it. Two can be overlaid; more form a grid. `mode` is the
 * initial mode for two. With the key of a render in `staged`, the second image is its staged result, and the page has
 * the buttons to decide; with several keys, that holds for each pair.
 */
export type OpenCompare = (
  pictures: readonly ComparedPicture[],
  mode?: CompareMode,
  staged?: string | readonly string[],
) => Promise<void>;

/** A file for a comparison; with model, price, and prompt if it's from a render. */
export function pictureOf(uri: vscode.Uri, entry?: LibraryEntry): ComparedPicture {
  return { title: oneLine(fileNameOf(uri.toString())), uri, detail: entry && detailOf(entry) };
}

function detailOf(entry: LibraryEntry): string {
  return [oneLine(entry.modelId ?? ''), priceOf(entry), titleOf(entry)].filter(Boolean).join(' · ');
}
