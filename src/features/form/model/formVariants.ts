import type { Disposable } from '../../../base/disposable';
import { mayMake } from '../../../catalog/kinds';
import type { FieldValues } from '../../../catalog/fields';
import type { SessionState } from '../../../catalog/session';
import type { Field, Model } from '../../../catalog/types';
import type { FormStrings, QuoteView, VariantsView } from '../page/formMessages';
import { isVariable } from '../../../compose/varying';
import type { Offer } from '../../../compose/offer';
import { firstOf, type VariantOffer, type Varied, variedFor } from '../../../compose/variantOffer';

/** How variants are worded. */
export interface VariantWords {
  readonly strings: Pick<FormStrings, 'variantsNotStated'>;
  /** The failure and the next step, worded for a person. */
  sentence(error: unknown): string;
}

/**
 * How many images the next press in a form orders, each with another seed or with other values of inputs, and the price
 * of them all.
 */
export class FormVariants implements Disposable {
  private wanted = 1;
  private varied: readonly Varied[] = [];
  private shown: string | undefined;

  constructor(
    private readonly offer: VariantOffer,
    private readonly words: VariantWords,
  ) {}

  /** How many the next press orders. */
  get count(): number {
    return this.offer.count;
  }

  /** The person wants this many, wherever that's possible. */
  want(count: number): void {
    this.wanted = count;
    this.varied = [];
  }

  /** The person wants every combination of these values. */
  vary(varied: readonly Varied[]): void {
    this.wanted = 1;
    this.varied = varied;
  }

  /** The form shows other inputs: nothing of them is varied. */
  forgetVaried(): void {
    this.varied = [];
  }

  /** The values of the first image. `free`: the fields that can be varied. */
  first(model: Model, isForOne: boolean, free: readonly Field[], values: FieldValues): FieldValues {
    return firstOf(takesSeveral(model, isForOne) ? variedFor(free, this.varied) : [], values);
  }

  /**
   * Follows the model and the target: only images are compared, and a link takes one. Returns what the form has to
   * show, or undefined when it shows that already. `free` as in `first`.
   */
  fit(model: Model, isForOne: boolean, free: readonly Field[]): VariantsView | undefined {
    const isSeveral = takesSeveral(model, isForOne);
    const fields = isSeveral ? model.fields : [];
    const varied = isSeveral ? variedFor(free, this.varied) : [];
    this.offer.choose(fields, this.wanted, varied);
    const { choices, count } = this.offer;
    const view: VariantsView = {
      choices: [...choices],
      count,
      canVary: isSeveral && free.some(isVariable),
      varied: varied.map(({ field, values }) => ({ field, values: [...values] })),
    };
    if (JSON.stringify(view) === this.shown) return undefined;
    this.shown = JSON.stringify(view);
    return view;
  }

  /** Forgets what was shown: the page is gone. */
  forgetShown(): void {
    this.shown = undefined;
  }

  /** The quote of all of them, by that of the first. */
  quoteOf(first: QuoteView): QuoteView {
    if (this.count === 1) return first;
    if (first.status === 'asking') return { status: 'asking' };
    const unstated: QuoteView = { status: 'failed', problem: this.words.strings.variantsNotStated };
    if (first.status === 'notStated') return unstated;
    if (first.status !== 'priced') return first;
    const { state } = this.offer;
    switch (state.status) {
      case 'priced':
        return { status: 'priced', costCents: state.costCents };
      case 'failed':
        return { status: 'failed', problem: this.words.sentence(state.error) };
      case 'unstated':
        return unstated;
      default:
        return { status: 'asking' };
    }
  }

  /** The intent of their sum; undefined while they have none, and for a single one. */
  get intent(): string | undefined {
    const { state } = this.offer;
    return state.status === 'priced' ? state.intent : undefined;
  }

  /** As `VariantOffer.take`. */
  take(intent: string): readonly Offer[] | undefined {
    return this.offer.take(intent);
  }

  /** As `VariantOffer.isTaken`. */
  isTaken(intent: string): boolean {
    return this.offer.isTaken(intent);
  }

  /** As `VariantOffer.tryAgain`. */
  tryAgain(session: SessionState): void {
    this.offer.tryAgain(session);
  }

  dispose(): void {
    this.offer.dispose();
  }
}

function takesSeveral(model: Model, isForOne: boolean): boolean {
  return mayMake(model, 'image') && !isForOne;
}
