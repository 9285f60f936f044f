import * as vscode from 'vscode';
import { promptOf } from '../../catalog/fields';
import type { RenderRecord } from '../../renders/record';
import { commands } from '../../editor/ids';
import { plain } from '../../base/plain';

/**
 * Asks whether to start, on the next day, what the daily cap rejected. Each is priced again and shown with that price
 * before it's ordered; a no to one ends it. They stay in the Generations view either way.
 */
export async function askAboutKept(records: readonly RenderRecord[]): Promise<void> {
  const start = records.length === 1 ? vscode.l10n.t('Render Again…') : vscode.l10n.t('Render All Again…');
  const [first] = records;
  const title = first ? plain(promptOf(undefined, first.inputs) || first.modelId, 60) : '';
  const sentence =
    records.length === 1
      ? vscode.l10n.t('It’s a new day. “{0}” was postponed because the API key had reached its daily cap.', title)
      : vscode.l10n.t(
          'It’s a new day. {0} renders were postponed because the API key had reached its daily cap.',
          records.length,
        );
  if ((await vscode.window.showInformationMessage(sentence, start)) !== start) return;
  for (const { key } of records)
    // Not as a click of ours: today's price isn't on screen yet.
    if ((await vscode.commands.executeCommand(commands.renderAgain, { id: key })) === undefined) return;
}
