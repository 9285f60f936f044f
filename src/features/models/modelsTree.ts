import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import { reasonOf } from '../../base/log';
import { formatCents, spokenCents, timeWords } from '../../base/format';
import { ServiceError } from '../../catalog/errors';
import type { SessionState } from '../../catalog/session';
import type { ModelSummary } from '../../catalog/fields';
import { setContext } from '../account/contextKeys';
import type { TreeContent } from '../../editor/lazyTree';
import { commands, contextKeys } from '../../editor/ids';
import { oneLine } from '../../base/plain';
import { waitSentence } from '../account/accountView';
import {
  contentAfter,
  groupByPart,
  groupModels,
  icons,
  isWorthReading,
  type ModelGroup,
  type ModelLeaf,
  type ModelNode,
  type ModelsContent,
  ownGroup,
} from './model/modelGroups';
import { kindWords } from './kindWords';
import type { DefaultPrices } from './model/defaultPrices';
import type { ShownModels } from './model/modelList';
import type { Foundation } from '../../foundation';

/** More models than this are grouped by provider, and start collapsed. */
const fewModels = 60;

/** The groups of a list, computed once, so that what renders teach moves no row. */
interface Grouped {
  /** The list's time: that of another one differs. */
  readonly at: number;
  readonly byId: ReadonlyMap<string, ModelSummary>;
  readonly nodes: readonly ModelNode[];
  /** Few enough to start expanded. */
  readonly few: boolean;
}

/**
 * The service's models: the user's own on top, then by what they make; many by provider → family → model. The sandbox
 * starts when they're first requested.
 */
export class ModelsTree implements TreeContent<ModelNode>, Disposable {
  private readonly own = new Disposables();
  private shown: ModelsContent = 'loading';
  private models: ShownModels | undefined;
  private grouped: Grouped | undefined;
  private favourites: ReadonlySet<string> = new Set();
  /** As shown: rows don't move under the pointer. */
  private recent: readonly string[] = [];
  /** Something is to be shown when the view is next shown. */
  private isDue = false;

  /** `readAgain` makes the view refresh everything. */
  constructor(
    private readonly foundation: Foundation,
    private readonly view: vscode.TreeView<ModelNode>,
    private readonly readAgain: () => void,
    private readonly prices: DefaultPrices,
  ) {
    const { session, chosenModels, countdown } = foundation;
    this.own.add(prices.onDidChange(() => this.readAgain()));
    this.own.add(session.onDidChange((state) => this.follow(state)));
    this.own.add(countdown.onDidChange(() => this.tell()));
    // A list without a time is another one; what a render teaches about its models can wait.
    this.own.add(
      session.onDidChangeModels(() => (session.modelsAt === undefined ? this.lookAgain() : this.lookLater())),
    );
    this.own.add(chosenModels.onDidChange(() => this.followChosen()));
    this.own.add(view.onDidChangeVisibility(({ visible }) => visible && this.isDue && this.lookAgain()));
    this.recent = chosenModels.recent;
    this.own.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && chosenModels.look()));
    this.own.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.tell()));
  }

  async childrenOf(node?: ModelNode): Promise<ModelNode[]> {
    if (node) return node.kind === 'model' ? [] : this.priced(node.children);
    await this.foundation.connection.start();
    const models = await this.read();
    if (!models) return [];
    const { byId, nodes } = this.group(models);
    const { favourites } = this.foundation.chosenModels;
    this.favourites = new Set(favourites);
    return [
      ownGroup('favourites', vscode.l10n.t('Favorites'), favourites, byId),
      ownGroup('recent', vscode.l10n.t('Recently Used'), this.recent, byId),
      ...nodes,
    ].filter((child) => child !== undefined);
  }

  /** They're about to be seen, so their prices are requested. */
  private priced(nodes: readonly ModelNode[]): ModelNode[] {
    void this.prices.ask(nodes.flatMap((node) => (node.kind === 'model' ? [node.model.id] : [])));
    return [...nodes];
  }

  itemOf(node: ModelNode): vscode.TreeItem {
    if (node.kind !== 'model') return this.groupItem(node);
    return modelItem(node, this.favourites.has(node.model.id), this.prices.of(node.model.id));
  }

  /** The item with its tooltip: fields and defaults are requested from the service. */
  async resolved(item: vscode.TreeItem, node: ModelNode): Promise<vscode.TreeItem> {
    if (node.kind !== 'model') return item;
    const { experienceOf, modelTooltip } = await import('./modelTooltip');
    const known = await experienceOf(node.model.id, this.prices, this.foundation);
    try {
      item.tooltip = modelTooltip(await this.foundation.session.model(node.model.id), known);
    } catch (error) {
      this.foundation.log.warn(`Couldn’t read the fields of ${node.model.id}: ${reasonOf(error)}`);
      item.tooltip = modelTooltip(node.model, known);
    }
    return item;
  }

  dispose(): void {
    this.own.dispose();
  }

  /** A favorite shows at once; recent models are reordered when the view is next shown. */
  private followChosen(): void {
    const { favourites } = this.foundation.chosenModels;
    const isSame = favourites.length === this.favourites.size && favourites.every((id) => this.favourites.has(id));
    if (!isSame) this.readAgain();
    if (this.foundation.chosenModels.recent.join('\n') !== this.recent.join('\n')) this.lookLater();
  }

  private lookLater(): void {
    if (this.view.visible) this.isDue = true;
    else this.lookAgain();
  }

  private lookAgain(): void {
    this.isDue = false;
    this.grouped = undefined;
    this.recent = this.foundation.chosenModels.recent;
    this.readAgain();
  }

  private async read(): Promise<ShownModels | undefined> {
    if (!this.foundation.session.client)
      return this.nothing(this.foundation.session.state.status === 'noKey' ? 'noKey' : 'unusable');
    try {
      this.models = await this.foundation.list.read();
      this.show(this.models.listing.items.length === 0 ? 'empty' : 'listed');
      this.tell();
      return this.models;
    } catch (error) {
      // The account changed meanwhile: the other one's list has been requested.
      if (error instanceof ServiceError && error.kind === 'cancelled') return undefined;
      this.foundation.log.warn(`Couldn’t list the models: ${reasonOf(error)}`);
      return this.nothing(contentAfter(error));
    }
  }

  private nothing(content: ModelsContent): undefined {
    this.models = undefined;
    this.show(content);
    this.tell();
  }

  private show(content: ModelsContent): void {
    this.shown = content;
    setContext(contextKeys.modelsView, content);
  }

  /** Thousands of models are grouped only once, not with every change of a favorite. */
  private group({ listing, at }: ShownModels): Grouped {
    if (this.grouped?.at !== at) {
      const byId = new Map(listing.items.map((model) => [model.id, model]));
      const few = byId.size <= fewModels;
      const nodes = few ? groupByPart(listing.items, partLabels()) : groupModels(listing.items, vscode.env.language);
      this.grouped = { at, byId, nodes, few };
    }
    return this.grouped;
  }

  private follow(state: SessionState): void {
    if (isWorthReading(this.shown, this.models?.kept === true, state)) this.readAgain();
    this.tell();
  }

  /** The message above the list. An empty view uses its welcome text instead. */
  private tell(): void {
    const { seconds } = this.foundation.countdown;
    const sentences = [
      ...(seconds === undefined ? [] : [waitSentence(seconds)]),
      ...(this.shown === 'listed' && this.models ? this.sentences(this.models) : []),
    ];
    this.view.message = sentences.length === 0 ? undefined : sentences.join(' ');
  }

  private sentences({ listing, at, kept }: ShownModels): readonly string[] {
    const { incomplete, unreadable } = listing;
    const when = timeWords(at, Date.now(), vscode.env.language);
    const offline = this.foundation.session.state.status === 'offline';
    return [
      offline && vscode.l10n.t('Offline. The list is from {0}.', when),
      kept && !offline && vscode.l10n.t('The service isn’t returning its list right now. This one is from {0}.', when),
      incomplete && vscode.l10n.t('The service has more models than it returned.'),
      unreadable === 1 && vscode.l10n.t('Couldn’t read 1 model.'),
      unreadable > 1 && vscode.l10n.t('Couldn’t read {0} models.', unreadable),
      !vscode.workspace.workspaceFolders?.length &&
        vscode.l10n.t('No folder is open. Results are kept under “Paid, not saved” until you save them.'),
    ].filter((sentence) => sentence !== false);
  }

  private groupItem({ kind, id, label, path = label }: ModelGroup): vscode.TreeItem {
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    const open = isOwn(kind) || (this.grouped?.few === true && kind !== 'testing');
    const item = new vscode.TreeItem(oneLine(label), open ? Expanded : Collapsed);
    item.id = id;
    item.contextValue = 'group';
    item.tooltip = oneLine(path);
    if (isOwn(kind)) item.iconPath = new vscode.ThemeIcon(kind === 'favourites' ? 'star-full' : 'history');
    return item;
  }
}

function partLabels() {
  return {
    image: vscode.l10n.t('Images'),
    text: vscode.l10n.t('Text'),
    other: vscode.l10n.t('Other Models'),
    testing: vscode.l10n.t('For Testing'),
  };
}

function isOwn(kind: ModelGroup['kind']): boolean {
  return kind === 'favourites' || kind === 'recent';
}

/** `costCents`: the last price with its default inputs. */
function modelItem({ id, model, isUnlisted }: ModelLeaf, favourite: boolean, costCents?: number): vscode.TreeItem {
  const title = oneLine(model.title);
  const item = new vscode.TreeItem(title);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(icons[model.kind ?? 'other']);
  const { language } = vscode.env;
  if (isUnlisted) item.description = vscode.l10n.t('not in the list');
  else
    item.description = [
      costCents === undefined ? '' : formatCents(costCents, language),
      oneLine(model.description ?? ''),
    ]
      .filter((part) => part !== '')
      .join(' · ');
  item.contextValue = favourite ? 'favouriteModel' : 'model';
  item.command = { command: commands.openModel, title: vscode.l10n.t('Open Model Form'), arguments: [model.id] };
  const words = [
    title,
    kindWords(model.kind),
    favourite && vscode.l10n.t('favorite'),
    isUnlisted ? item.description : costCents !== undefined && spokenCents(costCents, language),
  ];
  item.accessibilityInformation = { label: words.filter(Boolean).join(', ') };
  return item;
}
