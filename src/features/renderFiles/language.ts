import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, Disposables } from '../../base/disposable';
import { type GivenImage, isGivenImage } from '../../base/givenImage';
import { formatSize } from '../../base/numbers';
import { appendLine, oneLine, plain } from '../../base/plain';
import { mayMake } from '../../catalog/kinds';
import type { Span } from '../../documents/scan';
import { commands } from '../../editor/ids';
import { money } from '../../editor/words';
import type { Foundation } from '../../foundation';
import { type Fix, fixesOf, type KnownModels } from '../../renderFiles/fixes';
import { givenPlaces } from '../../renderFiles/givenFiles';
import { isRenderFile, longestRenderFile, type EntryProblem, renderFileGlob } from '../../renderFiles/renderFile';
import { isForeign, isToDo } from '../../renderFiles/states';
import { type StyleName, styleNames } from '../../renderFiles/styles';
import { fixCommand, offerFixes } from '../links/workspaceEdit';
import { inputText } from '../rendering/model/actions';
import { completions } from './completions';
import { diagnosticOf, rangeOf } from './diagnostics';
import { appendPicture, entryMarkdown } from './entryWords';
import { entryRows } from './model/pendingImages';
import type { ReadFile, RenderFiles } from './renderFiles';

/** Features for writing render files: completions, hovers, definitions, renaming, and quick fixes. */
export function helpToWrite(files: RenderFiles, foundation: Foundation): Disposable {
  const own = new Disposables();
  const { languages } = vscode;
  const selector = { pattern: renderFileGlob };
  own.add(languages.registerCompletionItemProvider(selector, completions(files.hints, foundation), '"', ':', '/'));
  own.add(languages.registerHoverProvider(selector, hovers(files)));
  own.add(languages.registerDefinitionProvider(selector, definitions(files)));
  own.add(languages.registerRenameProvider(selector, styleRenames));
  const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
  own.add(offerFixes('entry', foundation.log));
  own.add(languages.registerCodeActionsProvider(selector, quickFixes(files, foundation), kinds));
  return own;
}

/**
 * Shows on the file name of an entry its image, its state, what rendering would change, and the price; on the path of a
 * given image, that image.
 */
function hovers(files: RenderFiles): vscode.HoverProvider {
  return {
    provideHover: async (document, position) => {
      const read = await files.read(document);
      const offset = document.offsetAt(position);
      const given = read && (await givenAt(offset, read, files));
      if (given) return new vscode.Hover(await givenMarkdown(given.images), rangeOf(document, given.place));
      const entry = read?.file.entries.find(({ file }) => file && file.start <= offset && offset <= file.end);
      if (!read || !entry?.file) return undefined;
      const [row] = entryRows({ entries: [entry] }, read.states);
      if (!row || row.states.length === 0) return undefined;
      const due = row.states.filter((one) => isToDo(one) && !one.fitsAgain);
      const cents = due.length === 0 ? undefined : await files.hints.total(due.map(({ render }) => render));
      const price = cents === undefined ? undefined : money(cents);
      return new vscode.Hover(await entryMarkdown(read.folder, row.states, price), rangeOf(document, entry.file));
    },
  };
}

/** From a style’s name to where it’s defined, and from an entry’s file name and the paths of given images to those. */
function definitions(files: RenderFiles): vscode.DefinitionProvider {
  return {
    provideDefinition: async (document, position) => {
      const offset = document.offsetAt(position);
      const { named, all } = await stylesAt(document, offset);
      if (named) return all.filter((one) => one.isDefinition).map((one) => locationOf(document, one));
      const read = await files.read(document);
      const given = read && (await givenAt(offset, read, files));
      if (given) return given.images.map(({ uri }) => new vscode.Location(uri, new vscode.Position(0, 0)));
      const entry = read?.file.entries.find(({ file }) => file && isIn(file, offset));
      if (!read || !entry) return undefined;
      return read.states.flatMap(({ render, state }) =>
        render.entry === entry.index && 'file' in state
          ? [new vscode.Location(vscode.Uri.joinPath(read.folder, state.file), new vscode.Position(0, 0))]
          : [],
      );
    },
  };
}

/** Renames a style where it’s defined, used, and extended. */
const styleRenames: vscode.RenameProvider = {
  prepareRename: async (document, position) => {
    const { named } = await stylesAt(document, document.offsetAt(position));
    if (!named) throw new Error(vscode.l10n.t('Only the names of styles can be changed here.'));
    return { range: rangeOf(document, named), placeholder: named.text };
  },
  provideRenameEdits: async (document, position, name) => {
    const edit = new vscode.WorkspaceEdit();
    const { all } = await stylesAt(document, document.offsetAt(position));
    for (const one of all) edit.replace(document.uri, rangeOf(document, one), JSON.stringify(name).slice(1, -1));
    return edit;
  },
};

interface StylesAt {
  readonly named?: StyleName;
  /** All places with the same name. */
  readonly all: readonly StyleName[];
}

async function stylesAt(document: vscode.TextDocument, offset: number): Promise<StylesAt> {
  const text = document.getText();
  if (!isRenderFile(document.uri.path) || text.length > longestRenderFile) return { all: [] };
  const names = await styleNames(text, systemClock);
  const named = names.find((one) => isIn(one, offset));
  return { named, all: named ? names.filter((one) => one.text === named.text) : [] };
}

function isIn({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}

function locationOf(document: vscode.TextDocument, span: Span): vscode.Location {
  return new vscode.Location(document.uri, rangeOf(document, span));
}

/** The images that a text in a render file leads to: several if it has variables. */
export interface GivenAt {
  readonly place: Span;
  readonly images: readonly { readonly uri: vscode.Uri; readonly image: GivenImage }[];
}

/** Of a text with more images, the first ones are shown. */
const mostImages = 8;

/** The given images at an offset; undefined if there's no path of any. */
async function givenAt(offset: number, { file, folder }: ReadFile, files: RenderFiles): Promise<GivenAt | undefined> {
  const place = givenPlaces(file).find(({ start, end }) => start <= offset && offset <= end);
  const pictures = files.picturesOf(folder);
  const images: { uri: vscode.Uri; image: GivenImage }[] = [];
  for (const path of place?.paths.slice(0, mostImages) ?? []) {
    const image = await pictures.given(path);
    if (isGivenImage(image)) images.push({ uri: vscode.Uri.joinPath(folder, path), image });
  }
  return place && images.length > 0 ? { place, images } : undefined;
}

/** What given images look like. Contains no links, no commands, and nothing that is read as markup. */
async function givenMarkdown(images: GivenAt['images']): Promise<vscode.MarkdownString> {
  const markdown = new vscode.MarkdownString();
  await appendPicture(
    markdown,
    images.map(({ uri }) => uri),
  );
  for (const { image } of images)
    appendLine(
      markdown,
      oneLine(`${inputText(image)} · ${formatSize(image.bytes, vscode.env.language)}`),
    ).appendMarkdown('\n\n');
  return markdown;
}

/** The most problems that are handled for one place. */
const mostProblems = 10;

/** Offers replacements for unknown names, and for values that a model doesn’t accept. */
function quickFixes(files: RenderFiles, { list }: Foundation): vscode.CodeActionProvider {
  const models: KnownModels = {
    fields: (id) =>
      files.hints.model(id).then(
        ({ fields }) => fields,
        () => [],
      ),
    ids: () =>
      list.read().then(
        ({ listing }) => listing.items.filter((model) => mayMake(model, 'image')).map(({ id }) => id),
        () => [],
      ),
  };
  return {
    provideCodeActions: async (document, range, { diagnostics }) => {
      const { version } = document;
      const read = await files.read(document);
      if (!read || document.version !== version) return [];
      const here = read.problems.filter((one) => rangeOf(document, one).intersection(range)).slice(0, mostProblems);
      const text = document.getText();
      const found = await Promise.all(
        here.map(async (problem) => [problem, await fixesOf(problem, text, read.file, models)] as const),
      );
      // The editor asks again for the new version.
      if (document.version !== version) return [];
      const changes = found.flatMap(([problem, fixes]) => changesFor(document, problem, fixes, diagnostics));
      return [...changes, ...adoptions(document, read, range, diagnostics)];
    },
  };
}

function changesFor(
  document: vscode.TextDocument,
  problem: EntryProblem,
  fixes: readonly Fix[],
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const { range, code } = diagnosticOf(document, problem);
  const shown = diagnostics.filter((one) => one.code === code && one.range.isEqual(range));
  return fixes.map((fix, index) => {
    const title = vscode.l10n.t('Change to “{0}”', plain(fix.shown, 80));
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = shown;
    action.isPreferred = index === 0;
    action.command = fixCommand('entry', title, document, fix);
    return action;
  });
}

function adoptions(
  document: vscode.TextDocument,
  { file, states }: ReadFile,
  range: vscode.Range,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const foreign = new Set(states.filter(isForeign).map(({ render }) => render.entry));
  const entries = file.entries.filter(
    ({ index, file: name }) => foreign.has(index) && name && rangeOf(document, name).intersection(range),
  );
  return entries.slice(0, mostProblems).map(({ index }) => {
    const title = vscode.l10n.t('Adopt Image');
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.command = { command: commands.adoptImages, title, arguments: [document.uri, index] };
    action.diagnostics = diagnostics.filter(({ code }) => code === 'foreign');
    return action;
  });
}
