import { reasonOf } from '../../base/errors';
import type { AgentOrdered } from '../../renders/agentOrders';
import { orderInTurn, type OrderDoors } from '../../renders/orderInTurn';
import type { AgentWindow } from './agentWindow';
import { Refused } from './inTime';

/** An order that is to be placed when its turn comes. */
export interface InLine {
  readonly intent: string;
  readonly order: () => Promise<AgentOrdered>;
}

/**
 * The orders of one call, placed in turn as a person's are: each after the one before got its response, so that what
 * the service rejects, or leaves unanswered, is one render and not all of them.
 */
export class AgentLine {
  /** Those that don't know yet what becomes of them. */
  private readonly waiting = new Map<string, (ordered: AgentOrdered | Promise<AgentOrdered>) => void>();

  constructor(
    private readonly window: Pick<AgentWindow, 'spend' | 'library' | 'fate'>,
    private readonly signal: AbortSignal,
  ) {}

  /** What becomes of an order of the call. Rejects when it wasn't placed. */
  of(intent: string): Promise<AgentOrdered> {
    return new Promise((resolve) => this.waiting.set(intent, resolve));
  }

  /** Places what was chosen; the others were declined. Never rejects. */
  async place(choosing: Promise<readonly InLine[]>): Promise<void> {
    try {
      const chosen = await choosing;
      const isChosen = (intent: string) => chosen.some((one) => one.intent === intent);
      this.tell(() => Promise.resolve({ is: 'refused' }), isChosen);
      await orderInTurn(chosen, this.doors(), this.signal, () => {}).placed;
      this.tell(() => Promise.reject(new Refused(stoppedWords)));
    } catch (error) {
      const why = error instanceof Error ? error : new Error(reasonOf(error));
      this.tell(() => Promise.reject(why));
    }
  }

  private doors(): OrderDoors<InLine> {
    const { spend, library } = this.window;
    return {
      place: async ({ intent, order }) => {
        const ordered = order();
        this.waiting.get(intent)?.(ordered);
        this.waiting.delete(intent);
        const one = await ordered;
        return 'record' in one ? one.record : undefined;
      },
      // A render that was joined isn't this call's to send.
      sent: async (key) => {
        const record = spend.isSending(key) ? undefined : library.ofRecord(key)?.record;
        return record ?? spend.send(key);
      },
      ended: async (key) => (await this.window.fate(key)).entry,
    };
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
