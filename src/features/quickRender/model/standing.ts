import type { Clock } from '../../../base/clock';
import type { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/event';

/** Nobody reads a price faster than this, ms. */
const readMs = 200;

/**
 * Whether a price has been on screen long enough for Enter to order it. A key pressed while the row changes was meant
 * for the previous row, so a price counts only after it was visible for a moment.
 */
export class Standing implements Disposable {
  private readonly changed = new Emitter<void>();
  /** Fires when the current row has been visible long enough. */
  readonly onDidStand = this.changed.event;
  private shown: string | undefined;
  private stands = false;
  private waiting: Disposable | undefined;

  constructor(
    private readonly clock: Clock,
    /** Resolves when the window has rendered everything sent to it before. */
    private readonly caughtUp: () => PromiseLike<unknown>,
  ) {}

  /** The active row is now the one with this intent; undefined when it orders nothing. */
  show(intent: string | undefined): void {
    if (intent === this.shown) return;
    this.again(intent);
  }

  /** As `show`, but restarts the wait even for the same intent. */
  again(intent: string | undefined): void {
    this.waiting?.dispose();
    this.shown = intent;
    this.stands = false;
    this.waiting = intent === undefined ? undefined : this.clock.after(readMs, () => void this.wait(intent));
  }

  /** True when Enter may order it. */
  has(intent: string): boolean {
    return this.stands && intent === this.shown;
  }

  dispose(): void {
    this.waiting?.dispose();
    this.changed.dispose();
  }

  private async wait(intent: string): Promise<void> {
    const { waiting } = this;
    await this.caughtUp();
    if (this.waiting !== waiting || this.shown !== intent) return;
    this.stands = true;
    this.changed.fire();
  }
}
