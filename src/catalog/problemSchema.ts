import { isObject } from '../base/json';
import { redact } from '../base/log';
import type { FieldProblem } from './errors';
import { pick, pickText, type Shape } from './shape';

/** What the body of an error says (specification: Errors). */
export interface StatedProblem {
  readonly code?: string;
  readonly message?: string;
  readonly fields: readonly FieldProblem[];
}

const detailNames = ['details', 'detail', 'errors', 'issues', 'fields', 'violations', 'field_errors', 'fieldErrors'];
const messageNames = ['message', 'issue', 'msg', 'reason', 'error', 'description', 'detail', 'title'];
const fieldNames = ['field', 'path', 'name', 'property', 'param', 'parameter', 'loc', 'pointer', 'input'];
const longest = 2000;
const mostFields = 200;

/** Reads the body of an error in whatever shape; what cannot be read is left out. Never throws. */
export function readProblem(json: unknown): StatedProblem {
  if (!isObject(json)) return { fields: [], message: typeof json === 'string' ? cut(json) : undefined };
  const wrapped = pick(json, ['error']);
  const shape = isObject(wrapped) ? { ...json, ...wrapped } : json;
  const details = pick(shape, detailNames) ?? (pickText(shape, ['field', 'param']) === undefined ? undefined : shape);
  const message = pickText(shape, messageNames) ?? (typeof details === 'string' ? details : undefined);
  return {
    code: cut(pickText(shape, ['code', 'errorCode', 'error_code'])),
    message: cut(message),
    fields: readDetails(details, 3).slice(0, mostFields),
  };
}

/** A map from field to words, a list of `{field, message}`, or a text that names the field. */
function readDetails(details: unknown, depth: number): readonly FieldProblem[] {
  if (typeof details === 'string') return details.split('\n').flatMap((line) => readSentence(line) ?? []);
  if (depth === 0) return [];
  if (Array.isArray(details))
    return details.slice(0, mostFields).flatMap((entry: unknown) => readDetails(entry, depth - 1));
  if (!isObject(details)) return [];
  const named = readNamed(details);
  if (named) return [named];
  const inner = pick(details, detailNames);
  if (Array.isArray(inner) || isObject(inner)) return readDetails(inner, depth - 1);
  return Object.entries(details).flatMap(([name, words]) => {
    const message = wordsIn(words);
    if (message !== undefined) return [{ field: fieldName([name]), message }];
    // `{inputs: {prompt: …}}`
    return readDetails(words, depth - 1);
  });
}

function readNamed(shape: Shape): FieldProblem | undefined {
  const path = pick(shape, fieldNames);
  const message = pickText(
    shape,
    messageNames.filter((name) => !fieldNames.includes(name)),
  );
  const segments = Array.isArray(path)
    ? path.filter((part) => typeof part === 'string' || typeof part === 'number').map(String)
    : [path];
  if (message === undefined || !segments.every((segment) => typeof segment === 'string') || segments.length === 0)
    return undefined;
  return { field: fieldName(segments), message: cut(message) };
}

function wordsIn(words: unknown): string | undefined {
  if (typeof words === 'string') return cut(words);
  if (Array.isArray(words)) {
    const texts = words.flatMap((inner: unknown) =>
      typeof inner === 'string' ? inner : (isObject(inner) && pickText(inner, messageNames)) || [],
    );
    return texts.length > 0 ? cut(texts.join(' ')) : undefined;
  }
  return isObject(words) ? cut(pickText(words, messageNames)) : undefined;
}

/** `prompt: is required`, `"prompt" is required` or `field prompt is required`. */
function readSentence(line: string): FieldProblem | undefined {
  const [, before, quoted, named] =
    /^\s*([\w.[\]/-]{1,200})\s*:\s|["'`]([\w.[\]/-]{1,200})["'`]|\b(?:field|input|parameter)\s+([\w.[\]/-]{1,200})/i.exec(
      cut(line),
    ) ?? [];
  const name = before ?? quoted ?? named;
  return name === undefined
    ? undefined
    : {
        field: fieldName([name]),
        message: cut(before === undefined ? line : line.slice(line.indexOf(':') + 1)).trim(),
      };
}

/** The field's own name: a path such as `body.inputs.prompt`, `/inputs/prompt` or `["inputs", "prompt"]` leads to it. */
function fieldName(segments: readonly string[]): string {
  const [name = ''] = segments.length === 1 ? segments : [segments.join('.')];
  return cut(name.replace(/^[/$.]*(?:body[./])?(?:inputs?[./])?/, '')) || name;
}

/** A service, or what stands before it, may quote the key it was sent. */
function cut(text: string): string;
function cut(text: string | undefined): string | undefined;
function cut(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return redact(text.length <= longest ? text : `${text.slice(0, longest)}…`);
}
