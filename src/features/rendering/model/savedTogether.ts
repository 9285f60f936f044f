import type { Clock } from '../../../base/clock';
import type { Disposable } from '../../../base/disposable';
import type { LibraryEntry } from '../../../renders/library';
import { kindOf } from './actions';

/** How to show results next to each other: as a comparison of images, a diff of two texts, or one editor each. */
export type TogetherView = 'comparison' | 'difference' | 'editors';

/** The best way to show these saved results. */
export function togetherOf(saved: readonly LibraryEntry[]): TogetherView {
  if (saved.length > 1 && saved.every((entry) => kindOf(entry) === 'image')) return 'comparison';
  return saved.length === 2 && saved.every((entry) => kindOf(entry) === 'text') ? 'difference' : 'editors';
}

/** How long a saved result waits for others that are in progress, ms. */
const gatherMs = 1500;

/** Gathers results that are saved at about the same time, so that one notification reports them all. */
export class SavedAtOnce implements Disposable {
  private gathered: LibraryEntry[] = [];
  private timer: Disposable | undefined;

  /** `tell` is called with each result once, at once if no other is `inProgress`, and with all of a burst together. */
  constructor(
    private readonly clock: Clock,
    private readonly inProgress: () => number,
    private readonly tell: (entries: readonly LibraryEntry[]) => void,
  ) {}

  add(entry: LibraryEntry): void {
    this.gathered.push(entry);
    if (this.inProgress() === 0) this.flush();
    else this.timer ??= this.clock.after(gatherMs, () => this.flush());
  }

  /** What is gathered isn't told any more: the window closes. */
  dispose(): void {
    this.timer?.dispose();
  }

  private flush(): void {
    const { gathered } = this;
    this.gathered = [];
    this.timer?.dispose();
    this.timer = undefined;
    this.tell(gathered);
  }
}
