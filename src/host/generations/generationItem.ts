import * as vscode from 'vscode';
import { spokenCents } from '../../base/money';
import type { LibraryEntry } from '../../renders/library';
import { actionsOf } from '../../app/generations/actions';
import { abilities, commands } from '../../app/ids';
import { oneLine } from '../../base/plain';
import { elapsed, priceOf, severalWords, standing, titleOf } from '../renders/renderWords';
import type { GroupId } from '../../app/generations/generationGroups';
import { kindOf, type GenerationKind } from '../../app/generations/generationKind';

/** As much of the prompt as leaves room for the price beside it, in characters. */
const shownTitle = 28;

/** States that the name of their group says already. */
const said: ReadonlySet<GroupId> = new Set(['paidNotSaved', 'unknown', 'notSent']);

/** A render as a line in a group of the Generations view; `now` is ms since 1970. */
export function generationItem(entry: LibraryEntry, group: GroupId, now: number): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(titleOf(entry), shownTitle));
  const can = actionsOf(entry).map(({ id }) => id);
  const model = oneLine(lastSegment(entry.modelId ?? ''), 60);
  const since = entry.group === 'active' && entry.startedAt !== undefined ? elapsed(now - entry.startedAt) : undefined;
  const isPlain = entry.state === 'saved' && entry.file !== undefined && !entry.record?.staged;
  const words = isPlain || said.has(group) ? undefined : standing(entry);
  // For a moment it may stand in two groups, and no two items may have the same id.
  item.id = `${group}:${entry.id}`;
  const several = severalWords(entry);
  item.description = [since, words, several, priceOf(entry), model].filter(Boolean).join(' · ');
  item.iconPath = iconOf(entry);
  item.contextValue = abilities(can);
  item.accessibilityInformation = {
    label: [titleOf(entry), standing(entry), several, priceOf(entry, spokenCents), model, since]
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
  return state === 'refunded' || status === 'refunded' ? is('discard') : is('error', 'list.errorForeground');
}

/** As the Models view shows the kinds of models. */
const kindIcons: Readonly<Record<GenerationKind, string>> = { picture: 'file-media', text: 'note', other: 'file' };

function lastSegment(modelId: string): string {
  return modelId.slice(modelId.lastIndexOf('/') + 1);
}
