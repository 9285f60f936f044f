import * as vscode from 'vscode';
import type { LibraryEntry } from '../renders/library';
import { kindOf } from './generationKind';
import { commands } from './ids';
import { oneLine } from './plain';
import { titleOf } from './renderWords';

/** Shows saved results beside each other: pictures in a comparison, two texts as what differs between them, others in an editor each. */
export async function showTogether(saved: readonly LibraryEntry[]): Promise<void> {
  const ids = saved.map(({ id }) => id);
  const [first, second] = saved;
  if (saved.length > 1 && saved.every((entry) => kindOf(entry) === 'picture')) {
    await vscode.commands.executeCommand(commands.compareResults, undefined, ids);
  } else if (first && second && saved.length === 2 && saved.every(({ textOutput }) => textOutput !== undefined)) {
    await vscode.commands.executeCommand('vscode.diff', uriOf(first), uriOf(second), oneLine(titleOf(first), 60));
  } else {
    await vscode.commands.executeCommand(commands.openResult, undefined, ids);
  }
}

function uriOf({ file = '' }: LibraryEntry): vscode.Uri {
  return vscode.Uri.parse(file, true);
}
