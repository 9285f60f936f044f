import { isGivenImage, type GivenImage } from '../base/givenImage';
import type { JsonObject } from '../base/json';
import { ServiceError } from './errors';

/** The bytes of a given image, exactly those of its hash; undefined when they're no longer kept. */
export type ImageBytes = (image: GivenImage) => Uint8Array | undefined;

/**
 * The body of a request for a price or a render: the inputs with the bytes of their images. The same inputs always give
 * the same bytes, so what is quoted is what is sent. Throws ServiceError `imageGone`.
 */
export function requestBody(modelId: string, inputs: JsonObject, bytesOf: ImageBytes): Uint8Array {
  const sent = (_: string, value: unknown) => (isGivenImage(value) ? textOf(value, bytesOf) : value);
  return new TextEncoder().encode(JSON.stringify({ modelId, inputs }, sent));
}

function textOf(image: GivenImage, bytesOf: ImageBytes): string {
  const bytes = bytesOf(image);
  if (!bytes)
    throw new ServiceError('imageGone', `Image ${image.sha256} is no longer kept`, { serviceMessage: image.file });
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return image.encoding === 'base64' ? base64 : `data:${image.type};base64,${base64}`;
}
