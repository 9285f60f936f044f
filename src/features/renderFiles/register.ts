import * as vscode from 'vscode';
import { type Disposable, Disposables, Lazy } from '../../base/disposable';
import { type Log, reasonOf } from '../../base/log';
import { commands as commandIds, views } from '../../editor/ids';
import { lazyTree } from '../../editor/lazyTree';
import type { Foundation } from '../../foundation';
import { isRenderFile, renderFileGlob } from '../../renderFiles/renderFile';
import type { OpenedRenderFiles } from './openRenderFiles';
import type { Row } from './renderFilesTree';

const ids = [
  'renderEntries',
  'renderAllEntries',
  'fitEntries',
  'adoptImages',
  'checkRenderFiles',
  'newRenderFile',
  'addFileEntry',
  'addFormEntry',
] as const;

/** The Render Files view, and the commands for render files. */
export function register(own: Disposables, foundation: Foundation, renderFiles: Lazy<OpenedRenderFiles>): void {
  const { commands } = foundation;
  for (const id of ids)
    commands.register(commandIds[id], async (item, more) => (await renderFiles.get())[id](item, more));
  openRenderFilesView(own, foundation, renderFiles);
}

/** Opens the Render Files view. Its content loads when it's first visible, or with the first render file. */
function openRenderFilesView(
  own: Disposables,
  { registered, log }: Foundation,
  renderFiles: Lazy<OpenedRenderFiles>,
): void {
  const changed = own.add(new vscode.EventEmitter<undefined>());
  const tree = new Lazy(async () => (await renderFiles.get()).treeIn(view, () => changed.fire(undefined)));
  const options = { treeDataProvider: lazyTree(tree, changed.event), showCollapseAll: true };
  const view: vscode.TreeView<Row> = own.add(vscode.window.createTreeView(views.renderFiles, options));
  void registered.then(() => own.add(onFirst(() => void tree.get(), log)));
}

/** Calls back once, with the first render file that is found or opened in the workspace. */
function onFirst(happens: () => void, log: Log): Disposable {
  const { workspace } = vscode;
  const own = new Disposables();
  let isSeen = false;
  const see = () => {
    if (isSeen) return;
    isSeen = true;
    own.dispose();
    happens();
  };
  const look = ({ uri }: vscode.TextDocument) => isRenderFile(uri.path) && see();
  const search = () =>
    workspace.findFiles(renderFileGlob, '**/node_modules/**', 1).then(
      ([first]) => first && see(),
      (error: unknown) => log.warn(`Couldn’t search for render files: ${reasonOf(error)}`),
    );
  own.add(workspace.onDidOpenTextDocument(look));
  own.add(workspace.onDidChangeWorkspaceFolders(search));
  own.add(workspace.createFileSystemWatcher(renderFileGlob, false, true, true)).onDidCreate(see);
  workspace.textDocuments.forEach(look);
  void search();
  return own;
}
