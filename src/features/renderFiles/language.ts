import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, Disposables } from '../../base/disposable';
import type { Json } from '../../base/json';
import { formatNames, formatSize } from '../../base/numbers';
import type { GivenImage } from '../../base/givenImage';
import { appendLine, oneLine, plain } from '../../base/plain';
import { type Choice, type Field, mayMake, type Model } from '../../catalog/fields';
import type { Session } from '../../catalog/session';
import type { Hints } from '../../compose/hints';
import { isGenerated } from '../../documents/ignored';
import { endingOf } from '../../documents/paths';
import type { Span } from '../../documents/scan';
import { commands } from '../../editor/ids';
import { money } from '../../editor/words';
import type { Foundation } from '../../foundation';
import { sourceNames } from '../../renderFiles/sources';
import { completedPlace, type CompletedPlace } from '../../renderFiles/completedPlace';
import { type Fix, fixesOf, type KnownModels } from '../../renderFiles/fixes';
import { readRenderFile } from '../../renderFiles/readRenderFile';
import {
  type EntryProblem,
  isRenderFile,
  longestRenderFile,
  type RenderFile,
  renderFileGlob,
} from '../../renderFiles/renderFile';
import { givenPlaces, pathOf } from '../../renderFiles/givenFiles';
import { isForeign, isToDo } from '../../renderFiles/states';
import { type StyleName, styleNames } from '../../renderFiles/styles';
import { extensionsFor } from '../form/imagePort';
import { pathIn } from '../links/sites';
import { fixCommand, offerFixes } from '../links/workspaceEdit';
import { inputText } from '../rendering/model/actions';
import { appendImage, entryMarkdown } from './entryWords';
import { entryRows } from './model/pendingImages';
import { diagnosticOf, rangeOf, type ReadFile, type RenderFiles } from './renderFiles';

/** Beyond this, the options of an input are only counted. */
const mostChoices = 5;

/** Features for writing render files: completions, hovers, definitions, renaming, and quick fixes. */
export function helpToWrite(files: RenderFiles, foundation: Foundation): Disposable {
  const own = new Disposables();
  const { languages } = vscode;
  const selector = { pattern: renderFileGlob };
  own.add(languages.registerCompletionItemProvider(selector, completions(files.hints, foundation), '"', ':', '/', '['));
  own.add(languages.registerHoverProvider(selector, hovers(files, foundation.session)));
  own.add(languages.registerDefinitionProvider(selector, definitions(files)));
  own.add(languages.registerRenameProvider(selector, styleRenames));
  const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
  own.add(offerFixes('entry', foundation.log));
  own.add(languages.registerCodeActionsProvider(selector, quickFixes(files, foundation), kinds));
  return own;
}

/**
 * Shows on the file name of an entry its image, its state, what rendering would change, and the price; on the path of a
 * given image, or the name of its entry, that image.
 */
function hovers(files: RenderFiles, session: Session): vscode.HoverProvider {
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
      return new vscode.Hover(
        await entryMarkdown(read.folder, row.states, session, price),
        rangeOf(document, entry.file),
      );
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
  const project = files.imagesOf(folder);
  const images: { uri: vscode.Uri; image: GivenImage }[] = [];
  for (const path of place?.paths.slice(0, mostImages) ?? []) {
    const given = await project.given(path);
    if ('image' in given) images.push({ uri: vscode.Uri.joinPath(folder, path), image: given.image });
  }
  return place && images.length > 0 ? { place, images } : undefined;
}

/** What given images look like. Contains no links, no commands, and nothing that is read as markup. */
async function givenMarkdown(images: GivenAt['images']): Promise<vscode.MarkdownString> {
  const markdown = new vscode.MarkdownString();
  await appendImage(
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
    const title = vscode.l10n.t('Mark as up to date');
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.command = { command: commands.adoptImages, title, arguments: [document.uri, index] };
    action.diagnostics = diagnostics.filter(({ code }) => code === 'foreign');
    return action;
  });
}

/** How many of the matching models are offered: there may be thousands, and typing finds the others. */
const mostModels = 200;
/** From how many models shared inputs are offered. */
const mostAsked = 5;

/** Completes model IDs, styles, the names and values of inputs, and the paths and entries of given images. */
function completions(hints: Hints, foundation: Foundation): vscode.CompletionItemProvider {
  return {
    provideCompletionItems: async (document, position) => {
      const text = document.getText();
      const place = completedPlace(text, document.offsetAt(position));
      if (!place) return undefined;
      // The states of its images don't matter here.
      const folder = vscode.workspace.getWorkspaceFolder(document.uri);
      const file = await readRenderFile(text, folder ? pathIn(folder, document.uri) : '', systemClock);
      const typed = text.slice(place.start, document.offsetAt(position)).replaceAll('"', '');
      const items = await itemsAt(place, file, typed, document.uri, hints, foundation);
      for (const item of items) item.range = rangeOf(document, place);
      return new vscode.CompletionList(items, place.kind === 'model');
    },
  };
}

/** `typed` is the part before the cursor, without quotes. */
async function itemsAt(
  place: CompletedPlace,
  file: RenderFile,
  typed: string,
  uri: vscode.Uri,
  hints: Hints,
  foundation: Foundation,
): Promise<vscode.CompletionItem[]> {
  if (place.kind === 'style') return [...file.styles.keys()].map((name) => valueItem(name));
  await foundation.connection.start();
  if (place.kind === 'model') return modelItems(typed.toLowerCase(), foundation);
  const fields = (await modelsAt(place, file, hints)).flatMap((model) => model.fields);
  if (place.kind !== 'inputValue') return once(fields).map((field) => nameItem(field, place.hasValue === true));
  const values = once(fields.filter(({ name }) => name === place.field));
  const image = values.find(({ kind }) => kind === 'image');
  if (!image) return values.flatMap(valueItems);
  const names = sourceNames(file, place.entry).slice(0, mostOffered);
  return [...names.map((name) => valueItem(`[${name}]`)), ...(await pathItems(uri, typed, image))];
}

async function modelItems(typed: string, { list }: Foundation): Promise<vscode.CompletionItem[]> {
  const models = await list.read().then(
    ({ listing }) => listing.items,
    () => [],
  );
  return models
    .filter((model) => mayMake(model, 'image') && `${model.id} ${model.title}`.toLowerCase().includes(typed))
    .slice(0, mostModels)
    .map(({ id, title }) => Object.assign(valueItem(id), { detail: plain(title) }));
}

/** The models whose inputs are possible there, except those that aren't known. */
async function modelsAt(
  { entry }: CompletedPlace & { readonly entry?: number },
  file: RenderFile,
  hints: Hints,
): Promise<readonly Model[]> {
  const own = entry === undefined ? undefined : file.entries[entry]?.model;
  const all = own ? [own] : [file.model, ...file.entries.map(({ model }) => model)];
  const ids = [...new Set(all.flatMap((model) => model?.text ?? []))].slice(0, mostAsked);
  const models = await Promise.allSettled(ids.map((id) => hints.model(id)));
  return models.flatMap((model) => (model.status === 'fulfilled' ? [model.value] : []));
}

function once(fields: readonly Field[]): readonly Field[] {
  return [...new Map(fields.map((field) => [field.name, field])).values()];
}

/** The name of an input, with a colon where it has none. */
function nameItem(field: Field, hasValue: boolean): vscode.CompletionItem {
  const item = new vscode.CompletionItem(field.name, vscode.CompletionItemKind.Property);
  const key = JSON.stringify(field.name);
  item.filterText = key;
  item.insertText = hasValue ? key : withValue(key, field);
  if (!hasValue) item.command = { command: 'editor.action.triggerSuggest', title: '' };
  item.detail = plain(factsOf(field).join(' · '));
  // Required inputs come first.
  item.sortText = `${field.required ? 0 : 1}${field.name}`;
  return item;
}

function withValue(key: string, { kind, image }: Field): vscode.SnippetString {
  const name = key.replace(/[\\$}]/g, '\\$&');
  const isText = kind === 'text' || kind === 'longText' || kind === 'color' || kind === 'image';
  const value = isText ? '"$1"' : '$1';
  return new vscode.SnippetString(`${name}: ${image?.isList || kind === 'choices' ? `[${value}]` : value}`);
}

function valueItems(field: Field): vscode.CompletionItem[] {
  const { kind, choices, minimum, maximum } = field;
  const bounds = kind === 'seed' ? [] : [minimum, maximum].filter((bound) => bound !== undefined);
  const values = choices?.map(({ value }) => value) ?? (kind === 'boolean' ? [true, false] : bounds);
  return values.map((value, index) => {
    const item = valueItem(value);
    item.detail = plain(factsOf(field).join(' · '));
    item.sortText = String(index).padStart(4, '0');
    return item;
  });
}

function valueItem(value: string | number | boolean): vscode.CompletionItem {
  const item = new vscode.CompletionItem(String(value), vscode.CompletionItemKind.Value);
  item.filterText = item.insertText = JSON.stringify(value);
  return item;
}

/** Of a folder with more images and folders, the first ones are offered. */
const mostOffered = 500;

/**
 * The images that a field takes, and the folders, in the folder that a half-typed path has reached. None outside the
 * workspace folder, and none that can't be read.
 */
async function pathItems(uri: vscode.Uri, typed: string, { image }: Field): Promise<vscode.CompletionItem[]> {
  const root = vscode.workspace.getWorkspaceFolder(uri);
  const reached = typed.slice(0, typed.lastIndexOf('/') + 1);
  const folder = root && pathOf(pathIn(root, uri), reached);
  if (root === undefined || folder === undefined || typed.includes('\\')) return [];
  const endings = new Set(extensionsFor(image?.types ?? []));
  const found = await entriesIn(vscode.Uri.joinPath(root.uri, folder));
  const folders = found.filter(([name, isFolder]) => isFolder && !name.startsWith('.') && !isGenerated(name));
  const images = found.filter(([name, isFolder]) => !isFolder && endings.has(endingOf(name)));
  const up = folder !== '' && /^(\.\.\/)*$/.test(reached) ? ['..'] : [];
  return [
    ...images.slice(0, mostOffered).map(([name]) => imageItem(reached, name)),
    ...[...folders.slice(0, mostOffered).map(([name]) => name), ...up].map((name) => folderItem(reached, name)),
  ];
}

async function entriesIn(folder: vscode.Uri): Promise<(readonly [name: string, isFolder: boolean])[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries.map(([name, type]) => [name, (type & vscode.FileType.Directory) !== 0]);
  } catch {
    // There's no such folder, or it can't be read.
    return [];
  }
}

function imageItem(reached: string, name: string): vscode.CompletionItem {
  const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.File);
  item.filterText = item.insertText = JSON.stringify(reached + name);
  item.sortText = `0${name}`;
  return item;
}

/** Completing continues in the folder. */
function folderItem(reached: string, name: string): vscode.CompletionItem {
  const item = new vscode.CompletionItem(`${name}/`, vscode.CompletionItemKind.Folder);
  const text = JSON.stringify(`${reached}${name}/`);
  item.filterText = text;
  item.insertText = new vscode.SnippetString(`${text.slice(0, -1).replace(/[\\$}]/g, '\\$&')}$0"`);
  item.command = { command: 'editor.action.triggerSuggest', title: '' };
  item.sortText = `${name === '..' ? 2 : 1}${name}`;
  return item;
}

/** The accepted values of a field, and its default. */
function factsOf(field: Field): string[] {
  const { required, maxLength, step } = field;
  return [
    required ? vscode.l10n.t('required') : undefined,
    typeWords(field),
    boundsWords(field),
    step === undefined || step === 1 ? undefined : vscode.l10n.t('step {0}', step),
    maxLength === undefined ? undefined : vscode.l10n.t('up to {0} characters', maxLength),
    defaultWords(field),
  ].filter((fact) => fact !== undefined);
}

function typeWords(field: Field): string {
  switch (field.kind) {
    case 'choice':
      return choiceWords(field.choices ?? []);
    case 'choices':
      return vscode.l10n.t('any of: {0}', choiceWords(field.choices ?? []));
    case 'color':
      return vscode.l10n.t('color');
    case 'boolean':
      return vscode.l10n.t('yes or no');
    case 'integer':
    case 'seed':
      return vscode.l10n.t('whole number');
    case 'number':
      return vscode.l10n.t('number');
    case 'text':
    case 'longText':
      return vscode.l10n.t('text');
    case 'image':
      return imageWords(field);
    case 'json':
      return oneLine(field.statedType, 40);
  }
}

function imageWords({ image }: Field): string {
  if (!image) return vscode.l10n.t('image');
  const { language } = vscode.env;
  const size = formatSize(image.maxBytes, language);
  const formats = formatNames(image.types, language);
  return image.isList
    ? vscode.l10n.t('images: {0}, up to {1} each', formats, size)
    : vscode.l10n.t('image: {0}, up to {1}', formats, size);
}

function choiceWords(choices: readonly Choice[]): string {
  const named = choices
    .slice(0, mostChoices)
    .map(({ label }) => oneLine(label, 30))
    .join(', ');
  const more = choices.length - mostChoices;
  return more > 0 ? vscode.l10n.t('{0}, and {1} more', named, more) : named;
}

function boundsWords({ kind, minimum, maximum }: Field): string | undefined {
  // A seed's limits are those of machine numbers, and say nothing.
  if (kind === 'seed') return undefined;
  if (minimum !== undefined && maximum !== undefined) return vscode.l10n.t('{0} to {1}', minimum, maximum);
  if (minimum !== undefined) return vscode.l10n.t('at least {0}', minimum);
  return maximum === undefined ? undefined : vscode.l10n.t('at most {0}', maximum);
}

function defaultWords({ kind, default: value }: Field): string | undefined {
  // A seed without a value is drawn at random.
  return kind === 'seed' || value === undefined ? undefined : vscode.l10n.t('default {0}', valueWords(value));
}

function valueWords(value: Json): string {
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value), 60);
}
