import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { plain } from '../../base/plain';
import { mayMake } from '../../catalog/kinds';
import type { Field, Model } from '../../catalog/types';
import type { Hints } from '../../compose/hints';
import { isGenerated } from '../../documents/ignored';
import { endingOf } from '../../documents/paths';
import type { Foundation } from '../../foundation';
import { completedPlace, type CompletedPlace } from '../../renderFiles/completedPlace';
import { pathOf } from '../../renderFiles/givenFiles';
import { readRenderFile } from '../../renderFiles/readRenderFile';
import type { RenderFile } from '../../renderFiles/renderFile';
import { extensionsFor } from '../form/imagePort';
import { factsOf } from '../models/modelTooltip';
import { rangeOf } from './diagnostics';

/** How many of the matching models are offered: there may be thousands, and typing finds the others. */
const mostModels = 200;
/** From how many models shared inputs are offered. */
const mostAsked = 5;

/** Completes model IDs, styles, the names and values of inputs, and the paths of given images. */
export function completions(hints: Hints, foundation: Foundation): vscode.CompletionItemProvider {
  return {
    provideCompletionItems: async (document, position) => {
      const text = document.getText();
      const place = completedPlace(text, document.offsetAt(position));
      if (!place) return undefined;
      // Neither the targets of its images nor their states matter here.
      const file = await readRenderFile(text, '', systemClock);
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
  return image ? pathItems(uri, typed, image) : values.flatMap(valueItems);
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

function withValue(key: string, { kind }: Field): vscode.SnippetString {
  const name = key.replace(/[\\$}]/g, '\\$&');
  const isText = kind === 'text' || kind === 'longText' || kind === 'image';
  return new vscode.SnippetString(isText ? `${name}: "$1"` : `${name}: $1`);
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
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const reached = typed.slice(0, typed.lastIndexOf('/') + 1);
  const folder = root && pathOf(uri.path.slice(root.path.length).replace(/^\//, ''), reached);
  if (root === undefined || folder === undefined || typed.includes('\\')) return [];
  const endings = new Set(extensionsFor(image?.types ?? []));
  const found = await entriesIn(vscode.Uri.joinPath(root, folder));
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
