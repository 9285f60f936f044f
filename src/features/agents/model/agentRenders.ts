import { type Log, reasonOf } from '../../../base/log';
import { plain } from '../../../base/plain';
import { type Model, promptField } from '../../../catalog/fields';
import { draftList, type DraftList } from '../../../compose/pricedList';
import {
  type AgentOrdered,
  AgentsStopped,
  type AgentRequest,
  isSameOrder,
  joinedOrder,
} from '../../../renders/agentOrders';
import type { Fate } from '../../../renders/fate';
import type { FileRenders } from '../../../renders/fileRenders';
import type { Library, LibraryEntry } from '../../../renders/library';
import type { Orders } from '../../../renders/orders';
import { sendInTurn } from '../../../renders/batch';
import { type Draft, type PricedOrder, type RenderRecord, sumOf } from '../../../renders/record';
import {
  type AgentRender,
  agentSentence,
  agentsStopped,
  type AgentStatus,
  failedRender,
  isUndecided,
  renderOf,
  saysNoToAll,
} from './toolWords';
import type { AgentCall } from './agentTools';

/** A render that an agent asked for, from before its confirmation until its call has returned. */
interface Asked extends Wanted {
  /** Its current state. */
  render: AgentRender;
  /** The prompt after the user changed it. */
  changedPrompt?: string;
  readonly call: AgentCall;
  readonly ordered: Promise<AgentOrdered>;
  readonly ended: Promise<AgentRender>;
}

/** How many are remembered: those that were recorded are in the render history as well. */
const mostAsked = 500;

/** The renders that agents requested in this window, and what each agent is told about them. */
export class AgentRenders {
  /** By ID. Those that weren't placed have no other record. */
  private readonly asked = new Map<string, Asked>();

  constructor(private readonly window: AgentWindow) {}

  /**
   * Orders what an agent wants, after the user confirmed it where that's required. What is ordered already isn't
   * asked about again, unless the agent wants it `again`. Resolves with what is known when all have ended, or when it's
   * time to respond. When the user stops agents, what isn't sent yet is given up. Rejects with Refused when two are
   * the same: then nothing is ordered.
   */
  async render(wanted: readonly Wanted[], again: boolean, caller: AgentCall): Promise<readonly AgentRender[]> {
    if (!again) refuseDoubles(wanted);
    const call = { ...caller, signal: AbortSignal.any([caller.signal, this.window.orders.stopped]) };
    const request: AgentRequest = { again, signal: call.signal };
    const known = wanted.map(({ draft }) =>
      again ? undefined : (this.duplicateOf(draft, request) ?? this.refusalOf(draft)),
    );
    const fresh = wanted.filter((_, at) => !known[at]);
    const line = new AgentLine(this.window, call.signal);
    const asked = wanted.map((one, at) => this.ask(one, call, known[at] ?? line.of(one.draft.intent)));
    void line.place(this.choose(fresh, request, call));
    // An agent that was stopped still waits to be told what became of each.
    return this.toldOfAll(asked, caller);
  }

  /**
   * The state of an earlier one as it is now: the render history knows more than the call that ordered it did. One for
   * a project of which none of these folders (URIs) is a part, or the other way round, isn't found.
   */
  async check(id: string, folders: readonly string[]): Promise<AgentRender> {
    const asked = this.asked.get(id);
    const entry = this.window.library.ofRecord(asked?.render.id ?? id);
    const { root } = entry?.record?.target ?? asked?.draft.target ?? {};
    const isPart = (one: string, other: string) => one === other || one.startsWith(`${other.replace(/\/$/, '')}/`);
    const isOfProject = root === undefined || folders.some((one) => isPart(one, root) || isPart(root, one));
    if (!isOfProject) return { id: plain(id, 80), status: 'notFound' };
    if (entry?.record?.by !== 'agent') return asked?.render ?? { id: plain(id, 80), status: 'notFound' };
    return { ...(await this.toldOf(entry, asked?.document)), changedPrompt: asked?.changedPrompt };
  }

  /** The identical order that was placed before, or that the user is still being asked about. */
  private duplicateOf(draft: Draft, request: AgentRequest): Promise<AgentOrdered> | undefined {
    const placed = this.window.orders.duplicateOf(draft, request);
    if (placed) return placed;
    const isDuplicate = ({ render, call, draft: one }: Asked) =>
      isUndecided(render) && !call.signal.aborted && isSameOrder(one, draft);
    const duplicate = [...this.asked.values()].find(isDuplicate);
    return duplicate?.ordered.then(joinedOrder);
  }

  /** Rejects if the file waits for another render, such as a user's: it may be paid for. Undefined if it doesn't. */
  private refusalOf({ target }: Draft): Promise<never> | undefined {
    if (!this.window.fileRenders.otherFor(target)) return undefined;
    return Promise.reject(new Refused(pendingWords));
  }

  /** What is to be ordered. Rejects when it can't be priced, or the question can't be shown. */
  private async choose(fresh: readonly Wanted[], request: AgentRequest, call: AgentCall): Promise<readonly InLine[]> {
    if (fresh.length === 0 || this.window.orders.refuses('agent')) return [];
    const isCovered = await this.isCovered(fresh);
    if (!isCovered) {
      call.asks?.();
      for (const { draft } of fresh) this.setState(draft.intent, 'waitingForApproval');
    }
    if (!isCovered && fresh.length > 1) return this.select(fresh, request, call);
    const drafts = fresh.map(({ draft }) => draft);
    return inLine(drafts, this.window.orders.renderForAgent(drafts, request));
  }

  /** The allowance covers all of them: no confirmation is needed. */
  private async isCovered(wanted: readonly Wanted[]): Promise<boolean> {
    if (this.window.orders.allowance.left === undefined) return false;
    const orders = await Promise.all(wanted.map(({ draft }) => this.window.orders.price(draft)));
    return this.window.orders.allowance.covers(sumOf(orders));
  }

  /** Several share one list, in which the user selects, and one question. */
  private async select(fresh: readonly Wanted[], request: AgentRequest, call: AgentCall): Promise<readonly InLine[]> {
    const rows = fresh.map(({ draft, model }) => ({
      title: model.title,
      draft,
      promptField: promptField(model.fields)?.name,
    }));
    const list = draftList(rows, (draft) => this.window.orders.price(draft));
    const select = async () => {
      const step = await this.window.showList(list, fresh[0]?.draft.agent ?? '', call.signal);
      return step && list.agreed.map(({ priced }) => priced);
    };
    const selected = await this.window.orders.selectForAgent(select, request).finally(() => list.dispose());
    const { orders = [], isCovered } = selected ?? {};
    for (const { intent } of orders) {
      const { isChanged, prompt } = list.row(intent)?.item ?? {};
      this.setState(intent, 'pending', isChanged ? prompt : undefined);
    }
    return inLine(
      orders,
      isCovered
        ? this.window.orders.renderForAgent(orders, request)
        : this.window.orders.renderAgreedForAgent(orders, request),
    );
  }

  private setState(intent: string, status: AgentStatus, changedPrompt?: string): void {
    const asked = this.asked.get(intent);
    if (asked) Object.assign(asked, { render: { id: intent, status, changedPrompt }, changedPrompt });
  }

  private ask(wanted: Wanted, call: AgentCall, ordered: Promise<AgentOrdered>): Asked {
    const { intent } = wanted.draft;
    const { awaited, log } = this.window;
    awaited.add(intent);
    const ended = ordered
      .then((order) => this.becomes(asked, order))
      .catch((error: unknown): AgentRender => {
        log.warn(`Render for an agent: ${reasonOf(error)}`);
        return failedRender(asked.render, plain(agentSentence(error) ?? this.window.sentenceOf(error), 500));
      })
      .then((render) => (asked.render = render))
      .finally(() => awaited.delete(intent));
    const asked: Asked = { ...wanted, render: { id: intent, status: 'pending' }, call, ordered, ended };
    this.asked.set(intent, asked);
    const [oldest] = this.asked.keys();
    if (this.asked.size > mostAsked && oldest !== undefined) this.asked.delete(oldest);
    return asked;
  }

  /** The outcome of an order: waits until it has ended, or the agent no longer waits. */
  private async becomes(asked: Asked, ordered: AgentOrdered): Promise<AgentRender> {
    const { orders, library, log } = this.window;
    const { call, changedPrompt, document } = asked;
    const id = asked.draft.intent;
    if (ordered.is === 'refused') {
      const problem = orders.refuses('agent') ? saysNoToAll : undefined;
      return { id, status: 'declined', chargedCents: 0, problem };
    }
    if (!('record' in ordered)) {
      const problem = call.signal.reason instanceof AgentsStopped ? agentsStopped : undefined;
      return { id, status: 'canceled', chargedCents: 0, problem };
    }
    const { key, shownCents: priceCents } = ordered.record;
    const isJoined = ordered.is === 'joined';
    asked.render = { id: key, status: 'rendering', priceCents, joined: isJoined, changedPrompt };
    call.progress?.('Rendering');
    const cancel = () => {
      try {
        // Renders that were sent continue.
        if (!isJoined && !this.isShared(asked)) orders.discard(key);
      } catch (error) {
        // The outcome says that it waits.
        log.warn(`Render ${key}: ${reasonOf(error)}`);
      }
    };
    call.signal.addEventListener('abort', cancel, { once: true });
    if (call.signal.aborted) cancel();
    const { entry } = await this.window.fate(key).finally(() => call.signal.removeEventListener('abort', cancel));
    return { ...(await this.toldOf(library.ofRecord(key) ?? entry, document)), joined: isJoined, changedPrompt };
  }

  /** Another call waits for the same render. */
  private isShared({ render: { id }, draft, call: own }: Asked): boolean {
    const waitsFor = ({ render, ...one }: Asked) =>
      render.id === id || (isUndecided(render) && isSameOrder(one.draft, draft));
    return [...this.asked.values()].some((one) => one.call !== own && !one.call.signal.aborted && waitsFor(one));
  }

  private async toldOfAll(asked: readonly Asked[], call: AgentCall): Promise<readonly AgentRender[]> {
    const all = Promise.all(asked.map(({ ended }) => ended));
    await Promise.race([all, due(call)]);
    return asked.map(({ render }): AgentRender => {
      // A later yes places nothing.
      const isGivenUp = call.signal.aborted && isUndecided(render);
      return isGivenUp ? { ...render, status: 'canceled', chargedCents: 0 } : render;
    });
  }

  private async toldOf(entry: LibraryEntry, document: string | undefined): Promise<AgentRender> {
    const { window } = this;
    const { file } = entry;
    const render = renderOf(entry, (uri) => window.pathOf(uri));
    const link = file === undefined || document === undefined ? undefined : await window.linkTo(file, document);
    const problem = entry.problem && render.chargedCents === 0 ? entry.problem.detail : undefined;
    return { ...render, link, problem };
  }
}

function inLine(drafts: readonly Draft[], ordered: readonly Promise<AgentOrdered>[]): readonly InLine[] {
  return ordered.map((one, at) => ({ intent: drafts[at]?.intent ?? '', ordered: one }));
}

const pendingWords =
  'another render for this file is in progress, or waits for the user. Don’t render it again unless the user asks you to.';

/** Throws Refused when two are the same: rendering them once would be less than was asked for. */
function refuseDoubles(wanted: readonly Wanted[]): void {
  wanted.forEach(({ draft }, at) => {
    const first = wanted.findIndex((one) => isSameOrder(one.draft, draft));
    if (first < at)
      throw new Refused(
        `item ${at + 1} is the same as item ${first + 1}. Leave it out, change it, or set again if the user wants both.`,
      );
  });
}

/** An order that an agent has been granted, or not. */
interface InLine {
  readonly intent: string;
  readonly ordered: Promise<AgentOrdered>;
}

/**
 * The orders of one call, sent in turn as a user's are: each after the one before got its response, so that what the
 * service rejects, or leaves unanswered, is one render and not all of them.
 */
class AgentLine {
  /** Those that don't know yet what becomes of them. */
  private readonly waiting = new Map<string, (ordered: AgentOrdered | Promise<AgentOrdered>) => void>();

  constructor(
    private readonly window: AgentWindow,
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
      const recorded: PricedOrder[] = [];
      const sort = async ({ intent, ordered }: InLine) => {
        const outcome = await ordered.catch(() => undefined);
        if (outcome?.is === 'placed') recorded.push(outcome.order);
        else this.settle(intent, ordered);
      };
      await Promise.all(chosen.map(sort));
      const { orders, log } = this.window;
      await sendInTurn(recorded, orders, log, {
        ...{ initiator: 'agent', signal: this.signal },
        ended: async (key) => (await this.window.fate(key)).entry,
        starting: (order, starting) =>
          this.settle(
            order.intent,
            starting.then((record) => this.started(order, record)),
          ),
      }).started;
      this.tell(() => Promise.reject(new Refused(stoppedWords)));
    } catch (error) {
      const why = error instanceof Error ? error : new Error(reasonOf(error));
      this.tell(() => Promise.reject(why));
    }
  }

  private started(order: PricedOrder, record: RenderRecord | undefined): AgentOrdered {
    return record ? { is: 'placed', record, order } : { is: this.signal.aborted ? 'canceled' : 'refused' };
  }

  private settle(intent: string, ordered: Promise<AgentOrdered>): void {
    this.waiting.get(intent)?.(ordered);
    this.waiting.delete(intent);
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

const stoppedWords = 'the one before it in this call wasn’t accepted, so this one wasn’t started.';

/** An item that can be priced, with its target. */
export interface Wanted {
  readonly draft: Draft;
  readonly model: Pick<Model, 'title' | 'fields'>;
  /** URI of the document that gets a link. */
  readonly document?: string;
}

/** The window that renders for agents. */
interface AgentWindow {
  readonly orders: Orders;
  readonly library: Pick<Library, 'ofRecord'>;
  readonly fileRenders: Pick<FileRenders, 'otherFor'>;
  /** Keys of renders whose errors are for a caller instead of the user. */
  readonly awaited: Set<string>;
  readonly log: Log;
  /** As `fateOf` in `renders`. */
  fate(key: string): Promise<Fate>;
  /** Shows a list until the user takes some of it. Undefined when they dismiss it, or the agent gave up. */
  showList(list: DraftList, agent: string, signal: AbortSignal): Promise<'order' | undefined>;
  sentenceOf(error: unknown): string;
  pathOf(uri: string): string;
  /** The link that the document gets for a saved file. */
  linkTo(file: string, document: string): Promise<string | undefined>;
}

/** Why a tool can't do something, in words for an agent. */
export class Refused extends Error {}

/** Resolves when the agent gives up, or when it's time to respond to it. */
function due({ signal, late }: AgentCall): Promise<void> {
  const either = AbortSignal.any(late ? [signal, late] : [signal]);
  return new Promise((resolve) => {
    either.addEventListener('abort', () => resolve(), { once: true });
    if (either.aborted) resolve();
  });
}

/** The result of work that changes nothing. Rejects with Refused when the agent has to get its response before. */
export function inTime<T>(work: Promise<T>, call: AgentCall): Promise<T> {
  const tooLate = due(call).then(() => {
    throw new Refused('this took too long, so nothing was done. Try again later.');
  });
  return Promise.race([work, tooLate]);
}
