import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import { oneLine } from '../../base/plain';
import type { Session } from '../../catalog/session';
import type { TreeContent } from '../../editor/lazyTree';
import { fileNameOf } from '../../files/names';
import type { AskedRender } from '../../renderFiles/renderFile';
import { isForeign, isToDo, isWaiting, type State, type StateOf } from '../../renderFiles/states';
import type { AllRenderFiles, FoundFile, FoundFiles } from './allRenderFiles';
import { countWords, entryMarkdown, stateWords } from './entryWords';
import { type EntryRow, entryRows } from './model/pendingImages';
import { rangeOf } from './renderFiles';

/** The Render Files view: the files of the workspace, their entries, and the images of entries with several. */
export class RenderFilesTree implements TreeContent<Row>, Disposable {
  private readonly own = new Disposables();
  readonly itemOf = itemOf;

  /** `readAgain` makes the view refresh everything. */
  constructor(
    private readonly all: AllRenderFiles,
    private readonly session: Session,
    private readonly view: vscode.TreeView<Row>,
    private readonly readAgain: () => void,
  ) {
    this.own.add(all.onDidChange((found) => this.show(found)));
    void this.showFirst();
  }

  async childrenOf(row?: Row): Promise<Row[]> {
    if (!row) return (await this.all.get()).files.map((file) => ({ file, uri: file.text.uri }));
    const { file, uri, entry } = row;
    if (!entry) return entryRows(file.file, file.states).map((one) => ({ file, uri, entry: one }));
    return entry.states.map((image) => ({ file, uri, entry, image }));
  }

  async resolved(item: vscode.TreeItem, row: Row): Promise<vscode.TreeItem> {
    item.tooltip = await tooltipOf(row, this.session);
    return item;
  }

  dispose(): void {
    this.own.dispose();
  }

  private async showFirst(): Promise<void> {
    this.show(await this.all.get());
  }

  private show({ files, isCut }: FoundFiles): void {
    // What is missing was never there, and what waits for a review is counted in Generations.
    const states = files.flatMap((file) => file.states);
    const stale = states.filter(({ state, pending }) => state.state === 'stale' && !pending).length;
    const tooltip = stale === 1 ? vscode.l10n.t('1 image out of date') : vscode.l10n.t('{0} images out of date', stale);
    this.view.badge = stale > 0 ? { value: stale, tooltip } : undefined;
    this.view.message = isCut
      ? vscode.l10n.t('There are too many render files to show. The first {0} are listed.', files.length)
      : undefined;
    this.readAgain();
  }
}

/** A row of the Render Files view: a file, one of its entries, or one of an entry’s images. */
export interface Row {
  readonly uri: vscode.Uri;
  readonly file: FoundFile;
  readonly entry?: EntryRow;
  readonly image?: StateOf;
}

/** A row as the view shows it. */
function itemOf(row: Row): vscode.TreeItem {
  const item = row.entry ? entryItem(row, row.entry) : fileItem(row);
  item.id = JSON.stringify([row.uri.toString(), row.entry?.entry.index, row.image?.render.target]);
  item.contextValue = abilities(statesIn(row));
  return item;
}

/** Everything worth knowing about a row. */
async function tooltipOf(row: Row, session: Session): Promise<vscode.MarkdownString | string> {
  const states = statesIn(row);
  if (!row.entry || states.length === 0) return oneLine(vscode.workspace.asRelativePath(row.uri));
  return entryMarkdown(row.file.folder, states, session);
}

/**
 * Menus ask `viewItem =~ /\bdue\b/`. What can be fitted again needs no render; for what waits for other images, those
 * are offered.
 */
function abilities(states: readonly StateOf[]): string {
  const due = states.some((one) => (isToDo(one) && !one.fitsAgain) || isWaiting(one));
  const foreign = states.some(isForeign);
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

/** The part of a render file that a command applies to: all of it, one entry, or one image. */
export interface Part {
  readonly uri: vscode.Uri;
  readonly entry?: number;
  readonly target?: string;
}

/** The part that a command was called with: a URI and an entry, or a row of the view, else the active document. */
export function partOf(where: unknown, entry: unknown): Part | undefined {
  if (where instanceof vscode.Uri) return { uri: where, entry: typeof entry === 'number' ? entry : undefined };
  if (isRow(where)) return { uri: where.uri, entry: where.entry?.entry.index, target: where.image?.render.target };
  const active = vscode.window.activeTextEditor?.document;
  return active && { uri: active.uri };
}

/** True for a render of that part. */
export function isIn({ entry, target }: Part, render: AskedRender): boolean {
  return (entry ?? render.entry) === render.entry && (target ?? render.target) === render.target;
}

/** Commands can be called with anything. */
function isRow(where: unknown): where is Row {
  return typeof where === 'object' && where !== null && 'uri' in where && where.uri instanceof vscode.Uri;
}
