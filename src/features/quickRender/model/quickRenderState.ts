import type { Clock } from '../../../base/clock';
import { Disposables, type Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/event';
import type { JsonObject } from '../../../base/json';
import type { CatalogClient } from '../../../catalog/client';
import {
  checkInputs,
  type FieldValue,
  type FieldValues,
  fittedValues,
  inputsOf,
  promptOf,
  valuesFrom,
} from '../../../catalog/fields';
import type { Session, SessionState } from '../../../catalog/session';
import { mayMake } from '../../../catalog/kinds';
import type { Field, Listing, Model, ModelKind, ModelSummary } from '../../../catalog/types';
import type { ImageSize } from '../../../documents/prompt';
import type { PricedOrder } from '../../../renders/priced';
import type { Order, Target } from '../../../renders/record';
import type { Initiator } from '../../../renders/consent';
import type { Countdown } from '../../account/model/keyNotice';
import { shapedValues } from '../../links/model/linkPrices';
import type { LinkPlace } from '../../../documents/link';
import type { Drafts } from '../../models/model/drafts';
import { firstModel, knownModel, type LastModel } from '../../models/model/lastModel';
import { namedByOwn, type AppliedStyle } from '../../../compose/appliedStyle';
import type { ProjectStyle, StyleShelf } from '../../../compose/projectStyles';
import { StyleChoice } from '../../../compose/styleChoice';
import { justOne, type Offer, type Several, severalOf } from '../../../compose/offer';
import { type FirstRow, firstRowOf } from './firstRow';
import { asInstruction, asPrompt, type Writing } from '../../../compose/writing';

/** A quick render's dependencies on the rest of the extension. */
export interface QuickWorld {
  readonly session: Pick<Session, 'state' | 'onDidChange'> & {
    readonly client: Pick<CatalogClient, 'account' | 'base'> | undefined;
    model(id: string): Promise<Model>;
    models(): Promise<Listing<ModelSummary>>;
  };
  readonly offer: Offer;
  readonly drafts: Pick<Drafts, 'rendered' | 'keepRendered'>;
  /** The styles of the project. */
  readonly styles: StyleShelf;
  readonly lastModel: Pick<LastModel, 'read' | 'keep'>;
  /** The kind of the default model, while none was chosen. */
  readonly kind: ModelKind;
  readonly clock: Clock;
  /** Connects if nothing is connected yet. Never rejects. */
  start(): Promise<void>;
  /** The current target by the settings. */
  defaultTarget(): Target;
  /** False for a target in a folder that isn't open any more. */
  isOpen(target: Target): boolean;
  /** How long the service asks for a pause. */
  readonly countdown: Pick<Countdown, 'seconds' | 'onDidChange'>;
}

/** Why the box was opened. */
export interface BoxOpening {
  /** The model to start with, instead of the last one. */
  readonly modelId?: string;
  /** Text to start the prompt with, unless it already did so last time. */
  readonly selection?: string;
  /** The text that the typed instruction is about; without it, what is typed is the prompt. */
  readonly material?: string;
  /** The target, this time only. */
  readonly target?: Target;
  /** The place where a link to the result can be inserted. */
  readonly place?: LinkPlace;
  /** Insert a link there, this time. */
  readonly inserting?: boolean;
  /** Only compare prices this time: nothing is ordered, and no price is requested here. */
  readonly comparing?: boolean;
  /** The size the image should have: fields that decide its shape start as close to it as possible, this time only. */
  readonly size?: ImageSize;
}

/** What an order was made of. */
interface Made {
  readonly values: FieldValues;
  /** The values with the style; undefined without one. */
  readonly sent: FieldValues | undefined;
  /** A link decided its shape. */
  readonly isShaped: boolean;
  /** The opening of the box in which it was ordered. */
  readonly opened: number;
}

/** How much of a selection goes into the prompt, UTF-16 units. */
const mostPrompt = 4000;
/** More than this in one change was pasted, not typed, UTF-16 units. */
const leastPasted = 16;

/**
 * One quick render: a model, its fields, a prompt, a target, and what Enter means at any moment. Lives as long as the
 * window, so that what was typed isn't lost. Independent of the editor.
 */
export class QuickRenderState implements Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new Emitter<void>());
  /** Any row may have changed. */
  readonly onDidChange = this.changed.event;
  private typed = '';
  private isTyped = false;
  private selection = '';
  private material: string | undefined;
  /** The prompt may change with every key. */
  private isTyping = false;
  private writing: Writing = asPrompt;
  private wanted: string | undefined;
  private read: Model | undefined;
  private problem: unknown;
  private reading: object | undefined;
  private kept: FieldValues = [];
  /** Inputs for the model being loaded. */
  private pendingInputs: JsonObject | undefined;
  private chosenTarget: Target | undefined;
  private shownTarget: Target;
  private shownPlace: LinkPlace | undefined;
  private inserts = false;
  private compares = false;
  /** How many images the next order makes, where it can make several. */
  private wantedCount = 1;
  private readonly choice: StyleChoice;
  private size: ImageSize | undefined;
  private isOpen = false;
  /** Numbers the openings. */
  private opened = 0;
  /** What each order was made of: by the time it's recorded, the next one may be being typed. */
  private readonly madeOf = new WeakMap<Order, Made>();

  constructor(private readonly world: QuickWorld) {
    this.shownTarget = world.defaultTarget();
    this.choice = new StyleChoice(world.styles);
    this.own.add(world.styles.onDidChange(() => this.ask(true)));
    this.own.add(world.offer);
    this.own.add(world.offer.onDidChange(() => this.changed.fire()));
    this.own.add(world.session.onDidChange((state) => this.followSession(state)));
    this.own.add(world.countdown.onDidChange(() => this.changed.fire()));
  }

  get prompt(): string {
    return this.typed;
  }

  /**
   * Whose order it is. Only once something was typed since the box was opened is it a person's: a command can open the
   * box with a text, and another one can press Enter.
   */
  get initiator(): Initiator {
    return this.isTyped ? 'user' : 'automation';
  }

  /** The model to render with; undefined while none is chosen or loaded. */
  get model(): Model | undefined {
    return this.read;
  }

  get target(): Target {
    return this.shownTarget;
  }

  /**
   * The place where a link to the result can be inserted; undefined without one, and for models known not to make
   * images.
   */
  get place(): LinkPlace | undefined {
    return this.read && mayMake(this.read, 'image') ? this.shownPlace : undefined;
  }

  /** The place where the next order inserts a link; undefined for no link. */
  get insertsAt(): LinkPlace | undefined {
    return this.inserts ? this.place : undefined;
  }

  /** The styles to choose from; none for a text that's sent with an instruction. */
  get styles(): readonly ProjectStyle[] {
    return this.choice.offeredFor(this.styledModel);
  }

  /** The chosen style, as it applies to the model; undefined for none. */
  get style(): AppliedStyle | undefined {
    return this.choice.appliedTo(this.styledModel);
  }

  chooseStyle(id: string | undefined): void {
    this.choice.choose(id);
    this.ask(true);
  }

  private get styledModel(): Model | undefined {
    return this.material === undefined ? this.read : undefined;
  }

  /** Earlier texts, as the person would type them: see `StyleChoice.written`. */
  written(texts: readonly string[]): readonly string[] {
    return this.choice.written(this.styledModel, texts);
  }

  /** The model's fields with their values, except those filled by what is typed. */
  get rows(): readonly (readonly [field: Field, value: FieldValue])[] {
    const fields = this.read?.fields ?? [];
    const written = this.writing.fields(fields);
    return fields.filter((field) => !written.includes(field)).map((field) => [field, this.valueOf(field)]);
  }

  /** True while there is no text for the model. */
  get isBlank(): boolean {
    return this.typed.trim() === '' && this.material === undefined;
  }

  valueOf({ name }: Field): FieldValue {
    return new Map(this.kept).get(name) ?? '';
  }

  /** The current inputs as they're sent, complete or not. */
  get inputs(): JsonObject {
    return this.read ? inputsOf(this.read.fields, this.sent) : {};
  }

  /** The same without what the style adds. */
  get said(): JsonObject {
    return this.read ? inputsOf(this.read.fields, this.values) : {};
  }

  /** True when they could be rendered, by the rules of the model's fields. */
  get isComplete(): boolean {
    return this.read !== undefined && checkInputs(this.read.fields, this.sent).length === 0;
  }

  /** The target of the next order, with a name made of the person's own words. */
  get namedTarget(): Target {
    return namedByOwn(this.target, this.style, this.values);
  }

  /** Only compares prices: see `Opening`. */
  get isComparing(): boolean {
    return this.compares;
  }

  /** Starts, or continues with what was typed. */
  open({
    modelId,
    selection = '',
    material,
    target,
    place,
    inserting = false,
    comparing = false,
    size,
  }: BoxOpening): void {
    this.isOpen = true;
    this.opened += 1;
    this.isTyped = false;
    // The instruction for the material is still to be typed.
    this.isTyping = material !== undefined;
    this.want(size);
    this.material = material;
    this.writing = material === undefined ? asPrompt : asInstruction(material);
    this.shownPlace = place;
    this.inserts = inserting;
    this.compares = comparing;
    this.wantedCount = 1;
    this.choice.startAgain();
    const prompt = promptFrom(selection);
    if (prompt !== '' && prompt !== this.selection) this.typed = prompt;
    this.selection = prompt;
    if (this.chosenTarget && !this.world.isOpen(this.chosenTarget)) this.chosenTarget = undefined;
    this.shownTarget = target ?? this.chosenTarget ?? this.world.defaultTarget();
    if (modelId !== undefined && modelId !== this.wanted) this.turnTo(modelId, undefined);
    else void this.load();
  }

  /** Keeps everything and requests no more prices. */
  close(): void {
    this.isOpen = false;
    if (this.read) this.world.offer.ask(this.read, undefined);
  }

  /** The person typed. */
  type(prompt: string): void {
    if (prompt === this.typed) return;
    this.isTyped = true;
    this.write(prompt);
  }

  /** Uses an earlier text. */
  recall(prompt: string): void {
    if (prompt !== this.typed) this.write(prompt);
  }

  private write(prompt: string): void {
    const isPasted = prompt.length - this.typed.length >= leastPasted;
    this.typed = prompt;
    this.isTyping = !isPasted;
    this.ask(isPasted);
  }

  choose(modelId: string): void {
    if (modelId !== this.read?.id) this.turnTo(modelId, undefined);
  }

  /**
   * Sets these inputs of the model; the typed prompt stays. They're complete: a style's words are part of the prompt
   * then, and nothing is added to them.
   */
  fill(modelId: string, inputs: JsonObject): void {
    if (this.style) this.typed = promptOf(this.read, this.inputs);
    this.choice.use(undefined);
    if (modelId !== this.read?.id) return this.turnTo(modelId, inputs);
    this.kept = valuesFrom(this.read.fields, inputs);
    this.ask(true);
  }

  set(field: Field, value: FieldValue): void {
    this.kept = this.kept.map(([name, old]) => [name, name === field.name ? value : old]);
    this.ask(true);
  }

  aim(target: Target): void {
    this.chosenTarget = target;
    this.shownTarget = target;
    this.ask(true);
  }

  /** How many images the next order makes. */
  get count(): number {
    return this.several.count;
  }

  /** How many it would make after `vary`; undefined if it can only make one. */
  get nextCount(): number | undefined {
    const { choices, count } = this.several;
    return choices.length === 1 ? undefined : choices[(choices.indexOf(count) + 1) % choices.length];
  }

  /** Makes more images, or again one. */
  vary(): void {
    this.wantedCount = this.nextCount ?? 1;
    this.ask(true);
  }

  /** Whether the next order inserts a link. */
  insert(inserting: boolean): void {
    this.inserts = inserting;
    this.ask(true);
  }

  /** Retries what failed: loading the model, or its price. */
  retry(): void {
    if (this.read) this.world.offer.renew();
    else void this.load();
    this.changed.fire();
  }

  /** The current first row. */
  first(): FirstRow {
    const { session, offer, countdown } = this.world;
    const { client, state } = session;
    return firstRowOf({
      model: this.read,
      isReading: this.reading !== undefined,
      problem: this.problem,
      writing: this.writing,
      values: this.sent,
      sendsMaterial: this.material !== undefined,
      compares: this.compares,
      hasClient: client !== undefined,
      status: state.status,
      balanceCents: state.balance?.cents,
      offer,
      quietSeconds: countdown.seconds,
    });
  }

  /**
   * The orders of a row, once: one, or variants at the sum it shows. Undefined when the row orders nothing or is no
   * longer true: then nothing may be spent.
   */
  orders(row: FirstRow): readonly PricedOrder[] | undefined {
    const now = this.first();
    if (!('intent' in row) || !('intent' in now) || row.intent !== now.intent || row.says !== now.says)
      return undefined;
    const drafts = this.world.offer.take(row.intent);
    if (!drafts) return undefined;
    const orders = drafts.map((draft) => ({ ...draft, target: this.namedTarget }));
    const { size, style, sent, opened } = this;
    // A selected text isn't a default for the next render.
    const values = this.material === undefined ? this.values : this.kept;
    const made = { values, isShaped: size !== undefined, sent: style && sent, opened };
    for (const order of orders) this.madeOf.set(order, made);
    return orders;
  }

  /** One of `orders` was recorded: remembers the model and its fields. */
  ordered(order: Order): void {
    const { drafts, lastModel, clock } = this.world;
    void lastModel.keep(order.modelId);
    const made = this.madeOf.get(order);
    // A shape requested by one link isn't a default for the next.
    if (made && !made.isShaped) void drafts.keepRendered(order.modelId, made.values, clock.now(), made.sent);
    // Whoever has opened the box again keeps what it shows.
    if (made?.opened !== this.opened) return;
    // Next time it starts with the last model that didn't fail.
    this.wanted = undefined;
    this.used();
  }

  /** The prompt was used. */
  used(): void {
    this.typed = '';
    this.selection = '';
    this.chosenTarget = undefined;
  }

  dispose(): void {
    this.isOpen = false;
    this.own.dispose();
  }

  /** The fields' values as they're sent, with the style. */
  private get sent(): FieldValues {
    return this.choice.sent(this.styledModel, this.values);
  }

  /** The fields' values, including what is typed. */
  private get values(): FieldValues {
    const written = new Map(this.writing.values(this.read?.fields ?? [], this.typed));
    return this.kept.map(([name, value]) => [name, written.get(name) ?? value]);
  }

  private turnTo(modelId: string, inputs: JsonObject | undefined): void {
    this.wanted = modelId;
    this.pendingInputs = inputs;
    this.read = undefined;
    void this.load();
  }

  /** `atOnce` if nobody is still changing the inputs. */
  private ask(atOnce = false): void {
    if (this.read && this.isOpen) {
      const inputs = this.isComplete && !this.compares ? this.inputs : undefined;
      this.world.offer.ask(this.read, inputs, this.several, atOnce);
    }
    this.changed.fire();
  }

  /** What the next order makes: only images are compared, and a link or a single file takes one. */
  private get several(): Several {
    const { read, compares } = this;
    const isForOne = compares || this.insertsAt !== undefined || this.target.ending !== undefined;
    const takesSeveral = read && mayMake(read, 'image') && this.world.kind === 'image' && !isForOne;
    return takesSeveral ? severalOf(read.fields, this.wantedCount) : justOne;
  }

  private followSession(state: SessionState): void {
    const other = this.world.offer.follow();
    // Another account, perhaps another service: the model may differ too.
    if (this.isOpen && this.world.session.client && (other || (!this.read && !this.reading))) void this.load();
    else if (this.isOpen) this.world.offer.tryAgain(state);
    this.changed.fire();
  }

  /** Never rejects: the first row shows a failure. A choice made meanwhile wins. */
  private async load(): Promise<void> {
    const reading = {};
    this.reading = reading;
    this.problem = undefined;
    this.changed.fire();
    try {
      await this.world.start();
      const model = await this.find();
      if (this.reading === reading) this.take(model);
    } catch (error) {
      if (this.reading === reading) this.problem = error;
    }
    if (this.reading !== reading) return;
    this.reading = undefined;
    this.ask(!this.isTyping);
  }

  /** Drops values that were shaped for the previous size. */
  private want(size: ImageSize | undefined): void {
    if (this.size && this.read) this.kept = this.world.drafts.rendered(this.read.id) ?? [];
    this.size = size;
  }

  private take(model: Model | undefined): void {
    if (model && model.id !== this.read?.id) this.kept = this.world.drafts.rendered(model.id) ?? [];
    if (model && this.pendingInputs) this.kept = valuesFrom(model.fields, this.pendingInputs);
    else if (model) this.kept = fittedValues(model.fields, this.kept);
    if (model && this.size) this.kept = shapedValues(model.fields, this.kept, this.size);
    this.pendingInputs = undefined;
    this.read = model;
  }

  /** The chosen model, else the last one, else the first that needs only the typed text. */
  private async find(): Promise<Model | undefined> {
    const { session, lastModel, kind } = this.world;
    if (!session.client) return this.read;
    if (this.wanted !== undefined) return session.model(this.wanted);
    const last = lastModel.read();
    const model = last === undefined ? undefined : await knownModel(session.model(last));
    const found = model ?? (await firstModel(session, kind, this.writing, this.typed));
    this.wanted ??= found?.id;
    return found;
  }
}

/** A selection, made fit for a single-line box. */
function promptFrom(selection: string): string {
  const text = selection.trim().slice(0, mostPrompt);
  // Drop half a surrogate pair at the cut.
  return text.replace(/[\ud800-\udbff]$/, '').replace(/\s+/g, ' ');
}
