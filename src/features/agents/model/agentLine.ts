import { reasonOf } from '../../../base/errors';
import type { AgentOrdered } from '../../../renders/agentOrders';
import { orderInTurn, type OrderDoors } from '../../../renders/orderInTurn';
import type { RenderRecord } from '../../../renders/record';
import type { AgentWindow } from './agentWindow';
import { Refused } from './inTime';

/** An order that an agent has been granted, or not. */
export interface InLine {
  readonly intent: string;
  readonly ordered: Promise<AgentOrdered>;
}

/** One that is on record, to be sent when its turn comes. */
type Recorded = Extract<AgentOrdered, { readonly is: 'placed' }>;

/**
 * The orders of one call, sent in turn as a person's are: each after the one before got its response, so that what the
 * service rejects, or leaves unanswered, is one render and not all of them.
 */
export class AgentLine {
  /** Those that don't know yet what becomes of them. */
  private readonly waiting = new Map<string, (ordered: AgentOrdered | Promise<AgentOrdered>) => void>();

  constructor(
    private readonly window: Pick<AgentWindow, 'spend' | 'fate' | 'log'>,
    private readonly signal: AbortSignal,
  ) {}

  /** What becomes of an order of the call. Rejects when it wasn't placed. */
  of(intent: string): Promise<AgentOrdered> {
    return new Promise((resolve) => this.waiting.set(intent, resolve));
  }

  /** Sends what was chosen; the others were declined. Never rejects. */
  async place(choosing: Promise<readonly InLine[]>): Promise<void> {
    try {
      const chosen = await choosing;
      const isChosen = (intent: string) => chosen.some((one) => one.intent === intent);
      this.tell(() => Promise.resolve({ is: 'refused' }), isChosen);
      const recorded: Recorded[] = [];
      const sort = async ({ intent, ordered }: InLine) => {
        const outcome = await ordered.catch(() => undefined);
        if (outcome?.is === 'placed') recorded.push(outcome);
        else this.settle(intent, ordered);
      };
      await Promise.all(chosen.map(sort));
      await orderInTurn(recorded, this.doors(), this.signal, () => {}).started;
      this.tell(() => Promise.reject(new Refused(stoppedWords)));
    } catch (error) {
      const why = error instanceof Error ? error : new Error(reasonOf(error));
      this.tell(() => Promise.reject(why));
    }
  }

  private doors(): OrderDoors<Recorded> {
    const { spend } = this.window;
    return {
      start: async ({ order }) => {
        const starting = spend.start(order, 'agent', () => !this.signal.aborted);
        const started = (record: RenderRecord | undefined): AgentOrdered =>
          record ? { is: 'placed', record, order } : { is: this.signal.aborted ? 'canceled' : 'refused' };
        this.settle(order.intent, starting.then(started));
        return starting;
      },
      sent: (key) => spend.send(key),
      ended: async (key) => (await this.window.fate(key)).entry,
      discard: ({ order }) => this.discard(order.intent),
    };
  }

  private settle(intent: string, ordered: Promise<AgentOrdered>): void {
    this.waiting.get(intent)?.(ordered);
    this.waiting.delete(intent);
  }

  private discard(key: string): void {
    try {
      this.window.spend.discard(key);
    } catch (error) {
      this.window.log.warn(`Render ${key}: ${reasonOf(error)}`);
    }
  }

  /** Tells those that still wait. Nothing was declined or failed that the agent has given up. */
  private tell(what: () => Promise<AgentOrdered>, isKept: (intent: string) => boolean = () => false): void {
    for (const [intent, resolve] of this.waiting) {
      if (isKept(intent)) continue;
      this.waiting.delete(intent);
      resolve(this.signal.aborted ? { is: 'canceled' } : what());
    }
  }
}

const stoppedWords = 'the one before it in this call wasn’t accepted, so this one wasn’t ordered.';
