import * as vscode from 'vscode';
import type { BudgetName } from '../renders/budget';
import { lowestLimit } from '../renders/lowestLimit';
import { type SettingId, settingIds, settingSection } from './ids';
import { limitsSet, userValue, whole } from './settings';

/** The setting for each limit. */
export const limitSettings: Readonly<Record<BudgetName, SettingId>> = {
  perDay: settingIds.budgetPerDay,
  perProject: settingIds.budgetPerProject,
};

/** The other settings of money, which only the user sets. */
const amountSettings: readonly SettingId[] = [
  settingIds.confirmAbove,
  settingIds.unattendedBudget,
  settingIds.agentAllowance,
  settingIds.confirmAfterCents,
  settingIds.confirmAfterRenders,
  settingIds.lowBalance,
];

/**
 * The first setting of money that holds something else for renders of a folder (URI); an empty limit is none. What it
 * was meant to allow can't be told.
 */
export function unreadableSetting(root: string | undefined): SettingId | undefined {
  return (
    amountSettings.find((id) => !isReadable(userValue(id))) ??
    Object.values(limitSettings).find(
      (id) => !limitsSet(id, root).every((value) => value === null || isReadable(value)),
    )
  );
}

function isReadable(value: unknown): boolean {
  return value === undefined || whole(value) !== undefined;
}

/**
 * Shows this limit's setting where its value for a folder (URI) comes from: the workspace's settings if they set a
 * lower value than the user's own.
 */
export function openLimit(name: BudgetName, root: string | undefined): Thenable<void> {
  const id = limitSettings[name];
  const [own, all] = [lowestLimit([userValue(id)]) ?? Infinity, lowestLimit(limitsSet(id, root)) ?? Infinity];
  return open(id, all < own);
}

/** The same for a setting that can't be read. */
export function openUnreadable(id: string): Thenable<void> {
  const own = userValue(id as SettingId);
  return open(id, own === null || isReadable(own));
}

function open(id: string, isOfWorkspace: boolean): Thenable<void> {
  const command = isOfWorkspace ? 'workbench.action.openWorkspaceSettings' : 'workbench.action.openSettings';
  return vscode.commands.executeCommand(command, `@id:${settingSection}.${id}`);
}
