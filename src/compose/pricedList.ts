/**
 * **Priced list**: what somebody may order together, with the price of each, ticks, and a sum. Missing images, agents'
 * renders, the images of render files, and the models of one prompt are such lists. `pricedBox.ts` shows one; what it
 * orders goes to `renders/orders.ts`.
 */

import { type Disposable, Emitter } from '../base/disposable';
import { frozenInputs } from '../base/json';
import { promptOf } from '../catalog/fields';
import { questionOf } from '../catalog/quotes';
import type { Draft, PricedOrder } from '../renders/record';

/** Something that may be ordered. */
export interface ListItem {
  readonly id: string;
  /** What its price depends on. Undefined if it has none: it can't be ordered as it is, or needs no order. */
  readonly question?: string;
  /** It costs nothing, because it needs no order. */
  readonly isFree?: boolean;
}

/** What it costs, euro cents; undefined if the service doesn't state it. */
export interface Stated {
  readonly shownCents: number | undefined;
}

/** The state of a price: not requested or being requested · the service's response · unavailable. */
export type RowPrice<P> =
  | { readonly is: 'notAsked' | 'asking' }
  | { readonly is: 'known'; readonly priced: P }
  | { readonly is: 'failed'; readonly error: unknown };

export interface PricedRow<T, P> {
  readonly item: T;
  readonly ticked: boolean;
  readonly price: RowPrice<P>;
}

/** A selected item, at the price that it shows. */
export interface Agreed<T, P> {
  readonly item: T;
  readonly priced: P;
  readonly cents: number;
}

/** How a list gets its prices. */
export interface Pricing<T, P> {
  /** The most concurrent requests. */
  readonly concurrency: number;
  /** Requests a price until the signal. Undefined for what isn't to be listed. */
  price(item: T, signal: AbortSignal): Promise<P | undefined>;
  /** True for a failure that would meet the others too: they aren't requested until somebody does something. */
  stopsAt?(error: unknown): boolean;
  /** Whether a row can be selected; by default any can. */
  mayTick?(row: PricedRow<T, P>): boolean;
  /** The ids of items to select as soon as their price is known. */
  readonly tickedOnceKnown?: ReadonlySet<string>;
}

/** Items with the prices of those that are selected or asked for. */
export class PricedList<T extends ListItem, P extends Stated> implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly byId = new Map<string, PricedRow<T, P>>();
  /** The ids of those whose price is requested though they aren't selected. */
  private readonly askedFor = new Set<string>();
  private readonly ending = new AbortController();
  private running = 0;
  private stop: { readonly error: unknown } | undefined;
  private waiting: (() => void)[] = [];

  /** `ticked`: the ids of those to select at first. */
  constructor(
    items: readonly T[],
    ticked: ReadonlySet<string>,
    private readonly pricing: Pricing<T, P>,
  ) {
    for (const item of items) this.byId.set(item.id, { item, ticked: ticked.has(item.id), price: { is: 'notAsked' } });
    this.goOn();
  }

  get rows(): readonly PricedRow<T, P>[] {
    return [...this.byId.values()];
  }

  row(id: string): PricedRow<T, P> | undefined {
    return this.byId.get(id);
  }

  get ticked(): readonly PricedRow<T, P>[] {
    return this.rows.filter(({ ticked }) => ticked);
  }

  /** What is selected and has a stated price: nothing else can be ordered. */
  get agreed(): readonly Agreed<T, P>[] {
    return this.ticked.flatMap(({ item, price }) => {
      const { priced } = price.is === 'known' ? price : {};
      return priced?.shownCents === undefined ? [] : [{ item, priced, cents: priced.shownCents }];
    });
  }

  /** What is selected and needs no order. */
  get free(): readonly T[] {
    return this.ticked.flatMap(({ item }) => (item.isFree ? [item] : []));
  }

  /** Something is selected, and all of it is shown with its price. */
  get isAgreed(): boolean {
    const { ticked } = this;
    return ticked.length > 0 && this.agreed.length + this.free.length === ticked.length;
  }

  get sumCents(): number {
    return this.agreed.reduce((sum, { cents }) => sum + cents, 0);
  }

  /** Prices are being requested. */
  get isAsking(): boolean {
    return this.running > 0;
  }

  /** Why requests ended early; undefined if they didn't. */
  get problem(): unknown {
    return this.stop?.error;
  }

  /** Replaces items. Each keeps its price if that depends on the same, and stays selected or not, unless stated. */
  put(items: readonly T[], ticked?: boolean): void {
    for (const item of items) {
      const before = this.byId.get(item.id);
      if (!before) continue;
      const price: RowPrice<P> = before.item.question === item.question ? before.price : { is: 'notAsked' };
      this.byId.set(item.id, { item, ticked: ticked ?? before.ticked, price });
    }
    this.goOn();
  }

  /** Selects exactly these, as far as they can be. */
  tick(ids: ReadonlySet<string>): void {
    for (const row of this.rows)
      this.byId.set(row.item.id, { ...row, ticked: ids.has(row.item.id) && this.mayTick(row) });
    this.goOn();
  }

  /** Requests the prices of these too, selected or not, unless they're known. As `settled`. */
  ask(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.askedFor.add(id);
    this.forget(ids, 'failed');
    this.goOn();
    return this.settled();
  }

  /** Requests the prices of the selection again. As `settled`. */
  renew(): Promise<void> {
    this.forget(this.byId.keys(), 'failed', 'known');
    this.goOn();
    return this.settled();
  }

  /** Resolves when no price is being requested. Never rejects. */
  settled(): Promise<void> {
    return this.isAsking ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve();
  }

  /** Requests no more prices. */
  dispose(): void {
    this.ending.abort();
    this.changed.dispose();
  }

  private mayTick(row: PricedRow<T, P>): boolean {
    return this.pricing.mayTick?.(row) ?? true;
  }

  private forget(ids: Iterable<string>, ...states: readonly RowPrice<P>['is'][]): void {
    for (const id of ids) {
      const row = this.byId.get(id);
      if (row && states.includes(row.price.is)) this.byId.set(id, { ...row, price: { is: 'notAsked' } });
    }
  }

  private goOn(): void {
    this.stop = undefined;
    this.requestNext();
    this.changed.fire();
  }

  /** The next row is taken only when a request is free: by the selection at that time. */
  private requestNext(): void {
    while (this.running < this.pricing.concurrency && !this.stop && !this.ending.signal.aborted) {
      const row = this.nextRow();
      if (!row) return;
      this.running += 1;
      this.byId.set(row.item.id, { ...row, price: { is: 'asking' } });
      void this.request(row.item);
    }
  }

  private nextRow(): PricedRow<T, P> | undefined {
    for (const row of this.byId.values()) {
      const isWanted = row.ticked || this.askedFor.has(row.item.id);
      if (isWanted && row.item.question !== undefined && row.price.is === 'notAsked') return row;
    }
    return undefined;
  }

  private async request(item: T): Promise<void> {
    const { signal } = this.ending;
    let price: RowPrice<P> | undefined;
    try {
      const priced = await this.pricing.price(item, signal);
      price = priced && { is: 'known', priced };
    } catch (error) {
      price = { is: 'failed', error };
    }
    this.running -= 1;
    if (!signal.aborted) this.answer(item, price);
    if (this.isAsking) return;
    const { waiting } = this;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }

  private answer({ id, question }: T, price: RowPrice<P> | undefined): void {
    const row = this.byId.get(id);
    // It changed meanwhile: this price isn't for it.
    if (row && row.item.question === question) {
      this.askedFor.delete(id);
      if (price) this.byId.set(id, this.rowAt(price, row));
      else this.byId.delete(id);
    }
    if (price?.is === 'failed' && this.pricing.stopsAt?.(price.error)) {
      this.stop ??= price;
      this.askedFor.clear();
    }
    this.requestNext();
    this.changed.fire();
  }

  private rowAt(price: RowPrice<P>, before: PricedRow<T, P>): PricedRow<T, P> {
    const row = { ...before, price };
    const isChosen = this.pricing.tickedOnceKnown?.has(row.item.id) === true && this.mayTick(row);
    return isChosen ? { ...row, ticked: true } : row;
  }
}

/** A render of an agent, or of a render file, that can be ordered as it is. */
export interface DraftItem extends ListItem {
  readonly title: string;
  readonly draft: Draft;
  readonly prompt: string;
  /** Undefined if its prompt can't be changed. */
  readonly promptField?: string;
  readonly isChanged: boolean;
}

export type DraftList = PricedList<DraftItem, PricedOrder>;

/** What a list of drafts starts from. */
export interface WantedDraft {
  readonly title: string;
  readonly draft: Draft;
  readonly promptField?: string;
  readonly isFree?: boolean;
  readonly startsUnticked?: boolean;
}

/** Drafts, selected unless they start unticked. One without a price doesn't keep the others from theirs. */
export function draftList(wanted: readonly WantedDraft[], price: (draft: Draft) => Promise<PricedOrder>): DraftList {
  const items = wanted.map((one): DraftItem => ({ ...one, ...promptAndQuestion(one), isChanged: false }));
  const ticked = new Set(wanted.flatMap(({ startsUnticked, draft }) => (startsUnticked ? [] : [draft.intent])));
  return new PricedList(items, ticked, { concurrency: 4, price: ({ draft }) => price(draft) });
}

/** Changes the prompt of one. As `PricedList.settled`. */
export async function changePrompt(list: DraftList, id: string, prompt: string): Promise<void> {
  const { item } = list.row(id) ?? {};
  if (item?.promptField === undefined || prompt.trim() === '') return;
  const inputs = frozenInputs({ ...item.draft.inputs, [item.promptField]: prompt });
  const changed = { ...item, draft: { ...item.draft, inputs }, isChanged: true };
  list.put([{ ...changed, ...promptAndQuestion(changed), prompt }]);
  await list.ask([id]);
}

function promptAndQuestion({ draft: { intent, modelId, inputs }, isFree }: WantedDraft) {
  const question = isFree ? undefined : questionOf(modelId, inputs);
  return { id: intent, prompt: promptOf(undefined, inputs), question };
}
