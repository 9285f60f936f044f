/** The endings of images: what a model can make, or what can be made of that. */
export const imageEndings: ReadonlySet<string> = new Set(
  'png apng jpg jpeg jpe jfif webp gif avif svg bmp tif tiff heic heif'.split(' '),
);
