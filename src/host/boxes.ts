import * as vscode from 'vscode';
import { Owned } from '../base/disposable';

/** A box of rows or of text, driven by hand. */
type PickOrInput = vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox;

/**
 * Shows a box until it leads somewhere, by calling `leave`, and lets go of all that `make` gave to `own`. Undefined
 * when the person dismisses it.
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

/** Gives the box the editor's button for going back. */
export function offerBack(box: PickOrInput, goBack: () => void): vscode.Disposable {
  box.buttons = [vscode.QuickInputButtons.Back];
  return box.onDidTriggerButton((button) => button === vscode.QuickInputButtons.Back && goBack());
}

/** Runs `work` with the box busy and closed to typing; does nothing while the box is busy with such work. */
export async function whileBusy(box: PickOrInput, work: () => Promise<void>): Promise<void> {
  if (!box.enabled) return;
  box.enabled = false;
  box.busy = true;
  await work();
  box.enabled = true;
  box.busy = false;
}

/**
 * The rows of the quick pick stay in the order they are given. The editor would sort them by label, and has no stable
 * name for not doing so.
 */
export function keepOrder(picker: vscode.QuickPick<vscode.QuickPickItem>): void {
  if ('sortByLabel' in picker) picker.sortByLabel = false;
}

/** The line above a group of rows. */
export function separator(label: string): vscode.QuickPickItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
