import type { Clock } from '../base/clock';
import { startOfDay } from '../base/format';
import { spelledFolder } from '../files/sameFile';
import { BudgetError, covered, type NamedBudget, SettingError } from './budget';
import type { Alike } from './ledger';
import type { Library } from './library';
import { OrderError } from './orderError';
import { countedCents, type AccountInUse, isThere, type Order, type RenderRecord, type Target } from './record';
import type { Renderer } from './renderer';

/** The limits for renders of a workspace folder (URI) or of none, euro cents; undefined for no limit. */
export interface BudgetLimits {
  budgetPerDay(root: string | undefined): number | undefined;
  budgetPerProject(root: string | undefined): number | undefined;
  /** The ID of a setting of money that holds no amount: nothing is rendered until it's corrected. */
  unreadable(root: string | undefined): string | undefined;
}

/** Keeps orders and sends within the user's limits, across all windows. */
export class Budgets {
  constructor(
    private readonly renderer: Renderer,
    private readonly library: Library,
    private readonly connection: AccountInUse,
    private readonly limits: BudgetLimits,
    private readonly clock: Clock,
    /** The URI of the real folder that a workspace folder's URI leads to, as the disk spells it. */
    private readonly realFolder: (root: string) => string,
  ) {}

  /**
   * The limits that apply to this target, and how much of each is used. Empty when none is set. Throws SettingError
   * when a setting of money can't be read.
   */
  of({ root }: Pick<Target, 'root'>): NamedBudget[] {
    const unreadable = this.limits.unreadable(root);
    if (unreadable !== undefined) throw new SettingError(unreadable, root);
    const perDay = this.limits.budgetPerDay(root);
    const perProject = this.limits.budgetPerProject(root);
    if (perDay === undefined && perProject === undefined) return [];
    this.library.catchUp();
    const from = startOfDay(this.clock.now());
    const today = this.committed(() => true, from);
    const folder = root === undefined ? undefined : this.realFolder(root);
    const project = this.committed(orderedFor(root, folder));
    return [
      { name: 'perDay', id: 'perDay', limit: perDay, committed: today },
      {
        name: 'perProject',
        id: `perProject ${folder}`,
        limit: root === undefined ? undefined : perProject,
        committed: project,
      },
    ];
  }

  /**
   * Throws BudgetError when a limit leaves no room for these renders together: those of a workspace folder its own, all
   * of them that of the day. Throws SettingError as `of`.
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
   * Records an order and begins to send it, as `Renderer.order`, within the limits. Throws as `check`, also when
   * another window took the room at the same moment. Nothing is recorded if this throws.
   */
  place(order: Order): RenderRecord {
    const located = this.located(order);
    return this.renderer.order(located, () => void this.choose([located], () => true));
  }

  /**
   * Records orders that were confirmed together, as `Renderer.plan`, if there's room for all of them. `isWanted` is
   * asked about each when all that any window has recorded is known: those that aren't wanted any longer are left out.
   * Otherwise as `place`.
   */
  placeTogether<T extends Order>(orders: readonly T[], isWanted: (order: T) => boolean): readonly RenderRecord[] {
    return this.renderer.plan(() => this.choose(orders, isWanted).map((order) => this.located(order)));
  }

  /**
   * Sends a planned record, as `Renderer.send`. Throws as `check` when spending since the order leaves no room for it,
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

  private located(order: Order): Order {
    const { root } = order.target;
    return { ...order, realRoot: root === undefined ? undefined : this.realFolder(root) };
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
   * What this editor's renders count for, as `countedCents`, euro cents. A failed render counts only on its day: the
   * service refunds it, and needn't say so. Covers every API key and every URL of the service in use, since a new one
   * brings no new money.
   */
  private committed(isWanted: (render: Alike) => boolean, since?: number): number {
    const connected = this.connection();
    const today = this.library.alike(startOfDay(this.clock.now())).filter(isSent);
    const sent = since === undefined ? this.library.alike().filter(isSent) : today;
    const isFailed = ({ state }: Alike) => state === 'failed';
    const due = this.library.planned.filter((record) => record.due && record.plannedAt >= (since ?? 0));
    const all = [
      ...sent.filter((render) => !isFailed(render)),
      ...today.filter(isFailed),
      ...due.map((record) => ({ ...record, root: record.target.root, isTried: true, renders: 1 })),
    ];
    return all
      .filter((render) => (!connected || isThere(render, connected)) && isWanted(render))
      .reduce((sum, render) => sum + render.renders * countedCents(render), 0);
  }
}

function isSent({ isTried, state }: Alike): boolean {
  return isTried && state !== 'planned';
}

/**
 * Whether a render was ordered for this workspace folder, which any link, spelling, or trailing slash leads to.
 * `folder`: what `realFolder` says of it. Earlier versions recorded only how a folder was written.
 */
function orderedFor(root: string | undefined, folder: string | undefined): (render: Alike) => boolean {
  const spellings = [folder, root && spelledFolder(root)];
  const isSpelled = (written: string | undefined) => spellings.includes(written && spelledFolder(written));
  return ({ realRoot, root: written }) => (realRoot === undefined ? isSpelled(written) : realRoot === folder);
}
