import * as vscode from 'vscode';
import { momentWords } from '../base/moment';
import type { LibraryEntry } from '../renders/library';
import { tookMs } from './generationKind';
import { largestPreview, localPicture, pictureMarkdown } from './hoverPicture';
import { appendLine, oneLine } from './plain';
import { elapsed, priceOf, standing, story, titleOf } from './renderWords';

/** Everything worth knowing of a render, with its picture when that is saved here. Holds no link, no command and nothing that is read as markup. */
export async function generationTooltip(entry: LibraryEntry): Promise<vscode.MarkdownString> {
  const tooltip = new vscode.MarkdownString();
  const picture = localPicture(entry);
  if (picture !== undefined && (await isThere(picture)))
    tooltip.appendMarkdown(pictureMarkdown(vscode.Uri.parse(picture).toString())).appendMarkdown('\n\n');
  appendLine(tooltip.appendMarkdown('**'), titleOf(entry)).appendMarkdown('**');
  for (const line of linesOf(entry)) if (line) appendLine(tooltip.appendMarkdown('\n\n'), oneLine(line, 300));
  return tooltip;
}

function linesOf(entry: LibraryEntry): (string | undefined)[] {
  const { startedAt, file, modelId, inputs } = entry;
  const took = tookMs(entry);
  return [
    [standing(entry), priceOf(entry)].filter(Boolean).join(' · '),
    modelId,
    startedAt === undefined
      ? undefined
      : vscode.l10n.t('Started: {0}', momentWords(startedAt, Date.now(), vscode.env.language)),
    took === undefined ? undefined : vscode.l10n.t('Took: {0}', elapsed(took)),
    story(entry),
    file === undefined ? undefined : vscode.workspace.asRelativePath(vscode.Uri.parse(file)),
    ...Object.entries(inputs).map(
      ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
  ];
}

async function isThere(uri: string): Promise<boolean> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(vscode.Uri.parse(uri));
    return (type & vscode.FileType.File) !== 0 && size <= largestPreview;
  } catch {
    // Moved or deleted since: the hover tells of the render without it.
    return false;
  }
}
