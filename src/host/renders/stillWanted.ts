import * as vscode from 'vscode';
import { eachOf } from '../../base/eachOf';
import { plain } from '../../base/plain';
import { fileNameOf } from '../../files/fileName';
import { isOver, namedFile, type FileRenders } from '../../renders/fileRenders';
import type { Order } from '../../renders/record';
import type { Renders } from './renders';
import { tellPending } from './tellPending';

/** The most files that are read concurrently. */
const atOnce = 4;

/**
 * Those of the confirmed orders whose images are still missing or stale, and not in progress: by now, their list or box
 * may have been open for a long time. `before` is `FileRenders.byFile` as it was when that opened. The person is told
 * about the others. Never rejects.
 */
export async function stillWanted<T extends Pick<Order, 'target'>>(
  orders: readonly T[],
  before: FileRenders['byFile'],
  { fileRenders, targets, library }: Pick<Renders, 'fileRenders' | 'targets' | 'library'>,
): Promise<readonly T[]> {
  const touched = new Set<T>();
  await eachOf(orders, atOnce, async (order) => (await targets.isUnchanged(order.target)) || touched.add(order));
  const wanted: T[] = [];
  const changed = new Set<string>();
  const pending = new Map<string, string>();
  for (const order of orders) {
    const file = namedFile(order.target) ?? '';
    const other = fileRenders.otherFor(order.target, before);
    if (other && !isOver(other)) pending.set(other.id, fileNameOf(file));
    else if (other || touched.has(order)) changed.add(file);
    else wanted.push(order);
  }
  const images = [...pending].map(([id, name]) => ({ id, name }));
  void tellPending(images, { library });
  tellChanged([...changed]);
  return wanted;
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
