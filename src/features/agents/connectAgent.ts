import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import { exists } from '../../editor/exists';
import { agentScheme } from '../../editor/ids';
import { UserError } from '../../editor/userError';
import {
  type AgentProgram,
  type ConfigFile,
  entryName,
  hasEntry,
  isOurSkill,
  readConfig,
  skillOutside,
  withEntry,
  withoutEntry,
  writeConfig,
} from './model/agentConfig';
import { programsHere } from './programs';
import type { WindowEnd } from './windowEnd';

/** Adds our entry to an agent's configuration, or copies it, after showing the change. */
export async function connectAgent(context: vscode.ExtensionContext, windowEnd: WindowEnd): Promise<void> {
  const { programs, entry } = programsHere(context);
  const program = await askProgram(programs);
  if (!program) return;
  const config = await readable(program);
  const changed = config && withEntry(config.text, entry);
  const way = config && changed !== undefined ? await askToAdd(program, config, changed) : await askToCopy(program);
  if (!way) return;
  await windowEnd.open();
  if (way === 'copy') await copy(program);
  else if (config && changed !== undefined) await add(program, config, changed);
  await offerSkill(context, program);
}

async function add(program: AgentProgram, config: ConfigFile, changed: string): Promise<void> {
  if (!(await writeConfig(config, changed)))
    throw new UserError(vscode.l10n.t('{0} changed in the meantime. Try again.', basename(program.config ?? '')));
  const name = nameOf(program);
  void vscode.window.showInformationMessage(vscode.l10n.t('{0} is connected. If it’s running, restart it.', name));
}

/** Adds our skill, which teaches an agent how to use the tools well, after the user saw its text. */
async function offerSkill(context: vscode.ExtensionContext, { skill }: AgentProgram): Promise<void> {
  if (skill === undefined) return;
  const text = await ownSkill(context);
  const before = await skillAt(skill);
  const file = vscode.Uri.file(skill);
  // Leave a skill alone that somebody else put there.
  if (before === text || (before === undefined && (await exists(file)))) return;
  const preview = await showPreview(basename(skill), text, before === undefined ? undefined : file);
  const way = await ask(preview, [
    { way: 'add', label: vscode.l10n.t('Add Skill'), detail: skill },
    { way: undefined, label: vscode.l10n.t('Don’t Add Skill') },
  ]);
  if (way !== 'add') return;
  await writeSkill(skill, text);
  void vscode.window.showInformationMessage(vscode.l10n.t('Skill added to {0}.', skill));
}

type Way = 'add' | 'copy' | undefined;

interface ProgramItem extends vscode.QuickPickItem {
  readonly program: AgentProgram;
}

async function askProgram(programs: readonly AgentProgram[]): Promise<AgentProgram | undefined> {
  const items = programs.map((program): ProgramItem => ({
    program,
    label: nameOf(program),
    description: wayWords(program),
  }));
  const placeHolder = vscode.l10n.t('Select the agent that should use Model Catalog');
  const chosen = await vscode.window.showQuickPick(items, { title: title(), placeHolder });
  return chosen?.program;
}

function wayWords({ isWritten, isCommand, config }: AgentProgram): string {
  if (isCommand) return vscode.l10n.t('copy a command');
  return isWritten ? vscode.l10n.t('add an entry to {0}', basename(config ?? '')) : vscode.l10n.t('copy an entry');
}

/** The configuration if it can be written; undefined if the program isn't installed, or we don't write its file. */
async function readable({ isWritten, config }: AgentProgram): Promise<ConfigFile | undefined> {
  if (!isWritten || config === undefined) return undefined;
  try {
    return await readConfig(config);
  } catch {
    // The user gets the entry to add by hand.
    return undefined;
  }
}

async function askToAdd(program: AgentProgram, config: ConfigFile, changed: string): Promise<Way> {
  const name = basename(program.config ?? '');
  const before = config.found && vscode.Uri.parse(config.file);
  return ask(await showPreview(name, changed, before), [
    { way: 'add', label: vscode.l10n.t('Add Entry'), detail: program.config },
    { way: 'copy', label: vscode.l10n.t('Copy Entry') },
  ]);
}

async function askToCopy(program: AgentProgram): Promise<Way> {
  const { isWritten, isCommand, config, text } = program;
  const label = isCommand ? vscode.l10n.t('Copy Command') : vscode.l10n.t('Copy Entry');
  const detail = isWritten ? vscode.l10n.t('{0} can’t be changed here.', config ?? '') : config;
  return ask(await showPreview(entryName, text), [{ way: 'copy', label, detail }]);
}

/** The box stays open while the user looks at the page behind it. */
async function ask(
  preview: { dispose(): unknown },
  items: readonly (vscode.QuickPickItem & { readonly way: Way })[],
): Promise<Way> {
  try {
    return (await vscode.window.showQuickPick(items, { title: title(), ignoreFocusOut: true }))?.way;
  } finally {
    preview.dispose();
  }
}

async function copy(program: AgentProgram): Promise<void> {
  await vscode.env.clipboard.writeText(program.text);
  const { isCommand, config } = program;
  const words = isCommand
    ? vscode.l10n.t('Command copied. Run it in a terminal.')
    : config === undefined
      ? vscode.l10n.t('Entry copied. Paste it into the configuration of your agent.')
      : vscode.l10n.t('Entry copied. Paste it into {0}.', config);
  void vscode.window.showInformationMessage(words);
}

function nameOf({ name }: AgentProgram): string {
  return name ?? vscode.l10n.t('Other agent');
}

function title(): string {
  return vscode.l10n.t('Connect an Agent');
}

/** Removes our entries from the configurations that we write, and then the launcher, after the user confirmed. */
export async function disconnectAgents(context: vscode.ExtensionContext, windowEnd: WindowEnd): Promise<void> {
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
    // The user is asked to do it.
    return false;
  }
}

/** A page that shows what would change, until it's disposed. */
async function showPreview(name: string, text: string, changes?: vscode.Uri): Promise<Disposable> {
  const own = new Disposables();
  const page = vscode.Uri.from({ scheme: agentScheme, path: `/${name}` });
  own.add(
    vscode.workspace.registerTextDocumentContentProvider(agentScheme, { provideTextDocumentContent: () => text }),
  );
  const title = vscode.l10n.t('{0} (preview)', name);
  if (changes) await vscode.commands.executeCommand('vscode.diff', changes, page, title);
  else await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(page));
  own.add({ dispose: () => void closeTabs(page) });
  return own;
}

async function closeTabs(page: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shows = ({ input }: vscode.Tab) =>
    (input instanceof vscode.TabInputText && input.uri.toString() === page.toString()) ||
    (input instanceof vscode.TabInputTextDiff && input.modified.toString() === page.toString());
  // A tab that can't be closed was closed by hand.
  await vscode.window.tabGroups.close(tabs.filter(shows)).then(undefined, () => false);
}

/** The skill as outside agents get it. */
async function ownSkill({ extensionUri }: vscode.ExtensionContext): Promise<string> {
  const file = vscode.Uri.joinPath(extensionUri, 'media', 'skills', 'model-catalog', 'SKILL.md');
  return skillOutside(await textOf(file));
}

/** The text an agent reads now; undefined if our skill isn't there. */
async function skillAt(path: string): Promise<string | undefined> {
  try {
    const text = await textOf(vscode.Uri.file(path));
    return isOurSkill(text) ? text : undefined;
  } catch {
    // It was never added.
    return undefined;
  }
}

/** Writes the skill, with the folders to it. Rejects when the disk doesn't allow it. */
async function writeSkill(path: string, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(vscode.Uri.file(path), new TextEncoder().encode(text));
}

/** Removes our skill, and its folder if that's empty then. False when that isn't possible. */
async function removeSkill(path: string): Promise<boolean> {
  const folder = vscode.Uri.file(dirname(path));
  try {
    await vscode.workspace.fs.delete(vscode.Uri.file(path));
    if ((await vscode.workspace.fs.readDirectory(folder)).length === 0) await vscode.workspace.fs.delete(folder);
    return true;
  } catch {
    // The user is told to do it.
    return false;
  }
}

async function textOf(file: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}
