import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentTool } from '../features/agents/model/agentTools';
import { agentsFolder } from './agentsFolder';

/** The path of the list of tools in the extension's storage. */
export const toolsFile = join(agentsFolder, 'tools.json');

export interface Launched {
  /** The extension's storage. */
  readonly storage: string;
  /** The folder of the installed version. */
  readonly extension: string;
  /** The program that runs the editor's extensions, which can also run the relay. */
  readonly node: string;
  readonly tools: readonly AgentTool[];
}

/**
 * The command in agents' configurations, always at the same path: what it starts moves with each version of the
 * extension, and with the editor.
 */
export function launcherPath(storage: string, platform: NodeJS.Platform): string {
  return join(storage, agentsFolder, platform === 'win32' ? 'mcp.cmd' : 'mcp');
}

/** Writes this version's launcher and list of tools atomically, if they differ. */
export function writeLauncher({ storage, extension, node, tools }: Launched, platform: NodeJS.Platform): void {
  const program = join(extension, 'dist', 'mcp.mjs');
  const text = platform === 'win32' ? batch(node, program, storage) : script(node, program, storage);
  mkdirSync(join(storage, agentsFolder), { recursive: true, mode: 0o700 });
  replace(join(storage, toolsFile), JSON.stringify(tools), 0o600);
  replace(launcherPath(storage, platform), text, 0o700);
}

export function removeLauncher(storage: string): void {
  rmSync(join(storage, agentsFolder), { recursive: true, force: true });
}

function replace(path: string, text: string, mode: number): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  const unfinished = join(dirname(path), `${process.pid}.new`);
  writeFileSync(unfinished, text, { mode });
  chmodSync(unfinished, mode);
  renameSync(unfinished, path);
}

/**
 * Prefers the editor's own program: it exists while there are windows to reach, and its Node is one we know. If it has
 * moved, any other Node will do.
 */
function script(node: string, program: string, storage: string): string {
  const rest = `${quoted(program)} ${quoted(storage)}`;
  return [
    '#!/bin/sh',
    '# Starts the relay of Model Catalog for agents. The extension rewrites this file.',
    `if [ -x ${quoted(node)} ]; then`,
    `  ELECTRON_RUN_AS_NODE=1 exec ${quoted(node)} ${rest}`,
    'fi',
    `exec node ${rest}`,
    '',
  ].join('\n');
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

/**
 * The current folder is the project, and Windows looks there first for a program without a path: none is started so,
 * not even another Node.
 */
function batch(node: string, program: string, storage: string): string {
  const inside = (path: string) => `"${path.replaceAll('%', '%%')}"`;
  const rest = `${inside(program)} ${inside(storage)}`;
  return [
    '@echo off',
    'rem Starts the relay of Model Catalog for agents. The extension rewrites this file.',
    'set NoDefaultCurrentDirectoryInExePath=1',
    String.raw`%SystemRoot%\System32\chcp.com 65001 >nul`,
    `if not exist ${inside(node)} goto other`,
    'set ELECTRON_RUN_AS_NODE=1',
    `${inside(node)} ${rest}`,
    'exit /b',
    ':other',
    'echo VS Code has moved. Open this project in VS Code, then start the agent again. 1>&2',
    'exit /b 1',
    '',
  ].join('\r\n');
}
