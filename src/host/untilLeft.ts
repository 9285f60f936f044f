import type * as vscode from 'vscode';
import { Owned, type Disposable } from '../base/disposable';

/** A box of rows or of text, with what it is about. */
interface Box extends Disposable {
  readonly picker: vscode.QuickInput;
}

/**
 * Shows the box that `make` makes until it leads somewhere, by calling `leave`. Undefined when the person dismisses it.
 */
export async function untilLeft<Step>(make: (leave: (step: Step) => void) => Box): Promise<Step | undefined> {
  const own = new Owned();
  try {
    return await new Promise((resolve) => {
      const { picker } = own.add(make(resolve));
      own.add(picker.onDidHide(() => resolve(undefined)));
      picker.show();
    });
  } finally {
    own.dispose();
  }
}
