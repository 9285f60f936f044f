import type { Log } from '../../../base/log';
import type { Model } from '../../../catalog/types';
import type { AgentOrdered, AgentWish } from '../../../renders/agentOrders';
import type { Allowance } from '../../../renders/allowance';
import type { Selected } from '../../../renders/consent';
import type { Fate } from '../../../renders/fate';
import type { FileRenders } from '../../../renders/fileRenders';
import type { Library } from '../../../renders/library';
import type { Draft, PricedOrder } from '../../../renders/priced';
import type { RenderRecord } from '../../../renders/record';
import type { Bill } from '../../../compose/bill';

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
  readonly stopped: AbortSignal;
  price(draft: Draft): Promise<PricedOrder>;
  renderForAgent(drafts: readonly Draft[], wish: AgentWish): readonly Promise<AgentOrdered>[];
  renderAgreedForAgent(orders: readonly PricedOrder[], wish: AgentWish): readonly Promise<AgentOrdered>[];
  start(order: PricedOrder, gesture: 'agent', isWanted: () => boolean): Promise<RenderRecord | undefined>;
  selectForAgent(
    select: () => Promise<readonly PricedOrder[] | undefined>,
    wish: AgentWish,
  ): Promise<Selected<PricedOrder> | undefined>;
  twinOf(draft: Draft, wish: AgentWish): Promise<AgentOrdered> | undefined;
  isSending(key: string): boolean;
  send(key: string): Promise<RenderRecord>;
  discard(key: string): boolean;
}

/** The window that renders for agents. */
export interface AgentWindow {
  readonly spend: AgentSpend;
  readonly library: Pick<Library, 'ofRecord'>;
  readonly fileRenders: Pick<FileRenders, 'otherFor'>;
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
