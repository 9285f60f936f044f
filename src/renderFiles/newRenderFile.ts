import type { Clock } from '../base/clock';
import type { Json, JsonObject } from '../base/json';
import { folderOf, relativePath, resolved } from '../documents/paths';
import type { FileMetadata } from '../files/provenance';
import { canonicalJson } from '../files/recordedImages';
import type { Fit } from '../files/fit/fit';
import { type Images, writtenInputs } from './givenFiles';
import { jsonText } from './addEntries';
import { readRenderFile } from './readRenderFile';
import { redacted, stateOf } from './states';

/** A render to write as an entry. */
export interface NewRender {
  /** Its file, relative to the workspace folder. */
  readonly target: string;
  readonly modelId: string;
  /** The files of images given as inputs are relative to the workspace folder, too. */
  readonly inputs: JsonObject;
  /** What its image is fitted to; undefined if it's as it came. */
  readonly fit?: Fit;
}

/** The same for an image that exists, with the metadata that its state is read from. */
export interface MadeImage extends NewRender {
  readonly metadata: FileMetadata;
}

/** The most characters in the inputs of one image, and in those of all images of a file. */
const longestInputs = 100_000;
const mostText = 2_000_000;

/**
 * The images that a new render file at this path can list: once it’s saved, each is what its entry asks for. A name
 * that isn’t valid on every system, for example, rules an image out.
 */
export async function listable(
  path: string,
  images: readonly MadeImage[],
  files: Images,
  clock: Clock,
): Promise<readonly MadeImage[]> {
  const fitting = withinLength(images);
  const { entries } = await readRenderFile(renderFileText(path, fitting), path, clock);
  const listed: MadeImage[] = [];
  for (const [index, image] of fitting.entries()) {
    const [render] = entries[index]?.renders ?? [];
    if (render?.target !== image.target) continue;
    const { state } = await stateOf(render, image.target, image.metadata, files);
    if (state === 'current' || state === 'edited') listed.push(image);
  }
  return listed;
}

function withinLength<T extends NewRender>(images: readonly T[]): readonly T[] {
  let left = mostText;
  return images.filter(({ inputs }) => {
    const { length } = JSON.stringify(inputs);
    if (length > Math.min(left, longestInputs)) return false;
    left -= length;
    return true;
  });
}

/**
 * A render file at this path, relative to its workspace folder. What all renders share is stated once. Each comment
 * gets a line at the top.
 */
export function renderFileText(path: string, made: readonly NewRender[], comments: readonly string[] = []): string {
  const renders = made.map((render) => ({ ...render, inputs: writtenInputs(render.inputs, path) }));
  const folder = sharedFolder(path, renders);
  const [first, ...others] = renders;
  const model = others.length > 0 && others.every((one) => one.modelId === first?.modelId) ? first?.modelId : undefined;
  const inputs = sharedInputs(renders);
  const rows = renders.map(
    (render) => `    ${jsonText(newEntryOf(render, { path, folder, model, inputs }), '    ', '  ')}`,
  );
  const head: [string, Json][] = [
    ...(folder === '' ? [] : [['folder', folder] as [string, Json]]),
    ...(model === undefined ? [] : [['model', model] as [string, Json]]),
    ...(inputs.size === 0 ? [] : [['inputs', Object.fromEntries(inputs)] as [string, Json]]),
  ];
  return [
    ...comments.map((comment) => `// ${comment}`),
    '{',
    ...head.map(([name, value]) => `  ${JSON.stringify(name)}: ${jsonText(value, '  ', '  ')},`),
    '  "renders": [',
    rows.join(',\n'),
    '  ]',
    '}',
    '',
  ].join('\n');
}

/** What a file already states for its entries. */
export interface StatedForAll {
  readonly path: string;
  readonly folder: string;
  readonly model: string | undefined;
  readonly inputs: ReadonlyMap<string, Json>;
  readonly fit?: Fit;
}

/** The entry for a render: what differs from what the file states for all. */
export function newEntryOf({ target, modelId, inputs, fit }: NewRender, shared: StatedForAll): Record<string, Json> {
  const recorded = redacted(inputs);
  const own = Object.entries(recorded).filter(([name, value]) => !isSameValue(shared.inputs.get(name), value));
  // An input that only the others have is left out.
  const omitted = [...shared.inputs.keys()].filter((name) => !Object.hasOwn(recorded, name));
  const stated = Object.fromEntries([...own, ...omitted.map((name) => [name, null] as const)]);
  return {
    file: fileIn(shared, target),
    ...(modelId === shared.model ? {} : { model: modelId }),
    ...(Object.keys(stated).length === 0 ? {} : { inputs: stated }),
    ...fitProperties(fit, shared.fit),
  };
}

/** The properties of an entry that has this fit in a file whose entries share another. */
export function fitProperties(fit: Fit | undefined, shared: Fit | undefined): Record<string, Json> {
  if (!fit) return shared ? { fit: null } : {};
  const { width, height, mode } = fit;
  if (width === shared?.width && height === shared?.height && mode === shared?.mode) return {};
  const isUsual = mode === 'cover' && !shared && (width !== undefined || height !== undefined);
  return {
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(isUsual ? {} : { fit: mode }),
  };
}

/** A target as an entry names it. */
export function fileIn({ path, folder }: Pick<StatedForAll, 'path' | 'folder'>, target: string): string {
  return relativePath(`${resolved(folderOf(path), folder) ?? ''}/_`, target);
}

/** The folder of all targets, below that of the render file; '' for that one. */
function sharedFolder(path: string, renders: readonly NewRender[]): string {
  const base = folderOf(path);
  const folders = renders.map(({ target }) => folderOf(target).split('/').filter(Boolean));
  const [first = [], ...others] = folders;
  const length = first.findIndex((segment, at) => others.some((one) => one[at] !== segment));
  const shared = first.slice(0, length < 0 ? first.length : length).join('/');
  if (base === '') return shared;
  return shared.startsWith(`${base}/`) ? shared.slice(base.length + 1) : '';
}

/** The inputs that all renders have with the same value; none for a single one. */
function sharedInputs(renders: readonly NewRender[]): ReadonlyMap<string, Json> {
  const [first, ...others] = renders.map(({ inputs }) => redacted(inputs));
  if (!first || others.length === 0) return new Map();
  return new Map(
    Object.entries(first).filter(([name, value]) =>
      others.every((one) => isSameValue(Object.hasOwn(one, name) ? one[name] : undefined, value)),
    ),
  );
}

function isSameValue(one: Json | undefined, other: Json): boolean {
  return one !== undefined && canonicalJson(one) === canonicalJson(other);
}
