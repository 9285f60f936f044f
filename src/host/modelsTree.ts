import * as vscode from 'vscode';
import { Owned, type Disposable } from '../base/disposable';
import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import { ServiceError } from '../catalog/errors';
import type { Session, SessionState } from '../catalog/session';
import type { Listing, ModelKind, ModelSummary } from '../catalog/types';
import type { Connection } from './connection';
import { setContext } from './contextKeys';
import { commands, contextKeys, views } from './ids';
import { countModels, groupModels, type ModelNode } from './modelGroups';
import { modelTooltip } from './modelTooltip';
import { oneLine } from './plain';

/** What the view shows instead of models: the welcome texts of the manifest ask for these words. */
type ModelsView = 'loading' | 'listed' | 'empty' | 'noKey' | 'offline' | 'keyRefused' | 'unusable' | 'failed';

/** More models than this, and providers start closed. */
const fewModels = 60;

/** The models of the service: provider → family → model. The sandbox starts when this is first seen. */
export class ModelsTree implements vscode.TreeDataProvider<ModelNode>, Disposable {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new vscode.EventEmitter<undefined>());
  private readonly view: vscode.TreeView<ModelNode>;
  private expand = true;
  private shown: ModelsView = 'loading';
  private listing: Listing<ModelSummary> | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly session: Session,
    private readonly connection: Connection,
    private readonly log: Log,
  ) {
    const options = { treeDataProvider: this, showCollapseAll: true };
    this.view = this.own.add(vscode.window.createTreeView(views.models, options));
    this.own.add(session.onDidChange((state) => this.follow(state)));
    this.own.add(session.onDidChangeModels(() => this.changed.fire(undefined)));
    this.show('loading');
  }

  async getChildren(node?: ModelNode): Promise<ModelNode[]> {
    if (node) return node.kind === 'model' ? [] : [...node.children];
    await this.connection.start();
    const listing = await this.read();
    if (!listing) return [];
    const nodes = groupModels(listing.items, vscode.env.language);
    this.expand = countModels(nodes) <= fewModels;
    return nodes;
  }

  getTreeItem(node: ModelNode): vscode.TreeItem {
    return node.kind === 'model' ? modelItem(node.id, node.model) : this.groupItem(node.id, node.label);
  }

  /** Fields and defaults are asked of the service when somebody looks. */
  async resolveTreeItem(item: vscode.TreeItem, node: ModelNode): Promise<vscode.TreeItem> {
    if (node.kind !== 'model') return item;
    try {
      item.tooltip = modelTooltip(await this.session.model(node.model.id));
    } catch (error) {
      this.log.warn(`The fields of ${node.model.id} could not be read: ${reasonOf(error)}`);
      item.tooltip = modelTooltip(node.model);
    }
    return item;
  }

  dispose(): void {
    this.own.dispose();
  }

  private async read(): Promise<Listing<ModelSummary> | undefined> {
    if (!this.session.client) return this.nothing(this.session.state.status === 'noKey' ? 'noKey' : 'unusable');
    try {
      const listing = await this.session.models();
      this.show(listing.items.length === 0 ? 'empty' : 'listed');
      this.listing = listing;
      this.view.message = listing.items.length === 0 ? undefined : this.message(this.session.state.status);
      return listing;
    } catch (error) {
      // The account was changed meanwhile: the list of the other one is asked for already.
      if (error instanceof ServiceError && error.kind === 'cancelled') return undefined;
      this.log.warn(`The models could not be listed: ${reasonOf(error)}`);
      return this.nothing(viewOf(error));
    }
  }

  private nothing(view: ModelsView): undefined {
    this.show(view);
    this.view.message = undefined;
  }

  private show(view: ModelsView): void {
    this.shown = view;
    setContext(contextKeys.modelsView, view);
  }

  /** Reads again when what kept the list away is over, or when the list on the screen may have aged. */
  private follow({ status }: SessionState): void {
    const kept = this.shown === 'offline' || this.shown === 'keyRefused';
    if (kept && status === 'connected') this.changed.fire(undefined);
    if (this.shown === 'listed') this.view.message = this.message(status);
  }

  private message(status: SessionState['status']): string | undefined {
    const { incomplete = false, unreadable = 0 } = this.listing ?? {};
    const sentences = [
      status === 'offline' && vscode.l10n.t('Offline: the list may be out of date.'),
      incomplete && vscode.l10n.t('The service has more models than it lists here.'),
      unreadable === 1 && vscode.l10n.t('1 model could not be read.'),
      unreadable > 1 && vscode.l10n.t('{0} models could not be read.', unreadable),
    ].filter((sentence) => sentence !== false);
    return sentences.length === 0 ? undefined : sentences.join(' ');
  }

  private groupItem(id: string, label: string): vscode.TreeItem {
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(oneLine(label), this.expand ? Expanded : Collapsed);
    item.id = id;
    item.contextValue = 'group';
    item.tooltip = oneLine(label);
    return item;
  }
}

function modelItem(id: string, model: ModelSummary): vscode.TreeItem {
  const title = oneLine(model.title);
  const item = new vscode.TreeItem(title);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(icons[model.kind]);
  item.description = model.description === undefined ? undefined : oneLine(model.description, 80);
  item.contextValue = 'model';
  item.command = { command: commands.openModel, title: vscode.l10n.t('Open Model'), arguments: [model.id] };
  item.accessibilityInformation = { label: `${title}, ${kindWords(model.kind)}` };
  return item;
}

/** One icon for each kind of model. */
export const icons: Readonly<Record<ModelKind, string>> = { image: 'file-media', text: 'note', other: 'package' };

function kindWords(kind: ModelKind): string {
  if (kind === 'image') return vscode.l10n.t('image model');
  return kind === 'text' ? vscode.l10n.t('text model') : vscode.l10n.t('model');
}

function viewOf(error: unknown): ModelsView {
  if (!(error instanceof ServiceError)) return 'failed';
  if (error.kind === 'keyRefused') return 'keyRefused';
  return error.kind === 'noAnswer' || (error.status !== undefined && error.status >= 500) ? 'offline' : 'failed';
}
