import * as vscode from 'vscode';
import { momentWords } from '../../base/moment';
import { fieldLabel } from '../../catalog/fieldLabel';
import type { LibraryEntry } from '../../renders/library';
import { appendLine, oneLine } from '../../base/plain';
import { isPreviewable } from '../../editor/isPreviewable';
import { priceOf, progressWords, standing, story, titleOf } from '../rendering/renderWords';
import { elapsed } from '../../editor/durationWords';
import { tookMs } from '../rendering/model/generationKind';
import { localPicture, pictureMarkdown } from '../../editor/hoverPicture';
import { inputText } from '../rendering/model/inputText';
import { isGivenImage } from '../../base/givenImage';

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
    startedAt === undefined ? undefined : vscode.l10n.t('Started: {0}', momentWords(startedAt, Date.now(), language)),
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
