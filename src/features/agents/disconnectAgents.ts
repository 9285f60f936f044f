import * as vscode from 'vscode';
import type { AgentProgram } from './model/agentPrograms';
import { hasEntry, withoutEntry } from './model/agentEntry';
import { readConfig, writeConfig } from './model/configFile';
import { exists } from '../../editor/exists';
import { programsHere } from './programs';
import { removeSkill, skillAt } from './skillFile';
import type { WindowEnd } from './windowEnd';

/** Removes our entries from the configurations that we write, and then the launcher, after the person confirmed. */
export async function disconnectAgents(
  context: vscode.ExtensionContext,
  windowEnd: Pick<WindowEnd, 'open' | 'removeLauncher'>,
): Promise<void> {
  const { programs, launcher } = programsHere(context);
  const configs = programs.flatMap(({ isWritten, config }) => (isWritten && config !== undefined ? [config] : []));
  const ours = await entriesOf(configs, launcher);
  const skills = await skillsOf(programs);
  if (ours.length === 0 && skills.length === 0 && !(await exists(vscode.Uri.file(launcher)))) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No agents are connected.'));
    return;
  }
  const disconnect = vscode.l10n.t('Disconnect Agents');
  const detail = [
    ...(ours.length === 0 ? [] : [vscode.l10n.t('This removes the entry from {0}.', ours.join(', '))]),
    ...(skills.length === 0 ? [] : [vscode.l10n.t('This deletes {0}.', skills.join(', '))]),
    vscode.l10n.t('Remove the entries that you copied yourself. They no longer work.'),
  ].join('\n');
  const question = vscode.l10n.t('Disconnect all agents from Model Catalog?');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, disconnect)) !== disconnect) return;
  windowEnd.removeLauncher();
  const undo = (paths: readonly string[], way: (path: string) => Promise<boolean>) =>
    Promise.all(paths.map(async (path) => ((await way(path)) ? [] : [path])));
  const left = (await Promise.all([undo(ours, takeBack), undo(skills, removeSkill)])).flat(2);
  void vscode.window.showInformationMessage(
    left.length === 0
      ? vscode.l10n.t('Agents are disconnected.')
      : vscode.l10n.t('Agents are disconnected. Couldn’t change {0}. Remove the entry yourself.', left.join(', ')),
  );
}

/** Our skills that agents read. */
async function skillsOf(programs: readonly AgentProgram[]): Promise<string[]> {
  const paths = programs.flatMap(({ skill }) => skill ?? []);
  const found = await Promise.all(paths.map(async (path) => ((await skillAt(path)) === undefined ? [] : [path])));
  return found.flat();
}

/** The files with an entry of ours. */
async function entriesOf(configs: readonly string[], launcher: string): Promise<string[]> {
  const found = await Promise.all(
    configs.map(async (path) => {
      const config = await readConfig(path).catch(() => undefined);
      return config && hasEntry(config.text, launcher) ? [path] : [];
    }),
  );
  return found.flat();
}

/** False when the file can't be written, or someone else is writing it. */
async function takeBack(path: string): Promise<boolean> {
  try {
    const config = await readConfig(path);
    const text = withoutEntry(config.text);
    return text !== undefined && (await writeConfig(config, text));
  } catch {
    // The person is asked to do it.
    return false;
  }
}
