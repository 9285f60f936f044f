import * as vscode from 'vscode';
import { shortTime } from '../../base/dates';
import { isGivenImage } from '../../base/givenImage';
import { spokenCents } from '../../base/money';
import { appendLine, oneLine } from '../../base/plain';
import { firstWords } from '../../base/text';
import { timeWords } from '../../base/time';
import { fieldLabel } from '../../catalog/fieldLabel';
import { localPicture, pictureMarkdown } from '../../editor/hoverPicture';
import { abilities, commands } from '../../editor/ids';
import { isPreviewable } from '../../editor/isPreviewable';
import { elapsed } from '../../editor/words';
import type { LibraryEntry } from '../../renders/library';
import { actionsOf, type GenerationKind, inputText, kindOf, tookMs } from '../rendering/model/actions';
import { priceOf, progressWords, severalWords, standing, story, titleOf } from '../rendering/renderWords';
import type { GroupId } from './model/generationGroups';

/** The length of a prompt that leaves room next to it for time, model, and price, in characters. */
const shownTitle = 32;

/** Larger images aren't worth loading for a row's icon, bytes. */
const largestIcon = 4_000_000;

/** States that their group's name already states. */
const said: ReadonlySet<GroupId> = new Set(['paidNotSaved', 'unknown', 'notSent']);

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
}

/** A render as a row in a group of the Generations view. */
export function generationItem(
  entry: LibraryEntry,
  group: GroupId,
  { nameOf, now, usualMs, thumbnail }: RowFacts,
): vscode.TreeItem {
  const item = new vscode.TreeItem(firstWords(titleOf(entry), shownTitle));
  const can = actionsOf(entry).map(({ id }) => id);
  const model = oneLine(nameOf(entry.modelId ?? ''), 60);
  const when = whenWords(entry, now, usualMs);
  const isPlain = entry.state === 'saved' && entry.file !== undefined && !entry.record?.staged;
  const words = isPlain || said.has(group) ? undefined : standing(entry);
  // For a moment it may be in two groups, and ids must be unique.
  item.id = `${group}:${entry.id}`;
  const several = severalWords(entry);
  const price = priceOf(entry);
  // In a narrow view the end is cut: what became of the money stands next to the state.
  const rest = words === undefined ? [several, model, price] : [several, price, model];
  item.description = [when, words, ...rest].filter(Boolean).join(' · ');
  item.iconPath = pictureOf(entry, group, thumbnail) ?? iconOf(entry);
  item.contextValue = abilities(can);
  item.accessibilityInformation = {
    label: [titleOf(entry), standing(entry), several, priceOf(entry, spokenCents), model, when]
      .filter(Boolean)
      .join(', '),
  };
  if (can.includes('reviewStaged')) {
    item.command = { command: commands.reviewStaged, title: vscode.l10n.t('Compare'), arguments: [entry.id] };
  } else if (can.includes('openResult')) {
    item.command = { command: commands.openResult, title: vscode.l10n.t('Open'), arguments: [entry.id] };
  }
  return item;
}

/** A group as a row of the Generations view. `laidOpen`: expanded because it holds search results. */
export function groupItem(group: GroupId, count: number, laidOpen: boolean): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const label = groupWords(group);
  const item = new vscode.TreeItem(label, group === 'earlier' && !laidOpen ? Collapsed : Expanded);
  // The editor remembers by id what a user expanded: a search has its own ids, and so doesn't change that.
  item.id = laidOpen ? `found:${group}` : `group:${group}`;
  item.description = String(count);
  item.contextValue = 'group';
  item.accessibilityInformation = {
    label: count === 1 ? vscode.l10n.t('{0}, 1 render', label) : vscode.l10n.t('{0}, {1} renders', label, count),
  };
  return item;
}

/** The row that loads the next older renders, this many. */
export function olderItem(count: number): vscode.TreeItem {
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
function pictureOf(entry: LibraryEntry, group: GroupId, thumbnail: vscode.Uri | undefined): vscode.Uri | undefined {
  const isSaved = entry.state === 'saved' && !entry.record?.staged && !said.has(group);
  if (isSaved && thumbnail) return thumbnail;
  const picture =
    isSaved && (entry.record?.spooled?.bytes ?? Infinity) <= largestIcon ? localPicture(entry) : undefined;
  return picture === undefined ? undefined : vscode.Uri.parse(picture);
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
      return is('warning', 'list.warningForeground');
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
const kindIcons: Readonly<Record<GenerationKind, string>> = { picture: 'file-media', text: 'note', other: 'file' };

/**
 * Everything worth knowing about a render, with its image if saved here. Contains no links, no commands, and nothing
 * that is read as markup.
 */
export async function generationTooltip(
  entry: LibraryEntry,
  usualMs: number | undefined,
): Promise<vscode.MarkdownString> {
  const tooltip = new vscode.MarkdownString();
  const picture = localPicture(entry);
  if (picture !== undefined && (await isPreviewable(vscode.Uri.parse(picture))))
    tooltip.appendMarkdown(pictureMarkdown(vscode.Uri.parse(picture).toString())).appendMarkdown('\n\n');
  appendLine(tooltip.appendMarkdown('**'), titleOf(entry)).appendMarkdown('**');
  for (const part of [factsOf(entry, usualMs), [story(entry)], inputsOf(entry)]) appendPart(tooltip, part);
  return tooltip;
}

/** A paragraph with one line per text. */
function appendPart(tooltip: vscode.MarkdownString, texts: readonly (string | undefined)[]): void {
  const lines = texts.filter((text) => text !== undefined);
  for (const [index, line] of lines.entries())
    appendLine(tooltip.appendMarkdown(index === 0 ? '\n\n' : '  \n'), oneLine(line, 300));
}

function factsOf(entry: LibraryEntry, usualMs: number | undefined): (string | undefined)[] {
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
    modelId,
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
