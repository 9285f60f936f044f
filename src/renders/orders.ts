/**
 * **Orders**: the one door that spends. Every render of a user, a command, or an agent, one or several, is ordered
 * here: by the form, Quick Render, lists, links, render files, the Generations view, and `agentOrders.ts`.
 *
 * An order passes the limits (`limits.ts`), a fresh price (`agreement.ts`), the user's consent where that's required
 * (`consent.ts`), the limits again, and the record; only then is it sent (`renderer.ts`). Orders confirmed together are
 * recorded first, and each gets a fresh price before it's sent.
 */

import type { Clock, Random } from '../base/clock';
import { forEachLimit } from '../base/concurrency';
import { type JsonObject, frozenInputs } from '../base/json';
import { checkSentInput, type Model, otherSeeds } from '../catalog/fields';
import { type AgentOrdered, AgentOrders, type AgentRequest } from './agentOrders';
import { Agreement, type PriceClient } from './agreement';
import type { NamedBudget } from './budget';
import type { Allowance, Consent, Initiator, QuestionWords, Selected } from './consent';
import { cutShort } from './ledgerRow';
import type { Library, LibraryEntry } from './library';
import type { Budgets } from './limits';
import { madeKind } from './madeKind';
import { InputError, OrderError } from './orderError';
import { sameInputs } from './proof';
import {
  covers,
  type Draft,
  type Order,
  type OrderedBy,
  type PricedOrder,
  type RenderRecord,
  type Target,
  withOtherSeeds,
} from './record';
import type { Renderer } from './renderer';

/** Concurrent price requests. */
const concurrency = 4;
/** Nobody decides on the same render again sooner, ms. */
const againMs = 2000;

/** The service that orders go to. */
export interface OrderService {
  /** The client in use. Throws when there is none, or its key is rejected. */
  client(): PriceClient;
  /** The name of the service in use; undefined when there is none. */
  place(): string | undefined;
  /** Undefined when the service no longer knows it. Rejects with ServiceError when it can't be read. */
  model(id: string): Promise<Pick<Model, 'kind' | 'fields'> | undefined>;
}

/** Where results go. */
export interface OrderTargets {
  /**
   * The target with its folder, which the user may have to choose. Undefined when they don't, or don't start a new
   * history. Rejects when nothing can be saved there.
   */
  decide(target: Target): Promise<Target | undefined>;
  /** Rejects when nothing can be saved there. */
  prove(target: Target): Promise<void>;
}

/** Whether an order is still wanted when all that any window has recorded is known. */
type IsWanted = (order: Order) => boolean;

/**
 * See above. What isn't recorded isn't sent, and nothing is charged: then these reject with OrderError, BudgetError,
 * SettingError, LedgerError, or InputError, and as `OrderTargets.decide`. They reject with ServiceError when there is
 * no price.
 */
export class Orders {
  private readonly agreement: Agreement;
  private readonly agentOrders: AgentOrders;
  /** Repeats that aren't ordered yet, by their model, inputs, and target. */
  private readonly repeats = new Map<string, Promise<RenderRecord | undefined>>();
  /** The keys of the last repeats, by the same, while they count as in progress: their inputs may have other seeds. */
  private readonly repeated = new Map<string, string>();

  constructor(
    private readonly consent: Consent,
    private readonly limits: Pick<Budgets, 'of' | 'check' | 'place' | 'placeTogether' | 'send'>,
    private readonly renderer: Pick<Renderer, 'begin' | 'discard' | 'isSending' | 'send' | 'settle'>,
    private readonly library: Pick<Library, 'catchUp' | 'entries' | 'inputsOf' | 'ofRecord' | 'placesOf' | 'planned'>,
    private readonly service: OrderService,
    private readonly targets: OrderTargets,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {
    this.agreement = new Agreement(consent, () => service.client(), clock);
    this.agentOrders = new AgentOrders(this.agreement, limits, library, clock, (order) => this.aimed(order));
  }

  // Prices

  /** Requests the price of a draft. Rejects as `checkInputs`, and with ServiceError when the price is unavailable. */
  async price(draft: Draft): Promise<PricedOrder> {
    await this.checkInputs(draft);
    return this.agreement.price(draft);
  }

  /**
   * Rejects without a connection; with InputError when an input isn't the image, or the list of images, that its field
   * takes, or has a path where no files are taken; with ServiceError when the model can't be read.
   */
  async checkInputs({ modelId, inputs }: Draft): Promise<void> {
    this.service.client();
    const model = await this.service.model(modelId);
    for (const field of model?.fields ?? []) {
      const issue = checkSentInput(field, Object.hasOwn(inputs, field.name) ? inputs[field.name] : undefined);
      if (issue) throw new InputError(field, issue);
    }
  }

  /** Orders at a price each, euro cents, that the user saw next to what they pressed: they go to `together`. */
  atSeenPrice(drafts: readonly Draft[], shownCents: number): readonly PricedOrder[] {
    const { account } = this.service.client();
    return drafts.map((draft) => ({ ...draft, shownCents, account }));
  }

  /** The orders at their current prices, for display before anything is confirmed. */
  async current(orders: readonly PricedOrder[]): Promise<readonly PricedOrder[]> {
    const now = [...orders];
    await forEachLimit([...orders.entries()], concurrency, async ([index, order]) => {
      now[index] = await this.agreement.current(order);
    });
    return now;
  }

  // Limits

  /** The limits that a render for this target counts toward. Throws SettingError when they can't be read. */
  limitsOf(target: Target): readonly NamedBudget[] {
    return this.limits.of(target);
  }

  /** Throws BudgetError when the renders would together exceed a limit, SettingError when one can't be read. */
  checkLimits(orders: readonly Order[]): void {
    this.limits.check(orders);
  }

  // One order

  /**
   * Renders an order whose price is on screen. Undefined when the user declined, or by `isWanted` as in
   * `Budgets.placeTogether`.
   */
  async render(order: PricedOrder, initiator: Initiator, isWanted?: IsWanted): Promise<RenderRecord | undefined> {
    const aimed = await this.aimed(order);
    if (!aimed) return undefined;
    const offered = await this.withChoiceOfSeeds(aimed);
    return this.place(await this.agreement.to(offered, initiator), 'person', isWanted);
  }

  /**
   * Repeats a render. A user's own press means another image, so it gets new seeds at once; whoever else asks lets the
   * user choose. Asks in these words; where a price next to what the user pressed (`seenCents`) covers the current one,
   * only if `render` would ask. Pressed twice, it's one render. Otherwise as `render`.
   */
  renderAgain(
    draft: Draft,
    words: QuestionWords,
    initiator: Initiator,
    seenCents?: number,
  ): Promise<RenderRecord | undefined> {
    const same = JSON.stringify([draft.modelId, draft.inputs, draft.target]);
    const running = this.repeats.get(same);
    if (running) return running;
    const repeat = this.repeat(draft, words, initiator, seenCents, this.repeated.get(same))
      .then((record) => {
        if (record) this.keepRepeated(same, record.key);
        return record;
      })
      .finally(() => this.repeats.delete(same));
    this.repeats.set(same, repeat);
    return repeat;
  }

  private async repeat(
    draft: Draft,
    words: QuestionWords,
    initiator: Initiator,
    seenCents: number | undefined,
    last: string | undefined,
  ): Promise<RenderRecord | undefined> {
    const isUnderWay = this.isUnderWay(draft, last);
    const priced = await this.withChoiceOfSeeds(await this.price(draft));
    const isNew = initiator === 'user' && priced.otherSeeds !== undefined;
    const order = isNew ? await this.agreement.current(withOtherSeeds(priced)) : priced;
    const isSeen = seenCents !== undefined && covers(seenCents, order.shownCents);
    const passes = isSeen && !isUnderWay && !this.consent.asks(order, initiator);
    // Without a price there is nothing to confirm here: the question comes with the order.
    if (passes || order.shownCents === undefined) return this.render(order, initiator);
    this.limits.check([order]);
    const consented = await this.consent.ask([order], words, initiator);
    if (consented === 'refused') return undefined;
    const aimed = await this.aimed(consented === 'otherSeeds' ? withOtherSeeds(order) : order);
    return this.place(aimed && (await this.agreement.agreed({ ...aimed, otherSeeds: undefined })), 'person');
  }

  /** Renders for something that acts for the user. Concurrent requests share one question. Otherwise as `render`. */
  async renderUnattended(draft: Draft): Promise<RenderRecord | undefined> {
    return this.place(await this.agreement.unattended(async () => this.aimed(await this.price(draft))), 'agent');
  }

  // Several orders

  /**
   * Asks about the total of orders whose prices weren't on screen yet, when no other question is open. True when the
   * user confirms: then they go to `record`. Rejects when they would exceed a limit together.
   */
  async agreesTo(orders: readonly PricedOrder[], words?: QuestionWords, by?: Initiator): Promise<boolean> {
    this.limits.check(orders);
    return (await this.consent.ask(orders, words, by)) === 'agreed';
  }

  /**
   * The orders of one press, whose sum was on its button: asks at most once, and about that. They then go to `record`.
   * Undefined when the user declined. Rejects when they can't be ordered, or would exceed a limit together.
   */
  async together(orders: readonly PricedOrder[], initiator: Initiator): Promise<readonly PricedOrder[] | undefined> {
    const [first] = orders;
    const aimed = first && (await this.aimed(first));
    if (!aimed) return undefined;
    const all = orders.map((order) => ({ ...order, target: aimed.target }));
    this.limits.check(all);
    if (initiator === 'user') return this.agreement.together(await this.withChoicesOfSeeds(all));
    const now = await this.current(all);
    return (await this.agreesTo(now, undefined, initiator)) ? now : undefined;
  }

  /**
   * Records orders that the user has just confirmed together, before the first is sent; each then goes to `start`.
   * `isWanted` as in `Budgets.placeTogether`. Undefined when the user picked no folder. Rejects when none was recorded.
   */
  async record(
    orders: readonly PricedOrder[],
    isWanted: IsWanted = () => true,
  ): Promise<readonly PricedOrder[] | undefined> {
    const targets: (Target | undefined)[] = [];
    await forEachLimit(
      orders.entries(),
      concurrency,
      async ([at, order]) => (targets[at] = await this.targets.decide(order.target)),
    );
    const aimed = orders.flatMap((order, at): PricedOrder[] => {
      const target = targets[at];
      return target ? [{ ...order, target, by: 'person' }] : [];
    });
    if (aimed.length < orders.length) return undefined;
    const recorded = new Set(this.limits.placeTogether(aimed, isWanted).map(({ key }) => key));
    return aimed.filter(({ intent }) => recorded.has(intent));
  }

  /**
   * Begins to send an order that was recorded. A price that rose, or that nobody has confirmed, is another decision:
   * the user is asked, and a new record takes this one's place. `isWanted` as in `Consent.to`. Undefined when they
   * declined. Rejects when it can't be priced or recorded.
   */
  async start(order: PricedOrder, initiator: Initiator, isWanted = () => true): Promise<RenderRecord | undefined> {
    const now = await this.agreement.current(order);
    const { intent, shownCents } = order;
    const record = this.library.ofRecord(intent)?.record;
    // Somebody discarded it meanwhile, or sent it.
    if (record?.state !== 'planned') return record;
    if (!isWanted()) return undefined;
    if (shownCents !== undefined && covers(shownCents, now.shownCents)) {
      this.renderer.begin(intent);
      return record;
    }
    const before = shownCents === undefined ? undefined : { shownCents };
    const again = { ...now, intent: this.random.uuid(), before };
    const agreed = await this.agreement.to(again, initiator, isWanted);
    if (!agreed) return undefined;
    let placed: RenderRecord | undefined;
    try {
      if (isWanted() && this.renderer.discard(intent)) placed = this.limits.place(agreed);
    } finally {
      if (!placed) this.agreement.takeBack(agreed);
    }
    return placed;
  }

  // Orders on record

  /**
   * Sends a render that waits for the user, after requesting its price again. If that is higher than recorded and they
   * confirm it, a new order takes this one's place. Undefined when they declined. Rejects when it would now exceed a
   * limit. `despite` as in the renderer.
   */
  async sendPlanned(record: RenderRecord, initiator: Initiator, despite?: string): Promise<RenderRecord | undefined> {
    const { key, state, modelId, target, shownCents, account } = record;
    // Another window, or another press, was first: its outcome is the result here too.
    if (state !== 'planned') return this.limits.send(record);
    await this.targets.prove(target);
    this.limits.of(target);
    // The price of all that is sent: the record itself shortens large inputs.
    const inputs = frozenInputs(this.library.inputsOf({ record, inputs: record.inputs }));
    const order = { intent: key, modelId, inputs, target, shownCents, account };
    const agreed = await this.agreement.to(order, initiator);
    if (!agreed) return undefined;
    if (covers(shownCents, agreed.shownCents)) return this.limits.send(record, despite);
    this.limits.check([agreed]);
    if (!this.renderer.discard(key)) return this.limits.send(record);
    return this.place({ ...agreed, intent: this.random.uuid() }, initiator === 'user' ? 'person' : 'agent');
  }

  /** As in the renderer: joins a running send. */
  send(key: string): Promise<RenderRecord> {
    return this.renderer.send(key);
  }

  /** As in the renderer. */
  isSending(key: string): boolean {
    return this.renderer.isSending(key);
  }

  /** Records the user's word on an unconfirmed render; undefined takes it back. */
  settle(key: string, charged: boolean | undefined): void {
    this.renderer.settle(key, charged);
  }

  /** Gives up a render that waits to be sent. False when that isn't possible. */
  discard(key: string): boolean {
    return this.renderer.discard(key);
  }

  /** Updates what passed unconfirmed with what the service charged. */
  follow(record: RenderRecord): void {
    this.consent.follow(record);
  }

  // Agents

  /** The allowance that agents may spend in this window without confirmation. */
  get allowance(): Allowance {
    return this.consent.allowance;
  }

  /** As `Consent.isResting`. */
  refuses(by: Initiator): boolean {
    return this.consent.isResting(by);
  }

  /** As `AgentOrders.stopped`. */
  get stopped(): AbortSignal {
    return this.agentOrders.stopped;
  }

  /**
   * Records an agent's orders: within the allowance directly, otherwise after the user confirmed their prices. Each
   * then goes to `start`. As `AgentOrders.render`.
   */
  renderForAgent(drafts: readonly Draft[], wish?: AgentRequest): readonly Promise<AgentOrdered>[] {
    return this.agentOrders.render(drafts, wish);
  }

  /** The same for orders whose prices the user confirmed in our own question. */
  renderAgreedForAgent(orders: readonly PricedOrder[], wish?: AgentRequest): readonly Promise<AgentOrdered>[] {
    return this.agentOrders.renderAgreed(orders, wish);
  }

  /** As `AgentOrders.duplicateOf`. */
  duplicateOf(draft: Draft, wish?: AgentRequest): Promise<AgentOrdered> | undefined {
    return this.agentOrders.duplicateOf(draft, wish);
  }

  /** As `Consent.selectForAgent`. Also rejects when the selection would exceed a limit. */
  selectForAgent(
    select: () => Promise<readonly PricedOrder[] | undefined>,
    { signal }: AgentRequest,
  ): Promise<Selected<PricedOrder> | undefined> {
    const within = async () => {
      const orders = await select();
      if (orders) this.limits.check(orders);
      return orders;
    };
    return this.consent.selectForAgent(within, signal);
  }

  /** How many orders of agents `stopAgents` would cancel. */
  get unsentOfAgents(): number {
    return this.agentOrders.unplaced + this.library.planned.filter(({ agent }) => agent !== undefined).length;
  }

  /** Withdraws the allowance, and cancels agents' orders that weren't sent yet, also those that aren't placed yet. */
  stopAgents(): void {
    this.consent.allowance.revoke();
    this.agentOrders.stop();
    for (const { key, agent } of this.library.planned) if (agent !== undefined) this.renderer.discard(key);
  }

  // What they share

  /** The order with its folder, within the limits. Undefined as `OrderTargets.decide`. */
  private async aimed(order: PricedOrder): Promise<PricedOrder | undefined> {
    const target = await this.targets.decide(order.target);
    const aimed = target && { ...order, target };
    if (aimed) this.limits.check([aimed]);
    return aimed;
  }

  /**
   * The same render, or its `last` repeat, was ordered a moment ago, or is in progress: a second press may be meant for
   * that one.
   */
  private isUnderWay({ modelId, inputs }: Draft, last: string | undefined): boolean {
    const isSame = (record: RenderRecord) =>
      record.modelId === modelId && sameInputs(record.isApart ? cutShort(inputs) : inputs, record.inputs);
    return this.recent().some(({ record }) => record && (record.key === last || isSame(record)));
  }

  /** Renders that were ordered a moment ago, or are in progress. */
  private recent(): readonly LibraryEntry[] {
    const lately = this.clock.now() - againMs;
    return this.library.entries.filter(({ group, startedAt = 0 }) => group === 'active' || startedAt > lately);
  }

  private keepRepeated(same: string, key: string): void {
    const recent = new Set(this.recent().map(({ record }) => record?.key));
    for (const [other, last] of this.repeated) if (!recent.has(last)) this.repeated.delete(other);
    this.repeated.set(same, key);
  }

  /**
   * The order, with other seeds to choose if it would pay again for an image that already exists. Rejects if that can't
   * be told, since the model can't be read.
   */
  private async withChoiceOfSeeds(order: PricedOrder, others: readonly JsonObject[] = []): Promise<PricedOrder> {
    const place = this.service.place();
    const places = place === undefined ? undefined : this.library.placesOf(place);
    const isMade = places && this.library.entries.some((entry) => isImageOf(order, places, entry));
    if (!isMade) return order;
    const model = await this.service.model(order.modelId);
    if (!model) throw new OrderError('modelGone');
    const seeds = model.kind === 'image' ? otherSeeds(model.fields, order.inputs, this.random, others) : undefined;
    return seeds ? { ...order, otherSeeds: frozenInputs(seeds) } : order;
  }

  /** The same for several: no two get the same seeds. */
  private async withChoicesOfSeeds(orders: readonly PricedOrder[]): Promise<readonly PricedOrder[]> {
    const offered: PricedOrder[] = [];
    const taken = orders.map(({ inputs }): JsonObject => inputs);
    for (const order of orders) {
      const one = await this.withChoiceOfSeeds(order, taken);
      offered.push(one);
      if (one.otherSeeds) taken.push(one.otherSeeds);
    }
    return offered;
  }

  /** Checks the limits again: other renders may have been ordered during the question. */
  private place(
    order: PricedOrder | undefined,
    by: OrderedBy,
    isWanted: IsWanted = () => true,
  ): RenderRecord | undefined {
    if (!order) return undefined;
    let record: RenderRecord | undefined;
    try {
      [record] = this.limits.placeTogether([{ ...order, by }], isWanted);
    } finally {
      if (!record) this.agreement.takeBack(order);
    }
    if (record) this.renderer.begin(record.key);
    return record;
  }
}

/** True if this render has, or may have, the image that the order would make again. A text is another one each time. */
function isImageOf(order: Order, places: ReadonlySet<string>, entry: LibraryEntry): boolean {
  return entry.record !== undefined && isMadeBy(order, places, entry.record) && madeKind(entry) !== 'text';
}

/**
 * True if this render of the same service, which has these URLs, has, or will have, the same image: its inputs are
 * identical.
 */
export function isMadeBy(
  { modelId, inputs }: Pick<Order, 'modelId' | 'inputs'>,
  places: ReadonlySet<string>,
  record: RenderRecord,
): boolean {
  const { state, file } = record;
  const isComing = state === 'sent' || state === 'accepted' || state === 'succeeded';
  // The user doesn't have a discarded image.
  if (!isComing && !(state === 'saved' && file !== undefined)) return false;
  // A record has only the beginning of large inputs.
  if (record.isApart || !places.has(record.place) || record.modelId !== modelId) return false;
  return sameInputs(record.inputs, inputs) && sameInputs(inputs, record.inputs);
}
