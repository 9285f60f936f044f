import { isObject, type Json } from '../base/json';

/** A value with a longer line is written on several. */
const widest = 100;

/** A value as a person would write it in a render file, below a line with this indentation. */
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
