import * as vscode from 'vscode';
import { Owned, type Disposable } from '../base/disposable';
import { reasonOf } from '../base/errors';
import type { Lazy } from '../base/lazy';
import type { Log } from '../base/log';
import type { Group, LibraryEntry } from '../renders/library';
import type { Connection } from './connection';
import { generationItem, generationTooltip } from './generationItem';
import { views } from './ids';
import type { Renders } from './renders';
import { sentenceOf } from './words';

/** A group that asks something of the person, or one render. */
type Node = { readonly group: Group } | LibraryEntry;

/** Groups that stand above the rest when they hold something. */
const asking: readonly Group[] = ['paidNotSaved', 'unknown', 'notSent'];

/** The Generations view: reads the library, changes nothing. Loads the ledger when it is first seen. */
export class GenerationsTree implements Disposable, vscode.TreeDataProvider<Node> {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new vscode.EventEmitter<Node | undefined>());
  private readonly view: vscode.TreeView<Node>;
  private seconds: NodeJS.Timeout | undefined;
  private following = false;
  private nodes = new Map<string, LibraryEntry>();

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly renders: Lazy<Renders>,
    private readonly connection: Connection,
    private readonly log: Log,
  ) {
    this.view = this.own.add(
      vscode.window.createTreeView<Node>(views.generations, { treeDataProvider: this, canSelectMany: false }),
    );
    this.own.add(this.view.onDidChangeVisibility(({ visible }) => visible && void this.refresh()));
    this.own.add({ dispose: () => clearInterval(this.seconds) });
  }

  /** Asks the service for its list and shows what came of it. Never rejects. */
  async refresh(): Promise<void> {
    await vscode.window.withProgress({ location: { viewId: views.generations } }, async () => {
      try {
        await this.connection.start();
        const { library, recovery, poller } = await this.renders.get();
        await library.refresh();
        // What a window that has closed was waiting for goes on in this one.
        poller.wake();
        await recovery.run();
      } catch (error) {
        this.fail(error);
      }
    });
  }

  async getChildren(node?: Node): Promise<Node[]> {
    const library = await this.library();
    if (!library) return [];
    if (node) return 'id' in node ? [] : library.entries.filter(({ group }) => group === node.group);
    const groups = asking.filter((group) => library.entries.some((entry) => entry.group === group));
    const rest = library.entries.filter(({ group }) => !asking.includes(group));
    this.nodes = new Map(rest.map((entry) => [entry.id, entry]));
    return [...groups.map((group) => ({ group })), ...rest];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return 'id' in node ? generationItem(node, Date.now()) : groupItem(node.group);
  }

  resolveTreeItem(item: vscode.TreeItem, node: Node): vscode.TreeItem {
    if ('id' in node) item.tooltip = generationTooltip(node);
    return item;
  }

  dispose(): void {
    this.own.dispose();
  }

  private async library(): Promise<Renders['library'] | undefined> {
    try {
      const { library } = await this.renders.get();
      if (!this.following) this.follow(library);
      return library;
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  private follow(library: Renders['library']): void {
    this.following = true;
    this.own.add(library.onDidChange(() => this.update(library)));
    this.update(library);
    // The first look also asks the service, so that renders started elsewhere are there.
    void this.refresh();
  }

  private update(library: Renders['library']): void {
    const waiting = library.entries.filter(({ group }) => group === 'paidNotSaved' || group === 'unknown').length;
    this.view.badge = waiting === 0 ? undefined : { value: waiting, tooltip: waitingWords(waiting) };
    this.view.message = messageOf(library);
    this.tick(library);
    this.changed.fire(undefined);
  }

  /** Elapsed times move on, one line each, while somebody can see them. */
  private tick(library: Renders['library']): void {
    const active = library.entries.some(({ group }) => group === 'active');
    if (!active) {
      clearInterval(this.seconds);
      this.seconds = undefined;
    } else {
      this.seconds ??= setInterval(() => {
        if (this.view.visible)
          for (const entry of this.nodes.values()) if (entry.group === 'active') this.changed.fire(entry);
      }, 1000);
    }
  }

  private fail(error: unknown): void {
    this.log.error(`Generations: ${reasonOf(error)}`);
    this.view.message = sentenceOf(error);
  }
}

function groupItem(group: Group): vscode.TreeItem {
  const item = new vscode.TreeItem(groupWords(group), vscode.TreeItemCollapsibleState.Expanded);
  item.id = `group:${group}`;
  return item;
}

function groupWords(group: Group): string {
  switch (group) {
    case 'paidNotSaved':
      return vscode.l10n.t('Paid, not saved');
    case 'unknown':
      return vscode.l10n.t('Unknown');
    default:
      return vscode.l10n.t('Not sent');
  }
}

function waitingWords(count: number): string {
  return count === 1
    ? vscode.l10n.t('One render needs a decision')
    : vscode.l10n.t('{0} renders need a decision', count);
}

function messageOf({ problem, isIncomplete }: Renders['library']): string | undefined {
  if (problem !== undefined)
    return vscode.l10n.t('Only renders of this editor are shown: the service’s own list cannot be had now.');
  return isIncomplete ? vscode.l10n.t('The service lists only its latest renders.') : undefined;
}
