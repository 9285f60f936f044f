/**
 * **Draft**: a model, its values, a style, and a target: what somebody is composing.
 *
 * The form and Quick Render compose one each. The composer loads the model, holds what the user wrote for it, adds the
 * style with which that's sent, knows where results go and whether a link to one is inserted, has exactly that priced,
 * follows the session, and makes orders of what a press took. What it would cost is its offer (`compose/offer.ts`).
 */

import type { JsonObject } from '../base/json';
import {
  checkInputs,
  type Field,
  type FieldValues,
  fittedValues,
  inputsOf,
  mayMake,
  type Model,
  valuesFrom,
} from '../catalog/fields';
import type { Session } from '../catalog/session';
import type { LinkPlace } from '../documents/link';
import { besides, type PricedOrder, type Target } from '../renders/record';
import {
  firstOf,
  justOne,
  type Offer,
  type OfferClient,
  type PricedDraft,
  type Several,
  severalOf,
  type Varied,
  variedFor,
} from './offer';
import { type AppliedStyle, namedByOwn, type ProjectStyle, type StyleSource, StyleChoice } from './projectStyles';

/** What composing depends on. */
export interface ComposerDeps {
  readonly session: Pick<Session, 'state' | 'onDidChange'> & { readonly client: OfferClient | undefined };
  readonly offer: Offer;
  /** The styles of the project. */
  readonly styles: StyleSource;
  /** Connects if nothing is connected yet. Never rejects. */
  start(): Promise<void>;
}

/** The targets of a window. */
export interface UsualTargets {
  /** The target by the settings; undefined when no folder is open. */
  defaultTarget(): Target | undefined;
  /** False for a target in a folder that isn't open any more. */
  isOpen(target: Target): boolean;
}

/** What differs from one place of composing to another. */
interface ComposerOwner {
  /** The model to compose for; undefined if none is chosen. Rejects with ServiceError. */
  find(): Promise<Model | undefined>;
  /** It was found: to be adopted. */
  found(model: Model | undefined): void;
  /** It couldn't be read. */
  failed(error: unknown): void;
  /** The place for a link to an image; undefined where none is possible. */
  linkPlace(): LinkPlace | undefined;
  /** The values with what is written elsewhere than in the model's fields. */
  written?(fields: readonly Field[], kept: FieldValues): FieldValues;
}

/** What somebody is composing. */
export class Composer {
  readonly offer: Offer;
  readonly style: StyleChoice;
  readonly target: TargetChoice;
  /** Undefined while none is chosen or loaded. */
  model: Model | undefined;
  /** What the user wrote in the model's fields; undefined before there is anything. */
  kept: FieldValues | undefined;
  /** Inputs to start with once the model is loaded. */
  pendingInputs: JsonObject | undefined;
  /** How many images the user wants wherever that's possible, and what of the inputs is varied instead. */
  wanted: { readonly count: number; readonly varied: readonly Varied[] } = { count: 1, varied: [] };
  /** Orders one image, whatever is wanted. */
  isForOne = false;
  /** The project's styles can be used with what is written. */
  takesStyles = true;
  /** Why the model couldn't be read. */
  problem: unknown;
  /** The model isn't read yet, or couldn't be read after another service came into use. */
  isUnread = true;
  /** The last reading of the model, and the service that it asks. */
  private loading: Loading | undefined;

  constructor(
    private readonly deps: ComposerDeps,
    targets: UsualTargets,
    private readonly owner: ComposerOwner,
  ) {
    this.offer = deps.offer;
    this.style = new StyleChoice(deps.styles);
    this.target = new TargetChoice(targets);
  }

  get isLoading(): boolean {
    return this.loading?.isOver === false;
  }

  /** One at a time for the service in use, unless it's `other`: then what is being read is no longer meant. */
  load(other = false): Promise<void> {
    const { client } = this.deps.session;
    if (this.loading && this.isLoading && this.loading.client === client && !other) return this.loading.done;
    this.isUnread = true;
    this.problem = undefined;
    const loading: Loading = { client, isOver: false, done: Promise.resolve() };
    this.loading = loading;
    return (loading.done = this.read(loading));
  }

  /** The model is this one now, with the values that it takes of those there are, or with what it was to start with. */
  adopt(model: Model | undefined): void {
    const { kept = [], pendingInputs } = this;
    if (model) this.kept = pendingInputs ? valuesFrom(model.fields, pendingInputs) : fittedValues(model.fields, kept);
    this.pendingInputs = undefined;
    this.model = model;
  }

  /** The place where a link to the result can be inserted: only images get links. */
  get place(): LinkPlace | undefined {
    return this.model && mayMake(this.model, 'image') ? this.owner.linkPlace() : undefined;
  }

  /** The place for the next order's link; undefined for no link. */
  get insertsAt(): LinkPlace | undefined {
    return this.target.inserts ? this.place : undefined;
  }

  /** The styles to choose from. */
  get styles(): readonly ProjectStyle[] {
    return this.style.offeredFor(this.styledModel);
  }

  /** The chosen style, as it applies to the model; undefined for none. */
  get applied(): AppliedStyle | undefined {
    return this.style.appliedTo(this.styledModel);
  }

  /** Earlier texts, as the user would type them: see `StyleChoice.written`. */
  typed(texts: readonly string[]): readonly string[] {
    return this.style.written(this.styledModel, texts);
  }

  /** The fields that the style leaves to the user. */
  get free(): readonly Field[] {
    const { model, applied } = this;
    return model?.fields.filter(({ name }) => !applied?.fixed.has(name)) ?? [];
  }

  /** What the user wrote. */
  get values(): FieldValues {
    const { model, kept = [], owner: at } = this;
    return (model && at.written?.(model.fields, kept)) ?? kept;
  }

  /** The values as they're sent, with the style: those of the first image, if inputs are varied. */
  get sent(): FieldValues {
    return this.style.sent(this.styledModel, firstOf(this.several.varied, this.values));
  }

  /** The inputs as they're sent, complete or not. */
  get inputs(): JsonObject {
    return inputsOf(this.model?.fields ?? [], this.sent);
  }

  /** The same without what the style adds. */
  get typedInputs(): JsonObject {
    return inputsOf(this.model?.fields ?? [], this.values);
  }

  /** The inputs as they're sent; undefined unless they could be rendered, by the rules of the model's fields. */
  get complete(): JsonObject | undefined {
    const { model, kept } = this;
    return model && kept && checkInputs(model.fields, this.sent).length === 0 ? this.inputs : undefined;
  }

  /** A target with a name made of the user's own words. */
  named(target: Target): Target {
    return namedByOwn(target, this.applied, this.values);
  }

  /** What the next press orders: only images are compared, and a link or a single file takes one. */
  get several(): Several {
    const { model, wanted, target } = this;
    const isForOne = this.isForOne || target.now.ending !== undefined || this.insertsAt !== undefined;
    if (!model || !mayMake(model, 'image') || isForOne) return justOne;
    return severalOf(model.fields, wanted.count, variedFor(this.free, wanted.varied));
  }

  /** Has what is there now priced, without a pause if nobody is still changing it; or nothing any more. */
  ask(isSettled: boolean, isPriced = true): void {
    if (this.model) this.offer.ask(this.model, isPriced ? this.complete : undefined, this.several, isSettled);
  }

  /** What a press took, for the target. */
  orders(drafts: readonly PricedDraft[]): readonly PricedOrder[] {
    const target = this.named(this.target.now);
    return drafts.map((draft) => ({ ...draft, target }));
  }

  /**
   * Call when the session changed. Another account may be of another service: the model may differ too. `isIdle`:
   * nobody is composing now.
   */
  follow(isIdle = false): void {
    const { client, state } = this.deps.session;
    const isOther = this.offer.follow();
    if (isIdle || (isOther && !client)) return;
    if (isOther || (this.isUnread && state.status === 'connected')) void this.load();
    else this.offer.tryAgain(state);
  }

  private get styledModel(): Model | undefined {
    return this.takesStyles ? this.model : undefined;
  }

  /** Never rejects. */
  private async read(loading: Loading): Promise<void> {
    try {
      await this.deps.start();
      const model = await this.owner.find();
      if (this.loading !== loading) return;
      loading.isOver = true;
      this.isUnread = model === undefined;
      this.owner.found(model);
    } catch (error) {
      if (this.loading !== loading) return;
      loading.isOver = true;
      this.problem = error;
      this.owner.failed(error);
    }
  }
}

interface Loading {
  readonly client: unknown;
  isOver: boolean;
  done: Promise<void>;
}

/** Where the results of what somebody is composing go, and whether each gets a link. */
class TargetChoice {
  /** Each result gets a link, where one is possible. */
  inserts = false;
  /** The target of the next result alone; undefined for the usual one. */
  once: Target | undefined;
  /** The one that the user chose; undefined while it's the one from the settings. */
  chosen: Target | undefined;
  private standard: Target | undefined;

  constructor(private readonly targets: UsualTargets) {
    this.standard = targets.defaultTarget();
  }

  /** The target of the next result. */
  get now(): Target {
    return this.once ?? this.usual ?? { folder: '', fileName: '' };
  }

  /** The target of the other results; undefined when no folder is open. */
  get usual(): Target | undefined {
    return this.chosen ?? this.standard;
  }

  /** For the next result and the others; undefined for the one from the settings. */
  choose(target: Target | undefined): void {
    this.once = undefined;
    this.chosen = target;
  }

  /** Something was ordered for that target. True if the next result alone was for it: then it needs no other. */
  leave(target: Target): boolean {
    const isThat = !!this.once && JSON.stringify(besides(this.once)) === JSON.stringify(besides(target));
    if (isThat) this.once = undefined;
    return isThat;
  }

  /** Settings or the open folders changed: what is in a folder that isn't open any more counts no longer. */
  renew(): void {
    const isOpen = (target: Target | undefined) => (target && this.targets.isOpen(target) ? target : undefined);
    this.once = isOpen(this.once);
    this.chosen = isOpen(this.chosen);
    this.standard = this.targets.defaultTarget();
  }
}
