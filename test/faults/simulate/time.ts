import type { Disposable } from '../../../src/base/disposable';

/** The actor of an event: a suspended window does nothing until it resumes. */
export interface Actor {
  /** Suspended until then, true ms. */
  frozenUntil: number;
}

interface Happening {
  due: number;
  order: number;
  readonly actor: Actor | undefined;
  /** It was due while its actor was suspended. */
  isHeldUp?: boolean;
  /** Undefined when canceled. */
  call: (() => unknown) | undefined;
}

/**
 * Virtual time: true time, which the service lives in, and the machine's time, whose wall clock can be changed and
 * whose timers and monotonic clock stop during sleep. Nothing happens until `run`, and everything in one order.
 */
export class Time {
  /** True ms since 1970. */
  now = Date.UTC(2026, 0, 2, 3, 4, 5);
  private slept = 0;
  private asleepUntil = 0;
  private wrong = 0;
  private count = 0;
  private readonly outside = new Queue();
  private readonly machine = new Queue();

  /** The machine's wall clock, ms since 1970. */
  get wall(): number {
    return this.now + this.wrong;
  }

  /** The machine's monotonic clock, ms. */
  get ticks(): number {
    return this.now - this.slept;
  }

  /** When the machine is next awake, true ms. */
  get awakeAt(): number {
    return Math.max(this.now, this.asleepUntil);
  }

  /** Something happens outside the machine in `ms`. */
  outsideAfter(ms: number, call: () => unknown): void {
    this.outside.push({ due: this.now + ms, order: this.count++, actor: undefined, call });
  }

  /** Something happens on the machine after it has been awake for another `ms`. */
  after(ms: number, actor: Actor | undefined, call: () => unknown): Disposable {
    const due = this.ticks + Math.max(1, Math.ceil(ms));
    const happening: Happening = { due, order: this.count++, actor, call };
    this.machine.push(happening);
    return { dispose: () => void (happening.call = undefined) };
  }

  /** The machine sleeps from now on; time continues outside. */
  sleep(ms: number): void {
    this.slept += ms;
    this.asleepUntil = this.now + ms;
  }

  /** The machine is suspended with both its clocks, like a paused virtual machine; time continues only outside. */
  pause(ms: number): void {
    this.sleep(ms);
    this.wrong -= ms;
  }

  /** Resumes a suspended actor. */
  thaw(actor: Actor): void {
    actor.frozenUntil = this.now;
    const heldUp = this.machine.take((one) => one.actor === actor && one.isHeldUp === true);
    for (const one of heldUp) {
      one.due = this.ticks;
      this.machine.push(one);
    }
  }

  /** Changes the machine's wall clock. */
  setWall(by: number): void {
    this.wrong += by;
  }

  /** Runs the next event, and lets everything settle. False if nothing happens before `until`. */
  async run(until: number): Promise<boolean> {
    const first = this.next(until);
    if (!first) return false;
    const outcome = first.call?.();
    if (first.actor) this.othersAtOnce(first.actor);
    // Results of a window's own timers are ignored; the schedule's own steps are awaited.
    else await outcome;
    await settled();
    return true;
  }

  private next(until: number): Happening | undefined {
    for (;;) {
      const outside = this.outside.peek();
      const machine = this.machine.peek();
      const outsideDue = outside?.due ?? Infinity;
      const machineDue = machine ? Math.max(machine.due + this.slept, this.asleepUntil) : Infinity;
      if (Math.min(outsideDue, machineDue) > until) return undefined;
      if (outsideDue <= machineDue) {
        this.now = Math.max(this.now, outsideDue);
        return this.outside.pop();
      }
      this.now = Math.max(this.now, machineDue);
      this.machine.pop();
      const thaw = machine!.actor?.frozenUntil ?? 0;
      if (thaw <= this.now) return machine;
      machine!.due = thaw - this.slept;
      // Events keep their order after a suspension: a connection before the deadline that ends it.
      machine!.order = this.count++;
      machine!.isHeldUp = true;
      this.machine.push(machine!);
    }
  }

  /** Simultaneous events of other windows run before anything settles: they are separate processes. */
  private othersAtOnce(actor: Actor): void {
    const acted = new Set([actor]);
    for (let other = this.machine.peek(); other?.actor; other = this.machine.peek()) {
      if (other.due + this.slept > this.now || acted.has(other.actor) || other.actor.frozenUntil > this.now) return;
      acted.add(other.actor);
      this.machine.pop()?.call?.();
    }
  }
}

/** Resolves when all promises that can settle without time or input have done so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A binary heap of events; canceled ones are dropped along the way. */
class Queue {
  private readonly heap: Happening[] = [];

  peek(): Happening | undefined {
    while (this.heap[0] && !this.heap[0].call) this.pop();
    return this.heap[0];
  }

  push(happening: Happening): void {
    const { heap } = this;
    let at = heap.push(happening) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(happening, heap[above]!)) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = happening;
  }

  /** Removes the matching events. */
  take(isWanted: (happening: Happening) => boolean): Happening[] {
    const [wanted, others]: [Happening[], Happening[]] = [[], []];
    for (const one of this.heap.splice(0)) (isWanted(one) ? wanted : others).push(one);
    for (const one of others) this.push(one);
    return wanted;
  }

  pop(): Happening | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below++;
      if (!isBefore(heap[below]!, last)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: Happening, b: Happening): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}
