import type { Disposable } from '../../../src/base/disposable';
import type { Chance } from './chance';
import type { Faults } from './faults';
import type { Actor, Time } from './time';

/** Thrown into code whose process has ended; however that handles it has no effect. */
export class Gone extends Error {
  override readonly name = 'Gone';
}

/** The longest that a window is suspended until another one works on the same, ms. */
const longestWaitMs = 120_000;

/** More looks at the ledger than any window needs before its next wait. */
const mostLooks = 20_000;

/** The most crashes per schedule, since it has to make progress. */
const mostCrashes = 6;

/**
 * Separates a window's code from its world. Every effect passes through it and may be the last: after that, no call has
 * an effect and no wait ends.
 */
export class Gate implements Actor {
  frozenUntil = 0;
  /** Suspended until another window works on the same. */
  awaitsOthers = false;
  isGone = false;
  private readonly counts = new Map<string, number>();
  /** Looks at the ledger since this time. */
  private looks = 0;
  private looksSince = 0;

  constructor(
    readonly name: string,
    readonly time: Time,
    readonly chance: Chance,
    readonly faults: Faults,
    private readonly onGone: () => void,
    private readonly losePower: (where: string) => void,
    private readonly onSpin: () => void,
  ) {}

  /** Names this occurrence of something in the life of the window. */
  nameOf(what: string): string {
    const count = (this.counts.get(what) ?? 0) + 1;
    this.counts.set(what, count);
    return `${this.name} ${what} ${count}`;
  }

  /** Before each look at the ledger: ends a window that does nothing else while no time passes, and throws Gone. */
  mayLook(): void {
    if (this.looksSince !== this.time.now) this.looks = 0;
    this.looksSince = this.time.now;
    if (++this.looks < mostLooks) return;
    this.onSpin();
    this.end();
    throw new Gone();
  }

  /** A synchronous effect. Throws Gone when the process ends before or after it. */
  effect<T>(what: string, effect: () => T): T {
    if (this.isGone) throw new Gone();
    const where = this.nameOf(what);
    this.freezesAt(where, what.startsWith('disk') ? 0.02 : 0.004);
    this.mayEnd('crashBefore', where);
    const outcome = effect();
    this.mayEnd('crashAfter', where);
    return outcome;
  }

  /** An asynchronous effect. Once the process has ended, neither it nor anything after it happens. */
  async later<T>(what: string, effect: () => T): Promise<T> {
    await new Promise<void>((resolve) => {
      this.after(1, resolve);
    });
    try {
      return this.effect(what, effect);
    } catch (error) {
      if (error instanceof Gone) return new Promise(() => {});
      throw error;
    }
  }

  /** Calls after `ms` of the machine's time, unless the process has ended. */
  after(ms: number, call: () => void): Disposable {
    return this.time.after(ms, this, () => {
      if (this.isGone) return;
      try {
        call();
      } catch (error) {
        if (!(error instanceof Gone)) throw error;
      }
    });
  }

  /** The window may be suspended from here on, like a stopped process, at its next wait. */
  mayFreeze(what: string, likelihood: number): void {
    this.freezesAt(this.nameOf(what), likelihood);
  }

  /** The process ends. */
  end(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.onGone();
  }

  private freezesAt(where: string, likelihood: number): void {
    if (!this.faults.strikes('freeze', where, likelihood)) return;
    const most = this.chance.pick(`${where} frozen most`, [30_000, 40 * 60_000, 120 * 60_000]);
    this.awaitsOthers = this.chance.unit(`${where} frozen how`) < 0.5;
    const ms = this.awaitsOthers ? longestWaitMs : this.chance.between(`${where} frozen`, 1_000, most);
    this.frozenUntil = this.time.now + ms;
  }

  /** Another window is at work, so this one may resume at just this moment. */
  mayThaw(what: string): void {
    if (!this.awaitsOthers || this.frozenUntil <= this.time.now) return;
    if (this.chance.unit(this.nameOf(`thaws at ${what}`)) < 0.25) this.time.thaw(this);
  }

  private mayEnd(kind: 'crashBefore' | 'crashAfter', where: string): void {
    if (this.crashes >= mostCrashes) return;
    // Unsynced data exists only for a moment.
    const likely = /disk (?:write|sync|rename|link)/.test(where) ? 0.03 : 0.003;
    const powerGoes = this.faults.strikes('powerLoss', `${kind} ${where}`, likely);
    if (!powerGoes && !this.faults.strikes(kind, where, 0.012)) return;
    this.end();
    if (powerGoes) this.losePower(where);
    throw new Gone();
  }

  private get crashes(): number {
    return this.faults.struck.filter((name) => name.startsWith('crash') || name.startsWith('power')).length;
  }
}
