import { dirname, join } from 'node:path';
import { entryName, type AgentEntry } from './agentEntry';

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
  /** The file with its entries. We write ours if it's JSON; otherwise the person adds it. */
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
  const entry = entryOf(paths);
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
export function entryOf({ launcher, platform }: AgentPaths): AgentEntry {
  return platform === 'win32' ? { command: 'cmd', args: ['/c', launcher] } : { command: launcher, args: [] };
}

/** By default Codex gives up on a tool after a minute, and a person may take longer to confirm. */
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
