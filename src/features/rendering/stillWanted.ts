import * as vscode from 'vscode';
import { forEachLimit } from '../../base/concurrency';
import { plain } from '../../base/plain';
import { fileNameOf } from '../../files/names';
import { isOver, namedFile, type FileRenders } from '../../renders/fileRenders';
import type { Target } from '../../renders/record';
import type { Renders } from './renders';
import { tellPending } from './renderNotices';

/** What has a target, such as an order. */
interface Aimed {
  readonly target: Target;
}

/** The most files that are read concurrently. */
const atOnce = 4;

/**
 * What is known of the renders of files when a list or box opens, which may stay open for long: what has been ordered
 * or saved since isn't ordered again, whichever window did it.
 */
export class StillWanted {
  private readonly before: FileRenders['byFile'];
  /** The names of files with another render, by its ID. */
  private readonly pending = new Map<string, string>();
  private readonly changed = new Set<string>();

  constructor(private readonly renders: Renders) {
    this.before = renders.fileRenders.byFile;
  }

  /** Those among the orders whose files are as they were and have no other render. Never rejects. */
  async among<T extends Aimed>(orders: readonly T[]): Promise<readonly T[]> {
    const touched = new Set<T>();
    await forEachLimit(orders, atOnce, async (order) => {
      if (!(await this.renders.targets.isUnchanged(order.target))) touched.add(order);
    });
    for (const { target } of touched) this.changed.add(namedFile(target) ?? '');
    return orders.filter((order) => !touched.has(order) && this.isWanted(order));
  }

  /** As `Budgets.place` asks about each order: its file has no other render. */
  readonly isWanted = ({ target }: Aimed): boolean => {
    const other = this.renders.fileRenders.otherFor(target, this.before);
    const file = namedFile(target) ?? '';
    if (other && !isOver(other)) this.pending.set(other.id, fileNameOf(file));
    else if (other) this.changed.add(file);
    return !other;
  };

  /** Tells the user which orders weren't wanted any longer. */
  tell(): void {
    void tellPending(
      [...this.pending].map(([id, name]) => ({ id, name })),
      this.renders.library,
    );
    tellChanged([...this.changed]);
  }
}

function tellChanged(files: readonly string[]): void {
  const [first, ...others] = files;
  if (first === undefined) return;
  const sentence =
    others.length === 0
      ? vscode.l10n.t(
          'Not sent, nothing charged: “{0}” was saved or changed in the meantime.',
          plain(fileNameOf(first), 60),
        )
      : vscode.l10n.t(
          'Not sent, nothing charged: {0} images that were saved or changed in the meantime.',
          files.length,
        );
  void vscode.window.showInformationMessage(sentence);
}
