import * as vscode from 'vscode';
import type { LibraryEntry } from '../../renders/library';
import { showProblem } from '../../editor/commands';
import { plain } from '../../base/plain';
import type { Failure } from '../../base/several';
import { sentenceOf } from '../../editor/words';
import { titleOf } from './renderWords';

/**
 * Reports what failed among `all` renders, and why the first one did. Throws a single render's failure, like any
 * command. Never waits for the person.
 */
export function tellFailures(
  failures: readonly Failure<LibraryEntry>[],
  all: number,
  summary: (failed: number, all: number) => string,
): void {
  const [first] = failures;
  if (!first) return;
  if (all === 1) throw first.error;
  const reason = vscode.l10n.t('“{0}”: {1}', plain(titleOf(first.thing), 60), sentenceOf(first.error));
  void showProblem(`${summary(failures.length, all)} ${reason}`);
}
