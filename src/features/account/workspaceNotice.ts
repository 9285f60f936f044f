import * as vscode from 'vscode';
import { addressIn } from './model/workspaceAddress';
import type { Log } from '../../base/log';
import { warnOnce } from '../../base/warnOnce';
import { plain } from '../../base/plain';
import { relativePath } from '../../editor/readUpTo';
import { smallText } from '../../editor/smallText';

const told = 'toldWorkspaceAddress';

/**
 * Says once per workspace that the service URL in one of its settings files is ignored: a project must not decide where
 * an API key is sent. Resolves with whether the file sets one. Never rejects.
 */
export async function noticeWorkspaceAddress(
  file: vscode.Uri,
  workspaceState: vscode.Memento,
  log: Pick<Log, 'warn'>,
): Promise<boolean> {
  const address = await readAddress(file, log);
  if (address === undefined) return false;
  if (workspaceState.get(told) === address) return true;
  await workspaceState.update(told, address);
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} sets modelCatalog.baseUrl to {1}. It’s ignored, because only your user settings decide where your API key is sent.',
      relativePath(file),
      plain(address),
    ),
  );
  return true;
}

async function readAddress(file: vscode.Uri, log: Pick<Log, 'warn'>): Promise<string | undefined> {
  const text = await smallText(file, log);
  const broken = () => warnOnce(log, `${relativePath(file)} isn’t valid JSON`);
  try {
    return text && addressIn(text, broken);
  } catch {
    // It's nested too deeply.
    broken();
    return undefined;
  }
}
