import type { Clock } from '../../../base/clock';
import type { GivenImage } from '../../../base/givenImage';
import { type Disposable, Disposables, Emitter } from '../../../base/disposable';
import type { JsonObject } from '../../../base/json';
import {
  type Field,
  type FieldValue,
  type FieldValues,
  imageFor,
  imagePlaces,
  type Listing,
  type Model,
  type ModelKind,
  type ModelSummary,
  promptOf,
  valueOfImages,
  valuesFrom,
} from '../../../catalog/fields';
import type { StatedSize } from '../../../documents/prompt';
import { holdsImages } from '../../../files/recordedImages';
import type { Order, PricedOrder, Target } from '../../../renders/record';
import type { Initiator } from '../../../renders/consent';
import type { Countdown } from '../../account/model/keyNotice';
import { shapedValues } from '../../links/model/linkPrices';
import type { LinkPlace } from '../../../documents/link';
import type { Drafts } from '../../models/model/drafts';
import { firstModel, knownModel, type LastModel } from '../../models/model/lastModel';
import { Composer, type ComposerDeps, type UsualTargets } from '../../../compose/composer';
import { type ImageNeed, type FirstRow, firstRowOf } from './firstRow';
import { asInstruction, asPrompt, type Writing } from '../../../compose/writing';

/** A quick render's dependencies on the rest of the extension. */
export interface QuickRenderDeps extends ComposerDeps, UsualTargets {
  readonly session: ComposerDeps['session'] & {
    model(id: string): Promise<Model>;
    models(): Promise<Listing<ModelSummary>>;
    readModel(id: string): Promise<Model | undefined>;
  };
  readonly drafts: Drafts;
  readonly lastModel: LastModel;
  /** The last price of a model with its default inputs, euro cents; undefined while unknown. */
  centsOf(modelId: string): number | undefined;
  /** The kind of the default model, while none was chosen. */
  readonly kind: ModelKind;
  readonly clock: Clock;
  /** How long the service asks for a pause. */
  readonly countdown: Countdown;
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
  /**
   * The image to change, this time only: it goes into the field that takes it, and no price is asked with it before
   * something is typed, since a command can open the box.
   */
  readonly image?: GivenImage;
  /** The size the image should have: fields that decide its shape start as close to it as possible, this time only. */
  readonly size?: StatedSize;
}

/** What an order was made of. */
interface Made {
  readonly values: FieldValues;
  /** The values with the style; undefined without one. */
  readonly sent: FieldValues | undefined;
  /** What made it isn't a default for the next one: a link decided its shape, or it changes an image. */
  readonly isForOnce: boolean;
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
  readonly draft: Composer;
  private typed = '';
  private isTyped = false;
  private selection = '';
  private material: string | undefined;
  /** The prompt may change with every key. */
  private isTyping = false;
  private writing: Writing = asPrompt;
  private wanted: string | undefined;
  private place: LinkPlace | undefined;
  private compares = false;
  private size: StatedSize | undefined;
  private image: GivenImage | undefined;
  /** The name of the field that the user chose for it. */
  private imagePlace: string | undefined;
  private isOpen = false;
  /** Numbers the openings. */
  private opened = 0;
  /** What each order was made of: by the time it's recorded, the next one may be being typed. */
  private readonly madeOf = new WeakMap<Order, Made>();

  constructor(private readonly deps: QuickRenderDeps) {
    this.draft = new Composer(deps, deps, {
      find: () => this.find(),
      found: (model) => this.found(model),
      failed: () => this.ask(!this.isTyping),
      linkPlace: () => this.place,
      written: (fields, kept) => this.withTyped(fields, kept),
    });
    this.own.add(deps.styles.onDidChange(() => this.ask(true)));
    this.own.add(this.own.add(deps.offer).onDidChange(() => this.changed.fire()));
    this.own.add(deps.session.onDidChange(() => this.followSession()));
    this.own.add(deps.countdown.onDidChange(() => this.changed.fire()));
  }

  get prompt(): string {
    return this.typed;
  }

  /**
   * Whose order it is. Only once something was typed since the box was opened is it a user's: a command can open the
   * box with a text, and another one can press Enter.
   */
  get initiator(): Initiator {
    return this.isTyped ? 'user' : 'automation';
  }

  chooseStyle(id: string | undefined): void {
    this.draft.style.choose(id);
    this.ask(true);
  }

  /** The model's fields with their values, except those filled by what is typed. */
  get rows(): readonly (readonly [field: Field, value: FieldValue])[] {
    const fields = this.draft.model?.fields ?? [];
    const written = this.writing.fields(fields);
    return fields.filter((field) => !written.includes(field)).map((field) => [field, this.valueOf(field)]);
  }

  /** True while there is no text for the model. */
  get isBlank(): boolean {
    return this.typed.trim() === '' && this.material === undefined;
  }

  valueOf({ name }: Field): FieldValue {
    return new Map(this.draft.kept).get(name) ?? '';
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
    image,
    size,
  }: BoxOpening): void {
    const { draft, deps } = this;
    this.isOpen = true;
    this.opened += 1;
    this.isTyped = false;
    // The instruction for the material is still to be typed.
    this.isTyping = material !== undefined;
    this.want(size, image);
    this.material = material;
    this.writing = material === undefined ? asPrompt : asInstruction(material);
    this.place = place;
    this.compares = comparing;
    // A style may state an image of its own.
    draft.takesStyles = material === undefined && image === undefined;
    draft.isForOne = comparing || image !== undefined || deps.kind !== 'image';
    draft.wanted = { count: 1, varied: [] };
    draft.style.startAgain();
    draft.target.inserts = inserting;
    draft.target.renew();
    draft.target.once = target;
    const prompt = promptFrom(selection);
    if (prompt !== '' && prompt !== this.selection) this.typed = prompt;
    this.selection = prompt;
    if (modelId !== undefined && modelId !== this.wanted) this.turnTo(modelId, undefined);
    else this.load();
  }

  /** Keeps everything and requests no more prices. */
  close(): void {
    this.isOpen = false;
    this.draft.ask(true, false);
  }

  /** The user typed. */
  type(prompt: string): void {
    if (prompt === this.typed) return;
    this.isTyped = true;
    this.write(prompt);
  }

  /** The user typed what is written, which only seemed to come from elsewhere. */
  wasTyped(): void {
    this.isTyped = true;
    this.ask(true);
  }

  /** Uses an earlier text, or one that may be from elsewhere. */
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
    if (modelId !== this.draft.model?.id) this.turnTo(modelId, undefined);
  }

  /**
   * Sets these inputs of the model; the typed prompt stays. They're complete: a style's words are part of the prompt
   * then, and nothing is added to them.
   */
  fill(modelId: string, inputs: JsonObject): void {
    const { draft } = this;
    if (draft.applied) this.typed = promptOf(draft.model, draft.inputs);
    draft.style.use(undefined);
    if (modelId !== draft.model?.id) return this.turnTo(modelId, inputs);
    draft.kept = valuesFrom(draft.model.fields, inputs);
    this.ask(true);
  }

  set(field: Field, value: FieldValue): void {
    this.draft.kept = this.draft.kept?.map(([name, old]) => [name, name === field.name ? value : old]);
    this.ask(true);
  }

  aim(target: Target): void {
    this.draft.target.choose(target);
    this.ask(true);
  }

  /** The fields that the image to change could go into. */
  get imagePlaces(): readonly Field[] {
    return this.image ? imagePlaces(this.draft.model?.fields ?? [], this.image) : [];
  }

  placeImage({ name }: Field): void {
    this.imagePlace = name;
    this.putImage();
    this.ask(true);
  }

  /** How many images the next order makes. */
  get count(): number {
    return this.draft.several.count;
  }

  /** How many it can make; just one where they couldn't differ. */
  get counts(): readonly number[] {
    return this.draft.several.choices;
  }

  /** Makes that many images, each with a different seed. */
  make(count: number): void {
    this.draft.wanted = { count, varied: [] };
    this.ask(true);
  }

  /** Whether the next order inserts a link. */
  insert(inserting: boolean): void {
    this.draft.target.inserts = inserting;
    this.ask(true);
  }

  /** Retries what failed: loading the model, or its price. */
  retry(): void {
    if (!this.draft.model) return this.load();
    this.draft.offer.renew();
    this.changed.fire();
  }

  /** The current first row. */
  first(): FirstRow {
    const { session, countdown } = this.deps;
    const { client, state } = session;
    const { model, isLoading, problem, sent, offer } = this.draft;
    return firstRowOf({
      model,
      isReading: isLoading,
      problem,
      writing: this.writing,
      values: sent,
      sendsMaterial: this.material !== undefined,
      compares: this.compares,
      isHeld: this.isHeld,
      image: this.image && { awaits: this.awaited() },
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
    const { draft, size, opened } = this;
    const drafts = draft.offer.claim(row.intent);
    if (!drafts) return undefined;
    const orders = draft.orders(drafts);
    // A selected text isn't a default for the next render.
    const values = this.material === undefined ? draft.values : (draft.kept ?? []);
    const isForOnce = size !== undefined || this.image !== undefined;
    const made = { values, isForOnce, sent: draft.applied && draft.sent, opened };
    for (const order of orders) this.madeOf.set(order, made);
    return orders;
  }

  /** One of `orders` was recorded: remembers the model and its fields. */
  ordered(order: Order): void {
    const { drafts, lastModel, clock } = this.deps;
    void lastModel.keep(order.modelId);
    const made = this.madeOf.get(order);
    if (made && !made.isForOnce) void drafts.keepRendered(order.modelId, made.values, clock.now(), made.sent);
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
    this.draft.target.choose(undefined);
  }

  dispose(): void {
    this.isOpen = false;
    this.own.dispose();
  }

  private withTyped(fields: readonly Field[], kept: FieldValues): FieldValues {
    const written = new Map(this.writing.values(fields, this.typed));
    return kept.map(([name, value]) => [name, written.get(name) ?? value]);
  }

  private turnTo(modelId: string, inputs: JsonObject | undefined): void {
    this.wanted = modelId;
    this.draft.pendingInputs = inputs;
    this.draft.model = undefined;
    this.load(true);
  }

  /** `atOnce` if nobody is still changing the inputs. */
  private ask(atOnce = false): void {
    if (this.isOpen) this.draft.ask(atOnce, !this.compares && !this.isHeld && !(this.image && this.awaited()));
    this.changed.fire();
  }

  private followSession(): void {
    this.draft.follow(!this.isOpen);
    this.changed.fire();
  }

  /** The first row shows a failure. A choice made meanwhile wins. */
  private load(other = false): void {
    void this.draft.load(other);
    this.changed.fire();
  }

  /** Drops values for the previous size or image, and words about the latter. */
  private want(size: StatedSize | undefined, image: GivenImage | undefined): void {
    const { model } = this.draft;
    if ((this.size || this.image) && model) this.draft.kept = this.deps.drafts.rendered(model.id) ?? [];
    if (this.image || image) this.typed = '';
    this.size = size;
    this.image = image;
    this.imagePlace = undefined;
    this.putImage();
  }

  /**
   * No image of an earlier render leaves for a price before the user types, since a command can open the box, and no
   * text before it's said what to do with it.
   */
  private get isHeld(): boolean {
    if (this.material !== undefined && this.typed.trim() === '') return true;
    return !this.isTyped && this.image === undefined && holdsImages(this.draft.inputs);
  }

  /** What is missing before the image to change may leave this computer. */
  private awaited(): ImageNeed | undefined {
    const { imagePlaces: places } = this;
    if (places.length === 0) return 'model';
    if (places.length > 1 && !places.some(({ name }) => name === this.imagePlace)) return 'field';
    const written = this.writing.fields(this.draft.model?.fields ?? []);
    return this.isTyped && this.typed.trim() !== '' && written.length > 0 ? undefined : 'words';
  }

  /** Puts the image to change into its field. Other images of earlier renders aren't part of this. */
  private putImage(): void {
    const { draft, image, imagePlaces: places } = this;
    if (!image) return;
    const fields = new Map(draft.model?.fields.map((field) => [field.name, field]));
    const place = places.length === 1 ? places[0] : places.find(({ name }) => name === this.imagePlace);
    draft.kept = draft.kept?.map(([name, value]) => {
      if (fields.get(name)?.kind !== 'image') return [name, value];
      return [name, place?.name === name ? valueOfImages([imageFor(place, image)]) : ''];
    });
  }

  private found(model: Model | undefined): void {
    const { draft, size, deps } = this;
    if (model && model.id !== draft.model?.id) draft.kept = deps.drafts.rendered(model.id) ?? [];
    draft.adopt(model);
    if (model && size) draft.kept = shapedValues(model.fields, draft.kept ?? [], size);
    this.putImage();
    this.ask(!this.isTyping);
  }

  /** The chosen model, else the last one, else the cheapest known, or the first, that needs only the typed text. */
  private async find(): Promise<Model | undefined> {
    const { session, lastModel, kind } = this.deps;
    const centsOf = (modelId: string) => this.deps.centsOf(modelId);
    if (!session.client) return this.draft.model;
    if (this.wanted !== undefined) return session.model(this.wanted);
    const last = lastModel.read();
    const model = last === undefined ? undefined : await knownModel(session.model(last));
    const found = model ?? (await firstModel(session, kind, this.writing, this.typed, this.image, centsOf));
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

/** How much of the clipboard is compared, UTF-16 units. */
const mostCompared = 10_000;

/**
 * True if text was added that isn't what the clipboard has. An input method or a dictation adds several characters at
 * once, as a paste does, and a box drops line breaks from what is pasted.
 */
export function isTypedChange(before: string, after: string, copied: string): boolean {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const added = after.slice(start, after.length - end);
  const bare = (text: string) => text.replaceAll(/\s/g, '');
  const [core, pasted] = [bare(added), bare(copied.slice(0, mostCompared))];
  // What was pasted over a text may begin and end as that did, so that less was added.
  const isPart = core.startsWith(pasted) || (pasted.includes(core) && bare(after).includes(pasted));
  const isPasted = added === copied || (core !== '' && pasted !== '' && isPart);
  return added !== '' && !isPasted;
}
