import { dirname, join } from 'node:path';
import { entryName, type AgentEntry } from './agentEntry';

/** Where things are on this computer. */
export interface AgentPaths {
  readonly home: string;
  /** The extension's own storage. */
  readonly storage: string;
  readonly launcher: string;
  readonly platform: string;
}

/** An agent's program that can be connected. */
export interface AgentProgram {
  /** Undefined for any that isn't named here. */
  readonly name: string | undefined;
  /** The file that holds its entries: ours is put there if it's JSON, else by hand. */
  readonly config?: string;
  readonly isWritten: boolean;
  /** What to copy where the file isn't written: an entry, or a command for a terminal. */
  readonly text: string;
  readonly isCommand: boolean;
  /** Where it reads our skill from, for all projects; undefined where nothing says so. */
  readonly skill?: string;
}

/**
 * Each with the way it's connected. What keeps other things beside its entries, or isn't JSON, is never written: the
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

/** Windows starts no batch file by itself. */
export function entryOf({ launcher, platform }: AgentPaths): AgentEntry {
  return platform === 'win32' ? { command: 'cmd', args: ['/c', launcher] } : { command: launcher, args: [] };
}

/** Codex gives up on a tool after a minute, unless told otherwise: a person may take longer to say yes. */
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
