import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { hashed } from '../../files/hashed';
import { originOf, type Origin } from '../../renders/origin';
import type { Renders } from '../renders/renders';
import { readBeside } from './beside';
import { readUpTo } from './readUpTo';

/** The largest file that is read, bytes. */
const largestFile = 256 * 1024 * 1024;

/** How a file was made, by our own records and by what it says. Rejects when a file that is there cannot be read. */
export async function fileOrigin(
  file: vscode.Uri,
  { library, log }: Pick<Renders, 'library' | 'log'>,
): Promise<Origin> {
  const [bytes, beside] = await Promise.all([readUpTo(file, largestFile, log), readBeside(file, log)]);
  const here = file.toString();
  const isAt = (uri: string) => vscode.Uri.parse(uri).toString() === here;
  const whole = bytes && (await hashed(bytes, systemClock));
  return originOf({ whole, beside, isAt }, (isWanted) => library.find(isWanted));
}
