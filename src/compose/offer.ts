/**
 * **Offer**: one or several drafts with their prices, frozen, ready to be ordered once.
 *
 * While somebody edits, it keeps the price of what is there now, and gives it an intent, the identity of the order it
 * would become. Several drafts differ in their seeds, or in the inputs that are varied: each is priced with its own
 * inputs, and one press orders all of them at their sum. A press orders what is there now, at the price on screen or
 * less, or nothing. A press while the price is being requested waits for it; a higher price, other inputs since the
 * press, or another account end it. The same intent twice is one order. The form and Quick Render use it; the order
 * itself goes to `renders/orders.ts`.
 */

import type { Clock, Random } from '../base/clock';
import { forEachLimit } from '../base/concurrency';
import { type Disposable, Emitter } from '../base/disposable';
import { isAbort } from '../base/log';
import { type JsonObject, type FrozenInputs, frozenInputs } from '../base/json';
import type { CatalogClient } from '../catalog/client';
import { ServiceError } from '../catalog/errors';
import {
  checkField,
  type Field,
  type FieldValues,
  type Model,
  mostVariants,
  Seeds,
  seedVariants,
} from '../catalog/fields';
import type { Quotes, Remembered } from '../catalog/quotes';
import type { SessionState } from '../catalog/session';
import { choicesOf, combinationCount } from '../renderFiles/matrix';
import { type PricedOrder, sumOf, type Target } from '../renders/record';
import { isVariable, mostCompared, mostVaried } from './varying';

/** A draft at its price, with everything that would be ordered except the target. */
export type PricedDraft = Omit<PricedOrder, 'target'>;

/** The client that prices are requested from; the order goes to no other account. */
export type OfferClient = Pick<CatalogClient, 'account' | 'base' | 'quote'>;

/**
 * The price of what is there now. `none` no inputs, or not valid · `asking` no price is current · `priced` the sum of
 * all drafts · `notStated` the service answered without a readable price for one of them · `failed`.
 */
export type OfferState =
  | { readonly status: 'none' | 'asking' | 'notStated' }
  | { readonly status: 'priced'; readonly costCents: number }
  | { readonly status: 'failed'; readonly error: ServiceError };

/** What the first draft is made of: what is there now. */
interface Composed {
  readonly model: Pick<Model, 'id' | 'fields'>;
  readonly inputs: FrozenInputs;
}

/** A press on the last price, until the fresh price is known. */
interface Press {
  readonly intent: string;
  readonly costCents: number;
  readonly composed: Composed;
  readonly resolve: (drafts: readonly PricedDraft[] | undefined) => void;
}

/** How many prices of one offer are requested at once. */
const atOnce = 8;

/**
 * The live price of inputs being edited, together with the account it's from and the intent of what it would become.
 * The only place that says what may be ordered at which price. Each edit replaces its one request. It requests its
 * price itself, whatever the window knows, but not again within a minute; it's known to the others then.
 */
export class Offer implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private current: OfferState = { status: 'none' };
  private client: OfferClient | undefined;
  /** The name of the next order: changes with each price, and after each order. */
  private named = '';
  private readonly seeds: Seeds;
  private composed: Composed | undefined;
  private several = justOne;
  /** The price of the first draft, and with theirs, the others. */
  private first: Remembered | undefined;
  private others: readonly PricedDraft[] = [];
  /** The prices that were requested here. */
  private own = new WeakSet<Remembered>();
  private pending: Disposable | undefined;
  private request: AbortController | undefined;
  private shownCents: number | undefined;
  /** The previous price with its intent: a press on it may still be on its way when the fresh one arrives. */
  private last: Pick<Press, 'intent' | 'costCents'> | undefined;
  private pressed: Press | undefined;
  private lastClaimed: string | undefined;

  constructor(
    private readonly quotes: Quotes,
    private readonly inUse: () => OfferClient | undefined,
    private readonly clock: Clock,
    private readonly random: Random,
    /** How long the inputs must stay unchanged before they're priced, ms; called with every edit. */
    private readonly debounceMs: () => number = () => 250,
  ) {
    this.client = inUse();
    this.seeds = new Seeds(random);
  }

  get state(): OfferState {
    return this.current;
  }

  /** What can be ordered now by one press, the first by its intent; none while no price is current. */
  get drafts(): readonly PricedDraft[] {
    const { current, composed, first, client } = this;
    const isWhole = current.status === 'priced' || (current.status === 'notStated' && this.count === 1);
    if (!isWhole || !composed || !first || !client || client !== this.inUse()) return [];
    return [draftOf(this.named, composed, composed.inputs, first, client), ...this.others];
  }

  /** The intent of the next order. */
  get intent(): string {
    return this.named;
  }

  /** How many drafts it holds, or will once they're priced. */
  get count(): number {
    return this.several.count;
  }

  /** The model's last price, while a fresh one is being requested. Undefined otherwise, and for several drafts. */
  get lastCents(): number | undefined {
    return this.current.status === 'asking' && this.client === this.inUse() ? this.last?.costCents : undefined;
  }

  /**
   * Sets what is priced: these inputs, undefined while they're invalid, and which others with them. Missing seeds are
   * drawn at random, new ones for each order. The same again changes nothing, unless its price failed or is too old.
   * `isSettled` if nobody is still typing, as after a paste or a choice: then the price is requested without a pause.
   * Call after each order too.
   */
  ask(model: Composed['model'], given: JsonObject | undefined, several: Several = justOne, isSettled = false): void {
    const isOther = severalText(several) !== severalText(this.several);
    if (isOther || model.id !== this.composed?.model.id) this.forgetShown();
    this.several = several;
    const inputs = given && frozenInputs(this.seeds.fill(model.id, model.fields, given));
    if (!inputs) {
      this.drop();
      this.composed = undefined;
      this.setState({ status: 'none' });
    } else if (!this.isAsked(model.id, inputs) || (isOther && this.first)) this.begin({ model, inputs }, isSettled);
    else if (isSettled && this.pending) this.send();
  }

  /** Discards every price and requests them again: they may have changed. */
  renew(): void {
    this.own = new WeakSet();
    this.again();
  }

  /** Call when the session changed. True when another account is in use: prices are then requested from that one. */
  follow(): boolean {
    const client = this.inUse();
    if (client === this.client) return false;
    const { account, base } = this.client ?? {};
    this.client = client;
    this.forgetShown();
    this.again();
    return client?.account !== account || client?.base !== base;
  }

  /** Call when the session changed: requests a price again if the reason for its failure is gone. */
  tryAgain({ status, quietUntil }: SessionState): void {
    if (this.current.status !== 'failed') return;
    const { kind } = this.current.error;
    const isBack = kind === 'noAnswer' && status === 'connected';
    const isFree = kind === 'tooManyRequests' && quietUntil === undefined;
    if (isBack || isFree) this.again();
  }

  /** Hands out all drafts by this intent, once. Undefined when they can't be ordered now. */
  claim(intent: string): readonly PricedDraft[] | undefined {
    const { drafts } = this;
    if (drafts.length === 0 || intent !== this.named) return undefined;
    this.lastClaimed = intent;
    this.named = this.random.uuid();
    this.seeds.renew();
    // The next ones have other seeds, which are priced when it's asked again.
    if (drafts.length > 1) this.current = { status: 'asking' };
    return drafts;
  }

  /**
   * Like `claim`, also for a press on the last price, by its intent: waits for the fresh one, and hands out the drafts
   * only if that is no higher. Undefined when it is, or when inputs or account change first.
   */
  async claimFresh(intent: string): Promise<readonly PricedDraft[] | undefined> {
    const { last, composed } = this;
    if (intent === this.named && this.drafts.length > 0) return this.claim(intent);
    if (intent !== last?.intent || this.isClaimed(intent) || !composed) return undefined;
    const drafts = new Promise<readonly PricedDraft[] | undefined>((settle) => {
      this.pressed = { ...last, composed, resolve: settle };
    });
    this.lastClaimed = intent;
    this.decide();
    return drafts;
  }

  /** True for what was handed out last: another press for it is the same press. */
  isClaimed(intent: string): boolean {
    return intent === this.lastClaimed;
  }

  dispose(): void {
    this.resolve(undefined);
    this.drop();
    this.changed.dispose();
  }

  /** True while the price of these inputs is current, or on its way. */
  private isAsked(modelId: string, inputs: FrozenInputs): boolean {
    const { composed, current } = this;
    if (composed?.model.id !== modelId || JSON.stringify(composed.inputs) !== JSON.stringify(inputs)) return false;
    if (current.status === 'asking') return this.pending !== undefined || this.request !== undefined;
    return current.status !== 'failed' && this.known(composed) !== undefined;
  }

  private known({ model, inputs }: Composed): Remembered | undefined {
    const known = this.client && this.quotes.known(this.client, model.id, inputs);
    return known && this.own.has(known) ? known : undefined;
  }

  private again(): void {
    if (this.composed) this.begin(this.composed, true);
  }

  private begin(composed: Composed, isSettled: boolean): void {
    this.drop();
    this.composed = composed;
    const known = this.known(composed);
    if (known) return this.complete(composed, known);
    if (!isSettled) this.pending = this.clock.after(this.debounceMs(), () => this.send());
    this.setState({ status: 'asking' });
    if (isSettled) this.send();
  }

  /** Ignores the responses to earlier requests. */
  private drop(): void {
    this.pending?.dispose();
    this.request?.abort();
    this.pending = this.request = this.first = undefined;
    this.others = [];
  }

  private send(): void {
    this.pending?.dispose();
    this.pending = undefined;
    const { composed } = this;
    if (!composed) return;
    void this.requesting(async (signal, client) => {
      const { model, inputs } = composed;
      const first = await this.quotes.of(client, model.id, inputs, { freshMs: 0, signal });
      this.own.add(first);
      return () => this.complete(composed, first);
    });
  }

  /** The price of the first is known: requests those of the others, if it was stated. */
  private complete(composed: Composed, first: Remembered): void {
    this.first = first;
    const { costCents } = first.quote;
    if (costCents === undefined) return this.setState({ status: 'notStated' });
    if (this.count === 1) return this.setState({ status: 'priced', costCents });
    const others = othersOf(composed, this.several, this.random);
    void this.requesting(async (signal, client) => {
      const drafts: PricedDraft[] = [];
      await forEachLimit(others.entries(), atOnce, async ([index, inputs]) => {
        const price = await this.quotes.of(client, composed.model.id, inputs, { signal });
        drafts[index] = draftOf(this.random.uuid(), composed, inputs, price, client);
      });
      return () => {
        this.others = drafts;
        const sum = sumOf([{ shownCents: costCents }, ...drafts]);
        this.setState(sum === undefined ? { status: 'notStated' } : { status: 'priced', costCents: sum });
      };
    });
    this.setState({ status: 'asking' });
  }

  /**
   * Does what follows from the prices, unless others are requested by then. Never rejects: a failure becomes the
   * state.
   */
  private async requesting(ask: (signal: AbortSignal, client: OfferClient) => Promise<() => void>): Promise<void> {
    const { client } = this;
    const request = new AbortController();
    this.request = request;
    let outcome: () => void;
    try {
      if (!client) throw new ServiceError('noAnswer', 'Not connected to a service');
      outcome = await ask(request.signal, client);
    } catch (cause) {
      request.abort();
      outcome = () => this.setState({ status: 'failed', error: errorOf(cause) });
    }
    if (this.request !== request) return;
    this.request = undefined;
    outcome();
  }

  private setState(state: OfferState): void {
    const { current, named: intent, shownCents } = this;
    if (current.status === 'none' && state.status === 'none') return;
    this.current = state;
    if (state.status === 'priced' || state.status === 'notStated') this.named = this.random.uuid();
    this.shownCents = state.status === 'priced' && this.count === 1 ? state.costCents : undefined;
    if (state.status !== 'asking' && state.status !== 'priced') this.last = undefined;
    else if (shownCents !== undefined) this.last = { intent, costCents: shownCents };
    this.decide();
    this.changed.fire();
  }

  /** The price on screen is about something else. */
  private forgetShown(): void {
    this.shownCents = this.last = undefined;
    this.resolve(undefined);
  }

  /** Settles the waiting press once its outcome is known. */
  private decide(): void {
    const { pressed, current: state } = this;
    if (!pressed) return;
    const isMeant = this.composed === pressed.composed;
    if (isMeant && state.status === 'asking') return;
    const isCovered = isMeant && state.status === 'priced' && state.costCents <= pressed.costCents;
    this.resolve(isCovered ? this.claim(this.named) : undefined);
  }

  /** A press without an order can be repeated; one that ordered stays the same press forever. */
  private resolve(drafts: readonly PricedDraft[] | undefined): void {
    const { pressed } = this;
    if (!pressed) return;
    this.pressed = undefined;
    this.lastClaimed = drafts && pressed.intent;
    if (drafts) this.last = undefined;
    pressed.resolve(drafts);
  }
}

function draftOf(
  intent: string,
  { model }: Composed,
  inputs: FrozenInputs,
  { quote, askedAt }: Remembered,
  client: OfferClient,
): PricedDraft {
  const asked = { client, at: askedAt };
  return { intent, modelId: model.id, inputs, shownCents: quote.costCents, account: client.account, asked };
}

function errorOf(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  return new ServiceError(isAbort(cause) ? 'cancelled' : 'noAnswer', 'Couldn’t get the price', { cause });
}

/** Which drafts one press orders: with other seeds each, or every combination of what is varied instead. */
export interface Several {
  /** How many there can be with other seeds; one alone if there's no seed. */
  readonly choices: readonly number[];
  readonly count: number;
  /** The values of the first draft are the first of these. */
  readonly varied: readonly Varied[];
}

/** A draft alone. */
export const justOne: Several = { choices: [1], count: 1, varied: [] };

function severalText({ count, varied }: Several): string {
  return JSON.stringify([count, varied]);
}

/** How many renders with other seeds one press can order. */
const counts = [1, 2, 4, 8];

/** As many drafts as wanted, or as the fields allow. `varied`: see `variedFor`. */
export function severalOf(fields: readonly Field[], wanted: number, varied: readonly Varied[] = []): Several {
  const choices = counts.filter((count) => count <= mostVariants(fields));
  const most = counts.includes(wanted) ? wanted : 1;
  const seeds = Math.max(...choices.filter((count) => count <= most));
  return { choices, count: varied.length > 0 ? combinationCount(varied) : seeds, varied };
}

/** The inputs of the other drafts. */
function othersOf({ model, inputs }: Composed, { count, varied }: Several, random: Random): readonly FrozenInputs[] {
  const all =
    varied.length === 0
      ? seedVariants(model.fields, inputs, count, random)
      : combinationsOf(varied).map((other) =>
          Object.fromEntries([...Object.entries(inputs), ...Object.entries(other)]),
        );
  return all.slice(1).map((other) => frozenInputs(other));
}

/** An input that is rendered with several values. */
export interface Varied {
  readonly field: string;
  readonly values: readonly (string | number | boolean)[];
}

/**
 * What these fields take of it: values of choices, each once, two or more of each input. Nothing if that's more than
 * one comparison shows.
 */
export function variedFor(fields: readonly Field[], wanted: readonly Varied[]): readonly Varied[] {
  const varied = fields.filter(isVariable).flatMap((field): Varied[] => {
    const { values = [] } = wanted.find((one) => one.field === field.name) ?? {};
    const taken = [...new Set(values)].filter((value) => value !== '' && !checkField(field, value));
    return taken.length > 1 ? [{ field: field.name, values: taken }] : [];
  });
  return varied.length <= mostVaried && combinationCount(varied) <= mostCompared ? varied : [];
}

/** Every combination of the values, as inputs; the last input changes first. */
export function combinationsOf(varied: readonly Varied[]): readonly JsonObject[] {
  const variables = varied.map(({ field, values }) => ({
    name: field,
    values: values.map((value) => ({ name: String(value), value })),
  }));
  return [...choicesOf(variables)].map((choice) =>
    Object.fromEntries([...choice].map(([name, { value }]) => [name, value])),
  );
}

/** The values, with the first one of each input that is varied. */
export function firstOf(varied: readonly Varied[], values: FieldValues): FieldValues {
  const first = varied.flatMap(({ field, values: [value] }) => (value === undefined ? [] : [[field, value] as const]));
  return [...new Map([...values, ...first])];
}

/** The render to price, and the target of its results. */
export interface DraftRequest {
  readonly modelId: string;
  /** Undefined while incomplete. */
  readonly inputs: JsonObject | undefined;
  readonly target: Target;
}
