import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import type { Log } from '../../base/log';
import { readUpTo } from '../../editor/workspaceFiles';
import { isEmbeddable } from '../../files/embeddedMetadata';
import { sha256Of } from '../../files/sameFile';
import type { LibraryEntry } from '../../renders/library';
import type { Thumbnails } from '../../renders/thumbnails';
import { largestOrigin } from './fileOrigin';

/** The URI of the thumbnail of a saved image; undefined if there is none. */
export function thumbnailOf({ record }: Pick<LibraryEntry, 'record'>, thumbnails: Thumbnails): vscode.Uri | undefined {
  const path = record && thumbnails.of(record.key);
  return path === undefined ? undefined : vscode.Uri.file(path);
}

/**
 * Makes the thumbnail of a saved image from its file, unless that was changed since: only what a service sent gets to
 * the codecs. Never rejects.
 */
export async function makeThumbnail(entry: LibraryEntry, thumbnails: Thumbnails, log: Log): Promise<void> {
  const { record, file, state } = entry;
  const { mediaType = '', sha256 } = record?.spooled ?? {};
  if (!record || file === undefined || state !== 'saved' || !isEmbeddable(mediaType)) return;
  await thumbnails.make(record.key, mediaType, async () => {
    const image = await readUpTo(vscode.Uri.parse(file, true), largestOrigin, log);
    return image && (await sha256Of([image], systemClock)) === sha256 ? image : undefined;
  });
}
