import type * as vscode from 'vscode';
import type { DecidesOn } from './model/comparison';
import type { CompareMode } from './page/compareMessages';
import type { LibraryEntry } from '../../renders/library';
import { fileNameOf } from '../../files/names';
import { oneLine } from '../../base/plain';
import { priceOf, titleOf } from '../rendering/renderWords';

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
 * initial mode for two. The page has the buttons for what it `decides`. It opens in the active group unless `where`
 * says otherwise.
 */
export type OpenCompare = (
  pictures: readonly ComparedPicture[],
  mode?: CompareMode,
  decides?: DecidesOn,
  where?: CompareWhere,
) => Promise<void>;

/** The group of editors that a comparison opens in. */
export interface CompareWhere {
  readonly viewColumn: vscode.ViewColumn;
  readonly preserveFocus?: boolean;
}

/** A file for a comparison; with model, price, and prompt if it's from a render. */
export function pictureOf(uri: vscode.Uri, entry?: LibraryEntry): ComparedPicture {
  return { title: oneLine(fileNameOf(uri.toString())), uri, detail: entry && detailOf(entry) };
}

function detailOf(entry: LibraryEntry): string {
  return [oneLine(entry.modelId ?? ''), priceOf(entry), titleOf(entry)].filter(Boolean).join(' · ');
}
