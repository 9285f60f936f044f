import * as vscode from 'vscode';
import { Owned } from '../base/disposable';

/** A box of rows or of text. */
type PickOrInput = vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox;

/**
 * Shows a box until `leave` is called, then disposes of everything that `make` gave to `own`. Undefined when the person
 * dismisses it.
 */
export async function untilLeft<Step>(
  make: (leave: (step: Step | undefined) => void, own: Owned) => vscode.QuickInput,
): Promise<Step | undefined> {
  const own = new Owned();
  try {
    return await new Promise((resolve) => {
      const box = make(resolve, own);
      own.add(box.onDidHide(() => resolve(undefined)));
      box.show();
    });
  } finally {
    own.dispose();
  }
}

/** Adds the editor's Back button to the box. */
export function offerBack(box: PickOrInput, goBack: () => void): vscode.Disposable {
  box.buttons = [vscode.QuickInputButtons.Back];
  return box.onDidTriggerButton((button) => button === vscode.QuickInputButtons.Back && goBack());
}

/** Runs `work` with the box busy and disabled; does nothing while it's busy already. */
export async function whileBusy(box: PickOrInput, work: () => Promise<void>): Promise<void> {
  if (!box.enabled) return;
  box.enabled = false;
  box.busy = true;
  await work();
  box.enabled = true;
  box.busy = false;
}

/**
 * Keeps the rows of the quick pick in the given order. By default the editor sorts them by label, and there is no
 * stable API to turn that off.
 */
export function keepOrder(picker: vscode.QuickPick<vscode.QuickPickItem>): void {
  if ('sortByLabel' in picker) picker.sortByLabel = false;
}

/** The line above a group of rows. */
export function separator(label: string): vscode.QuickPickItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
