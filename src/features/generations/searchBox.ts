import * as vscode from 'vscode';
import { untilLeft } from '../../editor/boxes';
import { showProblem } from '../../editor/commands';
import { commands, views } from '../../editor/ids';
import { remedyOf, sentenceOf } from '../../editor/words';
import type { GenerationsTree } from './generationsTree';

/**
 * Asks for search words while the view shows the matches. Enter keeps the search until it is cleared; Escape cancels
 * it.
 */
export async function askForSearch(tree: GenerationsTree): Promise<void> {
  await vscode.commands.executeCommand(`${views.generations}.focus`);
  const before = tree.search;
  const isKept = await untilLeft<true>((leave, own) => {
    const box = own.add(vscode.window.createInputBox());
    box.title = vscode.l10n.t('Search Generations');
    box.placeholder = vscode.l10n.t('Search prompts, models, and file names');
    box.prompt = vscode.l10n.t('Shows renders that contain every word, until you clear the search.');
    box.value = before;
    // Results can be clicked while the search is still being typed.
    box.ignoreFocusOut = true;
    box.buttons = [{ iconPath: new vscode.ThemeIcon('clear-all'), tooltip: vscode.l10n.t('Clear Search') }];
    own.add(box.onDidChangeValue((value) => (tree.search = value)));
    own.add(box.onDidAccept(() => leave(true)));
    own.add(
      box.onDidTriggerButton(() => {
        void vscode.commands.executeCommand(commands.clearSearch);
        leave(true);
      }),
    );
    return box;
  });
  if (isKept) await searchOlder(tree);
  else tree.search = before;
}

/** A long history takes time: shows progress in the view. */
async function searchOlder(tree: GenerationsTree): Promise<void> {
  try {
    await vscode.window.withProgress({ location: { viewId: views.generations } }, () => tree.searchOlder());
  } catch (error) {
    await showProblem(sentenceOf(error), remedyOf(error));
  }
}
