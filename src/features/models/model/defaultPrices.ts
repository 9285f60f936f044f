import { type Disposable, Emitter } from '../../../base/disposable';
import { forEachLimit } from '../../../base/concurrency';
import type { Json, JsonObject } from '../../../base/json';
import { sampleInputs } from '../../../catalog/connectionCheck';
import { type Field, initialValues, inputsOf } from '../../../catalog/fields';
import type { QuotedPrice, Quotes } from '../../../catalog/quotes';
import type { Session } from '../../../catalog/session';

/** How many models in one list are asked about, and how many at a time: a service may list thousands. */
const [mostAsked, askedAtOnce] = [20, 2];

/**
 * The last price of each model with its default inputs, whatever its texts. Learned from every price that a window
 * requests, and requested once for models that the user sees.
 */
export class DefaultPrices implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly known = new WeakMap<QuotedPrice['client'], Map<string, number>>();
  private readonly asked = new WeakMap<QuotedPrice['client'], Set<string>>();
  private asking = Promise.resolve();
  private readonly listening: Disposable;

  constructor(
    private readonly session: Pick<Session, 'model'> & { readonly client: QuotedPrice['client'] | undefined },
    private readonly quotes: Pick<Quotes, 'onDidQuote' | 'of'>,
  ) {
    this.listening = quotes.onDidQuote((price) => void this.learn(price));
  }

  /** Euro cents, from the account in use; undefined while unknown. */
  of(modelId: string): number | undefined {
    const { client } = this.session;
    return client && this.known.get(client)?.get(modelId);
  }

  /**
   * Requests the prices of the first of these models, each once, with a sample text and without images. Resolves when
   * all before have ended, too; never rejects: a price that can't be had is none.
   */
  ask(modelIds: readonly string[]): Promise<void> {
    const { client } = this.session;
    if (!client) return this.asking;
    const asked = this.asked.get(client) ?? new Set<string>();
    this.asked.set(client, asked);
    const wanted = modelIds.slice(0, mostAsked).filter((id) => !asked.has(id) && this.of(id) === undefined);
    for (const id of wanted) asked.add(id);
    const isInUse = () => this.session.client === client;
    const request = async (id: string) => {
      try {
        const inputs = sampleInputs((await this.session.model(id)).fields);
        if (inputs && isInUse()) await this.quotes.of(client, id, inputs, { times: 1 });
      } catch {
        // Whoever opens the model learns why.
      }
    };
    this.asking = this.asking.then(() => forEachLimit(wanted, askedAtOnce, request, isInUse));
    return this.asking;
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  /** Never rejects. */
  private async learn({ client, modelId, inputs, costCents }: QuotedPrice): Promise<void> {
    if (client !== this.session.client) return;
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
