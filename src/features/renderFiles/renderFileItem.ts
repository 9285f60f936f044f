import * as vscode from 'vscode';
import { oneLine } from '../../base/plain';
import type { EntryRow } from './model/entryRows';
import { fileNameOf } from '../../files/fileName';
import { isForeign, isToDo, type State, type StateOf } from '../../renderFiles/states';
import type { FoundFile } from './allRenderFiles';
import { entryMarkdown } from './entryMarkdown';
import { rangeOf } from './rangeOf';
import { countWords, stateWords } from './stateWords';

/** A row of the Render Files view: a file, one of its entries, or one of an entry’s images. */
export interface Row {
  readonly uri: vscode.Uri;
  readonly file: FoundFile;
  readonly entry?: EntryRow;
  readonly image?: StateOf;
}

/** A row as the view shows it. */
export function itemOf(row: Row): vscode.TreeItem {
  const item = row.entry ? entryItem(row, row.entry) : fileItem(row);
  item.id = JSON.stringify([row.uri.toString(), row.entry?.entry.index, row.image?.render.target]);
  item.contextValue = abilities(statesIn(row));
  return item;
}

/** Everything worth knowing about a row. */
export async function tooltipOf(row: Row): Promise<vscode.MarkdownString | string> {
  const states = statesIn(row);
  if (!row.entry || states.length === 0) return oneLine(vscode.workspace.asRelativePath(row.uri));
  return entryMarkdown(row.file.folder, states, undefined);
}

/** Menus ask `viewItem =~ /\bdue\b/`. What can be fitted again needs no render. */
function abilities(states: readonly StateOf[]): string {
  const [due, foreign] = [states.some((one) => isToDo(one) && !one.fitsAgain), states.some(isForeign)];
  return ['row', due && 'due', states.some(({ fitsAgain }) => fitsAgain) && 'misfit', foreign && 'foreign']
    .filter(Boolean)
    .join(' ');
}

function statesIn({ file, entry, image }: Row): readonly StateOf[] {
  return image ? [image] : (entry?.states ?? file.states);
}

function fileItem({ uri, file }: Row): vscode.TreeItem {
  const path = vscode.workspace.asRelativePath(uri);
  const name = fileNameOf(uri.path);
  const item = new vscode.TreeItem(oneLine(name), vscode.TreeItemCollapsibleState.Expanded);
  // The editor adds the number of problems and the state in Git.
  item.resourceUri = uri;
  item.iconPath = vscode.ThemeIcon.File;
  const folder = path.slice(0, -name.length).replace(/\/$/, '');
  const words = file.states.length > 0 ? countWords(file.states) : vscode.l10n.t('No images');
  item.description = [words, oneLine(folder)].filter(Boolean).join(' · ');
  item.accessibilityInformation = { label: [oneLine(path), words].join(', ') };
  return item;
}

function entryItem({ uri, file, image }: Row, { entry, states }: EntryRow): vscode.TreeItem {
  const several = !image && states.length > 1;
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const name = image ? fileNameOf(image.render.target) : (entry.file?.text ?? vscode.l10n.t('No file name'));
  const item = new vscode.TreeItem(oneLine(name), several ? Collapsed : None);
  const shown = image ? [image] : states;
  const words = shown.length > 0 ? stateWords(shown) : vscode.l10n.t('Has errors');
  item.description = words;
  item.accessibilityInformation = { label: [oneLine(name), words].join(', ') };
  item.iconPath = iconOf(shown);
  const place = entry.file ?? entry.span;
  item.command = {
    command: 'vscode.open',
    title: vscode.l10n.t('Open'),
    arguments: [uri, { selection: rangeOf(file.text, place) } satisfies vscode.TextDocumentShowOptions],
  };
  return item;
}

/** The states, those that most need action first. */
const byNeed: readonly State['state'][] = ['unreadable', 'missing', 'stale', 'edited', 'foreign', 'unknown', 'current'];

function iconOf(states: readonly StateOf[]): vscode.ThemeIcon {
  const is = (id: string, color?: string) =>
    new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
  switch (byNeed.find((need) => states.some(({ state }) => state.state === need))) {
    case undefined:
    case 'unreadable':
      return is('error', 'list.errorForeground');
    case 'missing':
      return is('circle-large-outline', 'list.warningForeground');
    case 'stale':
      return is('sync', 'list.warningForeground');
    case 'edited':
      return is('edit');
    case 'foreign':
    case 'unknown':
      return is('question');
    case 'current':
      return is('check');
  }
}
