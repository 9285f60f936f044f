import type { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/event';
import type { JsonObject } from '../../../base/json';
import { ServiceError } from '../../../catalog/errors';
import type { FieldValues, Seeds } from '../../../catalog/fields';
import type { Model } from '../../../catalog/types';
import type { AppliedStyle } from '../../../compose/appliedStyle';
import { quoteMany } from '../../../compose/offer';
import type { ProjectStyle, StyleShelf } from '../../../compose/projectStyles';
import { StyleChoice } from '../../../compose/styleChoice';
import type { ImageLink } from '../../../documents/link';
import type { Doubt } from '../../../documents/linkPath';
import { isWorthRendering, promptOfLink, shapeInputs, shapeOf, type ImageSize } from '../../../documents/prompt';
import { fileKey } from '../../../files/sameFile';
import { linkInputs } from './linkPrices';

/** A missing image, as its documents describe it. */
export interface MissingImage {
  /** URI of the file. */
  readonly file: string;
  /** URIs of the documents that name it. */
  readonly documents: readonly [string, ...string[]];
  /** The offset of the link in the first of them, or in a cell of that, UTF-16 code units. */
  readonly offset: number;
  /** The cell that has the link, if the first of them is a notebook. */
  readonly cell?: number;
  readonly prompt?: string;
  /** False for what a render is no use for, so that it isn't selected unasked, see `isWorthRendering`. */
  readonly isWorth: boolean;
  readonly size?: ImageSize;
  /** Why nothing can be saved as that file, in words. */
  readonly problem?: string;
  /** Why it may not be missing at all, so that it isn't selected unasked. */
  readonly doubt?: Doubt;
}

/** The state of a price: requested or not yet `asked` for · `stated` · the service states `none` · unavailable. */
export type RowPrice =
  | { readonly says: 'notAsked' | 'asking' | 'none' }
  | { readonly says: 'stated'; readonly cents: number }
  | { readonly says: 'failed'; readonly error: unknown };

/** The state of an image in the list. */
export interface MissingRow {
  readonly image: MissingImage;
  readonly prompt: string;
  readonly ticked: boolean;
  /**
   * `ready`: can be ordered once priced · `place`: where its file goes can't be told · `name`: nothing can be saved
   * under its name · `prompt`: has no prompt · `model`: the model needs more than a prompt.
   */
  readonly wants: 'ready' | 'place' | 'name' | 'prompt' | 'model';
  readonly price: RowPrice;
  /** Its shape in terms of the model's fields: `16:9`; '' when the document states no size. */
  readonly shape: string;
  readonly inputs: JsonObject;
}

/** A row that can be ordered, at the price it shows. */
export interface AgreedImage {
  readonly image: MissingImage;
  readonly model: Model;
  readonly inputs: JsonObject;
  readonly cents: number;
}

/** A price request; `id` as `priceId`. */
interface PriceQuestion {
  readonly id: string;
  readonly modelId: string;
  readonly inputs: JsonObject;
}

/** Rows beyond these aren't selected at first, so no price is requested for them. */
const mostTicked = 20;

/** Missing images, with the inputs for each, and the prices of the selected ones. */
export class MissingList implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private using: { readonly model: Model; readonly rendered: FieldValues | undefined } | undefined;
  private readonly prompts: Map<string, string>;
  private readonly ticks: Set<string>;
  private prices = new Map<string, RowPrice>();
  private asking: Promise<void> | undefined;
  private readonly ending = new AbortController();
  private readonly choice: StyleChoice;
  private readonly listening: Disposable;

  /** `price` requests the price of a model and inputs in cents, undefined when none is stated, until the signal. */
  constructor(
    private images: readonly MissingImage[],
    private readonly price: (modelId: string, inputs: JsonObject, signal: AbortSignal) => Promise<number | undefined>,
    private readonly seeds: Pick<Seeds, 'fill'>,
    shelf: StyleShelf,
  ) {
    this.choice = new StyleChoice(shelf);
    this.listening = shelf.onDidChange(() => this.ask());
    this.prompts = new Map(images.map(({ file, prompt = '' }) => [file, prompt]));
    const complete = images.filter(
      ({ prompt, isWorth, problem, doubt }) => prompt !== undefined && isWorth && problem === undefined && !doubt,
    );
    this.ticks = new Set(complete.slice(0, mostTicked).map(({ file }) => file));
  }

  /** The model for all of them; undefined while none is chosen. */
  get model(): Model | undefined {
    return this.using?.model;
  }

  /** The styles to choose from. */
  get styles(): readonly ProjectStyle[] {
    return this.choice.offeredFor(this.model);
  }

  /** The style of all of them; undefined for none. */
  get style(): AppliedStyle | undefined {
    return this.choice.appliedTo(this.model);
  }

  chooseStyle(id: string | undefined): void {
    this.choice.choose(id);
    this.ask();
  }

  get rows(): readonly MissingRow[] {
    return this.images.map((image) => this.row(image));
  }

  /** The rows that can be ordered now: selected and priced. */
  get agreed(): readonly AgreedImage[] {
    const { model } = this;
    if (!model) return [];
    return this.rows.flatMap(({ image, ticked, wants, price, inputs }) =>
      ticked && wants === 'ready' && price.says === 'stated' ? [{ image, model, inputs, cents: price.cents }] : [],
    );
  }

  /** True while prices of selected rows are being requested. */
  get isAsking(): boolean {
    return this.asking !== undefined;
  }

  /** Uses this model, with its last rendered values as defaults. */
  use(model: Model, rendered: FieldValues | undefined): void {
    this.using = { model, rendered };
    this.ask();
  }

  /** Sets an image's prompt; a row that had none is selected. */
  say(file: string, prompt: string): void {
    this.prompts.set(file, prompt.trim());
    if (prompt.trim() === '') this.ticks.delete(file);
    else this.ticks.add(file);
    this.ask();
  }

  /** Sets where an image goes that had no place: it's selected as this file (URI) if it has a prompt. */
  place(file: string, placed: Pick<MissingImage, 'file' | 'problem'>): void {
    const prompt = this.prompts.get(file) ?? '';
    this.images = this.images.map((image) => (image.file === file ? { ...image, ...placed, doubt: undefined } : image));
    this.prompts.delete(file);
    this.say(placed.file, prompt);
  }

  /** Selects exactly these (URIs of files), except those that can't be rendered. */
  tick(files: ReadonlySet<string>): void {
    this.ticks.clear();
    for (const { image, wants } of this.rows)
      if (wants === 'ready' && files.has(image.file)) this.ticks.add(image.file);
    this.ask();
  }

  /** Requests missing prices of the selection again; resolves when they're known or unavailable. */
  async settle(): Promise<void> {
    this.prices = new Map();
    this.ask();
    await this.asking;
  }

  /** Requests no more prices. */
  dispose(): void {
    this.ending.abort();
    this.listening.dispose();
    this.changed.dispose();
  }

  private row(image: MissingImage): MissingRow {
    const prompt = this.prompts.get(image.file) ?? '';
    const inputs = prompt === '' ? undefined : this.inputsOf(prompt, image.size);
    return {
      image,
      prompt,
      ticked: this.ticks.has(image.file),
      wants: this.wantOf(image, prompt, inputs),
      price: (inputs && this.prices.get(this.priceId(inputs))) ?? { says: 'notAsked' },
      shape: this.using && image.size ? shapeWords(this.using.model, image.size) : '',
      inputs: inputs ?? {},
    };
  }

  private wantOf(
    { problem, doubt }: MissingImage,
    prompt: string,
    inputs: JsonObject | undefined,
  ): MissingRow['wants'] {
    if (doubt?.why === 'place') return 'place';
    if (problem !== undefined) return 'name';
    if (prompt === '') return 'prompt';
    return inputs || !this.using ? 'ready' : 'model';
  }

  private inputsOf(prompt: string, size: ImageSize | undefined): JsonObject | undefined {
    if (!this.using) return undefined;
    const { model, rendered } = this.using;
    const inputs = linkInputs(model, rendered, prompt, size, this.style);
    return inputs && this.seeds.fill(model.id, model.fields, inputs);
  }

  private priceId(inputs: JsonObject): string {
    return JSON.stringify([this.using?.model.id, inputs]);
  }

  private ask(): void {
    if (!this.asking && this.isToAsk) this.asking = this.askAll();
    this.tell();
  }

  /** One after the other. If the service isn't responding, the rest wait for the next request. Never rejects. */
  private async askAll(): Promise<void> {
    // The selection may grow while the last response arrives.
    for (let goesOn = true; goesOn && this.isToAsk;) goesOn = await this.askTicked();
    this.asking = undefined;
    this.tell();
  }

  private askTicked(): Promise<boolean> {
    return quoteMany(this.questions(), {
      atOnce: 1,
      signal: this.ending.signal,
      ask: ({ modelId, inputs }, signal) => this.price(modelId, inputs, signal),
      answered: ({ id }, cents) => this.note(id, cents === undefined ? { says: 'none' } : { says: 'stated', cents }),
      failed: ({ id }, error) => {
        this.note(id, { says: 'failed', error });
        return !isAboutInputs(error);
      },
    });
  }

  /** The prices to request, by the selection at that time. */
  private *questions(): Iterable<PriceQuestion> {
    for (let row = this.unpriced(); row && this.using; row = this.unpriced()) {
      const { inputs } = row;
      const id = this.priceId(inputs);
      this.note(id, { says: 'asking' });
      yield { id, modelId: this.using.model.id, inputs };
    }
  }

  private note(id: string, price: RowPrice): void {
    this.prices.set(id, price);
    this.tell();
  }

  private get isToAsk(): boolean {
    return !this.ending.signal.aborted && this.unpriced() !== undefined;
  }

  private unpriced(): MissingRow | undefined {
    if (!this.using) return undefined;
    return this.rows.find(({ ticked, wants, price }) => ticked && wants === 'ready' && price.says === 'notAsked');
  }

  private tell(): void {
    if (!this.ending.signal.aborted) this.changed.fire();
  }
}

function isAboutInputs(error: unknown): boolean {
  return error instanceof ServiceError && error.kind === 'invalidInput';
}

function shapeWords({ fields }: Model, size: ImageSize): string {
  return Object.values(shapeInputs(fields, size)).map(String).join(' × ');
}

/** A link to an image that doesn't exist. */
export interface MissingLink {
  readonly link: ImageLink;
  /** URI. */
  readonly file: string;
  /** Why nothing can be saved as that file, in words. */
  readonly problem: string | undefined;
  readonly doubt?: Doubt;
}

/**
 * Adds a document's (URI) links to the missing images, by `fileKey`. An image that several links name is ordered and
 * paid for once. The first link with words describes it, the first with a size sets its size.
 */
export function joinMissing(
  images: Map<string, MissingImage>,
  document: string,
  { link, file, problem, doubt }: MissingLink,
): void {
  const key = fileKey(file);
  const known = images.get(key);
  const words = promptOfLink(link);
  const isDescribed = known?.prompt !== undefined;
  const more = {
    prompt: isDescribed ? known.prompt : words,
    isWorth: known && (isDescribed || words === undefined) ? known.isWorth : isWorthRendering(link),
    size: known?.size ?? shapeOf(link),
  };
  if (known) images.set(key, { ...known, documents: [...known.documents, document], ...more });
  else {
    const { address, cell } = link;
    images.set(key, { file, documents: [document], offset: address.start, cell, problem, doubt, ...more });
  }
}
