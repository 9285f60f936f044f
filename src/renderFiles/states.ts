import type { Clock } from '../base/clock';
import { Yielder } from '../base/concurrency';
import { hasGivenImage, itemsOf } from '../base/givenImage';
import type { Json, JsonObject } from '../base/json';
import { redact } from '../base/log';
import { endingOf, folderOf, imageEndings } from '../documents/paths';
import type { Span } from '../documents/scan';
import type { FileFit, Fit } from '../files/fit/fit';
import { folded, pathThere } from '../files/names';
import type { Provenance, FileMetadata } from '../files/provenance';
import {
  canonicalJson,
  inputsSha256,
  isSameImage,
  published,
  recordedImages,
  recordedInputs,
  withoutTexts,
} from '../files/recordedImages';
import { type AskedRender, type EntryProblem, type EntryProblemCode, type RenderFile, spanOf } from './renderFile';
import { givenBy, givenProblemOf, type Images, isAwaited, isPath, withImages } from './givenFiles';
import { withOpenSeeds } from './modelCheck';
import { Findings } from './properties';
import { baseOf, fitAt } from './targets';

/**
 * The state of a render’s image: `missing`: no such file · `current`: made from these inputs · `stale`: made from
 * others · `edited`: made from these inputs, and changed since · `foreign`: without metadata · `unknown`: the metadata
 * has neither the prompt nor a hash of the inputs · `unreadable`: the file or its folder can’t be read.
 */
export type State =
  | {
      readonly state: 'missing';
      /** True if another image has its name in another format: a result in that format couldn't get its name. */
      readonly isNameTaken?: true;
    }
  /** No changes: it's only that an image that it's made from isn't current. */
  | { readonly state: 'stale'; readonly file: string; readonly changes: readonly Change[]; readonly isEdited: boolean }
  | { readonly state: 'current' | 'edited' | 'foreign' | 'unknown' | 'unreadable'; readonly file: string };

/** A difference between an image’s metadata and its entry. The prompt is an input like any other. */
export type Change =
  | { readonly kind: 'model'; readonly from: string; readonly to: string }
  /** Undefined where it isn't stated. */
  | { readonly kind: 'input'; readonly field: string; readonly from: Json | undefined; readonly to: Json | undefined }
  /** What the image is fitted to: a size and a format. Undefined where it's as it came. */
  | { readonly kind: 'fit'; readonly from: FileFit | undefined; readonly to: FileFit | undefined }
  /** In a text that the metadata leaves out. */
  | { readonly kind: 'hidden' };

/** A render with its state. */
export interface StateOf {
  readonly render: AskedRender;
  readonly state: State;
  /** True if it's stale, and can be fitted without a render, from what is kept on this computer. */
  readonly fitsAgain?: true;
  /** What a missing or stale image waits for. */
  readonly pending?: Pending;
  /** The names of the images among its inputs that are themselves missing or stale: those are rendered first. */
  readonly after?: readonly string[];
}

/** A render whose result an image waits for: it's in progress, or waits for the user in some way. */
export interface Pending {
  readonly id: string;
  readonly is: 'active' | 'toReview' | 'notSent' | 'paidNotSaved' | 'unknown';
}

/** True if the image is missing or stale. */
export function isDue({ state }: StateOf): boolean {
  return state.state === 'missing' || state.state === 'stale';
}

/** True if the image is missing or stale, and waits neither for a render's result nor for another image. */
export function isToDo(one: StateOf): boolean {
  return isDue(one) && one.pending === undefined && one.after === undefined;
}

/** True if the image is missing or stale, and others are rendered first. */
export function isWaiting(one: StateOf): one is StateOf & { readonly after: readonly string[] } {
  return isDue(one) && one.pending === undefined && one.after !== undefined;
}

/** True if the image isn't edited, and only its size or format isn't what is requested. */
export function isMisfit(state: State): boolean {
  if (state.state !== 'stale' || state.isEdited) return false;
  return state.changes.length > 0 && state.changes.every(({ kind }) => kind === 'fit');
}

/** True if a render with these inputs makes the requested image, whatever its size. */
export async function isAskedBy(
  render: AskedRender,
  { modelId, inputs }: Provenance,
  images: Images,
): Promise<boolean> {
  const recorded = redacted(recordedInputs(inputs, true).inputs);
  const stated = await withRecordedImages(render, recorded, images);
  const asked = redacted(recordedImages(withOpenSeeds(stated.inputs, recorded)));
  return render.modelId === modelId && inputChanges(asked, recorded).length === 0;
}

/** The render with its images. An input is an image where it was one in the metadata. */
function withRecordedImages(render: AskedRender, recorded: JsonObject, images: Images): Promise<AskedRender> {
  return withImages(render, (name) => hasGivenImage(valueIn(recorded, name)), images);
}

/** True if the image has no record of how it was made. */
export function isForeign({ state }: StateOf): boolean {
  return state.state === 'foreign';
}

/** The images in a workspace folder. Paths are relative to it. */
export interface ProjectImages extends Images {
  /** The names in a folder; none if it doesn't exist. Rejects when they can't be read. */
  names(folder: string): Promise<readonly string[]>;
  /** A file’s metadata; undefined if it has none. Rejects when the file can't be read. */
  metadata(file: string): Promise<FileMetadata | undefined>;
}

/** The state of each render of a file, taking turns with other work. */
export async function statesOf(
  renders: readonly AskedRender[],
  images: ProjectImages,
  clock: Clock,
): Promise<readonly StateOf[]> {
  const turns = new Yielder(clock);
  const stateIn = await stateFinder(renders, images, turns);
  const states: StateOf[] = [];
  for (const render of renders) {
    states.push({ render, state: await stateIn(render) });
    await turns.next();
  }
  return afterSources(states);
}

/** Finds the state of each of these renders by itself. Lists each folder once. */
export async function stateFinder(
  renders: readonly AskedRender[],
  images: ProjectImages,
  turns: Yielder,
): Promise<(render: AskedRender) => Promise<State>> {
  const folders = new Map<string, Listing | undefined>();
  const targets = renders.map(({ target }) => target);
  const asked = await byBase(targets, turns);
  return async (render) => {
    const { target } = render;
    const folder = folderOf(target);
    if (!folders.has(folder)) folders.set(folder, await listingOf(folder, images, turns));
    const listing = folders.get(folder);
    if (!listing) return { state: 'unreadable', file: target };
    const others = (asked.get(folded(baseOf(target))) ?? []).filter((other) => !isSamePath(other, target));
    return bestOf(render, filesFor(target, listing), others, images);
  };
}

/** The states of a file's renders, where an image is stale, too, while one that it's made from is missing or stale. */
function afterSources(states: readonly StateOf[]): readonly StateOf[] {
  const sourcesIn = ({ render }: StateOf) => [...(render.sources?.values() ?? [])];
  const users = new Map<string, StateOf[]>();
  for (const one of states)
    for (const { target } of sourcesIn(one)) {
      const known = users.get(target);
      if (known) known.push(one);
      else users.set(target, [one]);
    }
  const due = new Set(states.filter(isDue).map(({ render }) => render.target));
  // Iterating over a set includes values added on the way.
  for (const target of due)
    for (const { render, state } of users.get(target) ?? [])
      if (isDue({ render, state: behind(state) })) due.add(render.target);
  return states.map((one) => {
    const after = sourcesIn(one).flatMap(({ target, name }) => (due.has(target) ? [name] : []));
    return after.length > 0 ? { ...one, state: behind(one.state), after } : one;
  });
}

function behind(state: State): State {
  if (state.state !== 'current' && state.state !== 'edited') return state;
  return { state: 'stale', file: state.file, changes: [], isEdited: state.state === 'edited' };
}

/** What is missing or stale of the images that these are made from, directly or not; `all` are those of the file. */
export function sourcesDue(waiting: readonly StateOf[], all: readonly StateOf[]): readonly StateOf[] {
  const byTarget = new Map(all.map((one) => [one.render.target, one]));
  const found = new Set(waiting);
  // Iterating over a set includes values added on the way.
  for (const { render } of found)
    for (const { target } of render.sources?.values() ?? []) {
      const source = byTarget.get(target);
      if (source && isDue(source)) found.add(source);
    }
  return [...found].filter((one) => !waiting.includes(one));
}

/** Image names by the part before the extension, folded. */
type NamesByBase = ReadonlyMap<string, readonly string[]>;

/** A folder in the Unicode form that it has on disk, with its images. */
interface Listing {
  readonly folder: string;
  readonly names: NamesByBase;
}

/** Undefined if it can't be read. */
async function listingOf(stated: string, images: ProjectImages, turns: Yielder): Promise<Listing | undefined> {
  try {
    const folder = await pathThere(stated, (below) => images.names(below));
    return { folder, names: await byBase(await images.names(folder), turns) };
  } catch {
    return undefined;
  }
}

async function byBase(names: readonly string[], turns: Yielder): Promise<NamesByBase> {
  const groups = new Map<string, string[]>();
  for (const name of names.toSorted()) {
    await turns.next();
    const base = folded(baseOf(name));
    if (!imageEndings.has(endingOf(name))) continue;
    const group = groups.get(base);
    if (group) group.push(name);
    else groups.set(base, [name]);
  }
  return groups;
}

/** The images with a target's name, whatever their file extensions. */
function filesFor(target: string, { folder, names }: Listing): string[] {
  const there = names.get(folded(baseOf(target.slice(target.lastIndexOf('/') + 1)))) ?? [];
  return there.map((one) => (folder === '' ? one : `${folder}/${one}`));
}

function isSamePath(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

const order: readonly State['state'][] = ['current', 'edited', 'stale', 'unknown', 'foreign', 'unreadable', 'missing'];

/**
 * The state of the file with the exact name, else the best one of those that differ only in the extension, as results
 * may. `others` are the targets of renders with the same name and another extension: those files are theirs.
 */
async function bestOf(
  render: AskedRender,
  files: readonly string[],
  others: readonly string[],
  images: ProjectImages,
): Promise<State> {
  const exact = files.filter((file) => isSamePath(file, render.target));
  const free = files.filter((file) => !others.some((other) => isSamePath(file, other)));
  const states: State[] = [];
  for (const file of exact.length > 0 ? exact : free) states.push(await lookedAt(render, file, images));
  // A result without a record is in the format that its entry names. So one in another format is a different image.
  const isOther = ({ state }: State) => state === 'foreign' && exact.length === 0 && hasEnding(render.target);
  const isNameTaken = files.length > 0 || others.length > 0;
  const missing: State = { state: 'missing', ...(isNameTaken && { isNameTaken }) };
  return states
    .filter((one) => !isOther(one))
    .reduce((best, one) => (distanceOf(one) < distanceOf(best) ? one : best), missing);
}

/** How far an image is from what is requested: of stale ones, those of another size or format are the closest. */
function distanceOf(state: State): number {
  return order.indexOf(state.state) - (isMisfit(state) ? 0.5 : 0);
}

function hasEnding(path: string): boolean {
  return baseOf(path) !== path;
}

async function lookedAt(render: AskedRender, file: string, images: ProjectImages): Promise<State> {
  try {
    return await stateOf(render, file, await images.metadata(file), images);
  } catch {
    // It exists, so it isn't missing.
    return { state: 'unreadable', file };
  }
}

/** The state of a render whose file exists. */
export async function stateOf(
  render: AskedRender,
  file: string,
  metadata: FileMetadata | undefined,
  images: Images,
): Promise<State> {
  if (!metadata) return { state: 'foreign', file };
  const { provenance } = metadata.record;
  const changes = changesOf(await withRecordedImages(render, provenance.inputs, images), file, provenance);
  const isEdited = metadata.change === 'changed';
  if (changes === undefined) return { state: 'unknown', file };
  if (changes.length > 0) return { state: 'stale', file, changes, isEdited };
  return { state: isEdited ? 'edited' : 'current', file };
}

/** How the entry differs from the metadata; undefined if that can't be known. */
function changesOf(render: AskedRender, file: string, recorded: Provenance): readonly Change[] | undefined {
  const { modelId, inputs } = render;
  const model: Change[] = [
    ...(recorded.modelId === modelId ? [] : [{ kind: 'model', from: recorded.modelId, to: modelId } as const]),
    ...fitChanges(render, file, recorded.fit),
  ];
  const asked = recordedImages(withOpenSeeds(inputs, recorded.inputs));
  if (!recorded.promptLeftOut) return [...model, ...inputChanges(redacted(asked), recorded.inputs)];
  if (recorded.inputsSha256 === inputsSha256(asked)) return model;
  // A path where an image was stays, so that it can be seen that there's none.
  const given = Object.entries(asked).filter(([name]) => hasGivenImage(valueIn(recorded.inputs, name)));
  const visible = inputChanges({ ...withoutTexts(asked), ...Object.fromEntries(given) }, recorded.inputs);
  if (visible.length > 0 || model.length > 0) return [...model, ...visible];
  return recorded.inputsSha256 === undefined ? undefined : [{ kind: 'hidden' }];
}

/**
 * An image in another format than its entry names isn't fitted to it, whatever its size. Without a size, nothing is
 * cropped or added, so the mode changes nothing.
 */
function fitChanges({ target, fit }: AskedRender, file: string, recorded: Fit | undefined): Change[] {
  const to = fit && fitAt(target, fit);
  const from = recorded && fitAt(file, recorded);
  const isFormat = to?.format === undefined || to.format === from?.format;
  const isMode = to?.mode === from?.mode || (to?.width ?? to?.height) === undefined;
  const isSize = to?.width === from?.width && to?.height === from?.height && isMode;
  return isSize && isFormat ? [] : [{ kind: 'fit', from, to }];
}

function inputChanges(asked: JsonObject, recorded: JsonObject): Change[] {
  const names = [...new Set([...Object.keys(asked), ...Object.keys(recorded)])];
  return names.flatMap((field): Change[] => {
    const [from, to] = [valueIn(recorded, field), valueIn(asked, field)];
    return isSameValue(from, to) ? [] : [{ kind: 'input', field, from, to }];
  });
}

function valueIn(inputs: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(inputs, name) ? inputs[name] : undefined;
}

function isSameValue(one: Json | undefined, other: Json | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const [items, others] = [itemsOf(one), itemsOf(other)];
  if (Array.isArray(one) !== Array.isArray(other) || items.length !== others.length) return false;
  return items.every((item, index) => {
    const other = others[index] ?? null;
    // Metadata has only what may be published.
    return isSameImage(item, other) || canonicalJson(published(item)) === canonicalJson(published(other));
  });
}

/** As metadata is written: without an API key that was typed into a prompt. */
export function redacted(inputs: JsonObject): JsonObject {
  return JSON.parse(redact(JSON.stringify(inputs))) as JsonObject;
}

/**
 * The recipe that *Adopt* writes into a foreign image, or next to it: from then on, the image counts as made from what
 * is requested. It states that it was adopted. `tool` is the program that writes it; texts are included as the settings
 * say.
 */
export function recipeToAdopt(
  { modelId, inputs, fit }: AskedRender,
  { tool, isPromptRecorded }: { readonly tool: string; readonly isPromptRecorded: boolean },
): Provenance {
  return { tool, modelId, ...recordedInputs(inputs, isPromptRecorded), fit, adopted: true };
}

/** The problems that only images show, and the states of all other renders. */
export interface StateCheck {
  readonly problems: readonly EntryProblem[];
  readonly states: readonly StateOf[];
}

/** A problem, and its place if that isn't the entry's own. */
interface Finding {
  readonly place?: Span;
  readonly problem: EntryProblemCode;
}

/**
 * What can't be made of renders as far as their images show, so that's known without the models. Reports one problem of
 * a kind per place.
 */
export async function stateProblems(file: RenderFile, states: readonly StateOf[], images: Images): Promise<StateCheck> {
  const found = new Findings();
  const recorded = new Set<string>();
  const sound: StateOf[] = [];
  for (const one of states) {
    const problems = [...(await givenProblems(file, one, images)), ...fitProblems(one)];
    for (const { place = spanOf(file, one.render), problem } of problems) {
      const id = `${place.start} ${problem.code}`;
      if (!recorded.has(id)) found.error(place, problem);
      recorded.add(id);
    }
    if (problems.length === 0) sound.push(one);
  }
  return { problems: found.problems, states: sound };
}

/** The images given as inputs that can't be, where the metadata has an image for the input. */
async function givenProblems(file: RenderFile, { render, state }: StateOf, images: Images): Promise<Finding[]> {
  const problems: Finding[] = [];
  for (const change of state.state === 'stale' ? state.changes : []) {
    // It stayed a path where an image was before.
    if (change.kind !== 'input' || !hasGivenImage(change.from)) continue;
    const { field, to } = change;
    const place = file.entries[render.entry]?.inputPlaces.get(field);
    for (const [index, path] of itemsOf(to).entries()) {
      const given = isPath(path) && !isAwaited(render, path) ? await givenBy(render, path, images) : undefined;
      if (isPath(path) && given && 'why' in given)
        problems.push({ place: place?.items?.[index] ?? place, problem: givenProblemOf(field, path, given) });
    }
  }
  return problems;
}

/** A render would make another image like the one that can't be fitted. */
function fitProblems(one: StateOf): Finding[] {
  const { render, state } = one;
  if (!isMisfit(state) || !('file' in state) || !render.fit || fitAt(state.file, render.fit)) return [];
  return [{ problem: { code: 'formatNotFitted', file: state.file } }];
}
