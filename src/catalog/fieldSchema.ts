import { largestGivenImage } from '../base/givenImage';
import { isObject, type Json, type JsonObject } from '../base/json';
import {
  type Choice,
  type Field,
  type FieldKind,
  fieldLabel,
  type ImageLimits,
  isImageName,
  isSeedName,
  type MaskColor,
  wordOf,
} from './fields';
import { pick, pickText, readJson, readNumber, type Shape } from './shape';

const listNames = ['fields', 'inputFields', 'input_fields', 'inputs', 'input', 'parameters', 'params', 'arguments'];
const schemaNames = ['schema', 'inputSchema', 'input_schema'];
/** If there's both a key and a name, people read the name. */
const nameNames = [
  ...['key', 'fieldName', 'field_name', 'identifier', 'name', 'id', 'field', 'parameter', 'param', 'path'],
  'Name',
];
const choiceNames = [
  'values',
  'options',
  'enum',
  'choices',
  'allowed',
  'allowedValues',
  'allowed_values',
  'enumeration',
  'oneOf',
  'anyOf',
];

const itemNames = ['items', 'item', 'itemType', 'item_type', 'elements'];

/** Reads the input fields of a model, in the model's order; undefined if it states none. */
export function readFields(model: Shape): readonly Field[] | undefined {
  const stated = [...listNames, ...schemaNames].map((name) => pick(model, [name]));
  // `inputs: ["text", "image"]` next to a schema states types of inputs, not names.
  const ordered = stated.toSorted((a, b) => Number(isWords(a)) - Number(isWords(b)));
  for (const candidate of ordered) {
    const fields = fieldsIn(candidate, 3);
    if (fields) return withoutDoubles(fields);
  }
  return undefined;
}

function isWords(stated: unknown): boolean {
  return Array.isArray(stated) && stated.length > 0 && stated.every((entry) => typeof entry === 'string');
}

/** Of two with the same name, the first counts: a form with both couldn't tell whose value to send. */
function withoutDoubles(fields: readonly Field[]): readonly Field[] {
  const byName = new Map<string, Field>();
  for (const field of fields) if (!byName.has(field.name)) byName.set(field.name, field);
  return [...byName.values()];
}

function fieldsIn(stated: unknown, depth: number): Field[] | undefined {
  if (Array.isArray(stated)) return stated.flatMap((entry: unknown) => fieldOfEntry(entry) ?? []);
  if (!isObject(stated) || depth === 0) return undefined;
  const groups = Object.entries(stated);
  if (groups.length > 0 && groups.every(([name, list]) => /^(required|optional)$/i.test(name) && Array.isArray(list)))
    return groups.flatMap(([name, list]) => fieldsOfGroup(list as unknown[], name.toLowerCase() === 'required'));
  const inner = pick(stated, ['properties', ...listNames, ...schemaNames]);
  if (holdsFields(inner)) return fieldsIn(withRequired(stated, inner), depth - 1);
  return Object.entries(stated).flatMap(([name, spec]) => fieldOf(name, spec) ?? []);
}

/** `{required: […], optional: […]}` */
function fieldsOfGroup(list: readonly unknown[], required: boolean): Field[] {
  return list.flatMap((entry) => {
    const field = fieldOfEntry(entry);
    return field ? { ...field, required } : [];
  });
}

/**
 * True for the fields inside `{type: 'object', properties}` or `{fields}`; false for the spec of a field called
 * `fields`.
 */
function holdsFields(inner: unknown): boolean {
  if (Array.isArray(inner)) return inner.length > 0 && inner.every(isObject);
  return (
    isObject(inner) &&
    Object.keys(inner).length > 0 &&
    (isObject(pick(inner, ['properties'])) || Object.values(inner).every(isObject)) &&
    // A word there is the type of this one; an object there is a field called `type`.
    (isObject(pick(inner, ['properties'])) || typeof pick(inner, ['type']) !== 'string')
  );
}

/** A JSON Schema lists the required ones next to the properties. */
function withRequired(schema: Shape, properties: unknown): unknown {
  const required = pick(schema, ['required']);
  if (!Array.isArray(required) || !isObject(properties)) return properties;
  const names = new Set<unknown>(required);
  return Object.fromEntries(
    Object.entries(properties).map(([name, spec]) => [
      name,
      isObject(spec) && names.has(name) ? { ...spec, required: true } : spec,
    ]),
  );
}

function fieldOfEntry(entry: unknown): Field | undefined {
  if (typeof entry === 'string') return fieldOf(entry, {});
  if (!isObject(entry)) return undefined;
  const name = pick(entry, nameNames);
  if (typeof name !== 'string') return undefined;
  const shown = pickText(entry, ['name']);
  return fieldOf(name, shown === undefined || shown === name ? entry : { label: shown, ...entry });
}

/** A field as a word (its type), a list (its values), or an object. Undefined without a name that can be sent. */
function fieldOf(name: string, spec: unknown): Field | undefined {
  if (name === '') return undefined;
  const shape = isObject(spec) ? oneShape(spec) : { type: spec };
  const type = readType(shape);
  const choices = choicesOf(shape, type);
  const kind = kindOf(name, shape, type, choices);
  const label = pickText(shape, ['label', 'title', 'displayName', 'display_name']) ?? fieldLabel(name);
  const help = pickText(shape, ['help', 'description', 'helpText', 'help_text', 'hint', 'tooltip', 'info']);
  const limits = kind === 'image' ? imageLimitsOf(name, shape, type.word) : undefined;
  const isMask = limits && !limits.isList && [name, label, type.words].some(namesMask);
  const image: ImageLimits | undefined = isMask
    ? { ...limits, mask: markingColor(`${label}. ${help ?? ''}`) ?? 'unstated' }
    : limits;
  const isSeveral = kind === 'choices' || image?.isList === true;
  const [minimum, maximum] = isSeveral ? countsOf(shape) : isText(kind) ? [] : boundsOf(shape, type.spec);
  return {
    name,
    label,
    help,
    kind,
    statedType: type.words,
    required: isRequired(shape),
    default: defaultOf(shape, kind, choices),
    choices: kind === 'choice' || kind === 'choices' ? choices : undefined,
    ...(kind === 'json' && { objects: objectsOf(shape) }),
    minimum,
    maximum,
    step: positive(pick(shape, ['step', 'multipleOf', 'multiple_of', 'increment'])),
    maxLength: maxLengthOf(shape, kind),
    ...examplesOf(shape, kind),
    ...(image && { image }),
  };
}

/**
 * The parts in which a field may describe itself: under the specification's table headings, in the one variant that
 * isn't null, in limits.
 */
function oneShape(spec: Shape): Shape {
  const heads = ['Type', 'Required', 'Default'].filter((head) => Object.hasOwn(spec, head));
  const variants = [pick(spec, ['anyOf']), pick(spec, ['oneOf'])].filter(Array.isArray).flat() as unknown[];
  const real = variants.filter((variant) => !(isObject(variant) && variant['type'] === 'null'));
  const only = real.length === 1 && real.length < variants.length ? real : [];
  const all = pick(spec, ['allOf']);
  const parts = [...only, ...(Array.isArray(all) ? (all as unknown[]) : []), pick(spec, ['constraints'])];
  const rest = only.length > 0 ? { anyOf: undefined, oneOf: undefined } : {};
  return Object.assign(
    Object.fromEntries(heads.map((head) => [head.toLowerCase(), spec[head]])),
    ...parts.filter(isObject),
    spec,
    rest,
  ) as Shape;
}

interface StatedType {
  /** The word that decides, as from `wordOf`; empty if there is none. */
  readonly word: string;
  /** In the service's own words. */
  readonly words: string;
  /** The type if it's an object, else empty. */
  readonly spec: Shape;
  /** The type if it's a list of values. */
  readonly values?: readonly unknown[];
}

const typeWords = new Set(['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']);

function readType(shape: Shape): StatedType {
  const type = pick(shape, ['type', 'kind', 'inputType', 'input_type', 'dataType', 'data_type', 'control', 'widget']);
  if (typeof type === 'string') return { word: wordOf(type), words: type, spec: {} };
  if (isObject(type)) return { ...readType(type), spec: type };
  if (!Array.isArray(type)) return { word: '', words: '', spec: {} };
  // ["string", "null"] is JSON Schema for a string that may be left out; any other list is a list of values.
  const words = type.filter((word: unknown) => word !== 'null');
  if (words.length > 0 && words.every((word: unknown) => typeof word === 'string' && typeWords.has(word))) {
    return { word: words.length === 1 ? String(words[0]) : '', words: words.join(' | '), spec: {} };
  }
  return { word: 'enumeration', words: 'enumeration', spec: {}, values: type };
}

function choicesOf(shape: Shape, type: StatedType): readonly Choice[] | undefined {
  // Of several types, such as a name or an object with its parts, one may be a list of values.
  const variants = [pick(shape, ['anyOf']), pick(shape, ['oneOf'])].filter(Array.isArray).flat() as unknown[];
  for (const stated of [
    type.values,
    pick(shape, choiceNames),
    pick(type.spec, choiceNames),
    valuesInWords(type.words),
    itemChoices(shape),
    ...variants.map((variant) => (isObject(variant) ? pick(variant, ['enum']) : undefined)),
  ]) {
    const choices = readChoices(stated);
    if (choices) return choices;
  }
  return undefined;
}

/** The options of each item of a list. */
function itemChoices(shape: Shape): unknown {
  const item = pick(shape, itemNames);
  return isObject(item) ? pick(item, choiceNames) : undefined;
}

/** True for a list, or for a control to choose several. `word` is its type in lower-case words. */
function isList(shape: Shape, word: string): boolean {
  if (word === '') return isObject(pick(shape, itemNames));
  return /^(array|list|multi(?! ?line)|check ?boxes)|\[\]$| (array|list)$/.test(word);
}

/** `[minimum, maximum]` of how many are chosen. */
function countsOf(shape: Shape): readonly [number?, number?] {
  const count = (names: readonly string[]) => positive(pick(shape, names));
  const minimum = count(['minItems', 'min_items', 'minSelected', 'min_selected', ...fewestNames, 'minimum', 'min']);
  const maximum = count(['maxItems', 'max_items', 'maxSelected', 'max_selected', ...mostNames, 'maximum', 'max']);
  return minimum !== undefined && maximum !== undefined && minimum > maximum ? [] : [minimum, maximum];
}

/** Values that are objects, such as `{width: 1024, height: 768}`: bare, or as the `value` of an entry with a label. */
function objectsOf(shape: Shape): readonly JsonObject[] | undefined {
  const stated = pick(shape, ['values', 'options', 'enum', 'choices', 'allowed']);
  const objects = (Array.isArray(stated) ? (stated as unknown[]) : []).flatMap((entry) => {
    const value = readJson(isObject(entry) ? (pick(entry, ['value', 'const']) ?? entry) : undefined);
    return isObject(value) ? [value] : [];
  });
  return objects.length > 0 ? objects : undefined;
}

function readChoices(stated: unknown): readonly Choice[] | undefined {
  const entries = Array.isArray(stated) ? stated : isObject(stated) ? Object.entries(stated) : [];
  const choices = new Map<unknown, Choice>();
  for (const entry of entries as unknown[]) {
    const choice = readChoice(entry);
    if (choice && !choices.has(choice.value)) choices.set(choice.value, choice);
  }
  return choices.size > 0 ? [...choices.values()] : undefined;
}

/** A bare value, `{value, label}`, or an entry of a map from value to label. */
function readChoice(entry: unknown): Choice | undefined {
  if (isScalar(entry)) return { value: entry, label: String(entry) };
  if (isObject(entry)) {
    const value = pick(entry, ['value', 'const', 'id', 'key', 'name']);
    return isScalar(value)
      ? { value, label: pickText(entry, ['label', 'title', 'name', 'text']) ?? String(value) }
      : undefined;
  }
  if (!Array.isArray(entry)) return undefined;
  const [value, label] = entry as unknown[];
  const words = isObject(label) ? pickText(label, ['label', 'title', 'name']) : label;
  return isScalar(value)
    ? { value, label: typeof words === 'string' && words !== '' ? words : String(value) }
    : undefined;
}

/** "enumeration: 1:1, 2:1, and further values" and "a | b" (specification: Known field shapes). */
function valuesInWords(words: string): readonly string[] | undefined {
  const [, listed] = /^(?:enum(?:eration)?|choices?|one of)\s*[:(]\s*(.+?)\)?$/is.exec(words) ?? [];
  const values = listed?.split(/[,|]/) ?? (words.includes('|') ? words.split('|') : []);
  const named = values
    .map((value) => value.trim())
    .filter((value) => value !== '' && !/^and (further|other|more)\b/i.test(value));
  return named.length > 0 && !named.every((value) => typeWords.has(value)) ? named : undefined;
}

function kindOf(name: string, shape: Shape, { word }: StatedType, choices: readonly Choice[] | undefined): FieldKind {
  if (word === 'boolean' || word === 'bool') return 'boolean';
  if (choices && isList(shape, word) && !isImageListField(name, shape, word)) return 'choices';
  if (choices && !/^(array|list|object|multi)/.test(word)) return 'choice';
  if (/^(yes\/no|checkbox|switch|toggle|flag)$/.test(word)) return 'boolean';
  if (word === 'seed') return 'seed';
  if (/^(u?int(eger)?(8|16|32|64)?|long|whole number)$/.test(word)) return isSeedName(name) ? 'seed' : 'integer';
  if (/^(number|numeric|float(32|64)?|double|decimal|slider|range)$/.test(word))
    return isSeedName(name) ? 'seed' : 'number';
  if (isColorField(name, shape, word)) return 'color';
  if (isImageField(name, shape, word) || isImageListField(name, shape, word)) return 'image';
  if (/^(long ?text|textarea|text ?area|multi ?line( ?text)?|markdown|paragraph|prompt)$/.test(word)) return 'longText';
  if (/^(text|string|str|short ?text)$/.test(word)) return isLong(name, shape) ? 'longText' : 'text';
  return 'json';
}

function isText(kind: FieldKind): boolean {
  return kind === 'text' || kind === 'longText' || kind === 'color';
}

/**
 * True if the type, format, or control is a color's, or if the name is, and the field's default, pattern, or
 * description shows that it's written as a number sign and digits. A color may be a word in any other.
 */
function isColorField(name: string, shape: Shape, word: string): boolean {
  const isColor = (text: string) => /^(hex )?colou?r( (picker|hex|code))?$/.test(text);
  if (isColor(word)) return true;
  if (!/^(string|str|text|short ?text)$/.test(word)) return false;
  if (isColor(wordOf(pickText(shape, ['format', 'widget', 'control', 'ui'])))) return true;
  const hints = ['default', 'pattern', 'regex', 'description', 'help', 'hint', 'example', 'placeholder'];
  const isHex = hints.some((hint) => /\bhex|#[\da-f]{3}|#rgb|#rrggbb|\^#/i.test(pickText(shape, [hint]) ?? ''));
  return isHex && /\bcolou?r$/.test(wordOf(name));
}

/** A prompt is long text, whether or not its type says so. */
function isLong(name: string, shape: Shape): boolean {
  const widget = pickText(shape, ['format', 'widget', 'control', 'ui']) ?? '';
  if (pick(shape, ['multiline', 'multi_line']) === true || /area|multi|long/i.test(widget)) return true;
  const maxLength = maxLengthOf(shape, 'text');
  return (
    /prompt|text$|^text|story|message|instruction|description/i.test(name) &&
    (maxLength === undefined || maxLength > 120)
  );
}

/**
 * `[minimum, maximum]`, also from `range: [1, 10]`; contradictory bounds are dropped, since the service decides.
 */
function boundsOf(shape: Shape, spec: Shape): readonly [number?, number?] {
  const range = pick(shape, ['range', 'bounds']);
  const [low, high] = Array.isArray(range) ? (range as unknown[]) : [undefined, undefined];
  const around = isObject(range) ? range : {};
  const bound = (names: readonly string[], end: unknown) =>
    readNumber(pick(shape, names) ?? pick(spec, names) ?? pick(around, names) ?? end);
  const minimum = bound(['minimum', 'min', 'minValue', 'min_value', 'ge'], low);
  const maximum = bound(['maximum', 'max', 'maxValue', 'max_value', 'le'], high);
  return minimum !== undefined && maximum !== undefined && minimum > maximum ? [] : [minimum, maximum];
}

function maxLengthOf(shape: Shape, kind: FieldKind): number | undefined {
  if (!isText(kind) && kind !== 'json') return undefined;
  const names = ['maxLength', 'max_length', 'maxlength', 'maxChars', 'max_chars', 'maxCharacters'];
  // For a text, `max` can only be a length.
  const length = positive(pick(shape, kind === 'json' ? names : [...names, 'max', 'maximum']));
  return length === undefined ? undefined : Math.floor(length);
}

/** `examples` is JSON Schema's own word for what could be written. */
function examplesOf(shape: Shape, kind: FieldKind): Pick<Field, 'examples'> {
  const stated = kind === 'text' || kind === 'longText' ? pick(shape, ['examples']) : undefined;
  const texts = (Array.isArray(stated) ? (stated as unknown[]) : []).filter((text) => typeof text === 'string');
  const examples = texts.filter((text) => text.trim() !== '');
  return examples.length > 0 ? { examples } : {};
}

function positive(value: unknown): number | undefined {
  const number = readNumber(value);
  return number !== undefined && number > 0 ? number : undefined;
}

function isRequired(shape: Shape): boolean {
  const stated = pick(shape, ['required', 'isRequired', 'is_required', 'mandatory']);
  if (typeof stated === 'string') return /^(yes|y|true|required|1)$/i.test(stated.trim());
  if (stated !== undefined) return stated === true || stated === 1;
  return pick(shape, ['optional']) === false;
}

/** The service may write "none" for no default (specification: Model). */
function defaultOf(shape: Shape, kind: FieldKind, choices: readonly Choice[] | undefined): Json | undefined {
  const stated = pick(shape, ['default', 'defaultValue', 'default_value', 'initial']);
  if (stated === 'none' && !choices?.some(({ value }) => value === 'none')) return undefined;
  if (kind === 'boolean' && typeof stated === 'string' && /^(true|false|yes|no)$/i.test(stated))
    return /^(true|yes)$/i.test(stated);
  return readJson(stated);
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

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
function isImageField(name: string, shape: Shape, word: string): boolean {
  const isText = /^(string|str|text|)$/.test(word);
  const stated = isText ? wordOf(pickText(shape, ['format', 'widget', 'control', 'ui'])) : word;
  const media = statedTypes(shape, [...typeNames, ...acceptNames, ...madeOrTaken]);
  if (media.length > 0 && !media.some(isImageType)) return false;
  if (/^(input )?(image|picture|photo|mask)( ?(file|url|uri|upload|input|image|data( ?ur[il])?))?$/.test(stated))
    return true;
  const isFile = /^((input )?(file|binary|blob|upload|bytes?|base64)( ?(upload|input))?|data ?ur[il])$/.test(stated);
  if (isFile || (isText && isBase64(shape))) return media.length > 0 || !otherFiles.test(name);
  if (!isText || !/^(ur[il])?$/.test(stated)) return false;
  return statedTypes(shape, typeNames).some(isImageType) || (stated !== '' && isImageName(name));
}

/**
 * True if the field takes a list of what would be an image as a field of its own. A text counts as one if the list
 * accepts types of images, or its name says so: a list of texts called `image_urls` can hold nothing else.
 */
function isImageListField(name: string, shape: Shape, word: string): boolean {
  const stated = pick(shape, itemNames);
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

const fewestNames = ['minImages', 'min_images', 'minFiles', 'min_files'];
const mostNames = ['maxImages', 'max_images', 'maxFiles', 'max_files'];

/** True for the type of one image where the field says that it takes several of them. */
function takesSeveral(shape: Shape): boolean {
  const several = pick(shape, [
    'multiple',
    'isArray',
    'is_array',
    'isList',
    'is_list',
    'allowMultiple',
    'allow_multiple',
  ]);
  return several === true || (positive(pick(shape, ['maxItems', 'max_items', ...mostNames])) ?? 1) > 1;
}

/** What the field accepts, with the usual for what it doesn't state. */
function imageLimitsOf(name: string, stated: Shape, word: string): ImageLimits {
  const isList = !isImageField(name, stated, word) || takesSeveral(stated);
  const item = isList ? pick(stated, itemNames) : undefined;
  // What isn't stated of the items may be stated of the list.
  const shape = isObject(item) ? { ...stated, ...item } : stated;
  const types = statedTypes(shape, [...typeNames, ...acceptNames, ...madeOrTaken])
    .filter(isImageType)
    .flatMap(spelledOut);
  const size = (names: readonly string[]) => positive(pick(shape, names));
  return {
    ...(isList && { isList }),
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

/** True for the name of a mask, or of the area to paint in: `mask_image`, "Inpainting area". */
function namesMask(words: string): boolean {
  return /\bmask\b|\binpaint(ing)? (area|region|zone)\b/.test(wordOf(words));
}

const changing = /chang|edit|replac|paint|fill|modif|generat|re-?draw|alter|remov|eras|affect/i;
const keeping =
  /\b(keep|kept|preserv|protect|unchanged|unaffected|untouched|unmodified|unedited|retain|remain|stay)|n[o’']t\b/i;
/** These mean the same only where nothing changes: "replaced in the original image". */
const leaving = /\b(original|ignor)/i;
/** What a mask is made of, which says nothing about either color. */
const bothColors = /\b(black|white)\b( ?[,/&-] ?| and | or |-and-)(black|white)\b/gi;

/** More words say nothing about a color, UTF-16 units. */
const mostWords = 2000;

const colorWords = (['white', 'black', 'transparent', 'opaque'] as const).map(
  (color) => [color, new RegExp(`\\b${color}\\b`, 'i')] as const,
);

/**
 * The color by which a mask marks what changes, in words such as "White areas are repainted, black ones stay":
 * undefined if nothing says so, or what does contradicts itself.
 */
function markingColor(words: string): MaskColor | undefined {
  const plain = words.slice(0, mostWords).replaceAll(bothColors, ' ');
  const inside = [...plain.matchAll(/\(([^()]*)\)/g)].map(([, text = '']) => text);
  const parts = [plain.replaceAll(/\([^()]*\)/g, ' '), ...inside];
  const said = parts.flatMap((part) => part.split(/[.,;:\n]|\b(?:and|while|whereas|but)\b/i)).flatMap(markedIn);
  const colors = new Set(said);
  return colors.size === 1 ? said[0] : undefined;
}

/** The color that one part of a sentence says to mark what changes: none, or one. */
function markedIn(part: string): readonly MaskColor[] {
  const [color, ...others] = colorWords.flatMap(([name, words]) => (words.test(part) ? [name] : []));
  if (color === undefined || others.length > 0) return [];
  const changes = changing.test(part);
  const keeps = keeping.test(part) || (!changes && leaving.test(part));
  if (!keeps && !changes) return [];
  if (color === 'transparent' || color === 'opaque') return keeps === (color === 'opaque') ? ['transparent'] : [];
  return [keeps === (color === 'black') ? 'white' : 'black'];
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

function defined<T extends object>(facts: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as never;
}
