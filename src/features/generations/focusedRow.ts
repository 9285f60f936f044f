import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { chosenIds } from './model/generationGroups';

/** What is selected in the Generations view. */
export interface RowSelection {
  readonly selection: readonly unknown[];
  readonly onDidChangeSelection: vscode.Event<unknown>;
}

/** What the keyboard shortcut gives to its command: the view has the focus. A menu or the palette doesn't give it. */
export function isOfFocusedRow(item: unknown): boolean {
  return (item as { readonly ofFocusedRow?: unknown } | null | undefined)?.ofFocusedRow === true;
}

/**
 * The IDs of the renders that a key pressed in the view is for, as in the Explorer: those that are selected, or the
 * focused one if it isn't among them. The arrow keys move only the focus, which the editor doesn't tell extensions: so
 * the focused row is selected for a moment.
 */
export async function rowsForKey(view: RowSelection): Promise<readonly string[]> {
  const selected = () => chosenIds(undefined, undefined, view.selection);
  const before = selected();
  if (!(await toggleFocusedRow(view))) return before;
  const focused = selected().filter((id) => !before.includes(id));
  // As it was: else the next key, on another row, would be for this one too.
  await toggleFocusedRow(view);
  return focused.length > 0 ? focused : before;
}

/** How long the editor may take to tell what is selected, ms. Without a focused row, it tells nothing. */
const mostMs = 500;

/** Adds the focused row to the selection, or removes it. False if nothing changed. */
function toggleFocusedRow({ onDidChangeSelection }: RowSelection): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasChanged: boolean) => {
      timer.dispose();
      listener.dispose();
      resolve(hasChanged);
    };
    const timer = systemClock.after(mostMs, () => end(false));
    const listener = onDidChangeSelection(() => end(true));
    void vscode.commands.executeCommand('list.toggleSelection');
  });
}
