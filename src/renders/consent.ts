import type { Clock } from '../base/clock';
import { Allowance } from './allowance';
import { Patience } from './patience';
import type { PricedOrder } from './priced';
import type { Order } from './record';
import { mustAsk, Pace, type Gesture, type PaceLimits, type SpendingLimits } from './spending';

/** The limits a person has set. */
export interface ConsentLimits extends Omit<SpendingLimits, 'unattendedSpent'> {
  readonly askAfter: PaceLimits;
  /** What a question of an agent offers to allow agents in this window, euro cents; 0 for nothing. */
  readonly agentAllowance: number;
}

/** What may have to be asked about. */
export type Proposal = Order & Pick<PricedOrder, 'before' | 'otherSeeds'>;

/**
 * What a person is asked: may all of these be rendered, each for the price it was shown with? All of them have one, or
 * none has.
 */
export interface Question {
  /**
   * `price` of one gesture of ours · `unattended` some act for the person · `agent` an agent asks · `pace` much has
   * gone by without a question.
   */
  readonly about: 'price' | 'unattended' | 'agent' | 'pace';
  readonly orders: readonly Proposal[];
  /** What went by without a question since the last yes. */
  readonly since: Pace['since'];
  /** What a person may allow agents in this window with their answer, euro cents. Undefined where it isn't offered. */
  readonly allowance?: number;
  /** What the question says, where whoever asks knows it better than the orders alone tell. */
  readonly words?: QuestionWords;
}

/** A question for a person, in their language. */
export interface QuestionWords {
  readonly question: string;
  /** What they should know before they say yes, besides the price. */
  readonly detail?: string;
}

/** Who decides. */
export interface Person {
  /**
   * True when they say yes; `allow` when they say yes to the allowance that the question offers as well, `otherSeeds`
   * when they say it to the other seeds of its order.
   */
  ask(question: Question): Promise<boolean | 'allow' | 'otherSeeds'>;
  /** Tells that their no was one to so many renders. */
  tellRefused(count: number): void;
}

/** `unasked`: nobody had to be asked. `otherSeeds`: agreed, with the other seeds of the order. */
export type Consented = 'agreed' | 'otherSeeds' | 'unasked' | 'refused';

interface Waiting {
  readonly order: Proposal;
  readonly gesture: Gesture;
  readonly resolve: (answer: Consented) => void;
  readonly reject: (error: Error) => void;
}

/** What comes later than this after the first order of a question is the next question, ms. */
const gatherMs = 5000;

/**
 * Asks the person where they must be asked, one question at a time. Orders of many callers are one question with their
 * sum; a yes covers what was in the question, a no everything that came meanwhile and would have been asked about as
 * well.
 */
export class Consent {
  private readonly pace: Pace;
  /** What agents may spend without a question. */
  readonly allowance = new Allowance();
  /** How long a person is asked by agents. */
  readonly patience: Patience;
  private readonly pending = new Map<string, Promise<Consented>>();
  private waiting: Waiting[] = [];
  /** Questions that are asked whatever their prices are, each in its turn. */
  private readonly turns: (() => Promise<void>)[] = [];
  private asking = false;
  private open: Question | undefined;
  /** What each unattended order costs that nobody was asked about, euro cents, by its intent. */
  private readonly unattendedCents = new Map<string, number>();
  /** Unattended orders whose price is being asked for. */
  private coming = 0;
  private allHere: (() => void) | undefined;

  constructor(
    private readonly person: Person,
    private readonly limits: () => ConsentLimits,
    private readonly clock: Clock,
  ) {
    this.pace = new Pace(clock);
    this.patience = new Patience(clock);
  }

  /** Whether the order may be placed. Two orders of one intent are one. Rejects when the question cannot be put. */
  to(order: Proposal, gesture: Gesture): Promise<Consented> {
    let answer = this.pending.get(order.intent);
    if (!answer) {
      answer = this.decide(order, gesture).finally(() => this.pending.delete(order.intent));
      this.pending.set(order.intent, answer);
    }
    return answer;
  }

  /**
   * As `to` for an order that is still to be made; those made at the same time are one question. Undefined when none
   * came of it.
   */
  async unattended<T extends Proposal>(
    make: () => Promise<T | undefined>,
  ): Promise<{ order: T; answer: Consented } | undefined> {
    let asked: { order: T; answer: Promise<Consented> } | undefined;
    this.coming += 1;
    try {
      const order = await make();
      asked = order && { order, answer: this.to(order, 'unattended') };
    } finally {
      this.coming -= 1;
      if (this.coming === 0) this.allHere?.();
    }
    return asked && { order: asked.order, answer: await asked.answer };
  }

  /**
   * Asks about these orders whatever they cost, as their prices were on no screen yet. Rejects when the question cannot
   * be put.
   */
  ask(orders: readonly Proposal[], words?: QuestionWords): Promise<Consented> {
    const question: Question = { about: 'price', orders, since: this.pace.since, words };
    return this.inTurn(async () => consentedBy(await this.person.ask(question)));
  }

  /** Puts a question of another kind when no other stands before the person. Resolves and rejects as it does. */
  inTurn<T>(put: () => Promise<T>): Promise<T> {
    const answer = new Promise<T>((resolve, reject) => {
      this.turns.push(() => put().then(resolve, reject));
    });
    if (!this.asking) void this.askAll();
    return answer;
  }

  /** The person has just said yes to a price in a question of the editor. */
  agreed(): void {
    this.pace.agreed();
  }

  /**
   * What passed and is not ordered after all was not spent unattended; what was agreed to, or is none of it, stays as
   * it is.
   */
  takeBack(order: Pick<Proposal, 'intent'>): void {
    this.unattendedCents.delete(order.intent);
    this.allowance.giveBack(order);
  }

  private decide(order: Proposal, gesture: Gesture): Promise<Consented> {
    // It may have passed at a lower price: whether it is ordered is now what the person says.
    this.takeBack(order);
    if (gesture === 'agent' && this.patience.isOver) return Promise.resolve('refused');
    const free = this.open?.about !== 'pace' && this.whyAsk(order, gesture) === undefined;
    if (free) return Promise.resolve(this.pass(order, gesture));
    const answer = new Promise<Consented>((resolve, reject) => this.waiting.push({ order, gesture, resolve, reject }));
    if (!this.asking) void this.askAll();
    return answer;
  }

  /** Counted before it is placed, so that many at once cannot pass a limit together. */
  private pass(order: Proposal, gesture: Gesture): Consented {
    const { intent, shownCents } = order;
    if (gesture === 'unattended') this.unattendedCents.set(intent, shownCents ?? 0);
    if (gesture === 'agent') this.allowance.take(order);
    this.pace.add(shownCents);
    return 'unasked';
  }

  private whyAsk(order: Proposal, gesture: Gesture): Question['about'] | undefined {
    if (this.mustAsk(order, gesture)) return questionsOf[gesture];
    return this.pace.exceeds(order.shownCents, this.limits().askAfter) ? 'pace' : undefined;
  }

  private mustAsk({ shownCents, before, otherSeeds }: Proposal, gesture: Gesture): boolean {
    if (before ?? otherSeeds) return true;
    if (gesture === 'agent') return !this.allowance.covers(shownCents);
    const { confirmAbove, unattendedBudget } = this.limits();
    const unattendedSpent = [...this.unattendedCents.values()].reduce((sum, cents) => sum + cents, 0);
    return mustAsk(shownCents, gesture, { confirmAbove, unattendedBudget, unattendedSpent });
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
      const answer = await this.person.ask(this.open);
      if (this.open.about === 'agent') this.patience.hear(answer !== false);
      if (answer === 'allow') this.allow(this.open);
      if (answer) this.yes(asked, consentedBy(answer));
      else this.person.tellRefused(this.no(asked, this.open, ({ resolve }) => resolve('refused')));
    } catch (error) {
      this.no(asked, this.open, ({ reject }) => reject(error as Error));
    }
    this.open = undefined;
  }

  /** What they say yes to is the first that the allowance pays. */
  private allow({ allowance, orders }: Question): void {
    if (allowance === undefined) return;
    this.allowance.grant(allowance);
    for (const order of orders) this.allowance.take(order);
  }

  /** Waits for the orders that are on their way, unless somebody waits for the question. */
  private gather(): Promise<void> {
    if (this.coming === 0 || this.waiting.some(({ gesture }) => gesture !== 'unattended')) return Promise.resolve();
    return new Promise((resolve) => {
      const late = this.clock.after(gatherMs, resolve);
      this.allHere = () => {
        late.dispose();
        resolve();
      };
    });
  }

  /**
   * Takes out those of the next question: a gesture or an agent about its own price alone, others together, apart from
   * those without a price. None of an agent of which the person has had enough meanwhile.
   */
  private next(): Waiting[] {
    if (this.patience.isOver) this.refuseAgents();
    const [first] = this.waiting;
    if (!first) return [];
    const kind = this.kindOf(first);
    const asked = kind === 'own' ? [first] : this.waiting.filter((waiting) => this.kindOf(waiting) === kind);
    this.waiting = this.waiting.filter((waiting) => !asked.includes(waiting));
    return asked;
  }

  private refuseAgents(): void {
    const refused = this.waiting.filter(({ gesture }) => gesture === 'agent');
    this.waiting = this.waiting.filter(({ gesture }) => gesture !== 'agent');
    for (const { resolve } of refused) resolve('refused');
  }

  private kindOf({ order, gesture }: Waiting): 'own' | 'priced' | 'unpriced' {
    const about = this.whyAsk(order, gesture);
    if (about === 'price' || about === 'agent') return 'own';
    return order.shownCents === undefined ? 'unpriced' : 'priced';
  }

  private questionOf(asked: readonly Waiting[]): Question {
    const why = asked.map(({ order, gesture }) => this.whyAsk(order, gesture));
    const about = (['price', 'agent', 'unattended'] as const).find((reason) => why.includes(reason)) ?? 'pace';
    const orders = asked.map(({ order }) => order);
    return { about, orders, since: this.pace.since, allowance: about === 'agent' ? this.offerFor(orders) : undefined };
  }

  /** An allowance is offered where it pays what the question is about. */
  private offerFor(orders: readonly Proposal[]): number | undefined {
    const { agentAllowance } = this.limits();
    const isPaid = orders.every(({ shownCents }) => shownCents !== undefined && shownCents <= agentAllowance);
    return isPaid && agentAllowance > 0 ? agentAllowance : undefined;
  }

  /** Covers what was in the question; of what came meanwhile, what needs none. */
  private yes(asked: readonly Waiting[], consented: Consented): void {
    this.pace.agreed();
    for (const { resolve } of asked) resolve(consented);
    const meanwhile = this.waiting;
    this.waiting = [];
    for (const waiting of meanwhile) {
      const { order, gesture, resolve } = waiting;
      if (this.whyAsk(order, gesture) === undefined) resolve(this.pass(order, gesture));
      else this.waiting.push(waiting);
    }
  }

  /** A no to others, or to going on, is one to all of it; a no to one price is one to that. Returns how many it was. */
  private no(asked: readonly Waiting[], { about }: Question, refuse: (waiting: Waiting) => void): number {
    const shares = ({ gesture }: Waiting) => about === 'pace' || (about === 'unattended' && gesture === 'unattended');
    const refused = [...asked, ...this.waiting.filter(shares)];
    this.waiting = this.waiting.filter((waiting) => !refused.includes(waiting));
    for (const waiting of refused) refuse(waiting);
    return refused.length;
  }
}

function consentedBy(answer: Awaited<ReturnType<Person['ask']>>): Consented {
  if (answer === 'otherSeeds') return answer;
  return answer ? 'agreed' : 'refused';
}

/** What a question is about, by who asks for the render. */
const questionsOf = { ours: 'price', unattended: 'unattended', agent: 'agent' } as const;
