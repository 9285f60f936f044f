import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { wait } from '../../base/concurrency';
import { Disposables } from '../../base/disposable';
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

/** The answer to a key that is being looked for: a second press has the same one. */
let looking: Promise<readonly string[]> | undefined;

/**
 * The IDs of the renders that a key pressed in the view is for, as in the Explorer: those that are selected, or the
 * focused one if it isn't among them; none for a focused group. The arrow keys move only the focus, which the editor
 * doesn't tell extensions: so the focused row is selected for a moment.
 */
export function rowsForKey(view: RowSelection): Promise<readonly string[]> {
  looking ??= look(view).finally(() => (looking = undefined));
  return looking;
}

async function look(view: RowSelection): Promise<readonly string[]> {
  const before = view.selection;
  if (!(await toggleFocusedRow(view))) return chosenIds(undefined, undefined, before);
  const focused = view.selection.filter((node) => !before.includes(node));
  // As it was: else the next key, on another row, would be for this one too.
  await toggleFocusedRow(view);
  return chosenIds(undefined, undefined, focused.length > 0 ? focused : before);
}

/** How long the editor may then take to tell what is selected, ms. Without a focused row, it tells nothing. */
const mostMs = 500;

/** Adds the focused row to the selection, or removes it. False if nothing changed. */
async function toggleFocusedRow({ onDidChangeSelection }: RowSelection): Promise<boolean> {
  const own = new Disposables();
  try {
    const changed = new Promise<boolean>((resolve) => own.add(onDidChangeSelection(() => resolve(true))));
    await vscode.commands.executeCommand('list.toggleSelection');
    return await Promise.race([changed, wait(systemClock, mostMs).then(() => false)]);
  } finally {
    own.dispose();
  }
}
