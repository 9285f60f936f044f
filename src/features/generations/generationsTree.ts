import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import { knownLocale, spokenCents, startOfDay, startOfToday, timeWords } from '../../base/format';
import { isGivenImage } from '../../base/givenImage';
import { appendLine, oneLine, firstWords } from '../../base/plain';
import { fieldLabel } from '../../catalog/fields';
import { localImage, imageMarkdown } from '../../editor/hoverImage';
import { abilities, commands, contextKeys } from '../../editor/ids';
import { isPreviewable } from '../../editor/isPreviewable';
import type { TreeContent } from '../../editor/lazyTree';
import { elapsed } from '../../editor/words';
import type { LibraryEntry } from '../../renders/library';
import { waitSentence } from '../account/accountView';
import { setContext } from '../account/contextKeys';
import type { Countdown } from '../account/model/keyNotice';
import { lastSegment, shortModelNames } from '../models/model/modelNames';
import { actionsOf, canDo, type GenerationKind, inputText, kindOf, tookMs } from '../rendering/model/actions';
import { isUnplaced } from '../rendering/model/kept';
import { priceOf, progressWords, severalWords, standing, story, titleOf } from '../rendering/renderWords';
import type { Renders } from '../rendering/renders';
import { thumbnailOf } from '../rendering/thumbnailsOf';
import {
  changesOf,
  type GenerationGroup,
  groupGenerations,
  type GroupId,
  searchGenerations,
} from './model/generationGroups';

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

/** What a click on a row gives to the command that opens its result. */
export interface ClickedRow {
  readonly id: string;
  /** As in the Explorer: the next key is for the row. */
  readonly preserveFocus: true;
}

/** Groups with more search results than this start collapsed. */
const mostLaidOpen = 200;

/** Of a group, the editor is first given only these: it needs 0.2 s for the thousand that it's given next. */
const firstRows = 100;

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
    private readonly renders: Renders,
    private readonly countdown: Countdown,
    private readonly view: vscode.TreeView<TreeNode>,
    private readonly readAgain: (nodes: TreeNode[] | undefined) => void,
  ) {
    const { library, elsewhere, ledgerState, tomorrow } = renders;
    this.own.add(ledgerState.onDidChange(() => this.bring()));
    this.own.add(library.onDidChange(() => this.show()));
    this.own.add(tomorrow.onDidChange(() => this.readAgain(undefined)));
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
      const thumbnail = thumbnailOf(entry, this.renders.results.thumbnails);
      return generationItem(entry, group, {
        ...{ nameOf: this.nameOf, now: Date.now(), usualMs: this.usualMs(entry), thumbnail },
        isPostponed: canDo('startTomorrow', entry) && this.renders.tomorrow.has(entry.id),
      });
    }
    const count = this.entriesOf(node.group).length;
    return groupItem(node.group, count, this.query !== '' && count <= mostLaidOpen);
  }

  async resolved(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    if (!('id' in node)) return item;
    item.tooltip = await generationTooltip(node.entry, this.nameOf, this.usualMs(node.entry));
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
    const entries = this.entriesOf(group);
    const isWhole = entries.length <= firstRows || this.renderNodes.has(group);
    const nodes = (isWhole ? entries : entries.slice(0, firstRows)).map((entry) => ({ group, id: entry.id, entry }));
    if (!isWhole) this.readAgain([this.groupNode(group)]);
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
    this.nameOf = await shortModelNames(this.renders.session);
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

function needsDecision(entry: LibraryEntry): boolean {
  const { group, record } = entry;
  if (isUnplaced(entry)) return false;
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
      vscode.l10n.t('Only renders from your history are shown. The service’s own list isn’t available right now.'),
    problem === undefined && isIncomplete && vscode.l10n.t('The service lists only recent renders.'),
  ].filter((sentence) => sentence !== false);
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** The length of a prompt that leaves room next to it for time, model, and price, in characters. */
const shownTitle = 32;

/** Larger images aren't worth loading for a row's icon, bytes. */
const largestIcon = 4_000_000;

/** States that their group's name already states. */
const grouped: ReadonlySet<GroupId> = new Set(['paidNotSaved', 'unknown', 'notSent']);

/** What a row shows that isn't in its entry. */
interface RowFacts {
  /** The name of a model. */
  readonly nameOf: (modelId: string) => string;
  /** ms since 1970. */
  readonly now: number;
  /** How long a render in progress usually takes, ms. */
  readonly usualMs?: number;
  /** A small copy of a saved image. */
  readonly thumbnail?: vscode.Uri;
  /** The user is reminded of it tomorrow. */
  readonly isPostponed: boolean;
}

/** A render as a row in a group of the Generations view. */
function generationItem(
  entry: LibraryEntry,
  group: GroupId,
  { nameOf, now, usualMs, thumbnail, isPostponed }: RowFacts,
): vscode.TreeItem {
  const item = new vscode.TreeItem(firstWords(titleOf(entry), shownTitle));
  const can = actionsOf(entry).flatMap(({ id }) => (id === 'startTomorrow' && isPostponed ? [] : id));
  const model = oneLine(nameOf(entry.modelId ?? ''), 60);
  const when = whenWords(entry, now, usualMs);
  const isPlain = entry.state === 'saved' && entry.file !== undefined && !entry.record?.staged;
  const words = isPlain || grouped.has(group) ? undefined : standing(entry);
  // For a moment it may be in two groups, and ids must be unique.
  item.id = `${group}:${entry.id}`;
  const several = severalWords(entry);
  const reminder = isPostponed ? vscode.l10n.t('reminder tomorrow') : undefined;
  const price = priceOf(entry);
  // In a narrow view the end is cut: the state and what became of the money come first, and how long it is taking.
  const [first, last] = group === 'active' ? [when] : [undefined, when];
  item.description = [first, words, reminder, price, several, model, last].filter(Boolean).join(' · ');
  item.iconPath = imageOf(entry, group, thumbnail) ?? iconOf(entry);
  item.contextValue = abilities(can);
  item.accessibilityInformation = {
    label: [titleOf(entry), standing(entry), reminder, several, priceOf(entry, spokenCents), model, when]
      .filter(Boolean)
      .join(', '),
  };
  if (can.includes('reviewStaged')) {
    item.command = { command: commands.reviewStaged, title: vscode.l10n.t('Compare'), arguments: [entry.id] };
  } else if (can.includes('openResult')) {
    const clicked: ClickedRow = { id: entry.id, preserveFocus: true };
    item.command = { command: commands.openResult, title: vscode.l10n.t('Open'), arguments: [clicked] };
  }
  return item;
}

/** A group as a row of the Generations view. `laidOpen`: expanded because it holds search results. */
function groupItem(group: GroupId, count: number, laidOpen: boolean): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const label = groupWords(group);
  const item = new vscode.TreeItem(label, group === 'earlier' && !laidOpen ? Collapsed : Expanded);
  // The editor remembers by id what a user expanded: a search has its own ids, and so doesn't change that.
  item.id = laidOpen ? `found:${group}` : `group:${group}`;
  item.description = String(count);
  item.contextValue = 'group';
  // Its hover would repeat the label.
  item.tooltip = '';
  item.accessibilityInformation = {
    label: count === 1 ? vscode.l10n.t('{0}, 1 render', label) : vscode.l10n.t('{0}, {1} renders', label, count),
  };
  return item;
}

/** The row that loads the next older renders, this many. */
function olderItem(count: number): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Show Older'));
  item.id = 'older';
  item.description = vscode.l10n.t('{0} more', count.toLocaleString(vscode.env.language));
  item.iconPath = new vscode.ThemeIcon('history');
  item.command = { command: commands.showOlder, title: vscode.l10n.t('Show Older') };
  return item;
}

function groupWords(group: GroupId): string {
  switch (group) {
    case 'active':
      return vscode.l10n.t('In progress');
    case 'paidNotSaved':
      return vscode.l10n.t('Paid, not saved');
    case 'unknown':
      return vscode.l10n.t('Unconfirmed');
    case 'notSent':
      return vscode.l10n.t('Not sent');
    case 'today':
      return vscode.l10n.t('Today');
    case 'yesterday':
      return vscode.l10n.t('Yesterday');
    case 'earlier':
      return vscode.l10n.t('Earlier');
  }
}

/** The time since a render in progress began, else when it was. */
function whenWords({ startedAt, group }: LibraryEntry, now: number, usualMs: number | undefined): string | undefined {
  if (startedAt === undefined) return undefined;
  return group === 'active' ? progressWords(now - startedAt, usualMs) : shortTime(startedAt, now, vscode.env.language);
}

/** The saved image: the editor scales it to the size of an icon. */
function imageOf(entry: LibraryEntry, group: GroupId, thumbnail: vscode.Uri | undefined): vscode.Uri | undefined {
  const isSaved = entry.state === 'saved' && !entry.record?.staged && !grouped.has(group);
  if (isSaved && thumbnail) return thumbnail;
  const image = isSaved && (entry.record?.spooled?.bytes ?? Infinity) <= largestIcon ? localImage(entry) : undefined;
  return image === undefined ? undefined : vscode.Uri.parse(image);
}

function iconOf(entry: LibraryEntry): vscode.ThemeIcon {
  const is = (id: string, color?: string) =>
    new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
  const { group, state, status } = entry;
  switch (group) {
    case 'active':
      return is(entry.awayAt === undefined ? 'loading~spin' : 'debug-disconnect');
    case 'notSent':
      return is('circle-outline');
    case 'paidNotSaved':
      // With no folder open, that is how every result waits.
      return isUnplaced(entry) ? is('circle-outline') : is('warning', 'list.warningForeground');
    case 'unknown':
      return is('question', 'list.warningForeground');
    case 'finished':
      break;
  }
  if (entry.record?.staged) return is('git-compare', 'list.warningForeground');
  if (state === 'unknown') return is('question');
  if (state === 'saved') return is(kindIcons[kindOf(entry) ?? 'other']);
  // Started elsewhere: only the service has its result.
  if (status === 'succeeded') return is('cloud');
  // The text mentions the refund; failed renders look the same with or without one.
  return is('error', 'list.errorForeground');
}

/** The same icons as for kinds of models in the Models view. */
const kindIcons: Readonly<Record<GenerationKind, string>> = { image: 'file-media', text: 'note', other: 'file' };

/**
 * Everything worth knowing about a render, with its image if saved here. Contains no links, no commands, and nothing
 * that is read as markup.
 */
async function generationTooltip(
  entry: LibraryEntry,
  nameOf: RowFacts['nameOf'],
  usualMs: number | undefined,
): Promise<vscode.MarkdownString> {
  const tooltip = new vscode.MarkdownString();
  const image = localImage(entry);
  if (image !== undefined && (await isPreviewable(vscode.Uri.parse(image))))
    tooltip.appendMarkdown(imageMarkdown(vscode.Uri.parse(image).toString())).appendMarkdown('\n\n');
  appendLine(tooltip.appendMarkdown('**'), titleOf(entry)).appendMarkdown('**');
  for (const part of [factsOf(entry, nameOf, usualMs), [story(entry)], inputsOf(entry)]) appendPart(tooltip, part);
  return tooltip;
}

/** A paragraph with one line per text. */
function appendPart(tooltip: vscode.MarkdownString, texts: readonly (string | undefined)[]): void {
  const lines = texts.filter((text) => text !== undefined);
  for (const [index, line] of lines.entries())
    appendLine(tooltip.appendMarkdown(index === 0 ? '\n\n' : '  \n'), oneLine(line, 300));
}

function factsOf(entry: LibraryEntry, nameOf: RowFacts['nameOf'], usualMs: number | undefined): (string | undefined)[] {
  const { startedAt, file, modelId } = entry;
  const took = tookMs(entry);
  const { language } = vscode.env;
  const times = [
    startedAt === undefined ? undefined : vscode.l10n.t('Started: {0}', timeWords(startedAt, Date.now(), language)),
    took === undefined ? undefined : vscode.l10n.t('Duration: {0}', elapsed(took)),
    usualMs === undefined || startedAt === undefined ? undefined : progressWords(Date.now() - startedAt, usualMs),
  ];
  return [
    [standing(entry), priceOf(entry)].filter(Boolean).join(' · '),
    modelId === undefined ? undefined : nameOf(modelId),
    times.filter(Boolean).join(' · ') || undefined,
    file === undefined ? undefined : vscode.workspace.asRelativePath(vscode.Uri.parse(file)),
  ];
}

/** The inputs except the prompt, which is the title. */
function inputsOf(entry: LibraryEntry): string[] {
  const title = titleOf(entry);
  return Object.entries(entry.inputs)
    .map(
      ([name, value]) =>
        [
          name,
          isGivenImage(value) ? inputText(value) : typeof value === 'string' ? value : JSON.stringify(value),
        ] as const,
    )
    .filter(([, value]) => oneLine(value) !== title)
    .map(([name, value]) => `${fieldLabel(name)}: ${value}`);
}

/** The time of day, or the date if it isn't the day of `now`. Both in ms since 1970. */
export function shortTime(at: number, now: number, locale: string): string {
  const isToday = startOfDay(now) === startOfDay(at);
  return new Intl.DateTimeFormat(
    knownLocale(locale),
    isToday ? { timeStyle: 'short' } : { dateStyle: 'medium' },
  ).format(at);
}
