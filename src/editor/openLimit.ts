import * as vscode from 'vscode';
import type { BudgetName } from '../renders/budget';
import { earlierIds, oldSettingIds, type RenamedId, type SettingId, settingIds, settingSection } from './ids';
import { type LimitId, limitsWritten, lowest, userValue, userWritten } from './settings';
import { amountIn, limitIn, whole, type SetValues } from './settingValues';

const limitIds: Readonly<Record<BudgetName, LimitId>> = {
  perDay: settingIds.limitPerDay,
  perProject: settingIds.limitPerProject,
};

/** The other settings of money, which only the user sets. */
const amountIds = [
  settingIds.confirmAbove,
  settingIds.otherAllowance,
  settingIds.agentAllowance,
  settingIds.confirmAfterTotal,
] as const;

/** Those that aren't offered any longer. */
const oldAmountIds = [oldSettingIds.confirmAfterRenders, oldSettingIds.lowBalance] as const;

/**
 * The first setting of money that holds something else for renders of a folder (URI), by the name under which it's set;
 * an empty limit is none. What it was meant to allow can't be told.
 */
export function unreadableSetting(root: string | undefined): SettingId | undefined {
  for (const id of amountIds) if (amountIn(userWritten(id)) === 'unreadable') return nameIn(id, userWritten(id));
  for (const id of Object.values(limitIds)) {
    const unreadable = limitsWritten(id, root).find((set) => limitIn(set) === 'unreadable');
    if (unreadable) return nameIn(id, unreadable);
  }
  return oldAmountIds.find((id) => userValue(id) !== undefined && whole(userValue(id)) === undefined);
}

/** The name under which a scope sets it. */
function nameIn(id: RenamedId, { now, before }: SetValues): SettingId {
  return now === undefined && before !== undefined ? earlierIds[id] : id;
}

/** The ID of the setting that sets this limit for a folder (URI), by the name under which it's set. */
export function limitSetting(name: BudgetName, root: string | undefined): SettingId {
  const id = limitIds[name];
  const all = limitsWritten(id, root);
  const limit = lowest(all.map(limitIn));
  return nameIn(id, all.find((set) => limit !== undefined && lowest([limitIn(set)]) === limit) ?? userWritten(id));
}

/**
 * Shows this limit's setting where its value for a folder (URI) comes from: the workspace's settings if they set a
 * lower value than the user's own.
 */
export function openLimit(name: BudgetName, root: string | undefined): Thenable<void> {
  const id = limitIds[name];
  const [own, all] = [lowest([limitIn(userWritten(id))]), lowest(limitsWritten(id, root).map(limitIn))];
  return open(limitSetting(name, root), (all ?? Infinity) < (own ?? Infinity));
}

/** The same for a setting that can't be read. */
export function openUnreadable(id: string): Thenable<void> {
  const limit = Object.values(limitIds).find((one) => one === id || earlierIds[one] === id);
  return open(id, limit !== undefined && limitIn(userWritten(limit)) !== 'unreadable');
}

function open(id: string, isOfWorkspace: boolean): Thenable<void> {
  const command = isOfWorkspace ? 'workbench.action.openWorkspaceSettings' : 'workbench.action.openSettings';
  return vscode.commands.executeCommand(command, `@id:${settingSection}.${id}`);
}
