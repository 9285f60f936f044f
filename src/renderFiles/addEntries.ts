import { createScanner } from 'jsonc-parser';
import type { Clock } from '../base/clock';
import { Yielder } from '../base/concurrency';
import { isObject, type Json } from '../base/json';
import type { Edit, Span } from '../documents/scan';
import { fitIn, fitOf } from './readRenderFile';
import { writtenInputs } from './givenFiles';
import { newEntryOf, fileIn, fitProperties, type NewRender, renderFileText, type StatedForAll } from './newRenderFile';
import { Findings } from './properties';
import { redacted } from './states';
import { jsonOf, type JsonNode, type ObjectNode, readTree } from './tree';

/** A render to add: exactly this one, or one with the model, inputs, and style that the file has for all. */
export interface AddedRender extends NewRender {
  readonly inherits?: boolean;
}

/**
 * The edits that add entries to the end of a render file’s list, and keep its comments and formatting. Undefined if the
 * text isn’t a complete render file.
 */
export async function entriesAdded(
  text: string,
  path: string,
  renders: readonly AddedRender[],
  clock: Clock,
): Promise<readonly Edit[] | undefined> {
  if (text.trim() === '') return [{ start: 0, end: text.length, text: renderFileText(path, renders) }];
  const { root, problems } = await readTree(text, new Yielder(clock));
  if (root?.kind !== 'object' || problems.length > 0) return undefined;
  const unit = unitOf(text, root);
  const written = renders.map((one) => ({ ...one, inputs: writtenInputs(one.inputs, path) }));
  const entries = (indent: string) => written.map((one) => jsonText(addedEntry(one, root, path), indent, unit));
  const list = valueOf(root, 'renders');
  if (list) return list.kind === 'array' ? appended(text, list, list.items.at(-1), entries, unit) : undefined;
  const property = (indent: string) => {
    const inner = indent + unit;
    return [
      `"renders": [\n${entries(inner)
        .map((entry) => inner + entry)
        .join(',\n')}\n${indent}]`,
    ];
  };
  return appended(text, root, root.properties.at(-1)?.value, property, unit);
}

function addedEntry(render: AddedRender, root: ObjectNode, path: string): Record<string, Json> {
  const stated = statedIn(root, path);
  if (!render.inherits) {
    const style = valueOf(root, 'style');
    const isStyled = style !== undefined && !(style.kind === 'scalar' && style.value === null);
    return { ...newEntryOf(render, stated), ...(isStyled ? { style: null } : {}) };
  }
  const inputs = redacted(render.inputs);
  return {
    file: fileIn(stated, render.target),
    ...(stated.model === undefined ? { model: render.modelId } : {}),
    ...(Object.keys(inputs).length === 0 ? {} : { inputs }),
    ...(render.fit ? fitProperties(render.fit, stated.fit) : {}),
  };
}

function statedIn(root: ObjectNode, path: string): StatedForAll {
  const [folder, model, inputs] = ['folder', 'model', 'inputs'].map((name) => {
    const node = valueOf(root, name);
    return node && jsonOf(node);
  });
  return {
    path,
    folder: typeof folder === 'string' ? folder : '',
    model: typeof model === 'string' ? model : undefined,
    inputs: new Map(isObject(inputs) ? Object.entries(inputs) : []),
    fit: fitOf(fitIn(new Map(root.properties.map((one) => [one.key.text, one])), new Findings()), nothing),
  };
}

const nothing = { size: undefined, mode: undefined } as const;

/** The last of several properties with that name counts. */
function valueOf({ properties }: ObjectNode, name: string): JsonNode | undefined {
  return properties.findLast(({ key }) => key.text === name)?.value;
}

// The kinds of tokens between an item and the closing bracket, which the package declares as constants.
const [comma, lineComment, blockComment, lineBreak, endOfText] = [5, 12, 13, 14, 17];

/** The edits that add items after the last one of a list or object, in its style. */
function appended(
  text: string,
  { start, end }: Span,
  last: Span | undefined,
  itemsAt: (indent: string) => readonly string[],
  unit: string,
): readonly Edit[] {
  const from = last?.end ?? start + 1;
  const rest = readRest(text.slice(from, end - 1), last === undefined);
  const isInLine = last !== undefined && !rest.hasBreak;
  const indent = last === undefined ? indentAt(text, start) + unit : indentAt(text, last.start);
  const items = itemsAt(indent);
  const between = isInLine ? ' ' : `\n${indent}`;
  const added = between + items.join(`,${between}`);
  if (last === undefined) {
    const close = rest.hasBreak ? '' : `\n${indentAt(text, start)}`;
    return [insertion(from + rest.at, added + close)];
  }
  if (rest.hasComma) return [insertion(from + rest.at, `${added},`)];
  return rest.at === 0 ? [insertion(from, `,${added}`)] : [insertion(from, ','), insertion(from + rest.at, added)];
}

interface Rest {
  /** Where an item can follow: after the comma, and after a comment on the same line. */
  readonly at: number;
  readonly hasComma: boolean;
  readonly hasBreak: boolean;
}

/** What’s between the last item and the closing bracket; in an empty list, all comments come before the first item. */
function readRest(text: string, isEmpty: boolean): Rest {
  const scanner = createScanner(text);
  let [at, hasComma, hasBreak] = [0, false, false];
  for (let kind: number = scanner.scan(); kind !== endOfText; kind = scanner.scan()) {
    const isComment = kind === lineComment || kind === blockComment;
    if (kind === comma || (isComment && (isEmpty || !hasBreak)))
      at = scanner.getTokenOffset() + scanner.getTokenLength();
    hasComma ||= kind === comma;
    hasBreak ||= kind === lineBreak;
  }
  return { at, hasComma, hasBreak };
}

function insertion(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

/** The white space at the start of a line. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** One level of indentation, as the file has it. */
function unitOf(text: string, { properties }: ObjectNode): string {
  const [first] = properties;
  return (first && indentAt(text, first.key.start - 1)) || '  ';
}

/** A value with a longer line is written on several. */
const widest = 100;

/** A value as a user would write it in a render file, below a line with this indentation. */
export function jsonText(value: Json, indent: string, unit: string): string {
  const line = lineOf(value);
  if (indent.length + line.length <= widest || typeof value !== 'object' || value === null) return line;
  const inner = indent + unit;
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', (value as readonly Json[]).map((item) => jsonText(item, inner, unit))]
    : ['{', '}', Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${jsonText(one, inner, unit)}`)];
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}

function lineOf(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(lineOf).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const parts = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${lineOf(one)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
