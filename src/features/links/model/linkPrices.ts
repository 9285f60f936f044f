import { type Disposable, Disposables, Emitter } from '../../../base/disposable';
import { type Log, reasonOf } from '../../../base/log';
import type { JsonObject } from '../../../base/json';
import {
  checkInputs,
  type Field,
  type FieldValues,
  fittedValues,
  inputsOf,
  mayMake,
  type Model,
  promptField,
  valuesFrom,
} from '../../../catalog/fields';
import type { Session } from '../../../catalog/session';
import type { Hints } from '../../../compose/hints';
import { type AppliedStyle, sentValues, type StyleSource, StyleChoice } from '../../../compose/projectStyles';
import { shapeInputs, type StatedSize } from '../../../documents/prompt';
import type { Drafts } from '../../models/model/drafts';
import type { LastModel } from '../../models/model/lastModel';

/** The price of a render for a link, and its model. */
export interface LinkPrice {
  readonly title: string;
  readonly cents: number;
}

/** Prices of renders for links. One request at a time. */
export class LinkPrices implements Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new Emitter<void>());
  /** Fires when prices may differ, since the project's styles or the chosen one changed. */
  readonly onDidChange = this.changed.event;
  private last: Promise<unknown> = Promise.resolve();
  private followed: StyleSource | undefined;

  constructor(
    private readonly session: Session,
    private readonly hints: Hints,
    private readonly drafts: Drafts,
    private readonly lastModel: LastModel,
    private readonly styles: () => Promise<StyleSource>,
    private readonly log: Log,
  ) {}

  /**
   * The price in cents with the default model and style of quick renders. Undefined without a connection, before the
   * first render, in Restricted Mode, or when the price is unavailable. Never rejects.
   */
  async of(prompt: string, size: StatedSize | undefined): Promise<LinkPrice | undefined> {
    const modelId = this.lastModel.read();
    if (this.session.state.status !== 'connected' || modelId === undefined) return undefined;
    try {
      const model = await this.hints.model(modelId);
      if (!mayMake(model, 'image')) return undefined;
      const style = await this.styleFor(model);
      const inputs = linkInputs(model, this.drafts.rendered(modelId), prompt, size, style);
      const cents = inputs && (await this.inTurn(() => this.hints.price(model, inputs)));
      return cents === undefined ? undefined : { title: model.title, cents };
    } catch (error) {
      this.log.info(`Couldn’t get the price for a link: ${reasonOf(error)}`);
      return undefined;
    }
  }

  dispose(): void {
    this.own.dispose();
  }

  /** The style that the next quick render starts with. */
  private async styleFor(model: Model): Promise<AppliedStyle | undefined> {
    const styles = await this.styles();
    if (styles !== this.followed) this.own.add(styles.onDidChange(() => this.changed.fire()));
    this.followed = styles;
    return new StyleChoice(styles).appliedTo(model);
  }

  private inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const asked = this.last.then(ask);
    // A failure doesn't affect the next request.
    this.last = asked.catch(() => undefined);
    return asked;
  }
}

/** The values, with those replaced that bring the model closest to a size. */
export function shapedValues(fields: readonly Field[], values: FieldValues, size: StatedSize): FieldValues {
  const inputs = shapeInputs(fields, size);
  const shaped = new Map(valuesFrom(fields, inputs));
  return values.map(([name, value]) => [name, Object.hasOwn(inputs, name) ? (shaped.get(name) ?? value) : value]);
}

/**
 * The inputs of a render for a document's link: its words as the prompt, its size, and otherwise the values last used,
 * but never the images last given: no link shows them. As they're sent with the style. Undefined when the model needs
 * more than that, or takes no prompt.
 */
export function linkInputs(
  { fields }: Pick<Model, 'fields'>,
  rendered: FieldValues | undefined,
  prompt: string,
  size: StatedSize | undefined,
  style?: AppliedStyle,
): JsonObject | undefined {
  const words = promptField(fields)?.name;
  if (words === undefined) return undefined;
  const images = new Set(fields.filter(({ kind }) => kind === 'image').map(({ name }) => name));
  const last = (rendered ?? []).filter(([name]) => !images.has(name));
  const fitted = fittedValues(fields, last);
  const shaped = size ? shapedValues(fields, fitted, size) : fitted;
  const own = shaped.map(([name, value]) => [name, name === words ? prompt : value] as const);
  const values = sentValues(style, own);
  return checkInputs(fields, values).length === 0 ? inputsOf(fields, values) : undefined;
}
