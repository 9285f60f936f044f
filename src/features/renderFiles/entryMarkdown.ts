import * as vscode from 'vscode';
import type { Json } from '../../base/json';
import { isGivenImage } from '../../base/givenImage';
import { appendLine, oneLine } from '../../base/plain';
import { isShownPicture, pictureMarkdown } from '../../editor/hoverPicture';
import { inputText } from '../rendering/model/inputText';
import type { Change, StateOf } from '../../renderFiles/states';
import { changedName } from '../../renderFiles/words';
import { isPreviewable } from '../../editor/isPreviewable';
import { fitWords, sizeWords } from '../../editor/fitWords';
import { stateWords } from './stateWords';

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
  price: string | undefined,
): Promise<vscode.MarkdownString> {
  const markdown = new vscode.MarkdownString();
  const made = states.flatMap(({ state }) => ('file' in state ? [vscode.Uri.joinPath(folder, state.file)] : []));
  await appendPicture(markdown, made);
  const [first] = states;
  const words = [stateWords(states), first?.render.modelId, fitWords(first?.render.fit), price];
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
export async function appendPicture(markdown: vscode.MarkdownString, files: readonly vscode.Uri[]): Promise<void> {
  const picture = files.find((file) => isShownPicture(file.toString()));
  if (picture && (await isPreviewable(picture)))
    markdown.appendMarkdown(pictureMarkdown(picture.toString())).appendMarkdown('\n\n');
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
  return isGivenImage(from) && isGivenImage(to) && from.file === to.file;
}

function valueWords(value: Json | undefined): string {
  if (value === undefined) return '–';
  return oneLine(
    typeof value === 'string' ? value : isGivenImage(value) ? inputText(value) : JSON.stringify(value),
    120,
  );
}
