import * as vscode from 'vscode';
import { originOf, type Origin } from '../../renders/origin';
import type { Renders } from '../renders/renders';
import { readBeside, readUpTo } from './beside';

/** The largest file that is read, bytes. */
const largestFile = 256 * 1024 * 1024;

/** How a file was made, by our records and its own metadata. Rejects when an existing file can't be read. */
export async function fileOrigin(file: vscode.Uri, { library }: Pick<Renders, 'library'>): Promise<Origin> {
  const [bytes, beside] = await Promise.all([readUpTo(file, largestFile), readBeside(file)]);
  const here = file.toString();
  const isAt = (uri: string) => vscode.Uri.parse(uri).toString() === here;
  return originOf({ bytes, beside, isAt }, (isWanted) => library.find(isWanted));
}
