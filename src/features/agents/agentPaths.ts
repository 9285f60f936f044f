import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { AgentCall } from './model/agentTools';
import { Refused } from './model/inTime';
import { plain } from '../../base/plain';
import { nodeDisk } from '../../files/disk';
import { throughLinks } from '../../files/throughLinks';
import { documentFolder } from '../../editor/documentFile';

/**
 * An absolute path, or one relative to the folder that the agent works in. Rejects as `baseOf`, and with Refused for a
 * file of another open folder than the agent's.
 */
export async function uriOf(path: string, call: Pick<AgentCall, 'folder'>): Promise<vscode.Uri> {
  const uri = await anyUriOf(path, call);
  const [own, folder] = [await projectOf(call), vscode.workspace.getWorkspaceFolder(uri)];
  if (own && folder && own !== folder) throw new Refused(`${plain(path)} isn’t in the project that you work in.`);
  return uri;
}

/** The workspace folder that an agent says it works in; undefined if it says none, or none that is open. */
export async function projectOf({ folder }: Pick<AgentCall, 'folder'>): Promise<vscode.WorkspaceFolder | undefined> {
  return folder === undefined ? undefined : vscode.workspace.getWorkspaceFolder(await asOpened(folder));
}

/** The workspace folders that an agent may hear of: its own, or all if it works in none of them, as the editor's do. */
export async function foldersFor(call: Pick<AgentCall, 'folder'>): Promise<readonly vscode.WorkspaceFolder[]> {
  const own = await projectOf(call);
  return own ? [own] : (vscode.workspace.workspaceFolders ?? []);
}

async function anyUriOf(path: string, call: Pick<AgentCall, 'folder'>): Promise<vscode.Uri> {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  if (isAbsolute(path)) return first && first.uri.scheme !== 'file' ? first.uri.with({ path }) : asOpened(path);
  const { folder } = call;
  const isInside = folder !== undefined && vscode.workspace.getWorkspaceFolder(await asOpened(folder)) !== undefined;
  const uri = vscode.Uri.joinPath(isInside ? vscode.Uri.file(folder) : (await baseOf(call)).uri, path);
  return uri.scheme === 'file' ? asOpened(uri.fsPath) : uri;
}

/** The workspace folder that an agent works in. Rejects with Refused when that is ambiguous. */
export async function baseOf(call: Pick<AgentCall, 'folder'>): Promise<vscode.WorkspaceFolder> {
  const open = vscode.workspace.workspaceFolders ?? [];
  const own = await projectOf(call);
  const document = vscode.window.activeTextEditor?.document.uri;
  const active = document && documentFolder(document);
  const base = own ?? (open.length === 1 ? open[0] : active);
  if (base) return base;
  throw new Refused(
    open.length === 0
      ? 'no folder is open in the editor. The user has to open one first.'
      : `several folders are open (${namesOf(open)}). Give absolute paths.`,
  );
}

/** A local path as it's spelled from the open folder: agents may know that by its real path, or by another link. */
async function asOpened(path: string): Promise<vscode.Uri> {
  const uri = vscode.Uri.file(path);
  if (vscode.workspace.getWorkspaceFolder(uri)) return uri;
  const open = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri);
  const local = open.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
  const spelled = await throughLinks(nodeDisk, uri.fsPath, local);
  return spelled === undefined ? uri : vscode.Uri.file(spelled);
}

/** The path of a local file, else its URI. */
export function pathOf(uri: string): string {
  const parsed = vscode.Uri.parse(uri, true);
  return parsed.scheme === 'file' ? parsed.fsPath : parsed.toString(true);
}

/** Folders in words. */
export function namesOf(folders: readonly vscode.WorkspaceFolder[]): string {
  return folders.map(({ uri }) => plain(pathOf(uri.toString()), 400)).join(', ');
}
