import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { AgentCall } from '../../app/tools/agentTools';
import { Refused } from '../../app/tools/inTime';
import { plain } from '../../base/plain';
import { nodeDisk } from '../../files/disk';
import { throughLinks } from '../../files/throughLinks';

/** An absolute path, or one relative to the folder that the agent works in. Rejects as `baseOf`. */
export async function uriOf(path: string, call: Pick<AgentCall, 'folder'>): Promise<vscode.Uri> {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  if (isAbsolute(path)) return first && first.uri.scheme !== 'file' ? first.uri.with({ path }) : asOpened(path);
  const { folder } = call;
  const isInside = folder !== undefined && vscode.workspace.getWorkspaceFolder(await asOpened(folder)) !== undefined;
  const uri = vscode.Uri.joinPath(isInside ? vscode.Uri.file(folder) : (await baseOf(call)).uri, path);
  return uri.scheme === 'file' ? asOpened(uri.fsPath) : uri;
}

/** The workspace folder that an agent works in. Rejects with Refused when that is ambiguous. */
export async function baseOf({ folder }: Pick<AgentCall, 'folder'>): Promise<vscode.WorkspaceFolder> {
  const open = vscode.workspace.workspaceFolders ?? [];
  const own = folder === undefined ? undefined : vscode.workspace.getWorkspaceFolder(await asOpened(folder));
  const document = vscode.window.activeTextEditor?.document.uri;
  const active = document && vscode.workspace.getWorkspaceFolder(document);
  const base = own ?? (open.length === 1 ? open[0] : active);
  if (base) return base;
  throw new Refused(
    open.length === 0
      ? 'no folder is open in the editor. The user has to open one first.'
      : `several folders are open (${folders()}). Give absolute paths.`,
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

/** The open folders, in words. */
export function folders(): string {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => plain(pathOf(uri.toString()), 400)).join(', ');
}
