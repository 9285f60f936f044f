import type { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/event';
import { below } from '../../../files/below';
import { fileKey } from '../../../files/sameFile';
import { isDue, type Pending, type StateOf } from '../../../renderFiles/states';
import { TakenTargets } from '../../../renderFiles/targets';
import { isOver, type FileRenders } from '../../../renders/fileRenders';
import type { LibraryEntry } from '../../../renders/library';

/** Which missing and stale images have a render that isn't over, so that they aren't rendered again. */
export class PendingImages implements Disposable {
  private readonly changed = new Emitter<void>();
  private readonly listening: Disposable;
  /** The renders that aren't over, by the `fileKey` of their file. */
  private files: ReadonlyMap<string, Pending>;

  /** Others have one now, or in another state. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly renders: Pick<FileRenders, 'byFile' | 'onDidChange'>) {
    this.files = pendingIn(renders);
    this.listening = renders.onDidChange(() => this.look());
  }

  /** The states of images in a workspace folder (a URI), each with what it waits for. */
  marked(states: readonly StateOf[], folder: string): readonly StateOf[] {
    const taken = new TakenTargets<Pending>();
    for (const [file, pending] of this.files) taken.take(file, pending);
    const at = (path: string) => taken.at(fileKey(below(folder, path.split('/'))));
    return states.map((one) => {
      if (!isDue(one)) return one;
      // A stale image may have another file extension than its entry, and a new one is to replace it.
      const pending = at(one.render.target) ?? ('file' in one.state ? at(one.state.file) : undefined);
      return pending ? { ...one, pending } : one;
    });
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private look(): void {
    const before = JSON.stringify([...this.files]);
    this.files = pendingIn(this.renders);
    if (JSON.stringify([...this.files]) !== before) this.changed.fire();
  }
}

function pendingIn({ byFile }: Pick<FileRenders, 'byFile'>): ReadonlyMap<string, Pending> {
  const open = [...byFile].filter(([, entry]) => !isOver(entry));
  return new Map(open.map(([file, entry]) => [file, pendingOf(entry)]));
}

function pendingOf({ id, group }: LibraryEntry): Pending {
  return { id, is: group === 'finished' ? 'toReview' : group };
}
