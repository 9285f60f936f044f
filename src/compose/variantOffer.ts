import { forEachLimit } from '../base/concurrency';
import type { Disposable } from '../base/disposable';
import { isAbort } from '../base/errors';
import { Emitter } from '../base/event';
import { frozenInputs } from '../base/frozen';
import type { JsonObject } from '../base/json';
import type { Random } from '../base/random';
import { ServiceError } from '../catalog/errors';
import { checkField, type FieldValues, mostVariants, seedVariants } from '../catalog/fields';
import type { Remembered } from '../catalog/quotes';
import type { SessionState } from '../catalog/session';
import type { Field } from '../catalog/types';
import { choicesOf, combinationCount } from '../renderFiles/matrix';
import { sumOf } from '../renders/priced';
import { isWorthAnother, type LiveOffer, type Offer } from './offer';
import { isVariable, mostCompared, mostVaried } from './varying';

/** How many renders with other seeds one press can order. */
const counts = [1, 2, 4, 8];
/** How many prices are requested at once. */
const atOnce = 8;

/** Requests the price of these inputs from the client in use. Rejects with ServiceError, also once aborted. */
export type PriceOf = (modelId: string, inputs: JsonObject, signal: AbortSignal) => Promise<Remembered>;

/** The price of several variants: a sum once all are stated. `unstated`: the service states none for these inputs. */
export type VariantState =
  | { readonly status: 'none' | 'asking' | 'unstated' }
  | { readonly status: 'priced'; readonly intent: string; readonly costCents: number }
  | { readonly status: 'failed'; readonly error: ServiceError };

/** The variants of the offer with one intent. */
interface Variants {
  /** The intent of the offer they are variants of. */
  readonly of: string;
  readonly request: AbortController;
  readonly state: VariantState;
  /** Those besides the offer itself. */
  readonly others: readonly Offer[];
}

/**
 * Several renders of what a live offer describes, which differ in their seeds, or in the inputs that are varied: each
 * is priced with its own inputs, and all are ordered by one press at their sum. What the offer itself describes is the
 * first of them.
 */
export class VariantOffer implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private chosen = 1;
  private fields: readonly Field[] = [];
  private varied: readonly Varied[] = [];
  private variants: Variants | undefined;
  private lastTaken: string | undefined;
  private readonly listening: Disposable;

  constructor(
    private readonly first: LiveOffer,
    private readonly price: PriceOf,
    private readonly random: Random,
  ) {
    this.listening = first.onDidChange(() => this.follow());
  }

  /** How many one press orders. */
  get count(): number {
    if (this.varied.length > 0) return combinationsOf(this.varied).length;
    return Math.max(...this.choices.filter((count) => count <= this.chosen));
  }

  /** The counts to choose from with the fields; one alone if they have no seed. */
  get choices(): readonly number[] {
    return counts.filter((count) => count <= mostVariants(this.fields));
  }

  get state(): VariantState {
    return this.variants?.state ?? { status: 'none' };
  }

  /**
   * Sets the model's fields, and how many to order with other seeds, or what of their inputs is varied instead, with
   * the first values in the offer. Call after each order too: it has the next variants priced.
   */
  choose(fields: readonly Field[], count: number, varied: readonly Varied[] = []): void {
    const before = JSON.stringify([this.count, this.varied]);
    this.fields = fields;
    this.varied = varied;
    this.chosen = counts.includes(count) ? count : 1;
    if (JSON.stringify([this.count, varied]) !== before) this.drop();
    this.follow();
  }

  /** Hands out all offers of this intent, once. Undefined when they can't be ordered now. */
  take(intent: string): readonly Offer[] | undefined {
    const { variants, first } = this;
    if (variants?.state.status !== 'priced' || variants.state.intent !== intent) return undefined;
    const one = first.take(variants.of);
    if (!one) return undefined;
    this.lastTaken = intent;
    this.drop();
    return [one, ...variants.others];
  }

  /** True for the intent handed out last: another press for it is the same press. */
  isTaken(intent: string): boolean {
    return intent === this.lastTaken;
  }

  /** As `LiveOffer.tryAgain`. */
  tryAgain(session: SessionState): void {
    const { state } = this;
    if (state.status === 'failed' && isWorthAnother(state.error, session)) this.first.renew();
  }

  dispose(): void {
    this.listening.dispose();
    this.drop();
    this.changed.dispose();
  }

  /** The offer changed: requests the prices of its variants, unless they're known. */
  private follow(): void {
    const { current } = this.first;
    if (this.count === 1 || !current || !isFirstOf(this.varied, current.inputs)) return this.drop();
    if (this.variants?.of === current.intent) return;
    this.drop();
    const request = new AbortController();
    const isStated = current.shownCents !== undefined;
    this.become({ of: current.intent, request, state: { status: isStated ? 'asking' : 'unstated' }, others: [] });
    if (isStated) void this.ask(current, request);
  }

  /** Never rejects: a failure becomes the state. */
  private async ask(current: Offer, request: AbortController): Promise<void> {
    const others = this.others(current.inputs);
    const offers: Offer[] = [];
    const of = current.intent;
    try {
      await forEachLimit(others.entries(), atOnce, async ([index, inputs]) => {
        offers[index] = await this.offered(current, inputs, request.signal);
      });
      const costCents = sumOf([current, ...offers]);
      const state: VariantState =
        costCents === undefined ? { status: 'unstated' } : { status: 'priced', intent: this.random.uuid(), costCents };
      if (!request.signal.aborted) this.become({ of, request, state, others: offers });
    } catch (cause) {
      if (request.signal.aborted) return;
      request.abort();
      this.become({ of, request, state: { status: 'failed', error: errorOf(cause) }, others: [] });
    }
  }

  private others(inputs: JsonObject): readonly JsonObject[] {
    if (this.varied.length === 0) return seedVariants(this.fields, inputs, this.count, this.random).slice(1);
    const [, ...others] = combinationsOf(this.varied);
    return others.map((other) => Object.fromEntries([...Object.entries(inputs), ...Object.entries(other)]));
  }

  private async offered(current: Offer, inputs: JsonObject, signal: AbortSignal): Promise<Offer> {
    const { modelId, account, asked } = current;
    const { quote, askedAt } = await this.price(modelId, inputs, signal);
    const own = { intent: this.random.uuid(), inputs: frozenInputs(inputs), shownCents: quote.costCents };
    return { ...own, modelId, account, asked: asked && { client: asked.client, at: askedAt } };
  }

  private become(variants: Variants): void {
    this.variants = variants;
    this.changed.fire();
  }

  private drop(): void {
    this.variants?.request.abort();
    this.variants = undefined;
  }
}

function errorOf(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  return new ServiceError(isAbort(cause) ? 'cancelled' : 'noAnswer', 'Couldn’t get the price', { cause });
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
    values: values.map((said) => ({ name: String(said), said })),
  }));
  return [...choicesOf(variables)].map((choice) =>
    Object.fromEntries([...choice].map(([name, { said }]) => [name, said])),
  );
}

/** The values, with the first one of each input that is varied. */
export function firstOf(varied: readonly Varied[], values: FieldValues): FieldValues {
  const first = varied.flatMap(({ field, values: [value] }) => (value === undefined ? [] : [[field, value] as const]));
  return [...new Map([...values, ...first])];
}

/** True for the inputs of the first combination. */
function isFirstOf(varied: readonly Varied[], inputs: JsonObject): boolean {
  return varied.every(({ field, values }) => Object.hasOwn(inputs, field) && inputs[field] === values[0]);
}
