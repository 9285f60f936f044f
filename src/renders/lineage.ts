/**
 * **Lineage**: the images that a result was made from, and the results that were made from an image. Renders record
 * their images by the hashes of their bytes, so that it's found wherever files were moved, as long as nobody changed
 * them.
 */

import { type GivenImage, givenImagesIn } from '../base/givenImage';
import type { JsonObject } from '../base/json';
import type { FindRecords } from './origin';
import type { RenderRecord } from './record';

/** An image that a result was made from, and the render of ours that saved it, if one did. */
export interface Parent {
  readonly image: GivenImage;
  readonly record?: RenderRecord;
}

/** The images among these inputs, each once, in their order. Looks through the history once. */
export async function parentsOf(inputs: readonly JsonObject[], find: FindRecords): Promise<readonly Parent[]> {
  const images = new Map(inputs.flatMap(givenImagesIn).map((image) => [image.sha256, image]));
  if (images.size === 0) return [];
  const records = await find(({ sha256 }) => typeof sha256 === 'string' && images.has(sha256));
  return [...images.values()].map((image) => ({
    image,
    record: records.find(({ spooled }) => spooled?.sha256 === image.sha256),
  }));
}

/** More would hardly be looked through. */
const mostAncestors = 20;

/** The images that inputs came from, and those that they came from in turn: the nearest first, each once. */
export async function ancestorsOf(inputs: JsonObject, find: FindRecords): Promise<readonly Parent[]> {
  const found = new Map<string, Parent>();
  let next = [inputs];
  while (next.length > 0 && found.size < mostAncestors) {
    const parents = await parentsOf(next, find);
    // An image made from itself isn't possible, but a record can be edited.
    const added = parents.filter(({ image }) => !found.has(image.sha256));
    for (const parent of added) found.set(parent.image.sha256, parent);
    next = added.flatMap(({ record }) => (record ? [record.inputs] : []));
  }
  return [...found.values()].slice(0, mostAncestors);
}

/** The saved renders, newest first, that were made from an image with one of these hashes. */
export async function childrenOf(
  hashes: ReadonlySet<string>,
  slices: AsyncIterable<readonly RenderRecord[]>,
): Promise<readonly RenderRecord[]> {
  const children: RenderRecord[] = [];
  if (hashes.size === 0) return children;
  const isChild = ({ state, file, deleted, inputs }: RenderRecord) =>
    state === 'saved' &&
    file !== undefined &&
    !deleted &&
    givenImagesIn(inputs).some(({ sha256 }) => hashes.has(sha256));
  for await (const records of slices) children.push(...records.filter(isChild));
  return children.sort((a, b) => b.plannedAt - a.plannedAt);
}
