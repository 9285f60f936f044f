import { type Disposable, Emitter } from '../../../base/disposable';
import type { Json, JsonObject } from '../../../base/json';
import { type Field, initialValues, inputsOf } from '../../../catalog/fields';
import type { QuotedPrice, Quotes } from '../../../catalog/quotes';
import type { Session } from '../../../catalog/session';

/**
 * The last price of each model with its default inputs, whatever its texts. Learned from the prices that a window
 * requests for other reasons: none is requested here.
 */
export class DefaultPrices implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly known = new WeakMap<QuotedPrice['client'], Map<string, number>>();
  private readonly listening: Disposable;

  constructor(
    private readonly session: Pick<Session, 'model'> & { readonly client: QuotedPrice['client'] | undefined },
    quotes: Pick<Quotes, 'onDidQuote'>,
  ) {
    this.listening = quotes.onDidQuote((price) => void this.learn(price));
  }

  /** Euro cents, from the account in use; undefined while unknown. */
  of(modelId: string): number | undefined {
    const { client } = this.session;
    return client && this.known.get(client)?.get(modelId);
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
