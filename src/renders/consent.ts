/**
 * **Consent**: whether the user must be asked before something is spent, the question, the answer, and the allowance.
 *
 * A press in our own interface, with the price on it, passes up to a limit. What acts for the user passes within a
 * budget, and agents within the allowance; beyond that, the user is asked (`mustAsk`). One question is open at a time.
 * Unattended orders share one about their sum; a press and an agent's order have their own. After two refusals in a
 * row, agents are declined without a question for a minute, and so is, counted apart, what acts for the user.
 * `renders/orders.ts` asks it, and `features/rendering/askUser.ts` has the words.
 */

import type { Clock } from '../base/clock';
import { Emitter } from '../base/disposable';
import { countedCents, type Order, type PricedOrder, type RenderRecord, sumOf } from './record';

/** The user's limits. */
export interface ConsentLimits extends Omit<SpendingLimits, 'unattendedSpent'> {
  readonly confirmAfter: PaceLimits;
  /** The allowance that an agent's question offers to grant in this window, euro cents; 0 for none. */
  readonly agentAllowance: number;
}

/** An order that may need confirmation. */
export type Proposal = Order & Pick<PricedOrder, 'before' | 'otherSeeds'>;

/** One question to a user: render all of these, each at its price? Either all of them have a price or none does. */
export interface Question {
  /**
   * `price`: one gesture in our UI · `automation`: something acts for the user · `agent`: an agent asks · `pace`:
   * many renders have passed unconfirmed.
   */
  readonly about: 'price' | 'automation' | 'agent' | 'pace';
  /** Who asks, whatever the reason: an agent if one is among them, or else something that acts for the user. */
  readonly by: Initiator;
  readonly orders: readonly Proposal[];
  /** Renders that passed unconfirmed since the last yes. */
  readonly since: Pace['since'];
  /**
   * The allowance for agents that the user can grant with their answer, euro cents. Undefined when it isn't offered.
   */
  readonly allowance?: number;
  /** It's asked because a render that passed unconfirmed was charged more than its quoted price. */
  readonly isExceeded?: boolean;
  /** The wording, where the caller knows better than the orders alone show. */
  readonly words?: QuestionWords;
}

/** A question for a user, in their language. */
export interface QuestionWords {
  readonly question: string;
  /** What to know before confirming, besides the price. */
  readonly detail?: string;
  /** One more button, which orders nothing. */
  readonly instead?: { readonly title: string; readonly press: () => void };
}

/** The user who decides. */
export interface Approver {
  /**
   * True for a yes; `allow` for a yes that also grants the offered allowance; `otherSeeds` for a yes to the order with
   * its other seeds; undefined for the button `instead` of the words, if they have one: neither a yes nor a no.
   */
  ask(question: Question): Promise<boolean | 'allow' | 'otherSeeds' | undefined>;
  /**
   * Tells the user that their no applied to this many renders. `hasRest`: after two noes in a row, what acts for them
   * is declined without a question for a while.
   */
  tellRefused(count: number, hasRest: boolean): void;
}

/** `unasked`: no confirmation was needed. `otherSeeds`: agreed, with the other seeds of the order. */
export type Consented = 'agreed' | 'otherSeeds' | 'unasked' | 'refused';

/** The orders that a user selected from an agent's list, and agreed to. */
export interface Selected<T extends Proposal> {
  readonly orders: readonly T[];
  /** The allowance covers it, so the question was left out. */
  readonly isCovered: boolean;
}

interface Waiting {
  readonly order: Proposal;
  readonly initiator: Initiator;
  /** False once nobody waits for it any longer. */
  readonly isWanted: () => boolean;
  readonly resolve: (answer: Consented) => void;
  readonly reject: (error: Error) => void;
}

/** Orders that arrive later than this after the first order of a question go into the next question, ms. */
const gatherMs = 5000;

/**
 * Asks for confirmation where it's required, one question at a time. Orders of several callers share a question about
 * their sum. A yes covers the orders in the question; a no also covers every order that arrived meanwhile and would
 * have been asked about.
 */
export class Consent {
  private readonly pace: Pace;
  /** The allowance that agents may spend without confirmation. */
  readonly allowance = new Allowance();
  /** Limits how often agents ask. */
  private readonly declineLimit: DeclineLimit;
  /** Limits how often what acts for the user asks. */
  private readonly automationDeclineLimit: DeclineLimit;
  private readonly pending = new Map<string, Promise<Consented>>();
  private waiting: Waiting[] = [];
  /** Questions that are asked regardless of price, each in its turn. */
  private readonly turns: (() => Promise<void>)[] = [];
  private asking = false;
  private open: Question | undefined;
  private readonly unconfirmed = new Unconfirmed();
  /** Number of unattended orders waiting for their price. */
  private coming = 0;
  private allHere: (() => void) | undefined;

  constructor(
    private readonly approver: Approver,
    private readonly limits: () => ConsentLimits,
    private readonly clock: Clock,
  ) {
    this.pace = new Pace(clock);
    this.declineLimit = new DeclineLimit(clock);
    this.automationDeclineLimit = new DeclineLimit(clock);
  }

  /**
   * Whether the order may be placed. Two orders with the same intent and price count as one. Nobody is asked about an
   * order that is no longer wanted by then: that's `refused`. Rejects when the question can't be shown.
   */
  to(order: Proposal, initiator: Initiator, isWanted = () => true): Promise<Consented> {
    const name = JSON.stringify([order.intent, order.shownCents]);
    let answer = this.pending.get(name);
    if (!answer) {
      answer = this.decide(order, initiator, isWanted).finally(() => this.pending.delete(name));
      this.pending.set(name, answer);
    }
    return answer;
  }

  /**
   * As `to` for the orders of one press, whose sum was on its button: asks about that sum, once, where it would ask
   * about one order at that price. The yes is `otherSeeds` where an order has those.
   */
  together(orders: readonly Proposal[]): Promise<Consented> {
    return this.inTurn(async () => {
      const about = this.whyAskTogether(orders);
      if (about) return this.heard(await this.approver.ask({ about, by: 'user', orders, since: this.pace.since }));
      for (const order of orders) this.pass(order, 'user');
      return 'unasked';
    });
  }

  /** True when `to` would ask about the order now. */
  asks(order: Proposal, initiator: Initiator): boolean {
    return this.whyAsk(order, initiator) !== undefined;
  }

  /**
   * As `to` for an order that has yet to be made; those made at the same time share one question. Undefined when there
   * was no order in the end.
   */
  async unattended<T extends Proposal>(
    make: () => Promise<T | undefined>,
  ): Promise<{ order: T; answer: Consented } | undefined> {
    let asked: { order: T; answer: Promise<Consented> } | undefined;
    this.coming += 1;
    try {
      const order = await make();
      asked = order && { order, answer: this.to(order, 'automation') };
    } finally {
      this.coming -= 1;
      if (this.coming === 0) this.allHere?.();
    }
    return asked && { order: asked.order, answer: await asked.answer };
  }

  /**
   * Asks about these orders whatever they cost, since their prices weren't on screen yet. `by`: who asks. Rejects when
   * the question can't be shown.
   */
  ask(orders: readonly Proposal[], words?: QuestionWords, by: Initiator = 'user'): Promise<Consented> {
    return this.inTurn(async () => {
      if (this.isResting(by)) return 'refused';
      const answer = await this.approver.ask({ about: 'price', by, orders, since: this.pace.since, words });
      if (answer === undefined) words?.instead?.press();
      else if (this.hear([by], answer !== false)) this.approver.tellRefused(1, true);
      return this.heard(answer);
    });
  }

  /**
   * Has the user select from a list of an agent's orders, then asks about their sum unless the allowance covers it:
   * an agent can run a command that accepts a list, but can't answer a question. Undefined when the user declined,
   * the agent gave up (`signal`), or the user has just declined too often. Rejects when `select` does, or the
   * question can't be shown.
   */
  selectForAgent<T extends Proposal>(
    select: () => Promise<readonly T[] | undefined>,
    signal?: AbortSignal,
  ): Promise<Selected<T> | undefined> {
    return this.inTurn(async () => {
      if (signal?.aborted || this.isResting('agent')) return undefined;
      const orders = await select();
      // Nobody declined what was given up.
      if (signal?.aborted) return undefined;
      if (orders && this.allowance.covers(sumOf(orders))) return { orders, isCovered: true };
      const { since } = this.pace;
      const isAgreed =
        orders !== undefined && Boolean(await this.approver.ask({ about: 'agent', by: 'agent', orders, since }));
      if (isAgreed || !signal?.aborted) this.hear(['agent'], isAgreed);
      if (isAgreed) this.pace.agreed();
      return isAgreed ? { orders, isCovered: false } : undefined;
    });
  }

  /** Shows a question of another kind when no other is open. Settles as `put` does. */
  private inTurn<T>(put: () => Promise<T>): Promise<T> {
    const answer = new Promise<T>((resolve, reject) => {
      this.turns.push(() => put().then(resolve, reject));
    });
    if (!this.asking) void this.askAll();
    return answer;
  }

  /**
   * An order that passed isn't placed after all, so it no longer counts as unattended spending. No effect on other
   * orders.
   */
  takeBack(order: Proposal): void {
    this.unconfirmed.giveBack(order);
    this.allowance.giveBack(order);
  }

  /** Updates what unconfirmed orders count for with what the service says about this render. */
  follow(record: RenderRecord): void {
    this.unconfirmed.follow(record);
    this.allowance.follow(record);
  }

  private decide(order: Proposal, initiator: Initiator, isWanted: () => boolean): Promise<Consented> {
    // It may have passed at a lower price; now the user's answer decides.
    this.takeBack(order);
    if (!isWanted() || (initiator === 'agent' && this.isResting(initiator))) return Promise.resolve('refused');
    const free = this.open?.about !== 'pace' && this.whyAsk(order, initiator) === undefined;
    if (free) return Promise.resolve(this.pass(order, initiator));
    if (this.isResting(initiator)) return Promise.resolve('refused');
    const answer = new Promise<Consented>((resolve, reject) =>
      this.waiting.push({ order, initiator, isWanted, resolve, reject }),
    );
    if (!this.asking) void this.askAll();
    return answer;
  }

  /** Counted before the order is placed, so that concurrent orders can't exceed a limit together. */
  private pass(order: Proposal, initiator: Initiator): Consented {
    if (initiator === 'automation') this.unconfirmed.take(order);
    if (initiator === 'agent') this.allowance.take(order);
    this.pace.add(order.shownCents);
    return 'unasked';
  }

  /** True while this initiator is declined without a question, since the user has just declined twice. */
  isResting(by: Initiator): boolean {
    if (by === 'agent') return this.declineLimit.isOver;
    return by === 'automation' && this.automationDeclineLimit.isOver;
  }

  /** The user answered a question of these initiators. True if what acts for them has to wait from now on. */
  private hear(by: readonly Initiator[], yes: boolean): boolean {
    if (by.includes('agent')) this.declineLimit.hear(yes);
    return by.includes('automation') && this.automationDeclineLimit.hear(yes);
  }

  private whyAsk(order: Proposal, initiator: Initiator): Question['about'] | undefined {
    if (this.mustAsk(order, initiator)) return questionsOf[initiator];
    return this.pace.exceeds(order.shownCents, this.limits().confirmAfter) ? 'pace' : undefined;
  }

  private whyAskTogether(orders: readonly Proposal[]): Question['about'] | undefined {
    const shownCents = sumOf(orders);
    const isChanged = orders.some(({ before, otherSeeds }) => before ?? otherSeeds);
    if (isChanged || mustAsk(shownCents, 'user', this.spendingLimits())) return 'price';
    return this.pace.exceeds(shownCents, this.limits().confirmAfter, orders.length) ? 'pace' : undefined;
  }

  private mustAsk({ shownCents, before, otherSeeds }: Proposal, initiator: Initiator): boolean {
    if (before ?? otherSeeds) return true;
    if (initiator === 'agent') return !this.allowance.covers(shownCents);
    return mustAsk(shownCents, initiator, this.spendingLimits());
  }

  private spendingLimits(): SpendingLimits {
    const { confirmAbove, unattendedBudget } = this.limits();
    const unattendedSpent = this.unconfirmed.isExceeded ? Infinity : this.unconfirmed.cents;
    return { confirmAbove, unattendedBudget, unattendedSpent };
  }

  /** A yes to any question starts the pace over. */
  private heard(answer: Awaited<ReturnType<Approver['ask']>>): Consented {
    if (answer) this.pace.agreed();
    return consentedBy(answer);
  }

  private async askAll(): Promise<void> {
    this.asking = true;
    for (;;) {
      const turn = this.turns.shift();
      if (turn) await turn();
      else if (this.waiting.length > 0) await this.askNext();
      else break;
    }
    this.asking = false;
  }

  private async askNext(): Promise<void> {
    await this.gather();
    const asked = this.next();
    if (asked.length === 0) return;
    this.open = this.questionOf(asked);
    try {
      const answer = await this.approver.ask(this.open);
      // A no to what an agent has given up isn't one to the agent.
      const heard = asked.filter(({ isWanted }) => answer !== false || isWanted()).map(({ initiator }) => initiator);
      const hasRest = this.hear(heard, answer !== false);
      if (answer === 'allow') this.allow(this.open);
      if (answer) this.yes(asked, consentedBy(answer));
      else
        this.approver.tellRefused(
          this.no(asked, this.open, ({ resolve }) => resolve('refused')),
          hasRest,
        );
    } catch (error) {
      this.no(asked, this.open, ({ reject }) => reject(error as Error));
    }
    this.open = undefined;
  }

  /** The order just confirmed is the first to use the allowance. */
  private allow({ allowance, orders }: Question): void {
    if (allowance === undefined) return;
    this.allowance.grant(allowance);
    for (const order of orders) this.allowance.take(order);
  }

  /** Waits for orders that are on their way, unless someone is waiting for the question. */
  private gather(): Promise<void> {
    if (this.coming === 0 || this.waiting.some(({ initiator }) => initiator !== 'automation')) return Promise.resolve();
    return new Promise((resolve) => {
      const late = this.clock.after(gatherMs, resolve);
      this.allHere = () => {
        late.dispose();
        resolve();
      };
    });
  }

  /**
   * Takes the orders of the next question: a single gesture or agent order, else all others together, separated into
   * those with and without a price. Skips what is no longer wanted, and whoever the user has declined too often
   * meanwhile.
   */
  private next(): Waiting[] {
    this.drop(({ initiator, isWanted }) => !isWanted() || this.isResting(initiator));
    const [first] = this.waiting;
    if (!first) return [];
    const kind = this.kindOf(first);
    const asked = kind === 'own' ? [first] : this.waiting.filter((waiting) => this.kindOf(waiting) === kind);
    this.waiting = this.waiting.filter((waiting) => !asked.includes(waiting));
    return asked;
  }

  /** Without a question. */
  private drop(isToDrop: (waiting: Waiting) => boolean): void {
    const refused = this.waiting.filter(isToDrop);
    this.waiting = this.waiting.filter((waiting) => !refused.includes(waiting));
    for (const { resolve } of refused) resolve('refused');
  }

  private kindOf({ order, initiator }: Waiting): 'own' | 'priced' | 'unpriced' {
    const about = this.whyAsk(order, initiator);
    if (about === 'price' || about === 'agent') return 'own';
    return order.shownCents === undefined ? 'unpriced' : 'priced';
  }

  private questionOf(asked: readonly Waiting[]): Question {
    const why = asked.map(({ order, initiator }) => this.whyAsk(order, initiator));
    const about = (['price', 'agent', 'automation'] as const).find((reason) => why.includes(reason)) ?? 'pace';
    const by =
      (['agent', 'automation'] as const).find((one) => asked.some(({ initiator }) => initiator === one)) ?? 'user';
    const orders = asked.map(({ order }) => order);
    const passed = { automation: this.unconfirmed, agent: this.allowance, price: undefined, pace: undefined }[about];
    const isExceeded = passed?.isExceeded === true;
    const allowance = about === 'agent' ? this.offerFor(orders) : undefined;
    return { about, by, orders, since: this.pace.since, allowance, isExceeded };
  }

  /** The allowance is offered only where it pays for the orders in question. */
  private offerFor(orders: readonly Proposal[]): number | undefined {
    const { agentAllowance } = this.limits();
    const isPaid = orders.every(({ shownCents }) => shownCents !== undefined && shownCents <= agentAllowance);
    return isPaid && agentAllowance > 0 ? agentAllowance : undefined;
  }

  /** Covers the orders in the question, and those arrived meanwhile that need no confirmation. */
  private yes(asked: readonly Waiting[], consented: Consented): void {
    this.pace.agreed();
    for (const { resolve } of asked) resolve(consented);
    const meanwhile = this.waiting;
    this.waiting = [];
    for (const waiting of meanwhile) {
      const { order, initiator, resolve } = waiting;
      if (this.whyAsk(order, initiator) === undefined) resolve(this.pass(order, initiator));
      else this.waiting.push(waiting);
    }
  }

  /**
   * A no to a shared question or to the pace declines all of it; a no to one price declines only that order. Returns
   * how many were declined.
   */
  private no(asked: readonly Waiting[], { about }: Question, refuse: (waiting: Waiting) => void): number {
    const shares = ({ initiator }: Waiting) =>
      about === 'pace' || (about === 'automation' && initiator === 'automation');
    const refused = [...asked, ...this.waiting.filter(shares)];
    this.waiting = this.waiting.filter((waiting) => !refused.includes(waiting));
    for (const waiting of refused) refuse(waiting);
    return refused.length;
  }
}

function consentedBy(answer: Awaited<ReturnType<Approver['ask']>>): Consented {
  if (answer === 'otherSeeds') return answer;
  return answer ? 'agreed' : 'refused';
}

/** The kind of question, by who requests the render. */
const questionsOf = { user: 'price', automation: 'automation', agent: 'agent' } as const;

/** Noes in a row after which whoever asks has to wait. */
const mostNoes = 2;

/** How long they wait, ms. */
const restMs = 60_000;

/**
 * Limits the questions of those who ask the user: after two noes in a row, whatever the questions were about, they
 * can't ask for a minute.
 */
class DeclineLimit {
  private noes = 0;
  private endedAt: number | undefined;

  constructor(private readonly clock: Clock) {}

  /** True while they're declined without a question. */
  get isOver(): boolean {
    return this.endedAt !== undefined && this.clock.ticks() - this.endedAt < restMs;
  }

  /** The user answered a question of theirs. True if they have to wait from now on. */
  hear(yes: boolean): boolean {
    this.noes = yes ? 0 : this.noes + 1;
    if (this.noes < mostNoes) return false;
    this.noes = 0;
    this.endedAt = this.clock.ticks();
    return true;
  }
}

/**
 * The renders that passed without confirmation in this window, and what they count for. Kept in memory only: it ends
 * with the window.
 */
class Unconfirmed {
  /** Euro cents, by intent. */
  private readonly counted = new Map<string, number>();
  private hasExceeded = false;

  /** Euro cents. */
  get cents(): number {
    return [...this.counted.values()].reduce((sum, cents) => sum + cents, 0);
  }

  /** One was charged more than its quoted price: no price says any longer what the next one costs. */
  get isExceeded(): boolean {
    return this.hasExceeded;
  }

  /** Counts an order before it's placed, so that concurrent orders can't exceed a limit together. */
  take({ intent, shownCents }: Order): void {
    this.counted.set(intent, shownCents ?? 0);
  }

  /** The order wasn't placed after all. False if it wasn't counted. */
  giveBack({ intent }: Order): boolean {
    return this.counted.delete(intent);
  }

  /** Updates what a counted render counts for. False if nothing changed. */
  follow(record: RenderRecord): boolean {
    const { key, state, costCents = 0, shownCents = 0 } = record;
    const before = this.counted.get(key);
    // A planned render is about to be sent.
    if (before === undefined || state === 'planned') return false;
    const cents = countedCents(record);
    this.counted.set(key, cents);
    this.hasExceeded ||= costCents > shownCents;
    return before !== cents;
  }

  clear(): void {
    this.counted.clear();
    this.hasExceeded = false;
  }
}

/** The amount that agents may spend in this window without confirmation. It ends with the window. */
export class Allowance {
  private granted: number | undefined;
  private readonly taken = new Unconfirmed();
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  /** Euro cents; undefined while nothing is granted, and once a charge has ended it. */
  get left(): number | undefined {
    if (this.granted === undefined || this.isExceeded) return undefined;
    return Math.max(0, this.granted - this.taken.cents);
  }

  /** A charge above its quoted price has ended it. */
  get isExceeded(): boolean {
    return this.taken.isExceeded;
  }

  /** Lets agents spend this many euro cents from now on, whatever was granted before. */
  grant(cents: number): void {
    this.set(cents);
  }

  /** Withdraws what was granted. */
  revoke(): void {
    this.set(undefined);
  }

  /** Whether the rest pays this price. A price that isn't stated is never covered, and none is once it's overdrawn. */
  covers(cents: number | undefined): boolean {
    if (cents === undefined || this.granted === undefined || this.isExceeded) return false;
    return this.taken.cents + cents <= this.granted;
  }

  /** As `Unconfirmed.take`. */
  take(order: Order): void {
    this.taken.take(order);
    this.changed.fire();
  }

  /** The order wasn't placed after all. */
  giveBack(order: Order): void {
    if (this.taken.giveBack(order)) this.changed.fire();
  }

  /** As `Unconfirmed.follow`. */
  follow(record: RenderRecord): void {
    if (this.taken.follow(record)) this.changed.fire();
  }

  private set(granted: number | undefined): void {
    this.taken.clear();
    this.granted = granted;
    this.changed.fire();
  }
}

/**
 * The origin of a request to render: a gesture in our own UI, something that acts for the user (a command with
 * arguments), or an agent through a tool.
 */
export type Initiator = 'user' | 'automation' | 'agent';

export interface SpendingLimits {
  /** Gestures in our UI above this price need confirmation. Euro cents. */
  readonly confirmAbove: number;
  /** The unattended spending that's allowed in one window. Euro cents. */
  readonly unattendedBudget: number;
  /** The unattended spending in this window. Euro cents; Infinity once it's over. */
  readonly unattendedSpent: number;
}

/** True when a user must confirm the price first. An unknown price always needs confirmation. */
export function mustAsk(
  costCents: number | undefined,
  initiator: Exclude<Initiator, 'agent'>,
  limits: SpendingLimits,
): boolean {
  if (costCents === undefined) return true;
  if (initiator === 'user') return costCents > limits.confirmAbove;
  return limits.unattendedSpent + costCents > limits.unattendedBudget;
}

/** Limits on renders without a new confirmation; 0 turns a limit off. */
export interface PaceLimits {
  /** Renders in a minute. */
  readonly renders: number;
  /** Euro cents since the last confirmation. */
  readonly cents: number;
}

const minuteMs = 60_000;

/** The renders since a user last confirmed a price in one of our questions. */
export class Pace {
  private times: number[] = [];
  private renders = 0;
  private cents = 0;

  constructor(private readonly clock: Clock) {}

  /** The number of renders, and their cost in euro cents as far as prices were stated. */
  get since(): { readonly renders: number; readonly cents: number } {
    const { renders, cents } = this;
    return { renders, cents };
  }

  /** True when more renders at this total price, by default one, would exceed a limit. */
  exceeds(costCents: number | undefined, limits: PaceLimits, renders = 1): boolean {
    const minute = this.times.filter((time) => time > this.clock.ticks() - minuteMs);
    if (limits.renders > 0 && minute.length + renders > limits.renders) return true;
    return limits.cents > 0 && this.cents + (costCents ?? 0) > limits.cents;
  }

  /** Counts a render that needed no confirmation. */
  add(costCents: number | undefined): void {
    const now = this.clock.ticks();
    this.times = [...this.times.filter((time) => time > now - minuteMs), now];
    this.renders += 1;
    this.cents += costCents ?? 0;
  }

  /** The user confirmed: starts counting again. */
  agreed(): void {
    this.times = [];
    this.renders = 0;
    this.cents = 0;
  }
}
