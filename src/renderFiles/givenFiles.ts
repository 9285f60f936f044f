// Images given as inputs: `"image": "photos/a.png"` is a path from the folder of its render file, and so is each text
// in a list; `[fox]` is the image of another entry (see `sources`). Which inputs are images is known from the fields of
// a model and, without one, from the metadata of what was made from them.

import type { Clock } from '../base/clock';
import {
  type GivenImage,
  givenImagesIn,
  isGivenImage,
  itemsOf,
  largestGivenImage,
  replacedItems,
  withItems,
} from '../base/givenImage';
import type { Json, JsonObject } from '../base/json';
import type { ImageFacts } from '../catalog/fields';
import { folderOf, relativePath, resolved } from '../documents/paths';
import type { Span } from '../documents/scan';
import { imageFacts } from '../files/imageSize';
import { hashed } from '../files/sameFile';
import { sniff } from '../files/sniff';
import type { AskedRender, Entry, EntryProblemCode, NoImage, RenderFile } from './renderFile';

/** An image in a file, or why there's none. */
export type Given = FoundImage | NotGiven;

/** An image in a file, and what its bytes say. */
export interface FoundImage {
  readonly image: GivenImage;
  readonly facts: ImageFacts;
}

/** Why the file of a path can't be given. */
export type NotGiven =
  { readonly why: NoImage | 'outside' } | { readonly why: 'tooLarge'; /** Its size. */ readonly bytes: number };

/** The files of a workspace folder that may be given. */
export interface Images {
  /** What is known of the image at a path relative to the workspace folder. Never rejects. */
  given(file: string): Promise<Given>;
}

/** The image in a file with these bytes; `file` says where it's from. Takes turns with other work. */
export async function givenFrom(file: string, bytes: Uint8Array, clock: Clock): Promise<Given> {
  const { mediaType: type } = sniff(bytes);
  if (!type.startsWith('image/')) return { why: 'other' };
  if (bytes.length > largestGivenImage) return { why: 'tooLarge', bytes: bytes.length };
  const { sha256 } = await hashed(bytes, clock);
  return { image: { file, sha256, type, bytes: bytes.length }, facts: imageFacts(bytes, type) };
}

/** True for the value of an image’s input that is a path. Anything else is an address, or an image itself. */
export function isPath(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '' && !/^(https?|data):/i.test(value.trim());
}

/** The path that an input leads to, relative to the workspace folder; undefined outside. */
export function pathOf(renderFile: string, text: string): string | undefined {
  return text.startsWith('/') ? undefined : resolved(folderOf(renderFile), text);
}

/** The file that the text of a render's input leads to: as `pathOf`, or the image of the entry that it names. */
export function givenPath({ renderFile, sources }: AskedRender, text: string): string | undefined {
  const source = sources?.get(text);
  return source ? source.file : pathOf(renderFile, text);
}

/** True if the text of a render's input names an entry that has no image yet. */
export function isAwaited({ sources }: AskedRender, text: string): boolean {
  const source = sources?.get(text);
  return source !== undefined && source.file === undefined;
}

/** The image that the text of an input leads to. Backslashes are part of names, as they are on some systems only. */
export async function givenBy(render: AskedRender, text: string, images: Images): Promise<Given> {
  const path = givenPath(render, text);
  if (path === undefined) return { why: isAwaited(render, text) ? 'missing' : 'outside' };
  return path.includes('\\') ? { why: 'missing' } : images.given(path);
}

/** The render with what is known of its images in place of their paths, where they can be given. */
export async function withImages(
  render: AskedRender,
  isImage: (input: string) => boolean,
  images: Images,
): Promise<AskedRender> {
  const found: [string, Json][] = [];
  for (const [name, value] of Object.entries(render.inputs)) {
    if (!itemsOf(value).some(isPath) || !isImage(name)) continue;
    const items: Json[] = [];
    for (const item of itemsOf(value)) {
      const given = isPath(item) ? await givenBy(render, item, images) : undefined;
      items.push(given && 'image' in given ? given.image : item);
    }
    if (items.some(isGivenImage)) found.push([name, replacedItems(value, items)]);
  }
  if (found.length === 0) return render;
  return { ...render, inputs: Object.fromEntries([...Object.entries(render.inputs), ...found]) };
}

/** The problem with a path in an input, for a field that takes images of `maxBytes`. */
export function givenProblemOf(
  field: string,
  text: string,
  given: NotGiven,
  maxBytes = largestGivenImage,
): EntryProblemCode {
  switch (given.why) {
    case 'outside':
      return { code: 'outside', file: text };
    case 'tooLarge':
      return { code: 'badValue', field, issue: { code: 'imageTooLarge', bytes: given.bytes, maxBytes } };
    default:
      return { code: 'badImage', file: text, why: given.why };
  }
}

/**
 * Inputs as a render file at this path has them: images by the paths of their files, which are relative to the
 * workspace folder in `GivenImage.file`. One without a file has an empty path.
 */
export function writtenInputs(inputs: JsonObject, renderFile: string): JsonObject {
  if (givenImagesIn(inputs).length === 0) return inputs;
  const pathTo = ({ file }: GivenImage) => (file === '' ? '' : relativePath(renderFile, file));
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name,
      withItems(value, (item) => (isGivenImage(item) ? pathTo(item) : item)),
    ]),
  );
}

/** A text in a render file that may be the path of an image given as an input, or name an entry. */
export interface GivenPlace extends Span {
  readonly text: string;
  /** Where it leads in each render, relative to the workspace folder. */
  readonly paths: readonly string[];
}

/** Every place once, though entries share those of styles and of the file. The span includes the quotes. */
export function givenPlaces(file: RenderFile): readonly GivenPlace[] {
  const places = new Map<number, GivenPlace>();
  for (const entry of file.entries)
    for (const [name, place] of entry.inputPlaces)
      for (const [index, { start, end, value }] of (place.items ?? [place]).entries()) {
        // No prompt is a path, whatever it says.
        if (name === 'prompt' || !isPath(value)) continue;
        const paths = new Set([...(places.get(start)?.paths ?? []), ...pathsOf(entry, name, index)]);
        places.set(start, { start, end, text: value, paths: [...paths] });
      }
  return [...places.values()];
}

function pathsOf({ renders }: Entry, name: string, index: number): string[] {
  return renders.flatMap((render) => {
    const text = itemsOf(Object.hasOwn(render.inputs, name) ? render.inputs[name] : undefined)[index];
    return (isPath(text) ? givenPath(render, text) : undefined) ?? [];
  });
}
