import * as vscode from 'vscode';
import { sidecarEnding } from '../../files/provenance';
import { originOf, type Origin } from '../../renders/origin';
import type { Renders } from '../renders/renders';

/** The largest file looked into, bytes. */
const largestFile = 256 * 1024 * 1024;
/** The largest file beside it that is read, bytes. */
const largestSidecar = 16 * 1024 * 1024;

/** The file that was asked about, for one beside it the file that one speaks of. */
export function subjectOf(uri: vscode.Uri): vscode.Uri {
  return uri.path.endsWith(sidecarEnding) ? uri.with({ path: uri.path.slice(0, -sidecarEnding.length) }) : uri;
}

/** How a file was made, by our own records and by what it says. Rejects when a file that is there cannot be read. */
export async function fileOrigin(file: vscode.Uri, { ledger }: Pick<Renders, 'ledger'>): Promise<Origin> {
  const [bytes, beside] = await Promise.all([
    read(file, largestFile),
    read(file.with({ path: file.path + sidecarEnding }), largestSidecar),
  ]);
  const here = file.toString();
  const isAt = (uri: string) => vscode.Uri.parse(uri).toString() === here;
  return originOf({ bytes, beside: beside && new TextDecoder().decode(beside), isAt }, ledger.all());
}

/** Undefined for what is not there or larger than that. */
async function read(uri: vscode.Uri, most: number): Promise<Uint8Array | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    return size > most ? undefined : await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}
