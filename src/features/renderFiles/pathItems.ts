import * as vscode from 'vscode';
import type { Field } from '../../catalog/types';
import { isGenerated } from '../../documents/generatedFolders';
import { endingOf } from '../../documents/paths';
import { pathOf } from '../../renderFiles/givenFiles';
import { extensionsFor } from '../form/imagePort';

/** Of a folder with more images and folders, the first ones are offered. */
const mostOffered = 500;

/**
 * The images that a field takes, and the folders, in the folder that a half-typed path has reached. None outside the
 * workspace folder, and none that can't be read.
 */
export async function pathItems(uri: vscode.Uri, typed: string, { image }: Field): Promise<vscode.CompletionItem[]> {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const reached = typed.slice(0, typed.lastIndexOf('/') + 1);
  const folder = root && pathOf(uri.path.slice(root.path.length).replace(/^\//, ''), reached);
  if (root === undefined || folder === undefined || typed.includes('\\')) return [];
  const endings = new Set(extensionsFor(image?.types ?? []));
  const found = await entriesIn(vscode.Uri.joinPath(root, folder));
  const folders = found.filter(([name, isFolder]) => isFolder && !name.startsWith('.') && !isGenerated(name));
  const images = found.filter(([name, isFolder]) => !isFolder && endings.has(endingOf(name)));
  const up = folder !== '' && /^(\.\.\/)*$/.test(reached) ? ['..'] : [];
  return [
    ...images.slice(0, mostOffered).map(([name]) => imageItem(reached, name)),
    ...[...folders.slice(0, mostOffered).map(([name]) => name), ...up].map((name) => folderItem(reached, name)),
  ];
}

async function entriesIn(folder: vscode.Uri): Promise<(readonly [name: string, isFolder: boolean])[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries.map(([name, type]) => [name, (type & vscode.FileType.Directory) !== 0]);
  } catch {
    // There's no such folder, or it can't be read.
    return [];
  }
}

function imageItem(reached: string, name: string): vscode.CompletionItem {
  const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.File);
  item.filterText = item.insertText = JSON.stringify(reached + name);
  item.sortText = `0${name}`;
  return item;
}

/** Completing continues in the folder. */
function folderItem(reached: string, name: string): vscode.CompletionItem {
  const item = new vscode.CompletionItem(`${name}/`, vscode.CompletionItemKind.Folder);
  const text = JSON.stringify(`${reached}${name}/`);
  item.filterText = text;
  item.insertText = new vscode.SnippetString(`${text.slice(0, -1).replace(/[\\$}]/g, '\\$&')}$0"`);
  item.command = { command: 'editor.action.triggerSuggest', title: '' };
  item.sortText = `${name === '..' ? 2 : 1}${name}`;
  return item;
}
