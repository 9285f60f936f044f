import type { Clock } from '../../../base/clock';
import type { Disposable, Event } from '../../../base/disposable';
import type { JsonObject } from '../../../base/json';
import { oneLine, manyLines } from '../../../base/plain';
import type { Field, Model } from '../../../catalog/fields';
import type { UsualTargets } from '../../../compose/composer';
import type { Offer } from '../../../compose/offer';
import type { LinkPlace } from '../../../documents/link';
import type { PricedOrder, RenderRecord, Target } from '../../../renders/record';
import type { DraftContent, Drafts } from '../../models/model/drafts';
import type { FormStrings, QuoteView } from '../page/formMessages';

/** The form's dependencies. It collects a user's wishes; whether and how money is spent is decided elsewhere. */
export interface FormHost extends UsualTargets {
  /**
   * Renders the orders of one press after any confirmation their sum needs. A link to the result of one is inserted at
   * the place, described by the prompt of `said`, which no style has added to. Calls `placed` for each that was
   * recorded: none when the user declined, and not the rest when one is rejected. Rejects when nothing was recorded.
   */
  render(
    orders: readonly PricedOrder[],
    place: LinkPlace | undefined,
    typedInputs: JsonObject,
    placed: (record: RenderRecord) => void,
  ): Promise<void>;
  /**
   * Renders that many more images like a render's, each with another seed, after any confirmation: also when one
   * costs more than `seenCents`, the price next to what the user pressed. Resolves when they're ordered, or the user
   * declined. Calls `placed` as `render`, also with the intents of all of them. Rejects as it.
   */
  renderMore(
    id: string,
    count: number,
    seenCents: number,
    placed: (record: RenderRecord, together: readonly string[]) => void,
  ): Promise<void>;
  /**
   * Moves the results of these renders to the trash, next to so many that are kept. False when the user declined.
   * Rejects with UserError.
   */
  removeOthers(keys: readonly string[], kept: number): Promise<boolean>;
  /**
   * The place for a link to a result of that target; undefined when no link is possible where the user was writing
   * last.
   */
  linkPlace(target: Target): LinkPlace | undefined;
  readonly onDidChangeLinkPlace: Event<void>;
  /**
   * Lets the user pick an option that the balance covers: resolves with inputs for the same model. Another model's
   * form opens instead, with the same target.
   */
  whatFits(modelId: string, inputs: JsonObject, target: Target): Promise<JsonObject | undefined>;
  /**
   * Opens the form with the inputs that an image was made from, or shows how it was made if anyone could have written
   * that. Says so itself when it isn't in the workspace, or has no record of that.
   */
  openRecipe(uri: string): Promise<void>;
  /** Lets the user pick one of these prompts; undefined when they cancel. */
  pickPrompt(prompts: readonly string[]): Promise<string | undefined>;
  /** Lets the user pick another folder; undefined when they cancel. */
  chooseTarget(current: Target): Promise<Target | undefined>;
  /** True in Restricted Mode: a project's settings for targets aren't used. */
  isRestricted(): boolean;
  /** The file name a result would get now. */
  previewName(target: Target, model: Model, inputs: JsonObject): string;
  /** `previewName` may be another: files were saved, or others found. */
  readonly onDidChangeNames: Event<void>;
}

/** The state of an offer's price as the form shows it. */
export function quoteView(
  { state, lastCents, count }: Offer,
  words: { readonly strings: FormStrings; sentence(error: unknown): string },
): QuoteView {
  switch (state.status) {
    case 'priced':
      return { status: 'priced', costCents: state.costCents };
    case 'failed':
      return { status: 'failed', problem: words.sentence(state.error) };
    case 'asking':
      return { status: 'asking', lastCents };
    case 'notStated':
      return count === 1 ? { status: 'notStated' } : { status: 'failed', problem: words.strings.variantsNotStated };
    case 'none':
      return { status: 'none' };
  }
}

/** The model with its texts cleaned for display. Ids, names, and values stay as they are, since they are sent. */
export function shownModel(model: Model): Model {
  const { title, description, fields } = model;
  return {
    ...model,
    title: oneLine(title) || oneLine(model.id),
    ...(description !== undefined && { description: oneLine(description, 2000) }),
    fields: fields.map(shownField),
  };
}

function shownField(field: Field): Field {
  const { name, label, help, choices } = field;
  return {
    ...field,
    label: oneLine(label) || oneLine(name),
    ...(help !== undefined && { help: manyLines(help).join('\n') }),
    ...(choices && { choices: choices.map((choice) => ({ ...choice, label: oneLine(choice.label) })) }),
  };
}

/** Pause in typing before the values are stored, ms. */
const keepAfterMs = 250;

/** Stores the draft of one form, so that nothing that was typed is lost. */
export class DraftKeeper {
  private pending: Disposable | undefined;

  constructor(
    private readonly modelId: string,
    private readonly deps: { readonly drafts: Drafts; readonly clock: Clock },
    /** What the form contains now; undefined before it has values. */
    private readonly content: () => DraftContent | undefined,
  ) {}

  /** The form changed, perhaps with more changes to come. */
  soon(): void {
    this.pending?.dispose();
    this.pending = this.deps.clock.after(keepAfterMs, () => this.now());
  }

  /** There may be no later. */
  now(): void {
    this.pending?.dispose();
    const content = this.content();
    if (content) void this.deps.drafts.keep(this.modelId, { ...content, at: this.deps.clock.now() });
  }
}
