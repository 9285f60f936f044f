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

/** One of the person's limits and how much of it is used. Euro cents. */
export interface Budget {
  readonly limit: number | undefined;
  readonly committed: number;
}

/** The renders that a limit is about: all of a day, or those of one workspace folder. */
export type BudgetName = 'perDay' | 'perProject';

export interface NamedBudget extends Budget {
  readonly name: BudgetName;
  /** The same for renders that share it: of one day, or of one workspace folder. */
  readonly id: string;
}

/** The limits for renders of a workspace folder (URI) or of none, euro cents; undefined for no limit. */
export interface BudgetLimits {
  budgetPerDay(root: string | undefined): number | undefined;
  budgetPerProject(root: string | undefined): number | undefined;
}

/** The first budget that a render at this price would exceed. An unknown price exceeds a budget that is used up. */
export function exceeded<T extends Budget>(costCents: number | undefined, budgets: readonly T[]): T | undefined {
  return budgets.find(({ limit, committed }) => limit !== undefined && committed + (costCents ?? 1) > limit);
}

/** Keeps orders and sends within the person's limits, across all windows. */
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
   * Resolves once past spending has been read. A limit that is checked earlier reads it then, which can take a while.
   */
  get ready(): Promise<void> {
    return this.library.whole;
  }

  /** The limits that apply to this target, and how much of each is used. Empty when none is set. */
  of({ root }: Pick<Target, 'root'>): NamedBudget[] {
    const perDay = this.limits.budgetPerDay(root);
    const perProject = this.limits.budgetPerProject(root);
    if (perDay === undefined && perProject === undefined) return [];
    this.library.catchUp();
    const today = this.committed({ from: startOfDay(this.clock.now()) });
    const project = this.committed({ root });
    return [
      { name: 'perDay', id: 'perDay', limit: perDay, committed: today },
      {
        name: 'perProject',
        id: `perProject ${root}`,
        limit: root === undefined ? undefined : perProject,
        committed: project,
      },
    ];
  }

  /** Throws BudgetError when a limit leaves no room for a render at this price. */
  check({ shownCents, target }: Pick<Order, 'shownCents' | 'target'>): void {
    const over = exceeded(shownCents, this.of(target));
    if (over) throw new BudgetError(over, target.root);
  }

  /**
   * Records an order and begins to send it, as `Renderer.order`, within the limits. Throws BudgetError when there's no
   * room, also when another window took it at the same moment. Nothing is sent if this throws.
   */
  place(order: Order): RenderRecord {
    // The same order twice is one render.
    if (!this.library.ofRecord(order.intent)) this.check(order);
    const record = this.renderer.order(order);
    this.takeBackOver(record);
    return record;
  }

  /**
   * Sends a planned record, as `Renderer.send`. Throws BudgetError when spending since the order leaves no room for it,
   * also when another window took it at the same moment. Resolves with the record as it is when it was already sent,
   * here or in another window.
   */
  send({ key, shownCents, target }: RenderRecord, despite?: string): Promise<RenderRecord> {
    this.library.catchUp();
    const record = this.library.ofRecord(key)?.record;
    // A render being sent is counted already.
    if (record?.state !== 'planned' || this.isAboutToBeSent(record)) return this.renderer.send(key, despite);
    this.check({ shownCents, target });
    const sending = this.renderer.send(key, despite);
    const reason = this.whyTakenBack(target);
    if (!reason) return sending;
    this.renderer.putBack(key, record.problem);
    // The reason is what the caller hears.
    sending.catch(() => {});
    throw reason;
  }

  /**
   * Two windows may order at the same moment, each seeing room for its own render. With both on record at least one of
   * them sees the other's and takes its own back, before any byte of it has left. A window that can't look does the
   * same.
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
      // It stays on record and may still be sent. Report it to the caller, who would otherwise order it again.
      return false;
    }
  }

  /**
   * The cost, charged or possible, of this editor's renders, euro cents: charged, in progress at the quoted price, or
   * unconfirmed. Refunds, rejections, and renders that the person settled as not charged don't count. A failed render
   * counts only on its day: the service refunds it, and needn't say so. Covers every API key of the service in use,
   * since a new key brings no new money. `from`: only renders sent since then, ms since 1970; `root`: only those of
   * that workspace folder (URI).
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

  /** A record that isn't sent yet. One of another window counts as long as that window is alive and may send it. */
  private isAboutToBeSent({ key, owner, problem }: RenderRecord): boolean {
    if (this.renderer.isSending(key)) return true;
    return owner !== this.window.id && problem === undefined && this.window.isAlive(owner);
  }
}

function centsOf({ costCents, shownCents }: Outline): number {
  return costCents ?? shownCents ?? 0;
}

/** `today`: start of the day, ms since 1970. */
function mayBeCharged(record: Outline, today: number): boolean {
  const { attempt, state, settled, plannedAt, firstSentAt = plannedAt } = record;
  if (attempt === 0 || isUncharged(state)) return false;
  if (state === 'unknown') return settled?.charged !== false;
  return state !== 'failed' || firstSentAt >= today;
}
