import type { Clock } from '../base/clock';
import { startOfDay } from '../base/day';
import { BudgetError } from './budgetError';
import type { AccountInUse } from './connected';
import { covered, type SharedBudget } from './covered';
import type { Library } from './library';
import { OrderError } from './orderError';
import type { Outline } from './outline';
import type { Order, RenderRecord, Target } from './record';
import type { Renderer } from './renderer';
import { isUncharged } from './uncharged';

/** The renders that a limit is about: all of a day, or those of one workspace folder. */
export type BudgetName = 'perDay' | 'perProject';

export interface NamedBudget extends SharedBudget {
  readonly name: BudgetName;
}

/** The limits for renders of a workspace folder (URI) or of none, euro cents; undefined for no limit. */
export interface BudgetLimits {
  budgetPerDay(root: string | undefined): number | undefined;
  budgetPerProject(root: string | undefined): number | undefined;
}

/** Keeps orders and sends within the person's limits, across all windows. */
export class Budgets {
  constructor(
    private readonly renderer: Renderer,
    private readonly library: Library,
    private readonly connection: AccountInUse,
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

  /**
   * Throws BudgetError when a limit leaves no room for these renders together: those of a workspace folder its own, all
   * of them that of the day.
   */
  check(orders: readonly Pick<Order, 'shownCents' | 'target'>[]): void {
    const byRoot = new Map<string | undefined, readonly NamedBudget[]>();
    for (const { target } of orders) if (!byRoot.has(target.root)) byRoot.set(target.root, this.of(target));
    const { count, over } = covered(
      orders.map(({ shownCents, target: { root } }) => ({ cents: shownCents, limits: byRoot.get(root) ?? [] })),
    );
    if (over) throw new BudgetError(over, orders[count]?.target.root);
  }

  /**
   * Records an order and begins to send it, as `Renderer.order`, within the limits. Throws BudgetError when there's no
   * room, also when another window took it at the same moment. Nothing is recorded if this throws.
   */
  place(order: Order): RenderRecord {
    return this.renderer.order(order, () => void this.choose([order], () => true));
  }

  /**
   * Records orders that were confirmed together, as `Renderer.plan`, if there's room for all of them. `isWanted` is
   * asked about each when all that any window has recorded is known: those that aren't wanted any longer are left out.
   * Otherwise as `place`.
   */
  placeTogether<T extends Order>(orders: readonly T[], isWanted: (order: T) => boolean): readonly RenderRecord[] {
    return this.renderer.plan(() => this.choose(orders, isWanted));
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
    if (record?.state !== 'planned' || record.due) return this.renderer.send(key, despite);
    this.check([{ shownCents, target }]);
    const sending = this.renderer.send(key, despite);
    const reason = this.whyTakenBack(target);
    if (!reason) return sending;
    this.renderer.putBack(key, record.problem);
    // The reason is what the caller hears.
    sending.catch(() => {});
    throw reason;
  }

  private choose<T extends Order>(orders: readonly T[], isWanted: (order: T) => boolean): readonly T[] {
    try {
      this.library.catchUp();
    } catch (error) {
      throw new OrderError('notRecorded', error);
    }
    const wanted = orders.filter(isWanted);
    // The same order twice is one render.
    this.check(wanted.filter(({ intent }) => !this.library.ofRecord(intent)));
    return wanted;
  }

  /**
   * Two windows may send at the same moment, each seeing room for its own render. With both on record as due at least
   * one of them sees the other's and puts its own back, before any byte of it has left. A window that can't look does
   * the same.
   */
  private whyTakenBack(target: Target): Error | undefined {
    try {
      this.check([{ shownCents: 0, target }]);
      return undefined;
    } catch (error) {
      return error instanceof BudgetError ? error : new OrderError('notRecorded', error);
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
    for (const record of this.library.planned) if (record.due && isCounted(record)) sum += centsOf(record);
    return sum;
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
