import * as vscode from 'vscode';
import type { SessionState } from '../../catalog/session';
import { commands } from '../../editor/ids';

/** Reports that the key was rejected, and offers to change it. */
export async function tellRefused(state: SessionState): Promise<void> {
  const changeKey = vscode.l10n.t('Set API Key');
  const showLog = vscode.l10n.t('Show Log');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} rejected the API key. It’s wrong or has been revoked. Renders are paused until you set a valid key. Nothing is lost.',
      state.place?.base ?? vscode.l10n.t('The service'),
    ),
    changeKey,
    showLog,
  );
  if (answer === changeKey) await vscode.commands.executeCommand(commands.setApiKey);
  if (answer === showLog) await vscode.commands.executeCommand(commands.showLog);
}

/** Reports that the key can't be read, and offers to try again. */
export async function tellUnreadable({ problem = '' }: SessionState): Promise<void> {
  const tryAgain = vscode.l10n.t('Try Again');
  const showLog = vscode.l10n.t('Show Log');
  const sentence = vscode.l10n.t('{0} Renders are paused until then. Nothing is lost.', problem);
  const answer = await vscode.window.showWarningMessage(sentence, tryAgain, showLog);
  if (answer === tryAgain) await vscode.commands.executeCommand(commands.refreshBalance);
  if (answer === showLog) await vscode.commands.executeCommand(commands.showLog);
}
