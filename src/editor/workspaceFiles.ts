import * as vscode from 'vscode';
import { systemClock, systemRandom } from '../base/clock';
import { type Disposable, Disposables } from '../base/disposable';
import { largestGivenImage } from '../base/givenImage';
import { type Log, reasonOf, warnOnce } from '../base/log';
import { formatSize } from '../base/numbers';
import { plain } from '../base/plain';
import { longestConfig } from '../documents/site';
import { nodeDisk } from '../files/disk';
import { localReplacing } from '../files/localSink';
import { fileNameOf } from '../files/names';
import { largestFile, largestSidecar, sidecarEnding } from '../files/provenance';
import { hasUnsavedEdits, type Replacing } from '../files/replacement';
import { hashed } from '../files/sameFile';
import { sniff } from '../files/sniff';
import { type SidecarFiles, besideFiles } from '../files/sidecars';
import { type ReplaceableFiles, workspaceReplacing } from '../files/workspaceSink';
import type { Target } from '../renders/record';
import { exists } from './exists';
import { requireTrust } from './trust';
import { UserError } from './userError';
import type { LibraryEntry } from '../renders/library';

/** The editor's file systems, of any scheme. */
export const editorFiles: ReplaceableFiles = {
  stat: async (uri) => {
    const { type, size, mtime, permissions = 0 } = await vscode.workspace.fs.stat(vscode.Uri.parse(uri));
    const is = (kind: vscode.FileType) => (type & kind) !== 0;
    const kind = is(vscode.FileType.Directory) ? 'folder' : is(vscode.FileType.File) ? 'file' : 'other';
    const readOnly = (permissions & vscode.FilePermission.Readonly) !== 0;
    return { kind, link: is(vscode.FileType.SymbolicLink), size, changedAt: mtime, readOnly };
  },
  readDirectory: async (uri) => {
    const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.parse(uri));
    return entries.map(([name]) => name);
  },
  createDirectory: async (uri) => vscode.workspace.fs.createDirectory(vscode.Uri.parse(uri)),
  readFile: async (uri) => vscode.workspace.fs.readFile(vscode.Uri.parse(uri)),
  writeFile: async (uri, bytes) => vscode.workspace.fs.writeFile(vscode.Uri.parse(uri), bytes),
  rename: async (from, to) =>
    vscode.workspace.fs.rename(vscode.Uri.parse(from), vscode.Uri.parse(to), { overwrite: false }),
  copy: async (from, to) =>
    vscode.workspace.fs.copy(vscode.Uri.parse(from), vscode.Uri.parse(to), { overwrite: false }),
  replace: async (from, to) =>
    vscode.workspace.fs.rename(vscode.Uri.parse(from), vscode.Uri.parse(to), { overwrite: true }),
  delete: async (uri) => vscode.workspace.fs.delete(vscode.Uri.parse(uri), { useTrash: false }),
};

/** The open workspace folders, as URIs. */
export function openFolders(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
}

/** Moves a file (URI) to the trash; false where there is none. Never rejects. */
export async function trash(file: string): Promise<boolean> {
  const uri = vscode.Uri.parse(file);
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: true });
    return true;
  } catch {
    // Not every file system has a trash, and a missing file needs none.
    return !(await exists(uri));
  }
}

/** The sidecar file's URI, whether it exists or not. */
export function besideOf(file: vscode.Uri): vscode.Uri {
  return file.with({ path: file.path + sidecarEnding });
}

/** The file asked about; for a sidecar file the file it describes. */
function subjectOf(uri: vscode.Uri): vscode.Uri {
  return uri.path.endsWith(sidecarEnding) ? uri.with({ path: uri.path.slice(0, -sidecarEnding.length) }) : uri;
}

/** The text of a sidecar file; undefined if it doesn't exist or is too large. Rejects when it can't be read. */
export async function readBeside(file: vscode.Uri, log: Log): Promise<string | undefined> {
  const bytes = await readUpTo(besideOf(file), largestSidecar, log);
  return bytes && new TextDecoder().decode(bytes);
}

/** Sidecar files in the editor's file systems. */
export function editorBeside(log: Log): SidecarFiles {
  const places = { besideOf: (file: string) => besideOf(vscode.Uri.parse(file)).toString(), replacing, trash };
  return {
    ...besideFiles(places, systemClock, systemRandom),
    read: (file) => readBeside(vscode.Uri.parse(file), log),
    sha256: async (file) => {
      const bytes = await readUpTo(vscode.Uri.parse(file), largestFile, log);
      return bytes && (await hashed(bytes, systemClock)).sha256;
    },
  };
}

/**
 * Replaces a file below a root (URIs): local ones atomically, others as the editor's file systems can. Rejects as
 * `localReplacing`.
 */
export async function replacing(file: string, root: string): Promise<Replacing> {
  return vscode.Uri.parse(file).scheme === 'file'
    ? localReplacing(nodeDisk, root, file)
    : workspaceReplacing(editorFiles, systemClock);
}

/** Watches files, by their URIs, for changes. */
export function watchFiles(uris: readonly string[], changed: () => void): Disposable {
  const own = new Disposables();
  const files = new Set(uris);
  const folders = new Map(uris.map((uri) => [folderUriOf(uri).toString(), folderUriOf(uri)]));
  for (const folder of folders.values()) {
    const watcher = own.add(vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*')));
    const hear = (uri: vscode.Uri) => files.has(uri.toString()) && changed();
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) own.add(event(hear));
  }
  return own;
}

/** The folder of a file, by its URI. */
export function folderUriOf(uri: string): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.parse(uri, true), '..');
}

/**
 * The bytes of a file that anybody may have written. Undefined for one that doesn't exist, and, with a line in the log,
 * for one that has more bytes than `most`. The line leaves out the name, which may be made from a prompt, unless it is
 * given as `name`. Rejects when the file can't be read, or is a device: that may never end.
 */
export async function readUpTo(
  uri: vscode.Uri,
  most: number,
  log: Pick<Log, 'warn'>,
  name = `“${loggedPath(uri)}”`,
): Promise<Uint8Array | undefined> {
  const { fs } = vscode.workspace;
  try {
    const { size, type } = await fs.stat(uri);
    if ((type & (vscode.FileType.File | vscode.FileType.Directory)) === 0)
      throw vscode.FileSystemError.Unavailable(uri);
    const bytes = size <= most ? await fs.readFile(uri) : undefined;
    // It may have grown since it was looked at.
    if (bytes && bytes.length <= most) return bytes;
    warnOnce(log, `${name} is too large to be read: more than ${most} bytes`);
    return undefined;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/** A file's path as the log shows it. */
export function loggedPath(uri: vscode.Uri): string {
  return plain(vscode.workspace.asRelativePath(uri));
}

/**
 * The text of a configuration file; undefined when there is none, and, with a line in the log, when it can't be read or
 * is longer than `longestConfig`. Never rejects.
 */
export async function smallText(uri: vscode.Uri, log: Log): Promise<string | undefined> {
  const name = loggedPath(uri);
  try {
    const bytes = await readUpTo(uri, longestConfig, log, name);
    return bytes && new TextDecoder().decode(bytes);
  } catch (error) {
    warnOnce(log, `Couldn’t read ${name}: ${reasonOf(error)}`);
    return undefined;
  }
}

/** The file that a document names and a result will become; undefined when the result's name comes from a template. */
export function targetFile({ root, folder, fileName, ending }: Target): vscode.Uri | undefined {
  if (root === undefined || ending === undefined) return undefined;
  return vscode.Uri.joinPath(vscode.Uri.parse(root, true), folder, `${fileName}.${ending}`);
}

/** A cell of an open Jupyter notebook by the URI of its document; undefined for any other document. */
export function cellOf(document: vscode.Uri): vscode.NotebookCell | undefined {
  if (document.scheme !== 'vscode-notebook-cell') return undefined;
  const id = document.toString();
  const notebooks = vscode.workspace.notebookDocuments.filter(
    ({ uri, notebookType }) => notebookType === 'jupyter-notebook' && uri.path === document.path,
  );
  for (const notebook of notebooks)
    for (const cell of notebook.getCells()) if (cell.document.uri.toString() === id) return cell;
  return undefined;
}

/** The file that has a document: for a notebook's cell, the notebook. */
export function documentFile(document: vscode.Uri): vscode.Uri {
  return cellOf(document)?.notebook.uri ?? document;
}

/** The workspace folder that a document's file is in. */
export function documentFolder(document: vscode.Uri): vscode.WorkspaceFolder | undefined {
  return vscode.workspace.getWorkspaceFolder(documentFile(document));
}

/**
 * The file that a command applies to: from the Explorer or, by keyboard shortcut, the active one. Rejects with
 * UserError without one.
 */
export function fileOf(item: unknown): vscode.Uri {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = item ?? (input as { readonly uri?: unknown } | undefined)?.uri;
  if (uri instanceof vscode.Uri) return subjectOf(uri);
  throw new UserError(vscode.l10n.t('Select a file in the Explorer first.'));
}

/**
 * A file's size and its URL for a webview, which differs for each version, so that a cached one isn't shown; empty if
 * it's missing or unreachable.
 */
export async function shownFile(
  file: vscode.Uri,
  webview: vscode.Webview,
): Promise<{ readonly bytes?: number; readonly address?: string }> {
  try {
    const { size: bytes, mtime } = await vscode.workspace.fs.stat(file);
    const version = file.query === '' ? file.with({ query: `${mtime}` }) : file;
    return { bytes, address: webview.asWebviewUri(version).toString() };
  } catch {
    return {};
  }
}

/** Throws UserError when a file (URI) that is about to be replaced has unsaved changes in an editor. */
export function checkSaved(file: string): void {
  if (!hasUnsavedEdits(file, vscode.workspace.textDocuments)) return;
  throw new UserError(
    vscode.l10n.t(
      '“{0}” is open with unsaved changes, so it wasn’t replaced. Save or revert them, then try again.',
      plain(fileNameOf(file), 60),
    ),
  );
}

/** A file that may become an input. Rejects when it doesn't exist. */
export async function imageSource(uri: vscode.Uri) {
  const { size, type } = await vscode.workspace.fs.stat(uri);
  const isOurs = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return {
    // A path outside the workspace says more about a user's computer than their render needs.
    file: isOurs ? vscode.workspace.asRelativePath(uri) : fileNameOf(uri.toString()),
    bytes: size,
    isFolder: (type & vscode.FileType.Directory) !== 0,
    read: async () => vscode.workspace.fs.readFile(uri),
  };
}

/**
 * An image file as it is now, to be an input, and what it's called there. Rejects with UserError when it isn't an
 * image, is larger than any input, or is in a folder that isn't trusted.
 */
export async function imageAt(uri: vscode.Uri): Promise<{ readonly bytes: Uint8Array; readonly name: string }> {
  if (vscode.workspace.getWorkspaceFolder(uri)) requireTrust();
  const { file: name, bytes: size, isFolder, read } = await imageSource(uri);
  if (size > largestGivenImage) {
    const most = formatSize(largestGivenImage, vscode.env.language);
    throw new UserError(vscode.l10n.t('“{0}” is larger than {1}. Use a smaller image.', plain(name), most));
  }
  const bytes = isFolder ? undefined : await read();
  if (bytes && sniff(bytes).mediaType.startsWith('image/')) return { bytes, name };
  throw new UserError(vscode.l10n.t('“{0}” isn’t an image.', plain(name)));
}

/** True for a result saved under a name other than the document’s. */
export function isRenamed({ state, file, record }: LibraryEntry): boolean {
  const wanted = record && targetFile(record.target)?.toString();
  return (
    state === 'saved' &&
    file !== undefined &&
    wanted !== undefined &&
    vscode.Uri.parse(file, true).toString() !== wanted
  );
}
