import * as vscode from 'vscode';
import { basename, dirname } from 'node:path';
import { type Disposable, Disposables } from '../../base/disposable';
import { exists } from '../../editor/exists';
import { agentScheme, commands, type CommandId } from '../../editor/ids';
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
  type AgentEntry,
  type AgentPaths,
  agentPrograms,
  agentEntryOf,
} from './model/agentConfig';
import type { WindowEnd } from './windowEnd';
import { homeFolder } from '../../editor/homeFolder';
import { launcherPath } from '../../relay/launcher';
import { formatCents } from '../../base/format';
import { separator } from '../../editor/boxes';

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
  const name = programNameOf(program);
  void vscode.window.showInformationMessage(vscode.l10n.t('{0} is connected. If it’s running, restart it.', name));
}

/** Adds our skill, which teaches an agent how to use the tools well, after the user saw its text. */
async function offerSkill(context: vscode.ExtensionContext, program: AgentProgram): Promise<void> {
  const { skill } = program;
  if (skill === undefined) return;
  const text = await ownSkill(context);
  const before = await skillAt(skill);
  const file = vscode.Uri.file(skill);
  // Leave a skill alone that somebody else put there.
  if (before === text || (before === undefined && (await exists(file)))) return;
  const preview = await showPreview(basename(skill), text, before === undefined ? undefined : file);
  const add = vscode.l10n.t('Add Skill');
  const question = vscode.l10n.t('Add this skill to {0}?', programNameOf(program));
  if ((await ask(preview, question, skill, [add])) !== add) return;
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
    label: programNameOf(program),
    description: wayWords(program),
  }));
  const placeHolder = vscode.l10n.t('Select an agent to connect');
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
  const preview = await showPreview(name, changed, before, addedTo(config.text, changed));
  const add = vscode.l10n.t('Add Entry');
  const byHand = vscode.l10n.t('Copy Entry');
  const answer = await ask(preview, vscode.l10n.t('Add this entry to {0}?', name), program.config, [add, byHand]);
  if (answer === undefined) return undefined;
  return answer === add ? 'add' : 'copy';
}

/** The line where the text begins to differ. */
function addedTo(before: string, after: string): number {
  const [old, lines] = [before.split('\n'), after.split('\n')];
  return lines.findIndex((line, index) => line !== old[index]);
}

async function askToCopy(program: AgentProgram): Promise<Way> {
  const { isWritten, isCommand, config, text } = program;
  const label = isCommand ? vscode.l10n.t('Copy Command') : vscode.l10n.t('Copy Entry');
  const question = isCommand ? vscode.l10n.t('Copy this command?') : vscode.l10n.t('Copy this entry?');
  const detail = isWritten ? vscode.l10n.t('Couldn’t edit {0} automatically.', config ?? '') : config;
  return (await ask(await showPreview(entryName, text), question, detail, [label])) === label ? 'copy' : undefined;
}

/** What the user answers with the page in view: a list would cover its first lines. */
async function ask(
  preview: { dispose(): unknown },
  question: string,
  detail: string | undefined,
  labels: readonly string[],
): Promise<string | undefined> {
  try {
    return await vscode.window.showInformationMessage(question, { modal: true, detail }, ...labels);
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

function programNameOf({ name }: AgentProgram): string {
  return name ?? vscode.l10n.t('Other agent');
}

function title(): string {
  return vscode.l10n.t('Connect an Agent');
}

/** The names of the agents with an entry of ours; of others if one was copied. */
export async function connectedAgents(context: vscode.ExtensionContext): Promise<readonly string[]> {
  const { programs, launcher } = programsHere(context);
  const ours = await entriesOf(configsOf(programs), launcher);
  const names = programs.flatMap((program) => (ours.includes(program.config ?? '') ? [programNameOf(program)] : []));
  const isOpen = names.length > 0 || (await exists(vscode.Uri.file(launcher)));
  return names.length === 0 && isOpen ? [vscode.l10n.t('Other agent')] : names;
}

function configsOf(programs: readonly AgentProgram[]): string[] {
  return programs.flatMap(({ isWritten, config }) => (isWritten && config !== undefined ? [config] : []));
}

/** Removes our entries from the configurations that we write, and then the launcher, after the user confirmed. */
export async function disconnectAgents(context: vscode.ExtensionContext, windowEnd: WindowEnd): Promise<void> {
  const { programs, launcher } = programsHere(context);
  const ours = await entriesOf(configsOf(programs), launcher);
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
      : vscode.l10n.t(
          'Agents are disconnected, but {0} couldn’t be changed. Remove the entry yourself.',
          left.join(', '),
        ),
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

/** A page that shows what would change, from that line on, until it's disposed. */
async function showPreview(name: string, text: string, changes?: vscode.Uri, line = 0): Promise<Disposable> {
  const own = new Disposables();
  const page = vscode.Uri.from({ scheme: agentScheme, path: `/${name}` });
  own.add(
    vscode.workspace.registerTextDocumentContentProvider(agentScheme, { provideTextDocumentContent: () => text }),
  );
  const title = vscode.l10n.t('{0} (preview)', name);
  if (changes) await vscode.commands.executeCommand('vscode.diff', changes, page, title);
  else await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(page));
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === page.toString());
  editor?.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.AtTop);
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
  return skillOutside(await fileTextOf(file));
}

/** The text an agent reads now; undefined if our skill isn't there. */
async function skillAt(path: string): Promise<string | undefined> {
  try {
    const text = await fileTextOf(vscode.Uri.file(path));
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

async function fileTextOf(file: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

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

/** What is known of agents in this window. */
interface AgentState {
  /** What agents may still spend without asking, euro cents; undefined without an allowance. */
  readonly leftCents: number | undefined;
  /** How many of their renders wait for their turn or for the user. */
  readonly unsent: number;
  /** The names of the connected ones. */
  readonly connected: readonly string[];
}

interface AgentRow extends vscode.QuickPickItem {
  readonly command?: CommandId;
}

/** Shows what agents can do in this window, and changes it. */
export async function manageAgents({ leftCents, unsent, connected }: AgentState): Promise<void> {
  const left =
    leftCents === undefined
      ? vscode.l10n.t('Agents have no allowance. You’re asked before every render by an agent.')
      : vscode.l10n.t('Agents’ remaining allowance: {0}.', formatCents(leftCents, vscode.env.language));
  const rows: AgentRow[] = [
    ...(leftCents === undefined && unsent === 0
      ? []
      : [
          separator(vscode.l10n.t('Allowance')),
          row('circle-slash', stopWords(leftCents), commands.stopAgents, unsentWords(unsent)),
        ]),
    separator(vscode.l10n.t('Agents outside VS Code')),
    row('plug', vscode.l10n.t('Connect an Agent…'), commands.connectAgent),
    ...(connected.length === 0
      ? []
      : [row('debug-disconnect', vscode.l10n.t('Disconnect Agents'), commands.disconnectAgents, connected.join(', '))]),
  ];
  const options = { title: vscode.l10n.t('Model Catalog Agents'), placeHolder: left };
  const chosen = await vscode.window.showQuickPick(rows, options);
  if (chosen?.command !== undefined) await vscode.commands.executeCommand(chosen.command);
}

function stopWords(leftCents: number | undefined): string {
  return leftCents === undefined ? vscode.l10n.t('Cancel Agents’ Renders') : vscode.l10n.t('Revoke Agents’ Allowance');
}

function unsentWords(unsent: number): string | undefined {
  return unsent === 0 ? undefined : vscode.l10n.t('Not sent yet: {0}', unsent);
}

function row(icon: string, label: string, command: CommandId, description?: string): AgentRow {
  return { label, iconPath: new vscode.ThemeIcon(icon), description, command };
}
