import * as vscode from 'vscode';
import { commands } from '../../editor/ids';
import { entryRows } from './model/entryRows';
import type { Entry } from '../../renderFiles/renderFile';
import type { Hints } from '../../compose/hints';
import { isToDo, type StateOf } from '../../renderFiles/states';
import { money } from '../../editor/words';
import { fitWords } from '../../editor/fitWords';
import { rangeOf } from './rangeOf';
import type { ReadFile, RenderFiles } from './renderFiles';
import { countWords, stateWords } from './stateWords';

/** A CodeLens above an entry, or above the list of them. */
export class EntryLens extends vscode.CodeLens {
  constructor(
    range: vscode.Range,
    readonly document: vscode.TextDocument,
    readonly folder: vscode.Uri,
    /** Undefined for the whole file. */
    readonly entry: Entry | undefined,
    readonly states: readonly StateOf[],
  ) {
    super(range);
  }
}

/** The lenses of a render file: one for all that is missing or stale, and one for each entry. */
export async function lensesOf(document: vscode.TextDocument, files: RenderFiles): Promise<EntryLens[]> {
  const read = await files.read(document);
  if (!read) return [];
  const { file, folder, states } = read;
  const entries = entryRows(file, states)
    .filter((row) => row.states.length > 0)
    .map(({ entry, states: own }) => new EntryLens(rangeOf(document, entry.span), document, folder, entry, own));
  return [...forAll(document, read), ...entries];
}

function forAll(document: vscode.TextDocument, { file, folder, states }: ReadFile): EntryLens[] {
  if (file.isBroken || file.rendersKey === undefined || states.length === 0) return [];
  return [new EntryLens(rangeOf(document, file.rendersKey), document, folder, undefined, states)];
}

/** Adds the lens’s title, with the price of what’s to be rendered if it’s known. Never rejects. */
export async function withWords(lens: EntryLens, hints: Pick<Hints, 'total'>): Promise<EntryLens> {
  const due = lens.states.filter(isToDo);
  if (due.length === 0) lens.command = nothingToDo(lens);
  else {
    const toRender = due.filter(({ fitsAgain }) => !fitsAgain);
    // The entries of a file may state different sizes.
    const fit = lens.entry && fitWords(due[0]?.render.fit);
    const isFree = toRender.length === 0;
    const doing = isFree
      ? vscode.l10n.t('Fit Again')
      : renderWords(await hints.total(toRender.map(({ render }) => render)));
    const title = [wordsOf(lens), fit, doing].filter((words) => words !== undefined).join(' · ');
    const command = isFree ? commands.fitEntries : commands.renderEntries;
    lens.command = { command, title, arguments: [lens.document.uri, lens.entry?.index] };
  }
  return lens;
}

function renderWords(cents: number | undefined): string {
  return cents === undefined ? vscode.l10n.t('Render…') : vscode.l10n.t('Render · {0}…', money(cents));
}

function wordsOf({ entry, states }: EntryLens): string {
  return entry ? stateWords(states) : countWords(states);
}

/** A click says what is next for images with a render, and opens an image if there’s only one. */
function nothingToDo(lens: EntryLens): vscode.Command {
  const [first] = lens.states;
  const title = wordsOf(lens);
  if (lens.states.some(({ pending }) => pending))
    return { command: commands.renderEntries, title, arguments: [lens.document.uri, lens.entry?.index] };
  if (lens.entry && lens.states.length === 1 && first && 'file' in first.state)
    return { command: 'vscode.open', title, arguments: [vscode.Uri.joinPath(lens.folder, first.state.file)] };
  return { command: '', title };
}
