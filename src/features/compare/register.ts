import type * as vscode from 'vscode';
import type { Disposables, Lazy } from '../../base/disposable';
import { commands as ids, compareViewType } from '../../editor/ids';
import type { Foundation } from '../../foundation';
import { restorePages } from '../../editor/restorePages';
import type { OpenCompare } from './comparePanels';

/** The comparisons of images: restored ones, and the Explorer's commands. */
export function register(
  own: Disposables,
  foundation: Foundation,
  comparisons: Lazy<vscode.WebviewPanelSerializer>,
  openCompare: OpenCompare,
): void {
  const { commands, connection, memory, renders } = foundation;
  restorePages(own, compareViewType, comparisons);
  const actions = () => import('./compareActions');
  commands.register(ids.compareFiles, async (_, files) => (await actions()).compareFiles(files, openCompare));
  commands.register(ids.compareHead, async (file) => (await actions()).compareHead(file, openCompare));
  commands.register(ids.comparePrevious, async (file) =>
    (await actions()).compareEarlier(file, await renders.get(), connection, memory, openCompare),
  );
}
