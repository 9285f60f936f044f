import { largestGivenImage } from '../base/givenImage';
import { isObject } from '../base/json';
import { pick, pickText, readNumber, type Shape } from './shape';
import type { ImageLimits } from './types';

/** If the field states none. */
const usualTypes = ['image/png', 'image/jpeg', 'image/webp'];
const usualBytes = 8_000_000;

const typeNames = ['contentMediaType', 'content_media_type', 'mediaType', 'media_type', 'mimeType', 'mime_type'];
const acceptNames = [
  ...['accept', 'accepts', 'acceptedTypes', 'accepted_types', 'allowedTypes', 'allowed_types'],
  ...['mimeTypes', 'mime_types', 'mediaTypes', 'media_types'],
];
/** Where a field takes no image, these are what it makes. */
const madeOrTaken = ['formats'];
const byteNames = ['maxBytes', 'max_bytes', 'maxSize', 'max_size', 'maxFileSize', 'max_file_size', 'sizeLimit'];

/** Fields that take files, but no images. */
const otherFiles = /audio|video|sound|music|voice|speech|font|pdf|document|subtitle|csv/i;

/**
 * True if the field says by its type or format that it takes an image or a file, or is a URI that its type or name
 * says is an image's. Any other URI is a text: it may be any address. `word` is its type in lower-case words.
 */
export function isImageField(name: string, shape: Shape, word: string): boolean {
  const isText = /^(string|str|text|)$/.test(word);
  const stated = isText ? wordOf(pickText(shape, ['format', 'widget', 'control', 'ui'])) : word;
  const media = statedTypes(shape, [...typeNames, ...acceptNames, ...madeOrTaken]);
  if (media.length > 0 && !media.some(isImageType)) return false;
  if (/^(input )?(image|picture|photo)( ?(file|url|uri|upload|input|data( ?ur[il])?))?$/.test(stated)) return true;
  const isFile = /^((input )?(file|binary|blob|upload|bytes?|base64)( ?(upload|input))?|data ?ur[il])$/.test(stated);
  if (isFile || (isText && isBase64(shape))) return media.length > 0 || !otherFiles.test(name);
  if (!isText || !/^(ur[il])?$/.test(stated)) return false;
  return statedTypes(shape, typeNames).some(isImageType) || (stated !== '' && isImageName(name));
}

/**
 * True if the field takes a list of what would be an image as a field of its own. A text counts as one if the list
 * accepts types of images, or its name says so: a list of texts called `image_urls` can hold nothing else.
 */
export function isImageListField(name: string, shape: Shape, word: string): boolean {
  const stated = pick(shape, ['items', 'item', 'itemType', 'item_type', 'elements']);
  const named = itemWordOf(word) ?? (word === '' && isObject(stated) ? '' : undefined);
  if (named === undefined) return false;
  const item = isObject(stated) ? stated : {};
  const itemWord = named || wordOf(typeof stated === 'string' ? stated : pickText(item, ['type', 'kind']));
  // What isn't stated of the items may be stated of the list: the types of media, a control.
  const ofItem = { ...shape, ...item };
  if (isImageField(singular(name), ofItem, itemWord)) return true;
  if (!/^(string|str|text|)$/.test(itemWord) || pickText(ofItem, ['format']) !== undefined) return false;
  const isChosen = pick(ofItem, ['enum', 'choices', 'options', 'values']) !== undefined;
  return !isChosen && (isImageName(singular(name)) || statedTypes(ofItem, acceptNames).some(isImageType));
}

/** The type that a list's type names for its items, empty if it names none; undefined if it isn't a list's. */
function itemWordOf(word: string): string | undefined {
  const [, of] = /^(?:array|list)(?![a-z])(?: of )?[ <[(]*([a-z\d ]*)/.exec(word) ?? [];
  if (of !== undefined) return singular(of.trim());
  const [, before] = /^([a-z\d][a-z\d ]{0,40}?) ?(?:\[\]|array|list)$/.exec(word) ?? [];
  if (before !== undefined) return singular(before);
  return /^(input )?(image|picture|photo|file)s$/.test(word) ? singular(word) : undefined;
}

function singular(name: string): string {
  return name.replace(/s$/i, '');
}

/** `init_image`, `imageUrl`, `reference_image_2`; not `image_callback_url`. */
function isImageName(name: string): boolean {
  return /\b(image|picture|photo|mask)( ur[il]| input)?( ?\d+)?$/.test(wordOf(name));
}

/** What the field accepts, with the usual for what it doesn't state. */
export function imageLimitsOf(shape: Shape): ImageLimits {
  const types = statedTypes(shape, [...typeNames, ...acceptNames, ...madeOrTaken])
    .filter(isImageType)
    .flatMap(spelledOut);
  const size = (names: readonly string[]) => positive(pick(shape, names));
  return {
    types: types.length > 0 ? [...new Set(types)] : usualTypes,
    maxBytes: Math.min(bytesOf(pick(shape, byteNames)) ?? usualBytes, largestGivenImage),
    ...(isBase64(shape) && { base64: true }),
    ...defined({
      minWidth: size(['minWidth', 'min_width', 'minimumWidth']),
      minHeight: size(['minHeight', 'min_height', 'minimumHeight']),
      maxWidth: size(['maxWidth', 'max_width', 'maximumWidth']),
      maxHeight: size(['maxHeight', 'max_height', 'maximumHeight']),
    }),
  };
}

/** Media types, and file extensions as the types they stand for: `image/*`, `.png,.jpg`, `["png", "webp"]`. */
function statedTypes(shape: Shape, names: readonly string[]): string[] {
  return names
    .map((name) => pick(shape, [name]))
    .flatMap((stated) => (Array.isArray(stated) ? (stated as unknown[]) : [stated]))
    .flatMap((stated) => (typeof stated === 'string' ? stated.split(/[,;|\s]+/) : []))
    .map((stated) => stated.trim().toLowerCase().replace(/^\./, ''))
    .filter((stated) => stated !== '' && stated !== '*/*')
    .map((stated) => (stated.includes('/') ? stated : extensionType(stated)));
}

function extensionType(extension: string): string {
  return `image/${extension === 'jpg' ? 'jpeg' : extension}`;
}

function isImageType(type: string): boolean {
  return type.startsWith('image/');
}

/** Of any image, those we know to send. */
function spelledOut(type: string): readonly string[] {
  if (type === 'image/*') return usualTypes;
  return [type === 'image/jpg' ? 'image/jpeg' : type];
}

/** A text that is nothing but base64, in the words of JSON Schema or OpenAPI. */
function isBase64(shape: Shape): boolean {
  const encoding = wordOf(pickText(shape, ['contentEncoding', 'content_encoding']));
  return encoding === 'base64' || /^(byte|base64)$/.test(wordOf(pickText(shape, ['format'])));
}

/** A number of bytes, or a text such as `4 MB` and `512KiB`. */
function bytesOf(stated: unknown): number | undefined {
  const plain = positive(stated);
  if (plain !== undefined || typeof stated !== 'string') return plain;
  const [, number, prefix = '', binary] = /^([\d.]+)\s*([kmg]?)(i?)b(?:ytes)?$/i.exec(stated.trim()) ?? [];
  const value = positive(number);
  if (value === undefined) return undefined;
  return value * (binary ? 1024 : 1000) ** ' kmg'.indexOf(prefix.toLowerCase() || ' ');
}

function positive(stated: unknown): number | undefined {
  const number = readNumber(stated);
  return number !== undefined && number > 0 ? number : undefined;
}

function wordOf(text: string | undefined): string {
  return (text ?? '')
    .trim()
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
}

function defined<T extends object>(facts: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as never;
}
