import type * as vscode from 'vscode';
import type { LibraryEntry } from '../renders/library';
import type { ComparedPicture } from './comparePanels';
import { fileNameOf } from './fileName';
import { oneLine } from './plain';
import { priceOf, titleOf } from './renderWords';

/** A file as it is compared; of a render with its model, price and prompt. */
export function pictureOf(uri: vscode.Uri, entry?: LibraryEntry): ComparedPicture {
  return { title: oneLine(fileNameOf(uri.toString())), uri, detail: entry && detailOf(entry) };
}

function detailOf(entry: LibraryEntry): string {
  return [oneLine(entry.modelId ?? ''), priceOf(entry), titleOf(entry)].filter(Boolean).join(' · ');
}
