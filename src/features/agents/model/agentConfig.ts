import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { systemRandom } from '../../../base/clock';
import { nodeDisk } from '../../../files/disk';
import { localReplacing } from '../../../files/localSink';
import { codeOf } from '../../../files/problem';
import type { Found, Replacing } from '../../../files/replacement';

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
  return type === 'object' && new Set(children.map(propertyNameOf)).size === children.length;
}

function propertyNameOf(property: Node): unknown {
  return property.children?.[0]?.value;
}

function valueOf(object: Node, name: string): Node | undefined {
  return object.children?.find((property) => propertyNameOf(property) === name)?.children?.[1];
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

/** Another program's configuration, as it was read. */
export interface ConfigFile {
  readonly text: string;
  /** Undefined if the file doesn't exist yet. */
  readonly found: Found | undefined;
  readonly file: string;
  readonly replacing: Replacing;
}

/** Rejects when the folder doesn't exist, since the program isn't installed then, or when the file isn't text. */
export async function readConfig(path: string): Promise<ConfigFile> {
  // Some people keep such files elsewhere and link to them here.
  const real = await realPath(path);
  const file = pathToFileURL(real).href;
  const replacing = await localReplacing(nodeDisk, pathToFileURL(dirname(real)).href, file);
  const found = await replacing.read(file);
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(found?.bytes);
  return { text, found, file, replacing };
}

/**
 * Replaces the configuration atomically, keeping the file's mode. False without any change when someone wrote to it
 * since it was read.
 */
export async function writeConfig({ replacing, file, found }: ConfigFile, text: string): Promise<boolean> {
  const unfinished = `${file}.${systemRandom.uuid()}`;
  try {
    await replacing.write(unfinished, new TextEncoder().encode(text), found && file);
    return found ? await replacing.swap(unfinished, file, found) : await replacing.take(unfinished, file);
  } finally {
    await replacing.remove(unfinished);
  }
}

async function realPath(path: string): Promise<string> {
  try {
    return await nodeDisk.realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return join(await nodeDisk.realpath(dirname(path)), basename(path));
  }
}

/** Paths on this computer. */
export interface AgentPaths {
  readonly home: string;
  /** The extension's storage. */
  readonly storage: string;
  readonly launcher: string;
  readonly platform: string;
}

/** An agent program that can be connected. */
export interface AgentProgram {
  /** Undefined for a program that isn't listed here. */
  readonly name: string | undefined;
  /** The file with its entries. We write ours if it's JSON; otherwise the user adds it. */
  readonly config?: string;
  readonly isWritten: boolean;
  /** The text to copy if we don't write the file: an entry, or a command for a terminal. */
  readonly text: string;
  readonly isCommand: boolean;
  /** The file it reads our skill from, for all projects; undefined where its documentation names none. */
  readonly skill?: string;
}

/**
 * Each program with its way of connecting. A file that holds more than entries, or isn't JSON, is never written: the
 * person copies the entry, or runs the program's own command.
 */
export function agentPrograms(paths: AgentPaths): AgentProgram[] {
  const { home, storage, platform } = paths;
  const entry = agentEntryOf(paths);
  const shell = [entry.command, ...entry.args].map((word) => shellWord(word, platform)).join(' ');
  const json = JSON.stringify({ mcpServers: { [entryName]: entry } }, undefined, 2);
  const command = `claude mcp add --scope user ${entryName} -- ${shell}`;
  const codex = join(home, '.codex', 'config.toml');
  const cline = join(dirname(storage), 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json');
  const skill = (folder: string) => join(home, folder, 'skills', entryName, 'SKILL.md');
  const copied = { isWritten: false, isCommand: false };
  const written = { isWritten: true, isCommand: false, text: json };
  return [
    { ...copied, name: 'Claude Code', isCommand: true, text: command, skill: skill('.claude') },
    { ...copied, name: 'Codex', config: codex, text: toml(entry), skill: skill('.agents') },
    { ...written, name: 'Cursor', config: join(home, '.cursor', 'mcp.json'), skill: skill('.cursor') },
    { ...written, name: 'Cline', config: cline, skill: skill('.cline') },
    { ...copied, name: undefined, text: json },
  ];
}

/** Windows can't start a batch file directly. */
export function agentEntryOf({ launcher, platform }: AgentPaths): AgentEntry {
  return platform === 'win32' ? { command: 'cmd', args: ['/c', launcher] } : { command: launcher, args: [] };
}

/** By default Codex gives up on a tool after a minute, and a user may take longer to confirm. */
function toml({ command, args }: AgentEntry): string {
  return [
    `[mcp_servers.${entryName}]`,
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
    'tool_timeout_sec = 600',
    '',
  ].join('\n');
}

function shellWord(word: string, platform: string): string {
  if (platform === 'win32') return /\s/.test(word) ? `"${word}"` : word;
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The skill as outside agents read it: in the editor, the tools have other names. */
export function skillOutside(text: string): string {
  return text.replace(
    /`catalog([A-Z])(\w+)`/g,
    (_, first: string, rest: string) => `\`${first.toLowerCase()}${rest}\``,
  );
}

/** Whether this is our skill, of whatever version. */
export function isOurSkill(text: string): boolean {
  return new RegExp(`^---\\r?\\nname: ${entryName}\\r?\\n`).test(text);
}
