import { isGivenImage, type GivenImage } from '../base/givenImage';
import type { JsonObject } from '../base/json';
import { ServiceError } from './errors';

/** The bytes of a given image, exactly those of its hash; undefined when they're no longer kept. */
export type ImageBytes = (image: GivenImage) => Uint8Array | undefined;

/** The largest body of a request, bytes: one image of the largest size fits. A response may repeat all of it. */
export const largestBody = 48 * 1024 * 1024;

/**
 * The body of a request for a price or a render: the inputs with the bytes of their images. The same inputs always give
 * the same bytes, so what is quoted is what is sent. Throws ServiceError `imageGone`, or `inputsTooLarge` for more than
 * `largestBody`.
 */
export function requestBody(modelId: string, inputs: JsonObject, bytesOf: ImageBytes): Uint8Array {
  let images = 0;
  const sent = (_: string, value: unknown) => {
    if (!isGivenImage(value)) return value;
    const text = textOf(value, bytesOf);
    // Many large ones don't fit into one text at all.
    if ((images += text.length) > largestBody) throw tooLarge();
    return text;
  };
  const body = new TextEncoder().encode(JSON.stringify({ modelId, inputs }, sent));
  if (body.length > largestBody) throw tooLarge();
  return body;
}

function tooLarge(): ServiceError {
  return new ServiceError('inputsTooLarge', `The inputs are larger than ${largestBody} bytes together`);
}

function textOf(image: GivenImage, bytesOf: ImageBytes): string {
  const bytes = bytesOf(image);
  if (!bytes)
    throw new ServiceError('imageGone', `Image ${image.sha256} is no longer kept`, { serviceMessage: image.file });
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return image.encoding === 'base64' ? base64 : `data:${image.type};base64,${base64}`;
}
