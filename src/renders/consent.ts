import type { Clock } from '../base/clock';
import type { PricedOrder } from './priced';
import type { Order } from './record';
import { mustAsk, Pace, type Gesture, type PaceLimits, type SpendingLimits } from './spending';

/** The limits a person has set. */
export interface ConsentLimits extends Omit<SpendingLimits, 'unattendedSpent'> {
  readonly askAfter: PaceLimits;
}

/** What may have to be asked about. */
export type Proposal = Order & Pick<PricedOrder, 'before'>;

/**
 * What a person is asked: may all of these be rendered, each for the price it was shown with? All of them have one, or
 * none has.
 */
export interface Question {
  /**
   * `price` of one gesture of ours · `unattended` some act for the person · `pace` much has gone by without a question.
   */
  readonly about: 'price' | 'unattended' | 'pace';
  readonly orders: readonly Proposal[];
  /** What went by without a question since the last yes. */
  readonly since: Pace['since'];
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
  /** True when they say yes. */
  ask(question: Question): Promise<boolean>;
  /** Tells that their no was one to so many renders. */
  tellRefused(count: number): void;
}

/** `unasked`: nobody had to be asked. */
export type Consented = 'agreed' | 'unasked' | 'refused';

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
   * Asks about these orders whatever they cost, as their prices were on no screen yet. True when the person says yes.
   * Rejects when the question cannot be put.
   */
  ask(orders: readonly Proposal[], words?: QuestionWords): Promise<boolean> {
    const question: Question = { about: 'price', orders, since: this.pace.since, words };
    const answer = new Promise<boolean>((resolve, reject) => {
      this.turns.push(() => this.person.ask(question).then(resolve, reject));
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
  takeBack({ intent }: Pick<Proposal, 'intent'>): void {
    this.unattendedCents.delete(intent);
  }

  private decide(order: Proposal, gesture: Gesture): Promise<Consented> {
    // It may have passed at a lower price: whether it is ordered is now what the person says.
    this.takeBack(order);
    const free = this.open?.about !== 'pace' && this.whyAsk(order, gesture) === undefined;
    if (free) return Promise.resolve(this.pass(order, gesture));
    const answer = new Promise<Consented>((resolve, reject) => this.waiting.push({ order, gesture, resolve, reject }));
    if (!this.asking) void this.askAll();
    return answer;
  }

  /** Counted before it is placed, so that many at once cannot pass a limit together. */
  private pass({ intent, shownCents }: Proposal, gesture: Gesture): Consented {
    if (gesture === 'unattended') this.unattendedCents.set(intent, shownCents ?? 0);
    this.pace.add(shownCents);
    return 'unasked';
  }

  private whyAsk({ shownCents, before }: Proposal, gesture: Gesture): Question['about'] | undefined {
    const { confirmAbove, unattendedBudget, askAfter } = this.limits();
    const unattendedSpent = [...this.unattendedCents.values()].reduce((sum, cents) => sum + cents, 0);
    if (before || mustAsk(shownCents, gesture, { confirmAbove, unattendedBudget, unattendedSpent })) {
      return gesture === 'ours' ? 'price' : 'unattended';
    }
    return this.pace.exceeds(shownCents, askAfter) ? 'pace' : undefined;
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
    this.open = this.questionOf(asked);
    try {
      if (await this.person.ask(this.open)) this.yes(asked);
      else this.person.tellRefused(this.no(asked, this.open, ({ resolve }) => resolve('refused')));
    } catch (error) {
      this.no(asked, this.open, ({ reject }) => reject(error as Error));
    }
    this.open = undefined;
  }

  /** Waits for the orders that are on their way, unless a person waits for the question. */
  private gather(): Promise<void> {
    if (this.coming === 0 || this.waiting.some(({ gesture }) => gesture === 'ours')) return Promise.resolve();
    return new Promise((resolve) => {
      const late = this.clock.after(gatherMs, resolve);
      this.allHere = () => {
        late.dispose();
        resolve();
      };
    });
  }

  /**
   * Takes out those of the next question: a gesture about its own price alone, others together, apart from those
   * without a price.
   */
  private next(): Waiting[] {
    const [first] = this.waiting;
    if (!first) return [];
    const kind = this.kindOf(first);
    const asked = kind === 'own' ? [first] : this.waiting.filter((waiting) => this.kindOf(waiting) === kind);
    this.waiting = this.waiting.filter((waiting) => !asked.includes(waiting));
    return asked;
  }

  private kindOf({ order, gesture }: Waiting): 'own' | 'priced' | 'unpriced' {
    if (this.whyAsk(order, gesture) === 'price') return 'own';
    return order.shownCents === undefined ? 'unpriced' : 'priced';
  }

  private questionOf(asked: readonly Waiting[]): Question {
    const why = asked.map(({ order, gesture }) => this.whyAsk(order, gesture));
    const about = (['price', 'unattended'] as const).find((reason) => why.includes(reason)) ?? 'pace';
    return { about, orders: asked.map(({ order }) => order), since: this.pace.since };
  }

  /** Covers what was in the question; of what came meanwhile, what needs none. */
  private yes(asked: readonly Waiting[]): void {
    this.pace.agreed();
    for (const { resolve } of asked) resolve('agreed');
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
