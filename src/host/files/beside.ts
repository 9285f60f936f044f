import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { systemRandom } from '../../base/random';
import { sidecarEnding } from '../../files/provenance';
import { hashInTurns, keepBeside, sibling, writeNew } from '../../files/replacement';
import type { Beside } from '../../files/sidecars';
import { replacing } from './replacing';
import { trash } from './workspaceFiles';

/** The largest sidecar file that is read, bytes: that never blocks for 50 ms. */
const largest = 4 * 1024 * 1024;
/** The largest file hashed to check whether it's the one that was deleted, bytes. */
const largestHashed = 256 * 1024 * 1024;

/** The sidecar file's URI, whether it exists or not. */
function besideOf(file: vscode.Uri): vscode.Uri {
  return file.with({ path: file.path + sidecarEnding });
}

/** The file asked about; for a sidecar file the file it describes. */
export function subjectOf(uri: vscode.Uri): vscode.Uri {
  return uri.path.endsWith(sidecarEnding) ? uri.with({ path: uri.path.slice(0, -sidecarEnding.length) }) : uri;
}

/** The text of a file's sidecar; undefined without one. Rejects when it can't be read. */
export async function readBeside(file: vscode.Uri): Promise<string | undefined> {
  const bytes = await readUpTo(besideOf(file), largest);
  return bytes && new TextDecoder().decode(bytes);
}

/** Undefined for a missing file, or one with more bytes than that. */
export async function readUpTo(uri: vscode.Uri, most: number): Promise<Uint8Array | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    return size > most ? undefined : await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/** Sidecar files in the editor's file systems. */
export const editorBeside: Beside = {
  read: (file) => readBeside(vscode.Uri.parse(file)),
  move: async (from, to) =>
    vscode.workspace.fs.rename(besideOf(vscode.Uri.parse(from)), besideOf(vscode.Uri.parse(to)), { overwrite: false }),
  remove: async (file) => {
    const uri = besideOf(vscode.Uri.parse(file)).toString();
    // Nobody confirmed a permanent deletion, and the file it belongs to may come back.
    if (!(await trash(uri))) throw new Error(`${uri} stays: it could not be moved to the trash.`);
  },
  setAside: async (file) => {
    const uri = besideOf(vscode.Uri.parse(file)).toString();
    if (await trash(uri)) return;
    const files = await replacing(uri, sibling(uri, ''));
    const found = await files.read(uri);
    if (!found) return;
    await keepBeside(files, uri, found.bytes, systemRandom);
    // If it was written to meanwhile, it stays: that's stored nowhere else.
    await files.remove(uri, found);
  },
  write: async (file, text) => {
    const uri = besideOf(vscode.Uri.parse(file)).toString();
    if (!(await writeNew(await replacing(uri, sibling(uri, '')), uri, new TextEncoder().encode(text), systemRandom)))
      throw vscode.FileSystemError.FileExists(uri);
  },
  sha256: async (file) => {
    const bytes = await readUpTo(vscode.Uri.parse(file), largestHashed);
    return bytes && hashInTurns(bytes, systemClock);
  },
};
