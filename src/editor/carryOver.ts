import * as vscode from 'vscode';
import { reasonOf, type Log } from '../base/log';
import { plain } from '../base/plain';
import { commands, earlierIds, oldSettingIds, type RenamedId, settingIds, settingSection } from './ids';
import { inspect, writeSetting } from './settings';
import { carriedValue } from './carriedValue';

/**
 * Carries the user's own settings over from the names and units they had before, and says so once. Never rejects.
 *
 * In each scope the new name counts where it's set, so that nothing changes in effect, whatever a workspace sets under
 * either name. The old one is removed once the new one is seen to say the same; another window that carries it over at
 * the same time writes the same. If the file can't be written, the old one stays and counts.
 *
 * An earlier version on a computer that shares these settings doesn't know the new names: it uses its defaults, thus no
 * limits, and the sandbox. What is then set there, under an old name, arrives here next to the new one, which counts.
 */
export async function carryOver(log: Log): Promise<void> {
  const carried: string[] = [];
  try {
    for (const id of Object.keys(earlierIds) as RenamedId[]) {
      const value = await carry(id);
      if (value !== undefined) carried.push(`${settingSection}.${id}: ${value === '' ? '""' : plain(value)}`);
    }
  } catch (error) {
    log.warn(`Couldn’t carry settings over to their new names: ${reasonOf(error)}`);
  }
  if (carried.length > 0) await tell(carried);
}

/** Resolves with the value if it was written under the new name. */
async function carry(id: RenamedId): Promise<string | undefined> {
  const names = id === settingIds.metadata ? [earlierIds[id], oldSettingIds.provenancePrompt] : [earlierIds[id]];
  // The editor would write to the settings of the machine that sets one, too.
  if ([id, ...names].some((name) => inspect(name).globalRemoteValue !== undefined)) return undefined;
  // In a profile of its own, settings for all profiles aren't the window's to move: see `ownValue`.
  const [before, ...more] = names.map((name) => inspect(name).globalLocalValue);
  if ([before, ...more].every((value) => value === undefined)) return undefined;
  const value = carriedValue(id, before, ...more);
  const now = inspect(id).globalLocalValue;
  if (value === undefined || (now !== undefined && now !== value)) return undefined;
  if (now === undefined) await writeSetting(id, value);
  if (inspect(id).globalLocalValue !== value) return undefined;
  for (const name of names) if (inspect(name).globalLocalValue !== undefined) await writeSetting(name, undefined);
  return now === undefined ? value : undefined;
}

async function tell(carried: readonly string[]): Promise<void> {
  const openSettings = vscode.l10n.t('Open Settings');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('Settings have new names, and amounts are in euros. Yours were updated: {0}', carried.join(' · ')),
    openSettings,
  );
  if (answer === openSettings) await vscode.commands.executeCommand(commands.openSettings);
}
