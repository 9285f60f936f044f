import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import { plain } from '../../base/plain';
import { promptField } from '../../catalog/fields';
import type { Model } from '../../catalog/types';
import type { AgentOrdered, AgentWish } from '../../renders/agentOrders';
import type { Allowance } from '../../renders/allowance';
import type { Selected } from '../../renders/consent';
import type { Fate } from '../../renders/fate';
import type { Library, LibraryEntry } from '../../renders/library';
import { sumOf, type Draft, type PricedOrder } from '../../renders/priced';
import { Bill } from '../prices/bill';
import type { AgentCall } from './agentTools';
import { due, inTime } from './inTime';
import { failedRender, renderOf, saysNoToAll, type AgentRender } from './toolWords';

/** An item that can be priced, with its target. */
export interface Wanted {
  readonly draft: Draft;
  readonly model: Pick<Model, 'title' | 'fields'>;
  /** URI of the document that gets a link. */
  readonly document?: string;
}

/** How agents spend; as the host's `Spend`. */
export interface AgentSpend {
  readonly allowance: Pick<Allowance, 'left' | 'covers'>;
  readonly refusesAgents: boolean;
  price(draft: Draft): Promise<PricedOrder>;
  renderForAgent(draft: Draft, wish: AgentWish): Promise<AgentOrdered>;
  renderAgreedForAgent(order: PricedOrder, wish: AgentWish): Promise<AgentOrdered>;
  selectForAgent(
    select: () => Promise<readonly PricedOrder[] | undefined>,
    wish: AgentWish,
  ): Promise<Selected<PricedOrder> | undefined>;
  discard(key: string): boolean;
}

/** The window that renders for agents. */
export interface AgentWindow {
  readonly spend: AgentSpend;
  readonly library: Pick<Library, 'ofRecord'>;
  /** Keys of renders whose errors are for a caller instead of the person. */
  readonly awaited: Set<string>;
  readonly log: Log;
  /** As `fateOf` in `renders`. */
  fate(key: string): Promise<Fate>;
  /** Shows a list until the person takes some of it. Undefined when they dismiss it, or the agent gave up. */
  showBill(bill: Bill, agent: string, signal: AbortSignal): Promise<'order' | undefined>;
  sentenceOf(error: unknown): string;
  pathOf(uri: string): string;
  /** The link that the document gets for a saved file. */
  linkTo(file: string, document: string): Promise<string | undefined>;
}

/** A render that an agent asked for, from before its confirmation until its call has returned. */
interface Asked extends Wanted {
  /** Its current state. */
  told: AgentRender;
  readonly ended: Promise<AgentRender>;
}

/** How many are remembered: those that were recorded are in the render history as well. */
const mostAsked = 500;

/** The renders that agents asked for in this window, and what they're told of each. */
export class AgentRenders {
  /** By ID. Those that weren't placed have no other record. */
  private readonly asked = new Map<string, Asked>();

  constructor(private readonly window: AgentWindow) {}

  /**
   * Orders what an agent wants, after the person confirmed it where that's required. Resolves with what is known when
   * all have ended, or when it's time to respond. Rejects when nothing was ordered, as with Refused when it's late.
   */
  async render(wanted: readonly Wanted[], again: boolean, call: AgentCall): Promise<readonly AgentRender[]> {
    const { spend } = this.window;
    const wish: AgentWish = { again, signal: call.signal };
    const isCovered = await inTime(this.isCovered(wanted), call);
    if (!isCovered) call.asks?.();
    const asked =
      wanted.length === 1 || isCovered
        ? wanted.map((one) => this.ask(one, call, () => spend.renderForAgent(one.draft, wish)))
        : this.askTogether(wanted, wish, call);
    return this.toldOfAll(asked, call);
  }

  /** The state of an earlier one as it is now: the render history knows more than the call that ordered it did. */
  async check(id: string): Promise<AgentRender> {
    const asked = this.asked.get(id);
    const entry = this.window.library.ofRecord(asked?.told.id ?? id);
    if (entry?.record?.by !== 'agent') return asked?.told ?? { id: plain(id, 80), status: 'notFound' };
    return { ...(await this.toldOf(entry, asked?.document)), changedPrompt: asked?.told.changedPrompt };
  }

  /** The allowance covers all of them: no confirmation is needed. */
  private async isCovered(wanted: readonly Wanted[]): Promise<boolean> {
    const { spend } = this.window;
    if (spend.allowance.left === undefined) return false;
    const orders = await Promise.all(wanted.map(({ draft }) => spend.price(draft)));
    return spend.allowance.covers(sumOf(orders));
  }

  /** Several share one bill, in which the person selects, and one question. */
  private askTogether(wanted: readonly Wanted[], wish: AgentWish, call: AgentCall): Asked[] {
    const { spend } = this.window;
    const rows = wanted.map(({ draft, model }) => ({
      title: model.title,
      draft,
      promptField: promptField(model.fields)?.name,
    }));
    const bill = new Bill(rows, (draft) => spend.price(draft));
    void bill.settle();
    const select = async () => {
      const step = await this.window.showBill(bill, call.agent, call.signal);
      return step && bill.agreed;
    };
    const selected = spend.selectForAgent(select, wish).finally(() => bill.dispose());
    return wanted.map((one, place) =>
      this.ask(
        one,
        call,
        async () => {
          const { orders = [], isCovered } = (await selected) ?? {};
          const order = orders.find(({ intent }) => intent === one.draft.intent);
          if (!order) return { is: call.signal.aborted ? 'canceled' : 'refused' };
          return isCovered ? spend.renderForAgent(order, wish) : spend.renderAgreedForAgent(order, wish);
        },
        () => (bill.rows[place]?.isChanged ? bill.rows[place].prompt : undefined),
      ),
    );
  }

  private ask(
    wanted: Wanted,
    call: AgentCall,
    order: () => Promise<AgentOrdered>,
    changedPrompt?: () => string | undefined,
  ): Asked {
    const { intent } = wanted.draft;
    const { awaited, log } = this.window;
    awaited.add(intent);
    const ended = order()
      .then((ordered) => this.becomes(asked, ordered, call))
      .catch((error: unknown): AgentRender => {
        log.warn(`Render for an agent: ${reasonOf(error)}`);
        return failedRender(asked.told, plain(this.window.sentenceOf(error), 500));
      })
      .then((told) => (asked.told = { ...told, changedPrompt: changedPrompt?.() }))
      .finally(() => awaited.delete(intent));
    const asked: Asked = { ...wanted, told: { id: intent, status: 'waitingForApproval' }, ended };
    this.asked.set(intent, asked);
    const [oldest] = this.asked.keys();
    if (this.asked.size > mostAsked && oldest !== undefined) this.asked.delete(oldest);
    return asked;
  }

  /** The outcome of an order: waits until it has ended, or the agent no longer waits. */
  private async becomes(asked: Asked, ordered: AgentOrdered, call: AgentCall): Promise<AgentRender> {
    const { spend, library, log } = this.window;
    const id = asked.draft.intent;
    if (ordered.is === 'refused') {
      const problem = spend.refusesAgents ? saysNoToAll : undefined;
      return { id, status: 'declined', chargedCents: 0, problem };
    }
    if (!('record' in ordered)) return { id, status: 'canceled', chargedCents: 0 };
    const { key } = ordered.record;
    const joined = ordered.is === 'joined';
    asked.told = { id: key, status: 'rendering', priceCents: ordered.record.shownCents, joined };
    call.progress?.('Rendering');
    const cancel = () => {
      try {
        // Renders that were sent continue.
        if (!joined) spend.discard(key);
      } catch (error) {
        // The outcome says that it waits.
        log.warn(`Render ${key}: ${reasonOf(error)}`);
      }
    };
    call.signal.addEventListener('abort', cancel, { once: true });
    if (call.signal.aborted) cancel();
    const { entry } = await this.window.fate(key).finally(() => call.signal.removeEventListener('abort', cancel));
    return { ...(await this.toldOf(library.ofRecord(key) ?? entry, asked.document)), joined };
  }

  private async toldOfAll(asked: readonly Asked[], call: AgentCall): Promise<readonly AgentRender[]> {
    const all = Promise.all(asked.map(({ ended }) => ended));
    await Promise.race([all, due(call)]);
    return asked.map(({ told }): AgentRender => {
      // A later yes places nothing.
      const isGivenUp = call.signal.aborted && told.status === 'waitingForApproval';
      return isGivenUp ? { ...told, status: 'canceled', chargedCents: 0 } : told;
    });
  }

  private async toldOf(entry: LibraryEntry, document: string | undefined): Promise<AgentRender> {
    const { window } = this;
    const { file } = entry;
    const told = renderOf(entry, (uri) => window.pathOf(uri));
    const link = file === undefined || document === undefined ? undefined : await window.linkTo(file, document);
    const problem = entry.problem && told.chargedCents === 0 ? entry.problem.detail : undefined;
    return { ...told, link, problem };
  }
}
