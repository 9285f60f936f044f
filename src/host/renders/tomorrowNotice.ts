import * as vscode from 'vscode';
import { promptOf } from '../../catalog/fields';
import type { RenderRecord } from '../../renders/record';
import { commands } from '../ids';
import { plain } from '../plain';

/**
 * Asks whether to start, on the next day, what the daily cap has turned away. Each is priced anew and shown with that price before it is
 * ordered; a no to one ends it. They stay in the Generations view whatever is answered.
 */
export async function askAboutKept(records: readonly RenderRecord[]): Promise<void> {
  const start = records.length === 1 ? vscode.l10n.t('Start Again…') : vscode.l10n.t('Start Them Again…');
  const [first] = records;
  const title = first ? plain(promptOf(undefined, first.inputs) || first.modelId, 60) : '';
  const sentence =
    records.length === 1
      ? vscode.l10n.t('“{0}” was kept when the daily cap of the API key was reached. A new day has begun.', title)
      : vscode.l10n.t(
          '{0} renders were kept when the daily cap of the API key was reached. A new day has begun.',
          records.length,
        );
  if ((await vscode.window.showInformationMessage(sentence, start)) !== start) return;
  for (const { key } of records)
    if ((await vscode.commands.executeCommand(commands.renderAgain, key)) === undefined) return;
}
