import * as vscode from 'vscode';
import { systemRandom } from '../../base/random';
import { sidecarEnding } from '../../files/provenance';
import { hashOf, keepBeside } from '../../files/replacement';
import type { Beside } from '../../files/sidecars';
import { workspaceReplacing } from '../../files/workspaceReplacing';
import { exists } from './exists';
import { editorFiles, trash } from './workspaceFiles';

/** The largest file of ours beside another that is read, bytes. */
const largest = 16 * 1024 * 1024;
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
    const files = workspaceReplacing(editorFiles);
    const found = await files.read(uri);
    if (found) await keepBeside(files, uri, found.bytes, systemRandom);
    await files.remove(uri);
  },
  write: async (file, text) => {
    const uri = besideOf(vscode.Uri.parse(file));
    if (await exists(uri)) throw vscode.FileSystemError.FileExists(uri);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  },
  sha256: async (file) => {
    const bytes = await readUpTo(vscode.Uri.parse(file), largestHashed);
    return bytes && hashOf(bytes);
  },
};
