import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import type { Log } from '../../base/log';
import { hashed } from '../../files/hashed';
import type { Readable } from '../../files/telling';
import { originOf, type Origin } from '../../renders/origin';
import type { Renders } from '../renders/renders';
import { readBeside } from './beside';
import { readUpTo } from './readUpTo';

/** The largest file that is read, bytes. */
const largestFile = 256 * 1024 * 1024;

/** What a file and its sidecar file hold. Rejects when a file that exists can't be read. */
export async function readable(file: vscode.Uri, log: Log): Promise<Readable> {
  const [bytes, beside] = await Promise.all([readUpTo(file, largestFile, log), readBeside(file, log)]);
  return { whole: bytes && (await hashed(bytes, systemClock)), beside };
}

/** How a file was made, by our own records and by its metadata. Rejects when a file that exists can't be read. */
export async function fileOrigin(
  file: vscode.Uri,
  { library, log }: Pick<Renders, 'library' | 'log'>,
): Promise<Origin> {
  const here = file.toString();
  const isAt = (uri: string) => vscode.Uri.parse(uri).toString() === here;
  return originOf({ ...(await readable(file, log)), isAt }, (isWanted) => library.find(isWanted));
}
