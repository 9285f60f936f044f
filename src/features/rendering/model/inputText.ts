import { formatNames } from '../../../base/formatNames';
import { isGivenImage } from '../../../base/givenImage';
import type { Json } from '../../../base/json';

/** An input as a text for a person: an image by its file and format. */
export function inputText(value: Json): string {
  if (isGivenImage(value)) return [value.file, formatNames([value.type])].filter(Boolean).join(' · ');
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
