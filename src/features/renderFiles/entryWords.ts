import * as vscode from 'vscode';
import { hasGivenImage, isGivenImage, itemsOf } from '../../base/givenImage';
import type { Json } from '../../base/json';
import { appendLine, oneLine } from '../../base/plain';
import type { Session } from '../../catalog/session';
import { isShownImage, imageMarkdown } from '../../editor/hoverImage';
import { isPreviewable } from '../../editor/isPreviewable';
import { fitWords, sizeWords } from '../../editor/words';
import { type Change, isDue, isWaiting, type Pending, type StateOf } from '../../renderFiles/states';
import { changedName, changedNames, listed } from '../../renderFiles/words';
import { shortModelNames } from '../models/model/modelNames';
import { inputText } from '../rendering/model/actions';

/** The state of an entry’s image, or how many of its images are missing or stale; and what they wait for. */
export function stateWords(states: readonly StateOf[]): string {
  const [first] = states;
  if (!first || states.length > 1) return countWords(states);
  const waits = first.pending ? pendingWords(first.pending) : afterWords(first);
  return waits === undefined ? oneState(first) : `${oneState(first)} · ${waits}`;
}

/** How many images are missing or stale, and how many of those wait for what. */
export function countWords(states: readonly StateOf[]): string {
  const due = states.filter(isDue).length;
  if (due === 0) return vscode.l10n.t('Nothing missing or out of date');
  const pending = states.flatMap((one) => one.pending ?? []);
  const active = pending.filter(({ is }) => is === 'active').length;
  const toReview = pending.length - active;
  const waiting = states.filter(isWaiting).length;
  return [
    vscode.l10n.t('{0} of {1} missing or out of date', due, states.length),
    ...(active > 0 ? [vscode.l10n.t('In progress: {0}', active)] : []),
    ...(toReview > 0 ? [vscode.l10n.t('Needs review: {0}', toReview)] : []),
    ...(waiting > 0 ? [vscode.l10n.t('Waiting for others: {0}', waiting)] : []),
  ].join(' · ');
}

/** Which images are rendered first. */
function afterWords(one: StateOf): string | undefined {
  return isWaiting(one) ? vscode.l10n.t('Needs {0} first', listed(one.after)) : undefined;
}

function pendingWords({ is }: Pending): string {
  switch (is) {
    case 'active':
      return vscode.l10n.t('In progress');
    case 'toReview':
      return vscode.l10n.t('Ready to review');
    case 'notSent':
      return vscode.l10n.t('Not sent');
    case 'paidNotSaved':
      return vscode.l10n.t('Paid, not saved');
    case 'unknown':
      return vscode.l10n.t('Unconfirmed');
  }
}

function oneState({ state }: StateOf): string {
  switch (state.state) {
    case 'missing':
      return vscode.l10n.t('Missing');
    case 'stale':
      return state.changes.length === 0
        ? vscode.l10n.t('Out of date')
        : vscode.l10n.t('Out of date: {0}', changedNames(state, vscode.l10n));
    case 'current':
      return vscode.l10n.t('Up to date');
    case 'edited':
      return vscode.l10n.t('Edited since it was rendered');
    case 'foreign':
      return vscode.l10n.t('No record of how it was made');
    case 'unknown':
      return vscode.l10n.t('Prompt not recorded');
    case 'unreadable':
      return vscode.l10n.t('Can’t be read');
  }
}

/** Of an entry with more images, only the number that are missing or stale is shown. */
const mostImages = 8;
/** Of more changes, the first ones are shown. */
const mostChanges = 8;

/**
 * The images of an entry: what they look like, their states, and what rendering them would change. Contains no links,
 * no commands, and nothing that is read as markup.
 */
export async function entryMarkdown(
  folder: vscode.Uri,
  states: readonly StateOf[],
  session: Session,
  price?: string,
): Promise<vscode.MarkdownString> {
  const nameOf = await shortModelNames(session);
  const markdown = new vscode.MarkdownString();
  const made = states.flatMap(({ state }) => ('file' in state ? [vscode.Uri.joinPath(folder, state.file)] : []));
  await appendImage(markdown, made);
  const [first] = states;
  const model = first && nameOf(first.render.modelId);
  const words = [stateWords(states), model, fitWords(first?.render.fit), price];
  const facts = words.filter((fact) => fact !== undefined);
  if (states.length > 1) appendLine(markdown, oneLine(facts.join(' · ')));
  for (const state of states.slice(0, mostImages)) {
    appendLine(markdown.appendMarkdown('\n\n**'), fileOf(state)).appendMarkdown('**');
    appendLine(markdown.appendMarkdown('  \n'), oneLine(states.length > 1 ? stateWords([state]) : facts.join(' · ')));
    appendChanges(markdown, state);
  }
  return markdown;
}

function fileOf({ render, state }: StateOf): string {
  return oneLine('file' in state ? state.file : render.target);
}

/** Shows the first image that exists and can be shown. */
export async function appendImage(markdown: vscode.MarkdownString, files: readonly vscode.Uri[]): Promise<void> {
  const image = files.find((file) => isShownImage(file.toString()));
  if (image && (await isPreviewable(image)))
    markdown.appendMarkdown(imageMarkdown(image.toString())).appendMarkdown('\n\n');
}

function appendChanges(markdown: vscode.MarkdownString, { state }: StateOf): void {
  if (state.state !== 'stale') return;
  markdown.appendMarkdown('\n');
  for (const change of state.changes.slice(0, mostChanges))
    appendLine(markdown.appendMarkdown('\n- '), oneLine(changeWords(change), 300));
}

function changeWords(change: Change): string {
  const name = changedName(change, vscode.l10n);
  if (change.kind === 'hidden') return name;
  // The same path twice would show no difference.
  if (change.kind === 'input' && isNewContent(change))
    return vscode.l10n.t('{0}: another image at the same path', name);
  const [from, to] =
    change.kind === 'fit'
      ? [sizeWords(change.from), sizeWords(change.to)]
      : [valueWords(change.from), valueWords(change.to)];
  return `${name}: ${from} → ${to}`;
}

function isNewContent({ from, to }: Change & { readonly kind: 'input' }): boolean {
  const fileOf = (item: Json | undefined) => (isGivenImage(item) ? item.file : item);
  const filesOf = (input: Json | undefined) => JSON.stringify(itemsOf(input).map(fileOf));
  return hasGivenImage(from) && filesOf(from) === filesOf(to);
}

function valueWords(value: Json | undefined): string {
  if (value === undefined) return '–';
  return oneLine(
    typeof value === 'string' ? value : hasGivenImage(value) ? inputText(value) : JSON.stringify(value),
    120,
  );
}
