import * as vscode from 'vscode';
import { startOfToday } from '../../base/time';
import { Disposables, type Disposable } from '../../base/disposable';
import type { LibraryEntry } from '../../renders/library';
import { setContext } from '../account/contextKeys';
import type { TreeContent } from '../../editor/lazyTree';
import type { Countdown } from '../account/model/keyNotice';
import { ours } from '../../editor/initiator';
import { contextKeys } from '../../editor/ids';
import { oneLine } from '../../base/plain';
import type { Renders } from '../rendering/renders';
import { waitSentence } from '../account/accountView';
import {
  changesOf,
  type GenerationGroup,
  groupGenerations,
  type GroupId,
  searchGenerations,
} from './model/generationGroups';
import { lastSegment, modelNames } from '../models/model/modelNames';
import { thumbnailOf } from '../rendering/thumbnailsOf';
import { generationItem, groupItem, olderItem } from './generationItem';

export type TreeNode = GroupNode | RenderNode | OlderNode;

interface GroupNode {
  readonly group: GroupId;
}

/** The row that loads older renders. */
interface OlderNode {
  readonly older: true;
}

const olderNode: OlderNode = { older: true };

/** One render in a group; commands take it by its id. */
interface RenderNode extends GroupNode {
  readonly id: string;
  /** Updated in place: the node stays when the render changes. */
  entry: LibraryEntry;
}

/** Groups with more search results than this start collapsed. */
const mostLaidOpen = 200;

/** The content of the Generations view: reads the library, changes nothing. */
export class GenerationsTree implements TreeContent<TreeNode>, Disposable {
  private readonly own = new Disposables();
  private readonly groupNodes = new Map<GroupId, GroupNode>();
  /** The renders that the editor has requested, by group: none for a collapsed group. */
  private readonly renderNodes = new Map<GroupId, ReadonlyMap<string, RenderNode>>();
  private groups: readonly GenerationGroup[] = [];
  private query = '';
  private day = 0;
  private nothingFound = false;
  private olderCount = 0;
  private searching: AbortController | undefined;
  private nameOf: (modelId: string) => string = lastSegment;
  /** When the list behind the names was read. */
  private namedAt: number | undefined;

  /** `readAgain` makes the editor refresh these nodes and their children, or everything. */
  constructor(
    private readonly renders: Pick<
      Renders,
      'library' | 'elsewhere' | 'ledgerState' | 'session' | 'usualMs' | 'thumbnails'
    >,
    private readonly countdown: Countdown,
    private readonly view: vscode.TreeView<TreeNode>,
    private readonly readAgain: (nodes: TreeNode[] | undefined) => void,
  ) {
    const { library, elsewhere, ledgerState } = renders;
    this.own.add(ledgerState.onDidChange(() => this.bring()));
    this.own.add(library.onDidChange(() => this.show()));
    this.own.add(countdown.onDidChange(() => this.tell()));
    this.own.add(view.onDidChangeVisibility(({ visible }) => elsewhere.watch(visible)));
    elsewhere.watch(view.visible);
    const seconds = setInterval(() => this.tick(), 1000);
    this.own.add({ dispose: () => clearInterval(seconds) });
    this.show();
  }

  /** The search; empty while everything is shown. */
  get search(): string {
    return this.query;
  }

  /**
   * Shows only renders whose prompt, model, or file name contains every word of the query; all of them when it's empty.
   */
  set search(query: string) {
    if (query.trim() === this.query) return;
    this.query = query.trim();
    this.searching?.abort();
    setContext(contextKeys.searching, this.query !== '');
    this.bring();
    this.readAgain(undefined);
  }

  /** Also searches all older renders, and shows the matches. Rejects with LedgerError. */
  async searchOlder(): Promise<void> {
    if (this.query === '') return;
    const { signal } = (this.searching = new AbortController());
    const isWanted = (entry: LibraryEntry) => searchGenerations([entry], this.query).length > 0;
    try {
      await this.renders.library.findOlder(isWanted, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  childrenOf(node: TreeNode | undefined): TreeNode[] {
    if (!node) return [...this.groups.map(({ id }) => this.groupNode(id)), ...(this.olderCount > 0 ? [olderNode] : [])];
    return 'group' in node && !('id' in node) ? this.read(node.group) : [];
  }

  itemOf(node: TreeNode): vscode.TreeItem {
    if ('older' in node) return olderItem(this.olderCount);
    if ('id' in node) {
      const { entry, group } = node;
      const thumbnail = thumbnailOf(entry, this.renders.thumbnails);
      return generationItem(entry, group, {
        ...{ nameOf: this.nameOf, now: Date.now(), usualMs: this.usualMs(entry), thumbnail },
      });
    }
    const count = this.entriesOf(node.group).length;
    return groupItem(node.group, count, this.query !== '' && count <= mostLaidOpen);
  }

  async resolved(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    if (!('id' in node)) return item;
    const { generationTooltip } = await import('./generationItem');
    item.tooltip = await generationTooltip(node.entry, this.usualMs(node.entry));
    return item;
  }

  dispose(): void {
    this.searching?.abort();
    this.own.dispose();
  }

  /** How long a render in progress usually takes, ms, where that is known. */
  private usualMs({ group, record }: LibraryEntry): number | undefined {
    return group === 'active' && record ? this.renders.usualMs(record) : undefined;
  }

  private groupNode(group: GroupId): GroupNode {
    const node = this.groupNodes.get(group) ?? { group };
    this.groupNodes.set(group, node);
    return node;
  }

  private entriesOf(group: GroupId): readonly LibraryEntry[] {
    return this.groups.find(({ id }) => id === group)?.entries ?? [];
  }

  private read(group: GroupId): RenderNode[] {
    const nodes = this.entriesOf(group).map((entry) => ours({ group, id: entry.id, entry }));
    this.renderNodes.set(group, new Map(nodes.map((node) => [node.id, node])));
    return nodes;
  }

  /** Makes the editor refresh only what changed. */
  private show(): void {
    const { groups: before, olderCount } = this;
    this.bring();
    const { all, groups, entries } = changesOf(before, this.groups);
    if (all || olderCount !== this.olderCount) return this.readAgain(undefined);
    const changed: TreeNode[] = groups.map((id) => this.groupNode(id));
    for (const [group, entry] of entries) {
      const node = this.renderNodes.get(group)?.get(entry.id);
      if (!node) continue;
      node.entry = entry;
      changed.push(node);
    }
    if (changed.length > 0) this.readAgain(changed);
  }

  /** Updates the view from the library. */
  private bring(): void {
    const { entries } = this.renders.library;
    const found = searchGenerations(entries, this.query);
    this.day = startOfToday();
    this.groups = groupGenerations(found, Date.now());
    this.olderCount = this.renders.library.countOlder();
    const waiting = entries.filter(needsDecision).length;
    this.view.badge = waiting === 0 ? undefined : { value: waiting, tooltip: waitingWords(waiting) };
    this.view.description = this.query === '' ? undefined : searchWords(this.query, found.length, entries.length);
    this.nothingFound = this.query !== '' && found.length === 0;
    this.tell();
  }

  /** Models have display names once their list was read. Never rejects. */
  private async learnNames(): Promise<void> {
    this.namedAt = this.renders.session.modelsAt;
    const named = await modelNames(this.renders.session).catch(() => lastSegment);
    this.nameOf = (id) => {
      const name = named(id);
      return name === id ? lastSegment(id) : name;
    };
    this.readAgain(undefined);
  }

  /** Updates the view's message. */
  private tell(): void {
    const { library, ledgerState } = this.renders;
    const { seconds } = this.countdown;
    const waiting = seconds === undefined ? [] : [waitSentence(seconds)];
    this.view.message = messageOf(library, this.nothingFound, [...ledgerState.sentences, ...waiting]);
  }

  /** Updates elapsed times row by row while the view is visible, and the groups when the day changes. */
  private tick(): void {
    if (startOfToday() !== this.day) this.show();
    if (this.renders.session.modelsAt !== this.namedAt) void this.learnNames();
    if (!this.view.visible || this.entriesOf('active').length === 0) return;
    const active = [...(this.renderNodes.get('active')?.values() ?? [])];
    if (active.length > 0) this.readAgain(active);
  }
}

function searchWords(query: string, found: number, all: number): string {
  return vscode.l10n.t('“{0}”: {1} of {2}', oneLine(query, 40), found, all);
}

function needsDecision({ group, record }: LibraryEntry): boolean {
  return group === 'paidNotSaved' || group === 'unknown' || record?.staged === true;
}

function waitingWords(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 render needs your attention')
    : vscode.l10n.t('{0} renders need your attention', count);
}

function messageOf(
  { problem, isIncomplete }: Renders['library'],
  nothingFound: boolean,
  others: readonly string[],
): string | undefined {
  const sentences = [
    ...others,
    nothingFound && vscode.l10n.t('No matching renders. The search covers prompts, models, and file names.'),
    problem !== undefined &&
      vscode.l10n.t('Only renders from this editor are shown. The service’s own list isn’t available right now.'),
    problem === undefined && isIncomplete && vscode.l10n.t('The service lists only recent renders.'),
  ].filter((sentence) => sentence !== false);
  return sentences.length === 0 ? undefined : sentences.join(' ');
}
