import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { systemRandom } from '../../base/random';
import { hashed } from '../../files/hashed';
import { sidecarEnding } from '../../files/provenance';
import { keepBeside, sibling, writeNew } from '../../files/replacement';
import type { Beside } from '../../files/sidecars';
import { replacing } from './replacing';
import { trash } from './workspaceFiles';

/** The largest file of ours beside another that is read, bytes: that holds nobody up for 50 ms. */
const largest = 4 * 1024 * 1024;
/** The largest file that is read to see whether it is the one that was deleted, bytes. */
const largestHashed = 256 * 1024 * 1024;

/** The name of the file beside another that tells how that one was made, whether it is there or not. */
function besideOf(file: vscode.Uri): vscode.Uri {
  return file.with({ path: file.path + sidecarEnding });
}

/** The file that was asked about, for one beside it the file that one speaks of. */
export function subjectOf(uri: vscode.Uri): vscode.Uri {
  return uri.path.endsWith(sidecarEnding) ? uri.with({ path: uri.path.slice(0, -sidecarEnding.length) }) : uri;
}

/** What stands beside a file; undefined when nothing does. Rejects when it cannot be read. */
export async function readBeside(file: vscode.Uri): Promise<string | undefined> {
  const bytes = await readUpTo(besideOf(file), largest);
  return bytes && new TextDecoder().decode(bytes);
}

/** Undefined for what is not there or has more bytes than that. */
export async function readUpTo(uri: vscode.Uri, most: number): Promise<Uint8Array | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    return size > most ? undefined : await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/** What stands beside files, in the editor's file systems. */
export const editorBeside: Beside = {
  read: (file) => readBeside(vscode.Uri.parse(file)),
  move: async (from, to) =>
    vscode.workspace.fs.rename(besideOf(vscode.Uri.parse(from)), besideOf(vscode.Uri.parse(to)), { overwrite: false }),
  remove: async (file) => {
    const uri = besideOf(vscode.Uri.parse(file)).toString();
    // Nobody was asked whether it may go for good, and the file it stood beside may come back.
    if (!(await trash(uri))) throw new Error(`${uri} stays: it could not be moved to the trash.`);
  },
  setAside: async (file) => {
    const uri = besideOf(vscode.Uri.parse(file)).toString();
    if (await trash(uri)) return;
    const files = await replacing(uri, sibling(uri, ''));
    const found = await files.read(uri);
    if (!found) return;
    await keepBeside(files, uri, found, systemRandom);
    // What was written to it meanwhile is in no other file, and stays.
    await files.remove(uri, found);
  },
  write: async (file, text) => {
    const uri = besideOf(vscode.Uri.parse(file)).toString();
    const whole = await hashed(new TextEncoder().encode(text), systemClock);
    if (!(await writeNew(await replacing(uri, sibling(uri, '')), uri, whole, systemRandom)))
      throw vscode.FileSystemError.FileExists(uri);
  },
  sha256: async (file) => {
    const bytes = await readUpTo(vscode.Uri.parse(file), largestHashed);
    return bytes && (await hashed(bytes, systemClock)).sha256;
  },
};
