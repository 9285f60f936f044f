import { parseTree, type Node, type ParseError } from 'jsonc-parser';

/** The name of our entry in an agent's configuration. */
export const entryName = 'model-catalog';

/** The command line that an agent runs. */
export interface AgentEntry {
  readonly command: string;
  readonly args: readonly string[];
}

const serversName = 'mcpServers';
/** Some editors write it at the start of a text. */
const byteOrderMark = '\ufeff';

/**
 * A configuration with our entry added and every other byte unchanged. Undefined if the text isn't JSON with comments
 * or has a duplicate key. An empty text is a new configuration.
 */
export function withEntry(text: string, entry: AgentEntry): string | undefined {
  if (text.trim() === '') return `${JSON.stringify({ [serversName]: { [entryName]: entry } }, undefined, 2)}\n`;
  const config = read(text);
  if (!config) return undefined;
  const { body, root, servers, ours } = config;
  if (ours) return config.mark + replaced(body, ours, entry);
  const added = servers
    ? inserted(body, servers, entryName, entry)
    : inserted(body, root, serversName, { [entryName]: entry });
  return config.mark + added;
}

/** A configuration without our entry and every other byte unchanged; undefined if it can't be parsed. */
export function withoutEntry(text: string): string | undefined {
  const config = read(text);
  if (!config) return undefined;
  const { servers, ours } = config;
  return servers && ours?.parent ? config.mark + removed(config.body, servers, ours.parent) : text;
}

/** Whether a configuration has an entry that runs this launcher. */
export function hasEntry(text: string, launcher: string): boolean {
  const ours = read(text)?.ours;
  return ours?.type === 'object' && strings(ours).includes(launcher);
}

interface Config {
  /** The byte order mark, if any. */
  readonly mark: string;
  readonly body: string;
  readonly root: Node;
  readonly servers: Node | undefined;
  /** The value of our entry. */
  readonly ours: Node | undefined;
}

function read(text: string): Config | undefined {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const body = text.slice(mark.length);
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !root || !isPlainObject(root)) return undefined;
  const servers = valueOf(root, serversName);
  if (servers && !isPlainObject(servers)) return undefined;
  return { mark, body, root, servers, ours: servers && valueOf(servers, entryName) };
}

/** An object without duplicate keys. */
function isPlainObject({ type, children = [] }: Node): boolean {
  return type === 'object' && new Set(children.map(nameOf)).size === children.length;
}

function nameOf(property: Node): unknown {
  return property.children?.[0]?.value;
}

function valueOf(object: Node, name: string): Node | undefined {
  return object.children?.find((property) => nameOf(property) === name)?.children?.[1];
}

function strings(node: Node): unknown[] {
  return [node.value, ...(node.children ?? []).flatMap(strings)];
}

function replaced(text: string, node: Node, value: object): string {
  const isCompact = !text.slice(node.offset, endOf(node)).includes('\n');
  const written = isCompact ? JSON.stringify(value) : indented(text, value, indentAt(text, node.offset));
  return text.slice(0, node.offset) + written + text.slice(endOf(node));
}

/** After the last property, formatted like that one. */
function inserted(text: string, object: Node, name: string, value: object): string {
  const last = object.children?.at(-1);
  const key = `${JSON.stringify(name)}: `;
  const outer = indentAt(text, object.offset);
  if (!last) {
    const at = object.offset + 1;
    const indent = outer + styleOf(text).unit;
    const end = text.slice(at, endOf(object)).includes('\n') ? '' : styleOf(text).eol + outer;
    const written = styleOf(text).eol + indent + key + indented(text, value, indent) + end;
    return text.slice(0, at) + written + text.slice(at);
  }
  const isCompact = !text.slice(object.offset, last.offset).includes('\n');
  const indent = indentAt(text, last.offset);
  const written = isCompact
    ? `, ${key}${JSON.stringify(value)}`
    : `,${styleOf(text).eol}${indent}${key}${indented(text, value, indent)}`;
  return text.slice(0, endOf(last)) + written + text.slice(endOf(last));
}

function removed(text: string, object: Node, property: Node): string {
  const siblings = object.children ?? [];
  const index = siblings.indexOf(property);
  const [before, after] = [siblings[index - 1], siblings[index + 1]];
  if (before) return text.slice(0, endOf(before)) + text.slice(endOf(property));
  if (after) return text.slice(0, property.offset) + text.slice(after.offset);
  const [start, end] = [object.offset + 1, endOf(object) - 1];
  const rest = text.slice(start, property.offset) + text.slice(endOf(property), end).replace(/^\s*,/, '');
  return text.slice(0, start) + (rest.trim() === '' ? '' : rest) + text.slice(end);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function indented(text: string, value: object, indent: string): string {
  const { eol, unit } = styleOf(text);
  return JSON.stringify(value, undefined, unit).replaceAll('\n', eol + indent);
}

/** The indentation of the line. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function styleOf(text: string): { readonly eol: string; readonly unit: string } {
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit };
}
