import * as vscode from 'vscode';
import type { Clock } from '../../base/clock';
import { eachOf } from '../../base/concurrency';
import { frozenInputs } from '../../base/frozen';
import type { JsonObject } from '../../base/json';
import { formatCents } from '../../base/money';
import { oneLine } from '../../base/plain';
import type { Random } from '../../base/random';
import { ServiceError } from '../../catalog/errors';
import { checkGivenImages, otherSeeds } from '../../catalog/fields';
import { placeName } from '../../catalog/placeName';
import type { Session } from '../../catalog/session';
import { type AgentOrdered, AgentOrders, type AgentWish } from '../../renders/agentOrders';
import { Agreement } from '../../renders/agreement';
import { type Allowance, Consent, type QuestionWords, type Selected, type Gesture } from '../../renders/consent';
import { BudgetError, type Budgets, type NamedBudget, SettingError } from '../../renders/limits';
import { LedgerError } from '../../renders/ledgerError';
import { cutShort } from '../../renders/ledgerRow';
import type { Library } from '../../renders/library';
import { OrderError } from '../../renders/orderError';
import { RecordedOrders } from '../../renders/orderInTurn';
import { withOtherSeeds, type Draft, type PricedOrder, covers } from '../../renders/priced';
import { sameInputs } from '../../renders/proof';
import type { Order, OrderedBy, RenderRecord, Target } from '../../renders/record';
import type { Renderer } from '../../renders/renderer';
import { isMadeBy } from '../../renders/sameImage';
import { connectedClient } from '../account/connectedClient';
import { issueSentence, ledgerSentence } from '../../editor/words';
import type { Settings } from '../../editor/settings';
import { knownModel } from '../models/model/lastModel';
import { UserError, type Remedy } from '../../editor/userError';
import type { LedgerState } from './ledgerState';
import { limitSettings, openLimit, openUnreadable } from './openLimit';
import { spender } from './spender';
import type { Targets } from './targets';

/** Concurrent price requests. */
const atOnce = 4;
/** Nobody decides on the same render again sooner, ms. */
const againMs = 2000;

/**
 * Orders renders for the editor's commands and pages: shows the price where it must be confirmed, makes sure that it's
 * still the one shown, then passes the order on.
 */
export class Spend {
  private readonly consent: Consent;
  private readonly agreement: Agreement;
  private readonly agentOrders: AgentOrders;
  private readonly recordedOrders: RecordedOrders;
  /** Repeats that aren't ordered yet, by their model, inputs, and target. */
  private readonly repeats = new Map<string, Promise<RenderRecord | undefined>>();

  constructor(
    private readonly budgets: Budgets,
    private readonly renderer: Pick<Renderer, 'begin' | 'discard' | 'isSending' | 'send' | 'settle'>,
    private readonly session: Session,
    settings: Settings,
    private readonly targets: Targets,
    private readonly ledgerState: LedgerState,
    private readonly library: Library,
    private readonly random: Random,
    private readonly clock: Clock,
  ) {
    this.consent = new Consent(spender(session), () => settings, clock);
    this.agreement = new Agreement(this.consent, () => connectedClient(session), clock);
    this.agentOrders = new AgentOrders(this.agreement, budgets, library, clock, (order) => this.aimed(order));
    this.recordedOrders = new RecordedOrders(this.agreement, budgets, renderer, library, random);
  }

  /** The allowance that agents may spend in this window without confirmation. */
  get allowance(): Pick<Allowance, 'left' | 'covers' | 'onDidChange'> {
    return this.consent.allowance;
  }

  /** True while agents are declined without a question, since the person has just declined twice. */
  get refusesAgents(): boolean {
    return this.consent.patience.isOver;
  }

  /**
   * Records an agent's orders: within the allowance directly, otherwise after the person confirmed their prices. Each
   * then goes to `start`. Otherwise as `AgentOrders.render`; each rejects with UserError when none was recorded.
   */
  renderForAgent(drafts: readonly Draft[], wish: AgentWish): readonly Promise<AgentOrdered>[] {
    return this.agentOrders.render(drafts, wish).map((ordered) => worded(() => ordered));
  }

  /** The same for orders whose prices the person confirmed in our own question. */
  renderAgreedForAgent(orders: readonly PricedOrder[], wish: AgentWish): readonly Promise<AgentOrdered>[] {
    return this.agentOrders.renderAgreed(orders, wish).map((ordered) => worded(() => ordered));
  }

  /** As `AgentOrders.twinOf`. */
  twinOf(draft: Draft, wish: Pick<AgentWish, 'signal'>): Promise<AgentOrdered> | undefined {
    return this.agentOrders.twinOf(draft, wish);
  }

  /** As `Consent.selectForAgent`. Also rejects with UserError when the selection would exceed a limit. */
  selectForAgent(
    select: () => Promise<readonly PricedOrder[] | undefined>,
    { signal }: AgentWish,
  ): Promise<Selected<PricedOrder> | undefined> {
    const within = async () => {
      const orders = await select();
      if (orders) this.checkBudgets(orders);
      return orders;
    };
    return this.consent.selectForAgent(within, signal);
  }

  /** As `AgentOrders.stopped`. */
  get stopped(): AbortSignal {
    return this.agentOrders.stopped;
  }

  /** Withdraws the allowance, and cancels agents' orders that weren't sent yet, also those that aren't placed yet. */
  stopAgents(): void {
    this.consent.allowance.revoke();
    this.agentOrders.stop();
    for (const { key, agent } of this.library.planned) if (agent !== undefined) this.renderer.discard(key);
  }

  /** Updates what passed unconfirmed with what the service charged. */
  follow(record: RenderRecord): void {
    this.consent.follow(record);
  }

  /** Requests the price of a draft. Rejects as `checkImages`, and with ServiceError when the price is unavailable. */
  async price(draft: Draft): Promise<PricedOrder> {
    await this.checkImages(draft);
    return this.agreement.price(draft);
  }

  /**
   * Rejects with UserError without a connection, or when an input isn't the image, or the list of images, that its
   * field takes; with ServiceError when the model can't be read.
   */
  async checkImages({ modelId, inputs }: Pick<Draft, 'modelId' | 'inputs'>): Promise<void> {
    connectedClient(this.session);
    const { fields = [] } = (await knownModel(this.session.model(modelId))) ?? {};
    for (const field of fields) {
      const issue = checkGivenImages(field, Object.hasOwn(inputs, field.name) ? inputs[field.name] : undefined);
      if (!issue) continue;
      const message = issueSentence(issue);
      const cause = new ServiceError('invalidInput', message, { fields: [{ field: field.name, message }] });
      throw new UserError(vscode.l10n.t('{0}: {1}', oneLine(field.label, 60), message), { cause });
    }
  }

  /**
   * The orders at their current prices, for display before anything is confirmed. Rejects with UserError or
   * ServiceError.
   */
  async current(orders: readonly PricedOrder[]): Promise<readonly PricedOrder[]> {
    const now = [...orders];
    await eachOf([...orders.entries()], atOnce, async ([index, order]) => {
      now[index] = await worded(() => this.agreement.current(order));
    });
    return now;
  }

  /**
   * Renders an order whose price is on screen. Undefined when the person declined, or by `isWanted` as in
   * `Budgets.place`. Rejects with UserError when it wasn't recorded, so not sent.
   */
  async render(order: PricedOrder, gesture: Gesture, isWanted?: IsWanted): Promise<RenderRecord | undefined> {
    const aimed = await this.aimed(order);
    if (!aimed) return undefined;
    const offered = await this.withChoiceOfSeeds(aimed);
    return this.place(await worded(() => this.agreement.to(offered, gesture)), 'person', isWanted);
  }

  /**
   * Repeats a render. Asks in these words; where a price next to what the person pressed (`seenCents`) covers the
   * current one, only if `render` would ask. Pressed twice, it's one render. Otherwise as `render`; also rejects with
   * ServiceError when the price is unavailable.
   */
  renderAgain(
    draft: Draft,
    words: QuestionWords,
    gesture: Gesture,
    seenCents?: number,
  ): Promise<RenderRecord | undefined> {
    const same = JSON.stringify([draft.modelId, draft.inputs, draft.target]);
    const running = this.repeats.get(same);
    if (running) return running;
    const repeat = this.repeat(draft, words, gesture, seenCents).finally(() => this.repeats.delete(same));
    this.repeats.set(same, repeat);
    return repeat;
  }

  private async repeat(
    draft: Draft,
    words: QuestionWords,
    gesture: Gesture,
    seenCents: number | undefined,
  ): Promise<RenderRecord | undefined> {
    const isUnderWay = this.isUnderWay(draft);
    const order = await this.price(draft);
    const offered = await this.withChoiceOfSeeds(order);
    const isSeen = seenCents !== undefined && covers(seenCents, order.shownCents);
    const passes = isSeen && !isUnderWay && !this.consent.asks(offered, gesture);
    // Without a price there is nothing to confirm here: the question comes with the order.
    if (passes || order.shownCents === undefined) return this.render(order, gesture);
    await this.budgets.ready;
    this.checkBudgets([order]);
    const consented = await this.consent.ask([offered], words, gesture);
    if (consented === 'refused') return undefined;
    return this.renderAgreed(consented === 'otherSeeds' ? withOtherSeeds(offered) : order);
  }

  /** Renders for something that acts for the person. Concurrent requests share one question. Otherwise as `render`. */
  async renderUnattended(draft: Draft): Promise<RenderRecord | undefined> {
    const made = async () => this.aimed(await this.price(draft));
    return this.place(await worded(() => this.agreement.unattended(made)), 'agent');
  }

  /**
   * Asks about the total of orders whose prices weren't on screen yet, when no other question is open. True when the
   * person confirms: then they go to `record`. Rejects with UserError when they would exceed a limit together.
   */
  async agreesTo(orders: readonly PricedOrder[], words?: QuestionWords, by?: Gesture): Promise<boolean> {
    await this.budgets.ready;
    this.checkBudgets(orders);
    return (await this.consent.ask(orders, words, by)) === 'agreed';
  }

  /**
   * The orders of one press, whose sum was on its button: asks at most once, and about that. They then go to `record`.
   * Undefined when the person declined. Rejects with UserError or ServiceError when they can't be
   * ordered, or would exceed a limit together.
   */
  async together(orders: readonly PricedOrder[], gesture: Gesture): Promise<readonly PricedOrder[] | undefined> {
    const [first] = orders;
    const aimed = first && (await this.aimed(first));
    if (!aimed) return undefined;
    const all = orders.map((order) => ({ ...order, target: aimed.target }));
    this.checkBudgets(all);
    if (gesture === 'ours') return worded(async () => this.agreement.together(await this.withChoicesOfSeeds(all)));
    const now = await this.current(all);
    return (await this.agreesTo(now, undefined, gesture)) ? now : undefined;
  }

  /**
   * Records orders that the person has just confirmed together, before the first is sent; each then goes to `start`.
   * `isWanted` as in `Budgets.place`. Undefined when the person picked no folder. Rejects with UserError when none was
   * recorded.
   */
  async record(
    orders: readonly PricedOrder[],
    isWanted: IsWanted = () => true,
  ): Promise<readonly PricedOrder[] | undefined> {
    const targets: (Target | undefined)[] = [];
    await eachOf(orders.entries(), atOnce, async ([at, order]) => (targets[at] = await this.targetOf(order)));
    const aimed = orders.flatMap((order, at): PricedOrder[] => {
      const target = targets[at];
      return target ? [{ ...order, target, by: 'person' }] : [];
    });
    if (aimed.length < orders.length) return undefined;
    const recorded = new Set(worded(() => this.budgets.placeTogether(aimed, isWanted)).map(({ key }) => key));
    return aimed.filter(({ intent }) => recorded.has(intent));
  }

  /** As `RecordedOrders.start`. Rejects with UserError when it can't be sent. */
  start(order: PricedOrder, gesture: Gesture, isWanted?: () => boolean): Promise<RenderRecord | undefined> {
    return worded(() => this.recordedOrders.start(order, gesture, isWanted));
  }

  /** Renders an order whose price the person has just confirmed. Otherwise as `render`. */
  async renderAgreed(order: PricedOrder): Promise<RenderRecord | undefined> {
    // Without a price there was nothing to confirm.
    if (order.shownCents === undefined) return this.render(order, 'ours');
    const aimed = await this.aimed(order);
    return this.place(aimed && (await worded(() => this.agreement.agreed(aimed))), 'person');
  }

  /**
   * The order with its folder, within the limits. Undefined when the person picked no folder, or doesn't start a new
   * history.
   */
  private async aimed(order: PricedOrder): Promise<PricedOrder | undefined> {
    const target = await this.targetOf(order);
    const aimed = target && { ...order, target };
    if (aimed) this.checkBudgets([aimed]);
    return aimed;
  }

  private async targetOf(order: PricedOrder): Promise<Target | undefined> {
    if (!(await this.ledgerState.settled())) return undefined;
    await this.budgets.ready;
    this.targets.check(order.target);
    const target = await this.targets.decide(order.target);
    if (target) await this.targets.prove(target);
    return target;
  }

  /** The same render was ordered a moment ago, or is in progress: a second press may be meant for that one. */
  private isUnderWay({ modelId, inputs }: Draft): boolean {
    const lately = this.clock.now() - againMs;
    return this.library.entries.some(
      ({ group, startedAt = 0, record }) =>
        (group === 'active' || startedAt > lately) &&
        record?.modelId === modelId &&
        sameInputs(record.isApart ? cutShort(inputs) : inputs, record.inputs),
    );
  }

  /** The order, with other seeds to choose if it would pay again for an image that already exists. */
  private async withChoiceOfSeeds(order: PricedOrder, others: readonly JsonObject[] = []): Promise<PricedOrder> {
    const { place } = this.session.state;
    const places = place && this.library.placesOf(placeName(place));
    const isMade = places && this.library.entries.some(({ record }) => record && isMadeBy(order, places, record));
    if (!isMade) return order;
    const model = await this.session.model(order.modelId).catch(() => undefined);
    const seeds = model?.kind === 'image' ? otherSeeds(model.fields, order.inputs, this.random, others) : undefined;
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

  /** The limits that a render for this target counts toward. Throws UserError when they can't be read. */
  limitsOf(target: Target): readonly NamedBudget[] {
    return worded(() => this.budgets.of(target));
  }

  /** As in the renderer. */
  isSending(key: string): boolean {
    return this.renderer.isSending(key);
  }

  /** As in the renderer: joins a running send. */
  send(key: string): Promise<RenderRecord> {
    return this.renderer.send(key);
  }

  /** Gives up a render that waits to be sent. False when that isn't possible. */
  discard(key: string): boolean {
    return this.renderer.discard(key);
  }

  /** Records the person's word on an unconfirmed render; undefined takes it back. */
  settle(key: string, charged: boolean | undefined): void {
    this.renderer.settle(key, charged);
  }

  /** Throws UserError when the renders would together exceed one of the person's limits, or these can't be read. */
  checkBudgets(orders: readonly Pick<Order, 'shownCents' | 'target'>[]): void {
    worded(() => this.budgets.check(orders));
  }

  /**
   * Sends a render that waits for the person, after requesting its price again. If that is higher than recorded and
   * they confirm it, a new order takes this one's place. Undefined when they declined. Rejects with UserError when it
   * would now exceed a limit. `despite` as in the renderer.
   */
  async sendPlanned(record: RenderRecord, gesture: Gesture, despite?: string): Promise<RenderRecord | undefined> {
    const { key, state, modelId, target, shownCents, account } = record;
    await this.budgets.ready;
    // Another window, or another press, was first: its outcome is the result here too.
    if (state !== 'planned') return worded(() => this.budgets.send(record));
    await this.targets.prove(target);
    this.limitsOf(target);
    // The price of all that is sent: the record itself shortens large inputs.
    const inputs = frozenInputs(worded(() => this.library.inputsOf({ record, inputs: record.inputs })));
    const order = { intent: key, modelId, inputs, target, shownCents, account };
    const agreed = await worded(() => this.agreement.to(order, gesture));
    if (!agreed) return undefined;
    if (covers(shownCents, agreed.shownCents)) return worded(() => this.budgets.send(record, despite));
    this.checkBudgets([agreed]);
    if (!this.renderer.discard(key)) return worded(() => this.budgets.send(record));
    return this.place({ ...agreed, intent: this.random.uuid() }, gesture === 'ours' ? 'person' : 'agent');
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
      [record] = worded(() => this.budgets.placeTogether([{ ...order, by }], isWanted));
    } finally {
      if (!record) this.agreement.takeBack(order);
    }
    if (record) this.renderer.begin(record.key);
    return record;
  }
}

/** Whether an order is still wanted when all that any window has recorded is known. */
type IsWanted = (order: Pick<Order, 'target'>) => boolean;

/** Why an order can't be sent, in words for a person. */
function worded<T>(order: () => T): T {
  try {
    const done = order();
    return done instanceof Promise ? (done.catch(fail) as T) : done;
  } catch (error) {
    return fail(error);
  }
}

function fail(error: unknown): never {
  if (error instanceof BudgetError)
    throw new UserError(budgetSentence(error.budget), { cause: error, remedy: changeOf(error) });
  if (error instanceof SettingError)
    throw new UserError(settingSentence(error), { cause: error, remedy: correctionOf(error) });
  if (error instanceof OrderError || error instanceof LedgerError)
    throw new UserError(orderSentence(error), { cause: error });
  throw error;
}

function budgetSentence({ name, limit = 0, committed }: NamedBudget): string {
  const language = vscode.env.language;
  return vscode.l10n.t(
    'Not sent, nothing charged. This render would exceed the {0} limit set in modelCatalog.{1}, of which {2} is used. To continue, raise the limit.',
    formatCents(limit, language),
    limitSettings[name],
    formatCents(committed, language),
  );
}

function changeOf({ budget, root }: BudgetError): Remedy {
  return { title: vscode.l10n.t('Change Limit'), run: () => openLimit(budget.name, root) };
}

function settingSentence({ setting }: SettingError): string {
  return vscode.l10n.t(
    'Not sent or charged, because modelCatalog.{0} isn’t a valid number. Enter digits only, such as 500, without quotes.',
    setting,
  );
}

function correctionOf({ setting }: SettingError): Remedy {
  return { title: vscode.l10n.t('Change Setting'), run: () => openUnreadable(setting) };
}

/** Nothing was recorded, so nothing was sent: that much is proven. */
function orderSentence(error: OrderError | LedgerError): string {
  if (error instanceof LedgerError) return ledgerSentence(error);
  switch (error.code) {
    case 'notConnected':
      return vscode.l10n.t('Not sent, nothing charged. Connect to a service, then render again.');
    case 'otherAccount':
      return vscode.l10n.t(
        'Not sent, nothing charged. The account has changed since the price was shown. Check the new price, then render again.',
      );
    case 'imageGone':
      return vscode.l10n.t(
        'Not sent, nothing charged. An image among the inputs is no longer available. Choose it again, then render.',
      );
    case 'notRecorded':
      return error.cause instanceof LedgerError
        ? ledgerSentence(error.cause)
        : vscode.l10n.t(
            'Not sent, nothing charged. The render couldn’t be recorded safely. Check the disk, then try again.',
          );
  }
}
