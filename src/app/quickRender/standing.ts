import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';

/** Nobody reads a price in less, ms. */
const readMs = 200;

/**
 * Whether a price has stood on the screen where Enter orders it. A key pressed while the row changed below it was meant
 * for the row before, so a price counts only once the window has shown it for a moment.
 */
export class Standing implements Disposable {
  private readonly changed = new Emitter<void>();
  /** Fires when what is shown has stood. */
  readonly onDidStand = this.changed.event;
  private shown: string | undefined;
  private stands = false;
  private waiting: Disposable | undefined;

  constructor(
    private readonly clock: Clock,
    /** Resolves when the window has shown all it was told before. */
    private readonly caughtUp: () => PromiseLike<unknown>,
  ) {}

  /** From now on the active row is the one of this intent; undefined when it orders nothing. */
  show(intent: string | undefined): void {
    if (intent === this.shown) return;
    this.again(intent);
  }

  /** As `show`, and it has to stand anew also when it is the same. */
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
