import { imageSize } from 'image-size';
import type { Size } from '../../documents/shape';

/** The size in which a picture is shown. Undefined when the bytes are none whose size can be read. */
export function pictureSize(bytes: Uint8Array): Size | undefined {
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    // From the fifth orientation on a picture lies on its side.
    return orientation > 4 ? { width: height, height: width } : { width, height };
  } catch {
    // Another format, or cut off.
    return undefined;
  }
}
