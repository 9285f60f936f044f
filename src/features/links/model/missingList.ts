import type { Disposable } from '../../../base/disposable';
import type { JsonObject } from '../../../base/json';
import { ServiceError } from '../../../catalog/errors';
import type { FieldValues, Model, Seeds } from '../../../catalog/fields';
import { questionOf } from '../../../catalog/quotes';
import { type ListItem, PricedList, type PricedRow, type Stated } from '../../../compose/pricedList';
import { type AppliedStyle, type ProjectStyle, type StyleSource, StyleChoice } from '../../../compose/projectStyles';
import type { ImageLink } from '../../../documents/link';
import type { Doubt } from '../../../documents/linkPath';
import { isWorthRendering, promptOfLink, shapeInputs, shapeOf, type StatedSize } from '../../../documents/prompt';
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
  readonly size?: StatedSize;
  /** Why nothing can be saved as that file, in words. */
  readonly problem?: string;
  /** Why it may not be missing at all, so that it isn't selected unasked. */
  readonly doubt?: Doubt;
}

/** An image in the list, with what would be rendered for it. */
export interface MissingItem extends ListItem {
  readonly image: MissingImage;
  readonly prompt: string;
  /**
   * `ready`: can be ordered once priced · `place`: where its file goes can't be told · `name`: nothing can be saved
   * under its name · `prompt`: has no prompt · `model`: the model needs more than a prompt.
   */
  readonly wants: 'ready' | 'place' | 'name' | 'prompt' | 'model';
  /** Its shape in terms of the model's fields: `16:9`; '' when the document states no size. */
  readonly shape: string;
  readonly modelId: string;
  readonly inputs: JsonObject;
}

export type MissingRow = PricedRow<MissingItem, Stated>;

/** Rows beyond these aren't selected at first, so no price is requested for them. */
const mostTicked = 20;

/** Missing images, with the inputs for each by the model and style of all of them. */
export class MissingList extends PricedList<MissingItem, Stated> {
  private using: { readonly model: Model; readonly rendered: FieldValues | undefined } | undefined;
  private readonly choice: StyleChoice;
  private readonly listening: Disposable;

  /**
   * `price` requests the price of a model and inputs in cents, undefined when none is stated, until the signal. With
   * the file (URI) of `wanted`, that image comes first, and is the only one selected if it can be.
   */
  constructor(
    images: readonly MissingImage[],
    price: (modelId: string, inputs: JsonObject, signal: AbortSignal) => Promise<number | undefined>,
    private readonly seeds: Seeds,
    styles: StyleSource,
    wanted?: string,
  ) {
    const isWanted = ({ file }: MissingImage) => wanted !== undefined && fileKey(file) === fileKey(wanted);
    const sorted = [...images].sort((a, b) => Number(isWanted(b)) - Number(isWanted(a)));
    const complete = sorted.filter(
      ({ prompt, isWorth, problem, doubt }) => prompt !== undefined && isWorth && problem === undefined && !doubt,
    );
    const ticked = complete.some(isWanted) ? complete.filter(isWanted) : complete.slice(0, mostTicked);
    super(
      sorted.map((image) => itemOf(image.file, image, image.prompt ?? '')),
      new Set(ticked.map(({ file }) => file)),
      {
        // One after the other: if the service isn't responding, the rest wait for the next request.
        concurrency: 1,
        price: async ({ modelId, inputs }, signal) => ({ shownCents: await price(modelId, inputs, signal) }),
        stopsAt: (error) => !(error instanceof ServiceError && error.kind === 'invalidInput'),
        mayTick: ({ item }) => item.wants === 'ready',
      },
    );
    this.choice = new StyleChoice(styles);
    this.listening = styles.onDidChange(() => this.fill());
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
    this.fill();
  }

  /** Uses this model, with its last rendered values as defaults. */
  use(model: Model, rendered: FieldValues | undefined): void {
    this.using = { model, rendered };
    this.fill();
  }

  /** Sets an image's prompt; a row that had none is selected. */
  say(id: string, words: string): void {
    const { image } = this.row(id)?.item ?? {};
    const prompt = words.trim();
    if (image) this.put([this.itemNow(id, image, prompt)], prompt !== '');
  }

  /** Sets where an image goes that had no place: it's selected as this file (URI) if it has a prompt. */
  place(id: string, placed: Pick<MissingImage, 'file' | 'problem'>): void {
    const { image, prompt = '' } = this.row(id)?.item ?? {};
    if (image) this.put([this.itemNow(id, { ...image, ...placed, doubt: undefined }, prompt)], prompt !== '');
  }

  override dispose(): void {
    this.listening.dispose();
    super.dispose();
  }

  private fill(): void {
    this.put(this.rows.map(({ item: { id, image, prompt } }) => this.itemNow(id, image, prompt)));
  }

  private itemNow(id: string, image: MissingImage, prompt: string): MissingItem {
    if (!this.using) return itemOf(id, image, prompt);
    const { model, rendered } = this.using;
    const inputs = prompt === '' ? undefined : linkInputs(model, rendered, prompt, image.size, this.style);
    return itemOf(id, image, prompt, { model, inputs: inputs && this.seeds.fill(model.id, model.fields, inputs) });
  }
}

/** `using`: its inputs for a model, undefined if that needs more than a prompt. */
function itemOf(
  id: string,
  image: MissingImage,
  prompt: string,
  using?: { readonly model: Model; readonly inputs: JsonObject | undefined },
): MissingItem {
  const { id: modelId = '', fields = [] } = using?.model ?? {};
  const wants = wantOf(image, prompt, !using || using.inputs !== undefined);
  const { inputs } = using ?? {};
  return {
    ...{ id, image, prompt, wants, modelId, inputs: inputs ?? {} },
    shape: image.size ? Object.values(shapeInputs(fields, image.size)).map(String).join(' × ') : '',
    question: inputs && wants === 'ready' ? questionOf(modelId, inputs) : undefined,
  };
}

function wantOf({ problem, doubt }: MissingImage, prompt: string, isTaken: boolean): MissingItem['wants'] {
  if (doubt?.why === 'place') return 'place';
  if (problem !== undefined) return 'name';
  if (prompt === '') return 'prompt';
  return isTaken ? 'ready' : 'model';
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
