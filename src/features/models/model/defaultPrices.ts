import { type Disposable, Emitter } from '../../../base/disposable';
import { forEachLimit } from '../../../base/concurrency';
import type { Json, JsonObject } from '../../../base/json';
import type { Log } from '../../../base/log';
import { sampleInputs } from '../../../catalog/connectionCheck';
import { ServiceError } from '../../../catalog/errors';
import { type Field, initialValues, inputsOf } from '../../../catalog/fields';
import type { QuotedPrice, Quotes } from '../../../catalog/quotes';
import type { Session } from '../../../catalog/session';

/** How many models in one list are asked about, and how many at a time: a service may list thousands. */
const [mostAsked, askedAtOnce] = [20, 2];

/** Failures after which nothing more is asked, until the models are next seen. */
const passing: ReadonlySet<ServiceError['kind']> = new Set(['noAnswer', 'tooManyRequests']);

/**
 * The last price of each model with its default inputs, whatever its texts. Learned from every price that a window
 * requests, and requested once for models that the user sees.
 */
export class DefaultPrices implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly known = new WeakMap<QuotedPrice['client'], Map<string, number>>();
  /** Of models that were only looked at; undefined while the service is asked, and when it can't say. */
  private readonly seen = new WeakMap<QuotedPrice['client'], Map<string, number | undefined>>();
  /** The inputs that were priced for that. */
  private readonly sampled = new WeakSet<JsonObject>();
  private asking = Promise.resolve();
  private readonly listening: Disposable;

  constructor(
    private readonly session: Pick<Session, 'model'> & { readonly client: QuotedPrice['client'] | undefined },
    private readonly quotes: Pick<Quotes, 'onDidQuote' | 'of'>,
    private readonly log: Log,
  ) {
    this.listening = quotes.onDidQuote((price) => void this.learn(price));
  }

  /** Euro cents, from the account in use; undefined while unknown. */
  of(modelId: string): number | undefined {
    const { client } = this.session;
    return this.ofUsed(modelId) ?? (client && this.seen.get(client)?.get(modelId));
  }

  /** The same for a model that was priced for a render: what was only looked at shouldn't become the default model. */
  ofUsed(modelId: string): number | undefined {
    const { client } = this.session;
    return client && this.known.get(client)?.get(modelId);
  }

  /**
   * Requests the prices of the first of these models, each once, with a sample text and without images, and announces
   * them together: a list that changes takes its hovers away. Resolves when all before have ended, too; never rejects:
   * a failure only leaves a model without a price.
   */
  ask(modelIds: readonly string[]): Promise<void> {
    const { client } = this.session;
    if (!client) return this.asking;
    const seen = this.seen.get(client) ?? new Map<string, number | undefined>();
    this.seen.set(client, seen);
    const wanted = modelIds.slice(0, mostAsked).filter((id) => !seen.has(id) && this.of(id) === undefined);
    if (wanted.length === 0) return this.asking;
    for (const id of wanted) seen.set(id, undefined);
    let isAnswered = true;
    const isInUse = () => isAnswered && this.session.client === client;
    const request = async (id: string) => {
      try {
        const inputs = sampleInputs((await this.session.model(id)).fields);
        if (!inputs || !isInUse()) return;
        this.sampled.add(inputs);
        seen.set(id, (await this.quotes.of(client, id, inputs, { times: 1 })).quote.costCents);
      } catch (error) {
        // Whoever opens the model learns why. A service that is away, or asks for a pause, is asked no more now.
        if (error instanceof ServiceError && passing.has(error.kind)) isAnswered = false;
      }
    };
    this.asking = this.asking
      .then(() => forEachLimit(wanted, askedAtOnce, request, isInUse))
      .then(() => {
        if (!isAnswered) for (const id of wanted) if (seen.get(id) === undefined) seen.delete(id);
        if (wanted.some((id) => seen.get(id) !== undefined)) this.changed.announce(undefined, this.log);
      });
    return this.asking;
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  /** Never rejects. */
  private async learn({ client, modelId, inputs, costCents }: QuotedPrice): Promise<void> {
    if (client !== this.session.client || this.sampled.has(inputs)) return;
    // In memory: what is priced was made from its fields.
    const model = await this.session.model(modelId).catch(() => undefined);
    if (!model || !areDefaults(model.fields, inputs)) return;
    const prices = this.known.get(client) ?? new Map<string, number>();
    this.known.set(client, prices);
    if (prices.get(modelId) === costCents) return;
    prices.set(modelId, costCents);
    this.changed.fire();
  }
}

/** True if nothing but texts and seeds differs from what a new form would send. */
function areDefaults(fields: readonly Field[], inputs: JsonObject): boolean {
  const given = new Map(Object.entries(inputs));
  const asText = (value: Json | undefined) => JSON.stringify(value);
  const defaults = new Map(Object.entries(inputsOf(fields, initialValues(fields))));
  return fields.every(({ name, kind, default: stated }) => {
    if (kind === 'text' || kind === 'longText' || kind === 'seed') return true;
    return [undefined, stated, defaults.get(name)].map(asText).includes(asText(given.get(name)));
  });
}
