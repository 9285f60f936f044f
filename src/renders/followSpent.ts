import type { Disposable } from '../base/disposable';
import type { Library } from './library';

/** Calls when what was spent changes, also by another window of the same account: a balance asked for before is an old one then. */
export function followSpent(library: Pick<Library, 'spentSince' | 'onDidChange'>, changed: () => void): Disposable {
  let before = library.spentSince(0);
  return library.onDidChange(() => {
    const now = library.spentSince(0);
    if (now === before) return;
    before = now;
    changed();
  });
}
