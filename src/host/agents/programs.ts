import type * as vscode from 'vscode';
import { agentPrograms, entryOf, type AgentPaths, type AgentProgram } from '../../app/agents/agentPrograms';
import type { AgentEntry } from '../../app/agents/agentEntry';
import { launcherPath } from '../../relay/launcher';

/** The agent programs that can be connected on this computer, and the launcher they run. */
export function programsHere({ globalStorageUri }: Pick<vscode.ExtensionContext, 'globalStorageUri'>): {
  readonly programs: readonly AgentProgram[];
  readonly entry: AgentEntry;
  readonly launcher: string;
} {
  const { platform, env } = process;
  const storage = globalStorageUri.fsPath;
  const home = (platform === 'win32' ? env.USERPROFILE : env.HOME) ?? '';
  const launcher = launcherPath(storage, platform);
  const paths: AgentPaths = { home, storage, launcher, platform };
  return { programs: agentPrograms(paths), entry: entryOf(paths), launcher };
}
