import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import type { Log } from '../../base/log';
import { warnOnce } from '../../base/warnOnce';
import { hashed } from '../../files/hashed';
import { readProvenance } from '../../files/provenance';
import type { Readable } from '../../files/telling';
import { originOf, type Origin } from '../../renders/origin';
import type { Renders } from '../renders/renders';
import { readBeside } from './beside';
import { readUpTo, relativePath } from './readUpTo';

/** The largest file that is read, bytes. */
const largestFile = 256 * 1024 * 1024;

/** What a file and its sidecar file hold. Rejects when a file that exists can't be read. */
export async function readable(file: vscode.Uri, log: Log): Promise<Readable> {
  const [bytes, beside] = await Promise.all([readUpTo(file, largestFile, log), readBeside(file, log)]);
  if (beside !== undefined && !readProvenance(beside))
    warnOnce(log, `The sidecar file of “${relativePath(file)}” is damaged`);
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
