import * as vscode from 'vscode';
import { Owned } from '../base/disposable';
import type { GenerationsTree } from './generationsTree';
import { commands, views } from './ids';

/** Asks for words in sight of the view, which shows what they find while they are typed; they stay until they are cleared. */
export async function askForSearch(tree: GenerationsTree): Promise<void> {
  await vscode.commands.executeCommand(`${views.generations}.focus`);
  const own = new Owned();
  const box = own.add(vscode.window.createInputBox());
  box.title = vscode.l10n.t('Search Generations');
  box.placeholder = vscode.l10n.t('Words of the prompt, the model or the file name');
  box.prompt = vscode.l10n.t('The view shows the renders that hold every word, until the search is cleared.');
  box.value = tree.search;
  box.buttons = [{ iconPath: new vscode.ThemeIcon('clear-all'), tooltip: vscode.l10n.t('Clear Search') }];
  own.add(box.onDidChangeValue((value) => (tree.search = value)));
  own.add(box.onDidAccept(() => box.hide()));
  own.add(
    box.onDidTriggerButton(() => {
      void vscode.commands.executeCommand(commands.clearSearch);
      box.hide();
    }),
  );
  own.add(box.onDidHide(() => own.dispose()));
  box.show();
}
