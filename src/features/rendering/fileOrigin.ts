import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { type Log, warnOnce } from '../../base/log';
import { exists } from '../../editor/exists';
import { besideOf, readBeside, readUpTo, loggedPath } from '../../editor/workspaceFiles';
import { largestFile, type Readable, readProvenance, type Unread } from '../../files/provenance';
import { hashed } from '../../files/sameFile';
import { type Origin, originOf } from '../../renders/origin';
import type { Renders } from './renders';

/** The contents of a file and its sidecar file. Rejects when a file that exists can't be read. */
export async function readable(file: vscode.Uri, log: Log): Promise<Readable> {
  const [bytes, beside] = await Promise.all([readUpTo(file, largestFile, log), readBeside(file, log)]);
  if (beside !== undefined && !readProvenance(beside))
    warnOnce(log, `The sidecar file of “${loggedPath(file)}” is damaged`);
  return { whole: bytes && (await hashed(bytes, systemClock)), beside };
}

/** How a file was made, the hash of its bytes, if it was read, and which of its parts couldn't be. */
export type FileOrigin = Origin & { readonly unread: readonly Unread[]; readonly sha256?: string };

/** How a file was made, by our own records and by its metadata. Rejects when a file that exists can't be read. */
export async function fileOrigin(
  file: vscode.Uri,
  { library, log }: Pick<Renders, 'library' | 'log'>,
): Promise<FileOrigin> {
  const here = file.toString();
  const isAt = (uri: string) => vscode.Uri.parse(uri).toString() === here;
  const read = await readable(file, log);
  const origin = await originOf({ ...read, isAt }, (isWanted) => library.find(isWanted), systemClock);
  return { ...origin, unread: await unreadOf(file, read), sha256: read.whole?.sha256 };
}

/** The parts of a file that exist and weren't `read`. */
export async function unreadOf(file: vscode.Uri, { whole, beside }: Readable): Promise<readonly Unread[]> {
  const unread: Unread[] = [];
  if (!whole && (await exists(file))) unread.push('largeFile');
  if (beside === undefined && (await exists(besideOf(file)))) unread.push('largeSidecar');
  if (beside !== undefined && !readProvenance(beside)) unread.push('brokenSidecar');
  return unread;
}

/** Larger files get none, bytes. */
export const largestOrigin = 64 * 1024 * 1024;
