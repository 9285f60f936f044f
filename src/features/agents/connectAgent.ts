import { basename } from 'node:path';
import * as vscode from 'vscode';
import { entryName, withEntry } from './model/agentEntry';
import type { AgentProgram } from './model/agentPrograms';
import { readConfig, writeConfig, type ConfigFile } from './model/configFile';
import { UserError } from '../../editor/userError';
import { exists } from '../../editor/exists';
import { showPreview } from './preview';
import { programsHere } from './programs';
import { ownSkill, skillAt, writeSkill } from './skillFile';
import type { WindowEnd } from './windowEnd';

/** Adds our entry to an agent's configuration, or copies it, after showing the change. */
export async function connectAgent(
  context: vscode.ExtensionContext,
  windowEnd: Pick<WindowEnd, 'open' | 'removeLauncher'>,
): Promise<void> {
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

/** Adds our skill, which teaches an agent how to use the tools well, after the person saw its text. */
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
    // The person gets the entry to add by hand.
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

/** The box stays open while the person looks at the page behind it. */
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
