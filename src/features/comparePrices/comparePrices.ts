import * as vscode from 'vscode';
import { frozenInputs } from '../../base/frozen';
import { systemRandom } from '../../base/random';
import type { CatalogClient } from '../../catalog/client';
import type { PricedOrder } from '../../renders/priced';
import type { Target } from '../../renders/record';
import { connectedClient } from '../account/connectedClient';
import type { LoadedFoundation } from '../../foundation';
import { isAgreed, renderTogether } from '../rendering/renderTogether';
import { UserError } from '../../editor/userError';
import { kindred } from '../../compose/fitting';
import { batch, PriceBox } from './priceBox';
import { PriceComparison, type PricedModel } from '../../compose/priceComparison';
import { priceListOf } from '../../compose/quoteMany';
import type { PriceWish } from '../../compose/priceWish';
import { TickedModels } from './model/tickedModels';

/** Quotes one prompt with many models, and renders it with those the person selects. */
export class ComparePrices {
  private readonly ticked: TickedModels;

  constructor(private readonly foundation: LoadedFoundation) {
    this.ticked = new TickedModels(foundation.context.globalState);
  }

  /** As `Verbs.comparePrices`. */
  async open({ modelId, inputs, target }: PriceWish): Promise<boolean> {
    if (!inputs) throw new UserError(vscode.l10n.t('Complete the form first, then compare prices.'));
    const { session, quotes, connection, list, renders, settings, countdown } = this.foundation;
    await connection.start();
    const client = connectedClient(session);
    const [model, { listing }] = await Promise.all([session.model(modelId), list.read()]);
    const decided = await renders.targets.decide(target);
    if (!decided) return false;
    const others = kindred(model, listing.items, this.atHand());
    const comparison = new PriceComparison({ model, inputs }, others, priceListOf(client, session, quotes));
    const box = new PriceBox({ comparison, session, countdown, ticked: this.ticked.read() });
    try {
      void comparison.ask(batch);
      for (let chosen = await box.ask(); chosen; chosen = await box.ask()) {
        // The box may have been open for long: confirm the current total.
        const orders = await renders.spend.current(chosen.map((priced) => orderOf(priced, decided, client)));
        if (await isAgreed(() => renders.spend.agreesTo(orders))) {
          void this.ticked.keep(orders.map((order) => order.modelId));
          const title = vscode.l10n.t('Rendering with {0} models', orders.length);
          void renderTogether(orders, renders, settings, { title, compared: true });
          return true;
        }
      }
      return false;
    } finally {
      box.dispose();
      comparison.dispose();
    }
  }

  /** Models selected last time, favorites, and recent ones. */
  private atHand(): readonly string[] {
    const { favourites, recent } = this.foundation.shelf;
    return [...this.ticked.read(), ...favourites, ...recent];
  }
}

function orderOf({ model, inputs, costCents }: PricedModel, target: Target, client: CatalogClient): PricedOrder {
  const intent = systemRandom.uuid();
  const { account } = client;
  const order = { intent, modelId: model.id, inputs: frozenInputs(inputs), target, shownCents: costCents };
  return { ...order, account, asked: { client } };
}
