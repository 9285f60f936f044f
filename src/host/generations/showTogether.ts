import * as vscode from 'vscode';
import type { LibraryEntry } from '../../renders/library';
import { commands } from '../ids';
import { oneLine } from '../plain';
import { titleOf } from '../renders/renderWords';
import { togetherOf } from './together';

/** Shows saved results beside each other, as suits what they are. */
export async function showTogether(saved: readonly LibraryEntry[]): Promise<void> {
  const ids = saved.map(({ id }) => id);
  const [first, second] = saved;
  const way = togetherOf(saved);
  if (way === 'difference' && first && second) {
    await vscode.commands.executeCommand('vscode.diff', uriOf(first), uriOf(second), oneLine(titleOf(first), 60));
  } else {
    const command = way === 'comparison' ? commands.compareResults : commands.openResult;
    await vscode.commands.executeCommand(command, undefined, ids);
  }
}

function uriOf({ file = '' }: LibraryEntry): vscode.Uri {
  return vscode.Uri.parse(file, true);
}
