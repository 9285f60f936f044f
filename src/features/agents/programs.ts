import type * as vscode from 'vscode';
import { type AgentEntry, type AgentPaths, type AgentProgram, agentPrograms, agentEntryOf } from './model/agentConfig';
import { homeFolder } from '../../editor/homeFolder';
import { launcherPath } from '../../relay/launcher';

/** The agent programs that can be connected on this computer, and the launcher they run. */
export function programsHere({ globalStorageUri }: vscode.ExtensionContext): {
  readonly programs: readonly AgentProgram[];
  readonly entry: AgentEntry;
  readonly launcher: string;
} {
  const { platform } = process;
  const storage = globalStorageUri.fsPath;
  const launcher = launcherPath(storage, platform);
  const paths: AgentPaths = { home: homeFolder(process), storage, launcher, platform };
  return { programs: agentPrograms(paths), entry: agentEntryOf(paths), launcher };
}
