import * as vscode from 'vscode';
import { type Log, warnOnce } from '../../base/log';
import { plain } from '../../base/plain';
import type { SessionState } from '../../catalog/session';
import { commands } from '../../editor/ids';
import { loggedPath, smallText } from '../../editor/workspaceFiles';
import { addressIn } from './model/serviceAddress';

/** Reports that the key was rejected, and offers to change it. */
export async function tellRefused(state: SessionState): Promise<void> {
  const changeKey = vscode.l10n.t('Set API Key');
  const showLog = vscode.l10n.t('Show Log');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} rejected the API key. Renders are paused until you set a valid one.',
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
  const sentence = [problem, vscode.l10n.t('Renders are paused until the key can be read.')].filter(Boolean).join(' ');
  const answer = await vscode.window.showWarningMessage(sentence, tryAgain, showLog);
  if (answer === tryAgain) await vscode.commands.executeCommand(commands.refreshBalance);
  if (answer === showLog) await vscode.commands.executeCommand(commands.showLog);
}

const shownKey = 'toldWorkspaceAddress';

/**
 * Says once per workspace that the service URL in one of its settings files is ignored: a project must not decide where
 * an API key is sent. Resolves with whether the file sets one. Never rejects.
 */
export async function noticeWorkspaceAddress(
  file: vscode.Uri,
  workspaceState: vscode.Memento,
  log: Log,
): Promise<boolean> {
  const address = await readAddress(file, log);
  if (address === undefined) return false;
  if (workspaceState.get(shownKey) === address) return true;
  await workspaceState.update(shownKey, address);
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} sets the service URL to {1}. It’s ignored, because only your user settings decide where your API key is sent.',
      loggedPath(file),
      plain(address),
    ),
  );
  return true;
}

async function readAddress(file: vscode.Uri, log: Log): Promise<string | undefined> {
  const text = await smallText(file, log);
  const broken = () => warnOnce(log, `${loggedPath(file)} isn’t valid JSON`);
  try {
    return text && addressIn(text, broken);
  } catch {
    // It's nested too deeply.
    broken();
    return undefined;
  }
}
