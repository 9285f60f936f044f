import { type Clock, systemClock } from '../base/clock';
import { type Disposable, Emitter } from '../base/disposable';

/** How long one needs at least to read what a key would order, ms: one pressed sooner was meant for something else. */
export const readMs = { price: 200, question: 500, list: 700 };

/**
 * Whether something has been on screen long enough for Enter to order it. A key pressed while that changes was meant
 * for what was there before, so it counts only after it was visible for a moment.
 */
export class Standing implements Disposable {
  private readonly changed = new Emitter<void>();
  /** Fires when what is shown has been visible long enough. */
  readonly onDidStand = this.changed.event;
  private shown: string | undefined;
  private stands = false;
  private waiting: Disposable | undefined;

  constructor(
    private readonly clock: Clock,
    /** One of `readMs`. */
    private readonly ms: number,
    /** Resolves when the window has rendered everything sent to it before. */
    private readonly caughtUp: () => PromiseLike<unknown>,
  ) {}

  /** What is shown is now the one with this intent; undefined when it orders nothing. */
  show(intent: string | undefined): void {
    if (intent === this.shown) return;
    this.again(intent);
  }

  /** As `show`, but restarts the wait even for the same intent. */
  again(intent: string | undefined): void {
    this.waiting?.dispose();
    this.shown = intent;
    this.stands = false;
    this.waiting = intent === undefined ? undefined : this.clock.after(this.ms, () => void this.wait(intent));
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

/** The answer to a question, which is asked again if nobody can have read it and the answer isn't `harmless`. */
export async function onceRead<T>(show: () => Thenable<T | undefined>, harmless?: T): Promise<T | undefined> {
  for (;;) {
    const shownAt = systemClock.ticks();
    const answer = await show();
    if (answer === undefined || answer === harmless || systemClock.ticks() - shownAt >= readMs.question) return answer;
  }
}
