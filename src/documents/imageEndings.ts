/** The file extensions of images that a model can make, or that those can be converted to. */
export const imageEndings: ReadonlySet<string> = new Set(
  'png apng jpg jpeg jpe jfif webp gif avif svg bmp tif tiff heic heif'.split(' '),
);
