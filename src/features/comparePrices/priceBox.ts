import * as vscode from 'vscode';
import { frozenInputs } from '../../base/json';
import { escapeForIcons, oneLine } from '../../base/plain';
import { systemRandom } from '../../base/clock';
import type { CatalogClient } from '../../catalog/client';
import { type Field, promptOf } from '../../catalog/fields';
import type { Session } from '../../catalog/session';
import { similarModels, priceListOf, type ModelInputs } from '../../compose/fitting';
import type { DraftRequest } from '../../compose/offer';
import { type BoxRow, PricedBox, type PricedView } from '../../compose/pricedBox';
import { UserError } from '../../editor/userError';
import { issueSentence, money, sentenceOf } from '../../editor/words';
import type { LoadedFoundation } from '../../foundation';
import type { PricedOrder, Target } from '../../renders/record';
import { waitSentence } from '../account/accountView';
import { connectedClient } from '../account/connectedClient';
import type { Countdown } from '../account/model/keyNotice';
import { sharedTitles } from '../models/model/modelGroups';
import { isAgreed, renderTogether } from '../rendering/renderTogether';
import { Blocked, keepTicked, lastTicked, ModelPrices, type ModelRow } from './model/modelPrices';

/** How many more models are priced at a time: a catalog may hold thousands. */
const batch = 12;

function viewOf(
  list: ModelPrices,
  { model, inputs }: ModelInputs,
  session: Session,
  countdown: Countdown,
): PricedView<never> {
  const shortCents = () => list.sumCents - (session.state.balance?.cents ?? Infinity);
  return {
    look: { matchOnDescription: true },
    title: () => titleOf(list, session.state.balance?.cents),
    placeholder: () =>
      list.unasked.length > 0 && countdown.seconds !== undefined
        ? waitSentence(countdown.seconds)
        : vscode.l10n.t('Select models for “{0}”', oneLine(promptOf(model, inputs), 60)),
    rows: (held) => {
      const rows = list.arranged(held);
      const shared = sharedTitles(rows.map(({ item }) => item.model));
      return [...rows.map((row) => rowOf(row, shared.has(row.item.model.title))), ...moreRow(list)];
    },
    accept: () => {
      if (shortCents() <= 0) return Promise.resolve('order');
      // The balance may have been topped up since.
      void session.refreshBalance();
      return Promise.resolve(undefined);
    },
  };
}

function titleOf(list: ModelPrices, balanceCents: number | undefined): string {
  const { length: count } = list.ticked;
  const price = money(list.sumCents);
  if (count === 0) return vscode.l10n.t('Compare Prices');
  if (balanceCents === undefined) return vscode.l10n.t('Compare Prices · {0} selected · {1}', count, price);
  const afterCents = balanceCents - list.sumCents;
  return afterCents < 0
    ? vscode.l10n.t('Compare Prices · {0} selected · {1} · your balance is {2} short', count, price, money(-afterCents))
    : vscode.l10n.t('Compare Prices · {0} selected · {1} · balance after {2}', count, price, money(afterCents));
}

function moreRow(list: ModelPrices): BoxRow<never>[] {
  const { unasked, isAsking, problem } = list;
  if (unasked.length === 0 || isAsking) return [];
  const next = Math.min(unasked.length, batch);
  return [
    {
      label: next === 1 ? vscode.l10n.t('Load 1 more price') : vscode.l10n.t('Load {0} more prices', next),
      description:
        unasked.length > next
          ? vscode.l10n.t('not yet loaded: {0}', unasked.length.toLocaleString(vscode.env.language))
          : undefined,
      detail: problem === undefined ? undefined : escapeForIcons(sentenceOf(problem)),
      iconPath: new vscode.ThemeIcon('add'),
      alwaysShow: true,
      press: () => void list.askMore(batch),
    },
  ];
}

function rowOf({ item: { id, model }, price }: ModelRow, needsId: boolean): BoxRow<never> {
  const row = (words: string, detail?: string, icon?: string) => ({
    id,
    label: escapeForIcons(model.title, 80),
    description: escapeForIcons(needsId ? `${words} · ${id}` : words),
    detail,
    iconPath: icon === undefined ? undefined : new vscode.ThemeIcon(icon),
  });
  const { shownCents, left = [] } = price.is === 'known' ? price.priced : {};
  if (shownCents !== undefined) return row(money(shownCents), leftWords(left));
  const why =
    price.is === 'failed'
      ? failureWords(price.error)
      : vscode.l10n.t('The service doesn’t quote a price for these inputs.');
  return row(vscode.l10n.t('no price'), why, 'circle-slash');
}

function failureWords(error: unknown): string {
  if (!(error instanceof Blocked)) return escapeForIcons(sentenceOf(error));
  const { field, issue } = error.blocker;
  const label = escapeForIcons(field.label, 60);
  return issue.code === 'required'
    ? vscode.l10n.t('Also requires: {0}', label)
    : vscode.l10n.t('{0}: {1}', label, issueSentence(issue));
}

/** Names the fields whose values another model doesn't accept; undefined when it accepts all. For a quick pick. */
export function leftWords(left: readonly Field[]): string | undefined {
  const names = left.map(({ label }) => oneLine(label, 40)).join(', ');
  return names === '' ? undefined : escapeForIcons(vscode.l10n.t('Not copied to the new model: {0}', names));
}

/** Quotes one prompt with many models, and renders it with those the user selects. */
export class ComparePrices {
  constructor(private readonly foundation: LoadedFoundation) {}

  /** As `Verbs.comparePrices`. */
  async open({ modelId, inputs, target }: DraftRequest): Promise<boolean> {
    if (!inputs) throw new UserError(vscode.l10n.t('Complete the form first, then compare prices.'));
    const { session, quotes, connection, list, renders, settings, countdown } = this.foundation;
    await connection.start();
    const client = connectedClient(session);
    const [model, { listing }] = await Promise.all([session.model(modelId), list.read()]);
    const decided = await renders.targets.decide(target);
    if (!decided) return false;
    const others = similarModels(model, listing.items, this.atHand());
    const request = { model, inputs };
    const models = new ModelPrices(request, others, priceListOf(client, session, quotes), this.ticked);
    const box = new PricedBox(models, viewOf(models, request, session, countdown));
    const listening = [session.onDidChange(() => box.say()), countdown.onDidChange(() => box.say())];
    try {
      void models.askMore(batch);
      while (await box.ask()) {
        // The box may have been open for long: confirm the current total.
        const orders = await renders.orders.current(models.agreed.map((agreed) => orderOf(agreed, decided, client)));
        if (await isAgreed(() => renders.orders.agreesTo(orders))) {
          const ids = orders.map((order) => order.modelId);
          void keepTicked(this.foundation.memory.globalState, ids);
          const title = vscode.l10n.t('Rendering with {0} models', orders.length);
          void renderTogether(orders, renders, settings, { title, comparison: 'opens' });
          return true;
        }
      }
      return false;
    } finally {
      for (const one of [...listening, box, models]) one.dispose();
    }
  }

  private get ticked(): readonly string[] {
    return lastTicked(this.foundation.memory.globalState);
  }

  /** Models selected last time, favorites, and recent ones. */
  private atHand(): readonly string[] {
    const { favourites, recent } = this.foundation.chosenModels;
    return [...this.ticked, ...favourites, ...recent];
  }
}

function orderOf(
  { priced: { model, inputs }, cents }: ModelPrices['agreed'][number],
  target: Target,
  client: CatalogClient,
): PricedOrder {
  const intent = systemRandom.uuid();
  const { account } = client;
  const order = { intent, modelId: model.id, inputs: frozenInputs(inputs), target, shownCents: cents };
  return { ...order, account, asked: { client } };
}
