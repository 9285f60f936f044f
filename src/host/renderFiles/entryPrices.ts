import type * as vscode from 'vscode';
import { eachOf } from '../../base/eachOf';
import type { Field } from '../../catalog/types';
import type { StateOf } from '../../renderFiles/states';
import type { Services } from '../../services';
import type { SentInputs } from './sentInputs';

/** Prices are requested for at most this many renders of an entry; the list shows those of all. */
const mostPriced = 8;

/** Prices are shown without being asked for, so larger given images aren't sent for them, only for the list; bytes. */
const mostSent = 1_000_000;

/** What the renders of entries cost. */
export class EntryPrices {
  constructor(
    private readonly sent: SentInputs,
    private readonly services: Pick<Services, 'session' | 'quotes'>,
  ) {}

  /**
   * The total in cents; undefined if a price is unknown, or takes more than `mostPriced` requests or `mostSent`. Never
   * rejects.
   */
  async of(due: readonly StateOf[], folder: vscode.Uri): Promise<number | undefined> {
    const { session, quotes } = this.services;
    const { client } = session;
    if (!client || due.length > mostPriced) return undefined;
    const known = await quotes.get();
    let sum: number | undefined = 0;
    await eachOf(due, mostPriced, async ({ render }) => {
      const price = async () => {
        const { id, fields } = await session.model(render.modelId);
        const inputs = await this.sent.of(render, fields.map(withinMost), folder);
        return (await known.of(client, id, inputs, {})).quote.costCents;
      };
      const cents = await price().catch(() => undefined);
      sum = sum === undefined || cents === undefined ? undefined : sum + cents;
    });
    return sum;
  }
}

function withinMost(field: Field): Field {
  const { image } = field;
  return image ? { ...field, image: { ...image, maxBytes: Math.min(image.maxBytes, mostSent) } } : field;
}
