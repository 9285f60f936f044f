import type { Clock, Random } from '../base/clock';
import type { Disposable } from '../base/disposable';
import type { Ledger } from './ledger';

/** How long after its last sign of life a window counts as gone, and others look again. ms */
export const leaseMs = 10_000;
/** How long a window must be silent before others take over its work. ms */
const silentMs = 9_000;
/** How long a window continues work whose lease it can't renew: less than the others wait. ms */
const lostMs = 8_000;
const renewMs = 3_000;

/** The right to work on something. A window that is suspended for too long loses it to another. */
export interface Hold {
  /** Aborted with LeaseLost as soon as this window knows that it lost it. */
  readonly signal: AbortSignal;
  /** Throws LeaseLost unless it's held in this very step. */
  prove(): void;
}

/** Another window may be doing this work by now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor(lease: string) {
    super(`Another window may have taken over (${lease})`);
  }
}

interface Held {
  works: number;
  /** Ticks. */
  renewedAt: number;
  renewal: Disposable;
  readonly loss: AbortController;
}

/** Work that only one window may do at a time; while it lasts, it shows the others that this window is alive. */
export class WindowLease {
  /** Identifies this window in the ledger. */
  readonly id: string;
  private readonly held = new Map<string, Held>();
  private readonly kept = new Map<string, Held>();

  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    random: Random,
  ) {
    this.id = random.uuid();
  }

  /** Does the work while the others see this window as alive, so that they leave its renders alone. */
  during<T>(work: () => Promise<T>): Promise<T> {
    return this.holding(leaseOf(this.id), work) as Promise<T>;
  }

  /**
   * Does the work unless another window is doing it; resolves with undefined then. The work must stop when its hold is
   * lost, and prove it before each step that mustn't run twice.
   */
  async holding<T>(name: string, work: (hold: Hold) => Promise<T>): Promise<T | undefined> {
    const held = this.take(name);
    if (!held) return undefined;
    try {
      return await work({ signal: held.loss.signal, prove: () => this.prove(name, held) });
    } finally {
      this.giveBack(name, held);
    }
  }

  /** Takes a lease and keeps it until `drop`; false while another window has it. Throws LedgerError. */
  keep(name: string): boolean {
    if (this.kept.has(name)) return true;
    const held = this.take(name);
    if (held) this.kept.set(name, held);
    return held !== undefined;
  }

  drop(name: string): void {
    const held = this.kept.get(name);
    this.kept.delete(name);
    if (held) this.giveBack(name, held);
  }

  /** Shows this window as alive to the others while its renders are in progress. Throws LedgerError. */
  stayAlive(needed: boolean): void {
    if (needed) this.keep(leaseOf(this.id));
    else this.drop(leaseOf(this.id));
  }

  /** True while the window with that id is at work. */
  isAlive(owner: string): boolean {
    return owner === this.id || this.isTaken(leaseOf(owner));
  }

  /** True while any window is doing that work. */
  isTaken(name: string): boolean {
    return this.ledger.isLeased(name, silentMs, this.clock);
  }

  dispose(): void {
    for (const [name, held] of [...this.held]) {
      held.loss.abort(new LeaseLost(name));
      this.release(name, held);
    }
  }

  private take(name: string): Held | undefined {
    const held = this.held.get(name);
    if (held) {
      held.works++;
      return held;
    }
    if (!this.ledger.lease(name, this.id, silentMs, this.clock)) return undefined;
    const taken = { works: 1, renewedAt: this.clock.ticks(), renewal: nothing, loss: new AbortController() };
    this.held.set(name, taken);
    this.renewLater(name, taken);
    return taken;
  }

  private giveBack(name: string, held: Held): void {
    if (--held.works === 0 && this.held.get(name) === held) this.release(name, held);
  }

  private release(name: string, held: Held): void {
    this.letGo(name, held);
    try {
      this.ledger.release(name, this.id);
    } catch {
      // The work counts even if this fails: the lease expires.
    }
  }

  private letGo(name: string, held: Held): void {
    held.renewal.dispose();
    this.held.delete(name);
  }

  private renewLater(name: string, held: Held): void {
    held.renewal = this.clock.after(renewMs, () => {
      this.renewLater(name, held);
      this.renew(name, held);
    });
  }

  private renew(name: string, held: Held): void {
    try {
      if (this.ledger.renew(name, this.id, silentMs, this.clock)) held.renewedAt = this.clock.ticks();
      else this.lose(name, held);
    } catch {
      // On a full disk the lease expires, and another window may continue: with the same key, which charges once.
      if (this.clock.ticks() - held.renewedAt >= lostMs) held.loss.abort(new LeaseLost(name));
    }
  }

  /** Suspended for too long, this window lost it to another. */
  private lose(name: string, held: Held): void {
    held.loss.abort(new LeaseLost(name));
    if (this.held.get(name) === held) this.letGo(name, held);
    if (this.kept.get(name) === held) this.kept.delete(name);
  }

  private prove(name: string, held: Held): void {
    // A window that just resumed hasn't run its timers yet.
    if (this.clock.ticks() - held.renewedAt >= renewMs) this.renew(name, held);
    held.loss.signal.throwIfAborted();
  }
}

const nothing: Disposable = { dispose: () => {} };

function leaseOf(owner: string): string {
  return `window:${owner}`;
}
