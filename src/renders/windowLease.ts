import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import type { Random } from '../base/random';
import type { Ledger } from './ledger';

/** How long after its last sign of life a window counts as gone, ms. */
export const leaseMs = 10_000;
const renewMs = 3_000;

/** What only one window may do at a time, and the sign to the others that this window is alive while it is at work. */
export class WindowLease {
  /** Names this window in the ledger. */
  readonly id: string;
  private readonly held = new Map<string, { works: number; renewal: Disposable }>();
  private readonly kept = new Set<string>();

  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    random: Random,
  ) {
    this.id = random.uuid();
  }

  /** Does the work while the others see this window alive, so that they leave its renders alone. */
  during<T>(work: () => Promise<T>): Promise<T> {
    return this.holding(leaseOf(this.id), work) as Promise<T>;
  }

  /** Does the work unless another window is at the same; resolves with undefined then. */
  async holding<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    if (!this.take(name)) return undefined;
    try {
      return await work();
    } finally {
      this.giveBack(name);
    }
  }

  /** Takes a lease and keeps it until `drop`; false while another window has it. Throws LedgerError. */
  keep(name: string): boolean {
    if (this.kept.has(name)) return true;
    if (!this.take(name)) return false;
    this.kept.add(name);
    return true;
  }

  drop(name: string): void {
    if (this.kept.delete(name)) this.giveBack(name);
  }

  /** Lets the others see this window alive for as long as renders of its own are under way. Throws LedgerError. */
  stayAlive(needed: boolean): void {
    if (needed) this.keep(leaseOf(this.id));
    else this.drop(leaseOf(this.id));
  }

  /** True while the window of that name is at work. */
  isAlive(owner: string): boolean {
    return owner === this.id || this.ledger.isLeased(leaseOf(owner), this.clock);
  }

  dispose(): void {
    for (const name of [...this.held.keys()]) this.release(name);
  }

  private take(name: string): boolean {
    const held = this.held.get(name);
    if (held) {
      held.works++;
      return true;
    }
    if (!this.ledger.lease(name, this.id, leaseMs, this.clock)) return false;
    this.held.set(name, { works: 1, renewal: this.renewLater(name) });
    return true;
  }

  private giveBack(name: string): void {
    const held = this.held.get(name);
    if (held && --held.works === 0) this.release(name);
  }

  /** True while any window is at that work. */
  isTaken(name: string): boolean {
    return this.ledger.isLeased(name, this.clock);
  }

  private release(name: string): void {
    this.held.get(name)?.renewal.dispose();
    this.held.delete(name);
    try {
      this.ledger.release(name, this.id);
    } catch {
      // What was done counts, whatever the disk says to this: the lease runs out by itself.
    }
  }

  private lose(name: string): void {
    this.held.get(name)?.renewal.dispose();
    this.held.delete(name);
    this.kept.delete(name);
  }

  private renewLater(name: string): Disposable {
    return this.clock.after(renewMs, () => {
      const held = this.held.get(name);
      if (!held) return;
      held.renewal = this.renewLater(name);
      try {
        // Frozen for too long, this window has lost it to another.
        if (!this.ledger.lease(name, this.id, leaseMs, this.clock)) this.lose(name);
      } catch {
        // On a full disk the lease runs out, and another window may go on: with the same key, which charges once.
      }
    });
  }
}

function leaseOf(owner: string): string {
  return `window:${owner}`;
}
