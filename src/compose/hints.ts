import { forEachLimit } from '../base/concurrency';
import type { JsonObject } from '../base/json';
import { ServiceError } from '../catalog/errors';
import type { Quotes } from '../catalog/quotes';
import type { Session } from '../catalog/session';
import type { Model } from '../catalog/fields';
import { holdsImages } from '../files/recordedImages';

/** The most renders whose prices are requested for one total. */
const mostPriced = 8;

/** How long a price may be shown, ms: the binding one is requested before any order. */
const hintMs = 5 * 60_000;

/**
 * What the service is asked for although nobody asked for it: the models and prices of what a document names, for
 * lenses, hovers, Quick Fixes, completions, and problems. The only place that decides what of a folder leaves the
 * computer for that: nothing before the folder is trusted, and never an image, nor the URL of one, which the service
 * would fetch for whoever wrote it.
 */
export class Hints {
  constructor(
    private readonly session: Pick<Session, 'model' | 'readModel'> & { readonly client: QuoteClient | undefined },
    private readonly quotes: { get(): Promise<Pick<Quotes, 'of'>> },
    private readonly isTrusted: () => boolean,
  ) {}

  /** The model with this ID; in Restricted Mode only if it has been read before. Rejects with ServiceError. */
  async model(id: string): Promise<Model> {
    if (this.isTrusted()) return this.session.model(id);
    const known = await this.session.readModel(id);
    if (known) return known;
    throw new ServiceError('notAllowed', 'The workspace is in Restricted Mode');
  }

  /**
   * The price of a render in euro cents. Undefined in Restricted Mode, without a connection, with an image among the
   * inputs, and if the service states none. Rejects with ServiceError.
   */
  async price(model: Model, inputs: JsonObject): Promise<number | undefined> {
    const { client } = this.session;
    if (!client || !this.isTrusted() || givesImage(model, inputs)) return undefined;
    const quotes = await this.quotes.get();
    return (await quotes.of(client, model.id, inputs, { freshMs: hintMs })).quote.costCents;
  }

  /** As `price`, for several renders together; undefined if one has no price, or there are too many. Never rejects. */
  async total(
    renders: readonly { readonly modelId: string; readonly inputs: JsonObject }[],
  ): Promise<number | undefined> {
    if (renders.length > mostPriced) return undefined;
    let sum: number | undefined = 0;
    await forEachLimit(renders, mostPriced, async ({ modelId, inputs }) => {
      const price = async () => this.price(await this.model(modelId), inputs);
      const cents = await price().catch(() => undefined);
      sum = sum === undefined || cents === undefined ? undefined : sum + cents;
    });
    return sum;
  }
}

type QuoteClient = Parameters<Quotes['of']>[0];

function givesImage({ fields }: Model, inputs: JsonObject): boolean {
  const isGiven = (name: string) => Object.hasOwn(inputs, name) && inputs[name] !== '' && inputs[name] !== null;
  return holdsImages(inputs) || fields.some(({ kind, name }) => kind === 'image' && isGiven(name));
}
