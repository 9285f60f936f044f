import type { Clock } from '../base/clock';
import { startOfDay } from '../base/day';
import { BudgetError } from './budgetError';
import type { AccountInUse } from './connected';
import type { Library } from './library';
import { OrderError } from './orderError';
import type { Outline } from './outline';
import type { Order, RenderRecord, Target } from './record';
import type { Renderer } from './renderer';
import { isUncharged } from './uncharged';
import type { WindowLease } from './windowLease';

/** One limit of a person, and how far it is used. Euro cents. */
export interface Budget {
  readonly limit: number | undefined;
  readonly committed: number;
}

/** What a person can limit: all renders of a day, or those of one workspace folder. */
export type BudgetName = 'perDay' | 'perProject';

export interface NamedBudget extends Budget {
  readonly name: BudgetName;
}

/**
 * The limits a person has set for the renders of a workspace folder (URI) or of none, euro cents; undefined where there
 * is none.
 */
export interface BudgetLimits {
  budgetPerDay(root: string | undefined): number | undefined;
  budgetPerProject(root: string | undefined): number | undefined;
}

/** The first budget that a render of this price would exceed; an unknown price exceeds what is used up. */
export function exceeded<T extends Budget>(costCents: number | undefined, budgets: readonly T[]): T | undefined {
  return budgets.find(({ limit, committed }) => limit !== undefined && committed + (costCents ?? 1) > limit);
}

/** Holds what is ordered and sent to the limits the person has set, over all windows together. */
export class Budgets {
  constructor(
    private readonly renderer: Renderer,
    private readonly library: Library,
    private readonly connection: AccountInUse,
    private readonly window: WindowLease,
    private readonly limits: BudgetLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves once what was spent so far was read: before, it is read when a limit asks for it, which can take its time.
   */
  get ready(): Promise<void> {
    return this.library.whole;
  }

  /** The limits for renders that go there, and how far each is used; none when none is set. */
  of({ root }: Pick<Target, 'root'>): NamedBudget[] {
    const perDay = this.limits.budgetPerDay(root);
    const perProject = this.limits.budgetPerProject(root);
    if (perDay === undefined && perProject === undefined) return [];
    this.library.catchUp();
    const today = this.committed({ from: startOfDay(this.clock.now()) });
    const project = this.committed({ root });
    return [
      { name: 'perDay', limit: perDay, committed: today },
      { name: 'perProject', limit: root === undefined ? undefined : perProject, committed: project },
    ];
  }

  /** Throws BudgetError when a limit leaves no room for a render of this price. */
  check({ shownCents, target }: Pick<Order, 'shownCents' | 'target'>): void {
    const over = exceeded(shownCents, this.of(target));
    if (over) throw new BudgetError(over, target.root);
  }

  /**
   * Records an order and begins to send it, as `Renderer.order`, where the limits leave room for it. Throws BudgetError
   * where not, also when another window took the room in this very moment. Whatever it throws, nothing is sent.
   */
  place(order: Order): RenderRecord {
    // The same order a second time is the render there is.
    if (!this.library.ofRecord(order.intent)) this.check(order);
    const record = this.renderer.order(order);
    this.takeBackOver(record);
    return record;
  }

  /**
   * Sends a planned record, as `Renderer.send`. Throws BudgetError when what was spent since it was ordered leaves no
   * room for it. One that is sent already, here or by another window, is answered with where it stands.
   */
  send({ key, shownCents, target }: RenderRecord): Promise<RenderRecord> {
    this.library.catchUp();
    // What is being sent already counts itself.
    const waits = !this.renderer.isSending(key) && this.library.ofRecord(key)?.state === 'planned';
    if (waits) this.check({ shownCents, target });
    return this.renderer.send(key);
  }

  /**
   * Two windows may order in the same moment, each seeing room for its own. With both on record one of them sees the
   * other's at least, and takes back its own, of which no byte has left before this returns. So does one that cannot
   * look.
   */
  private takeBackOver({ key, target }: RenderRecord): void {
    const reason = this.whyTakenBack(target);
    if (reason && this.isTakenBack(key)) throw reason;
  }

  private whyTakenBack(target: Target): Error | undefined {
    try {
      const over = exceeded(0, this.of(target));
      return over && new BudgetError(over, target.root);
    } catch (error) {
      return new OrderError('notRecorded', error);
    }
  }

  private isTakenBack(key: string): boolean {
    try {
      return this.renderer.discard(key);
    } catch {
      // It stays on record, and may be sent yet: whoever ordered it has to be answered with it, or would order it
      // again.
      return false;
    }
  }

  /**
   * What this editor's renders cost or may come to cost, euro cents: charged, under way at the price shown, and
   * unknown; refunds and refusals not counted, nor what a person found not to be charged. A failed one counts for its
   * day alone: the service refunds it by itself, and need not say so. With whichever key of the service in use, as a
   * new key is no new money. Of those sent since `from` (ms since 1970), for the workspace folder `root` (URI), or of
   * all.
   */
  private committed({ from = 0, root }: { readonly from?: number; readonly root?: string }): number {
    const place = this.connection()?.place;
    const today = startOfDay(this.clock.now());
    const isCounted = ({ place: own, plannedAt, firstSentAt = plannedAt, target }: Outline) =>
      (place === undefined || own === place) && firstSentAt >= from && (root === undefined || target.root === root);
    let sum = 0;
    for (const outline of this.library.recorded)
      if (mayBeCharged(outline, today) && isCounted(outline)) sum += centsOf(outline);
    for (const record of this.library.planned)
      if (this.isAboutToBeSent(record) && isCounted(record)) sum += centsOf(record);
    return sum;
  }

  /** What is not recorded as sent yet: another window's counts as long as that one is at work and it may be. */
  private isAboutToBeSent({ key, owner, problem }: RenderRecord): boolean {
    if (this.renderer.isSending(key)) return true;
    return owner !== this.window.id && problem === undefined && this.window.isAlive(owner);
  }
}

function centsOf({ costCents, shownCents }: Outline): number {
  return costCents ?? shownCents ?? 0;
}

/** `today`: when the day began, ms since 1970. */
function mayBeCharged(record: Outline, today: number): boolean {
  const { attempt, state, settled, plannedAt, firstSentAt = plannedAt } = record;
  if (attempt === 0 || isUncharged(state)) return false;
  if (state === 'unknown') return settled?.charged !== false;
  return state !== 'failed' || firstSentAt >= today;
}
