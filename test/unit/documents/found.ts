import { imageLinks } from '../../../src/documents/imageLinks';
import type { Syntax } from '../../../src/documents/syntax';

/**
 * The images of a document as short lines: `path | alt | title | width x height`, without unstated parts at the end.
 */
export function found(text: string, syntax: Syntax): string[] {
  return imageLinks(text, syntax).map(({ path, alt, title, width, height }) =>
    [
      path,
      alt?.text,
      title?.text,
      width === undefined && height === undefined ? undefined : `${width ?? ''}x${height ?? ''}`,
    ]
      .map((part) => part ?? '')
      .join(' | ')
      .replace(/(?: \| )+$/, ''),
  );
}
