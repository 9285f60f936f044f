import * as vscode from 'vscode';
import { spokenCents } from '../base/money';
import type { LibraryEntry } from '../renders/library';
import { abilities, commands, type Ability } from './ids';
import { oneLine } from './plain';
import { elapsed, priceOf, standing, story, titleOf } from './renderWords';

/** What can be done to a render, as far as it goes. */
export function abilitiesOf(entry: LibraryEntry): Ability[] {
  const can: Ability[] = [];
  const { group, state, file, textOutput, generationId, status } = entry;
  if (file !== undefined || textOutput !== undefined) can.push('openResult');
  if (file !== undefined) can.push('revealResult', 'copyPath');
  can.push('copyPrompt');
  if (entry.modelId !== undefined) can.push('openInForm');
  if (entry.modelId !== undefined && group === 'finished') can.push('renderAgain');
  if (group === 'paidNotSaved') can.push('saveAs');
  const succeeded = status === 'succeeded' && state !== 'unknown';
  if (generationId !== undefined && succeeded && (group === 'finished' || group === 'paidNotSaved'))
    can.push('downloadAgain');
  if (generationId !== undefined && group !== 'active') can.push('deleteGeneration');
  if (state === 'planned') can.push('sendPlanned', 'discardPlanned');
  if (group === 'unknown') can.push('compareWithService');
  return can;
}

/** As much of the prompt as leaves room for the price beside it, in characters. */
const shownTitle = 32;

/** A render as a line of the Generations view; `now` is ms since 1970. */
export function generationItem(entry: LibraryEntry, now: number): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(titleOf(entry), shownTitle));
  const can = abilitiesOf(entry);
  const model = oneLine(lastSegment(entry.modelId ?? ''), 60);
  const since = entry.group === 'active' && entry.startedAt !== undefined ? elapsed(now - entry.startedAt) : undefined;
  const words = entry.state === 'saved' || entry.status === 'succeeded' ? undefined : standing(entry);
  item.id = entry.id;
  item.description = [since, words, priceOf(entry), model].filter(Boolean).join(' · ');
  item.iconPath = iconOf(entry);
  item.contextValue = abilities(can);
  item.accessibilityInformation = {
    label: [titleOf(entry), standing(entry), priceOf(entry, spokenCents), model, since].filter(Boolean).join(', '),
  };
  if (can.includes('openResult')) {
    item.command = { command: commands.openResult, title: vscode.l10n.t('Open'), arguments: [entry.id] };
  }
  return item;
}

/** Everything worth knowing of a render. Holds no link, no command and nothing that is read as markup. */
export function generationTooltip(entry: LibraryEntry): vscode.MarkdownString {
  const language = vscode.env.language;
  const time = (ms: number | undefined) => ms !== undefined && new Date(ms).toLocaleString(language);
  const lines = [
    [standing(entry), priceOf(entry)].filter(Boolean).join(' · '),
    entry.modelId,
    time(entry.startedAt),
    story(entry),
    entry.file !== undefined && vscode.workspace.asRelativePath(vscode.Uri.parse(entry.file)),
    ...Object.entries(entry.inputs).map(
      ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
  ];
  const tooltip = new vscode.MarkdownString().appendMarkdown('**').appendText(titleOf(entry)).appendMarkdown('**');
  for (const line of lines) if (line) tooltip.appendMarkdown('\n\n').appendText(oneLine(line, 300));
  return tooltip;
}

function iconOf({ group, state, status, modelId }: LibraryEntry): vscode.ThemeIcon {
  const is = (id: string, color?: string) =>
    new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
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
  if (state === 'saved' || status === 'succeeded')
    return is(modelId === undefined ? 'file' : 'check', 'testing.iconPassed');
  return state === 'refunded' || status === 'refunded' ? is('discard') : is('error', 'list.errorForeground');
}

function lastSegment(modelId: string): string {
  return modelId.slice(modelId.lastIndexOf('/') + 1);
}
