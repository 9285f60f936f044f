import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { systemRandom } from '../../base/random';
import type { CatalogClient } from '../../catalog/client';
import { Quotes } from '../../catalog/quotes';
import type { Order, Target } from '../../renders/record';
import { connectedClient } from '../account/connectedClient';
import { showProblem } from '../commands';
import type { DialogParts } from '../quickRender/orderDialog';
import { renderTogether } from '../renders/renderTogether';
import { spender } from '../renders/spender';
import type { Settings } from '../settings';
import { remedyOf, UserError } from '../userError';
import { sentenceOf } from '../words';
import { kindred, type PriceList, type Wish } from './fitting';
import { batch, PriceBox } from './priceBox';
import { PriceComparison, type Priced } from './priceComparison';
import type { PriceWish } from './priceWish';
import { TickedModels } from './tickedModels';

/** Quotes one prompt with many models, and renders it with those the person ticks. */
export class ComparePrices {
  private readonly quotes = new Quotes(systemClock);
  private readonly ticked: TickedModels;

  constructor(
    private readonly parts: DialogParts,
    private readonly settings: Pick<Settings, 'notifications'>,
  ) {
    this.ticked = new TickedModels(parts.memory);
  }

  /**
   * Shows what the wish costs with its model and with others of the kind, and renders with those that are ticked after one question
   * with their sum. True when something was ordered; resolves before that has ended. Rejects with UserError when the wish is not
   * complete or no account is connected, with ServiceError when the models cannot be had.
   */
  async open({ modelId, inputs, target }: PriceWish): Promise<boolean> {
    if (!inputs) throw new UserError(vscode.l10n.t('Fill in what the form still asks for, then compare the prices.'));
    const { session, connection, doors, renders, countdown } = this.parts;
    await connection.start();
    const client = connectedClient(session);
    const [model, { listing }] = await Promise.all([session.model(modelId), doors.list.read()]);
    const decided = await renders.targets.decide(target);
    if (!decided) return false;
    const comparison = this.comparisonOf({ model, inputs }, kindred(model, listing.items, this.atHand()), client);
    const box = new PriceBox({ comparison, session, countdown, ticked: this.ticked.read() });
    try {
      void comparison.ask(batch);
      for (let chosen = await box.ask(); chosen; chosen = await box.ask()) {
        const orders = chosen.map((priced) => orderOf(priced, decided, client.account));
        if (await this.agreesTo(orders, decided)) {
          void this.ticked.keep(orders.map((order) => order.modelId));
          const title = vscode.l10n.t('Rendering with {0} models', orders.length);
          void renderTogether(orders, renders, this.settings, { title, compared: true });
          return true;
        }
      }
      return false;
    } finally {
      box.dispose();
      comparison.dispose();
    }
  }

  /** Those ticked last time, favourites, and those used last. */
  private atHand(): readonly string[] {
    const { favourites, recent } = this.parts.doors.atHand;
    return [...this.ticked.read(), ...favourites, ...recent];
  }

  private comparisonOf(wish: Wish, others: ConstructorParameters<typeof PriceComparison>[1], client: CatalogClient) {
    return new PriceComparison(wish, others, this.pricesOf(client));
  }

  private pricesOf(client: CatalogClient): PriceList {
    return {
      model: (id) => this.parts.session.model(id),
      quote: (id, inputs, signal) => this.quotes.of(client, id, inputs, { signal }),
    };
  }

  /** The one question, with the sum; a limit that all together would exceed is told in its place. */
  private async agreesTo(orders: readonly Order[], target: Target): Promise<boolean> {
    const { renders, session } = this.parts;
    const shownCents = orders.reduce((sum, order) => sum + (order.shownCents ?? 0), 0);
    try {
      renders.spend.checkBudgets({ shownCents, target });
    } catch (error) {
      void showProblem(sentenceOf(error), remedyOf(error));
      return false;
    }
    return spender(session).ask({ about: 'price', orders, since: { renders: 0, cents: 0 } });
  }
}

function orderOf({ model, inputs, costCents }: Priced, target: Target, account: string): Order {
  return { intent: systemRandom.uuid(), modelId: model.id, inputs, target, shownCents: costCents, account };
}
