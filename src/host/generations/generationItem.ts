import * as vscode from 'vscode';
import { spokenCents } from '../../base/money';
import { shortMoment } from '../../base/dates';
import type { LibraryEntry } from '../../renders/library';
import { actionsOf } from '../../app/generations/actions';
import { abilities, commands } from '../../app/ids';
import { firstWords } from '../../base/firstWords';
import { oneLine } from '../../base/plain';
import { priceOf, progressWords, severalWords, standing, titleOf } from '../renders/renderWords';
import type { GroupId } from '../../app/generations/generationGroups';
import { kindOf, type GenerationKind } from '../../app/generations/generationKind';
import { localPicture } from '../../app/generations/hoverPicture';

/** More of a prompt leaves no room beside it for time, model, and price, in characters. */
const shownTitle = 32;

/** A larger picture is too much to be drawn small beside its row, bytes. */
const largestIcon = 4_000_000;

/** States that the name of their group says already. */
const said: ReadonlySet<GroupId> = new Set(['paidNotSaved', 'unknown', 'notSent']);

/**
 * A render as a line in a group of the Generations view. `nameOf` names a model; `now` is ms since 1970, `usualMs` how
 * long such a render usually takes.
 */
export function generationItem(
  entry: LibraryEntry,
  group: GroupId,
  nameOf: (modelId: string) => string,
  now: number,
  usualMs: number | undefined,
): vscode.TreeItem {
  const item = new vscode.TreeItem(firstWords(titleOf(entry), shownTitle));
  const can = actionsOf(entry).map(({ id }) => id);
  const model = oneLine(nameOf(entry.modelId ?? ''), 60);
  const when = whenWords(entry, now, usualMs);
  const isPlain = entry.state === 'saved' && entry.file !== undefined && !entry.record?.staged;
  const words = isPlain || said.has(group) ? undefined : standing(entry);
  // For a moment it may stand in two groups, and no two items may have the same id.
  item.id = `${group}:${entry.id}`;
  const several = severalWords(entry);
  item.description = [when, words, several, model, priceOf(entry)].filter(Boolean).join(' · ');
  item.iconPath = pictureOf(entry, group) ?? iconOf(entry);
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

/** A group as a line of the Generations view. `laidOpen`: it holds what a search found, and is opened for that. */
export function groupItem(group: GroupId, count: number, laidOpen: boolean): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const label = groupWords(group);
  const item = new vscode.TreeItem(label, group === 'earlier' && !laidOpen ? Collapsed : Expanded);
  // What a person opened or closed is remembered by the id: a search has its own, and changes nothing of it.
  item.id = laidOpen ? `found:${group}` : `group:${group}`;
  item.description = String(count);
  item.contextValue = 'group';
  item.accessibilityInformation = {
    label: count === 1 ? vscode.l10n.t('{0}, 1 render', label) : vscode.l10n.t('{0}, {1} renders', label, count),
  };
  return item;
}

/** The line that has the next older renders shown, of so many. */
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
  return group === 'active'
    ? progressWords(now - startedAt, usualMs)
    : shortMoment(startedAt, now, vscode.env.language);
}

/** The saved picture itself: the editor draws it as small as its icons. */
function pictureOf(entry: LibraryEntry, group: GroupId): vscode.Uri | undefined {
  const isSaved = entry.state === 'saved' && !entry.record?.staged && !said.has(group);
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
      return is('loading~spin');
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
  // Started elsewhere: its result is at the service alone.
  if (status === 'succeeded') return is('cloud');
  // The words tell of the refund: what failed looks like it, with its money back or not.
  return is('error', 'list.errorForeground');
}

/** As the Models view shows the kinds of models. */
const kindIcons: Readonly<Record<GenerationKind, string>> = { picture: 'file-media', text: 'note', other: 'file' };
