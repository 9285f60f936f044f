import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, Disposables } from '../../base/disposable';
import { frozenInputs } from '../../base/frozen';
import { escapeForIcons, oneLine } from '../../base/plain';
import { systemRandom } from '../../base/random';
import type { CatalogClient } from '../../catalog/client';
import { promptOf } from '../../catalog/fields';
import type { Session } from '../../catalog/session';
import type { Field } from '../../catalog/types';
import { kindred } from '../../compose/fitting';
import { priceListOf, type PriceWish } from '../../compose/offer';
import {
  arrangedPrices,
  type PriceAnswer,
  PriceComparison,
  type PricedModel,
  PriceSelection,
  totalOf,
} from '../../compose/priceComparison';
import { keepOrder, untilLeft } from '../../editor/boxes';
import { StableRows } from '../../editor/stableRows';
import { UserError } from '../../editor/userError';
import { issueSentence, money, sentenceOf } from '../../editor/words';
import type { LoadedFoundation } from '../../foundation';
import type { PricedOrder } from '../../renders/priced';
import type { Target } from '../../renders/record';
import { waitSentence } from '../account/accountView';
import { connectedClient } from '../account/connectedClient';
import type { Countdown } from '../account/model/keyNotice';
import { isAgreed, renderTogether } from '../rendering/renderTogether';
import { TickedModels } from './model/tickedModels';

/** How many more models are priced at a time: a catalog may hold thousands. */
const batch = 12;
/** The interval between redraws, ms: a click is lost if its row is replaced during it. */
const drawMs = 200;

interface PriceRow extends vscode.QuickPickItem {
  /** Absent on the row that loads more. */
  readonly answer?: PriceAnswer;
}

export interface PriceBoxParts {
  readonly comparison: PriceComparison;
  readonly session: Session;
  readonly countdown: Pick<Countdown, 'seconds' | 'onDidChange'>;
  /** Ids of the models to select as soon as they have a price. */
  readonly ticked: readonly string[];
}

/** A multi-select quick pick of models with their prices. It orders nothing. */
class PriceBox implements Disposable {
  private readonly own = new Disposables();
  private readonly picker = this.own.add(vscode.window.createQuickPick<PriceRow>());
  private readonly ticks: PriceSelection;
  private rows: readonly PriceRow[] = [];
  private readonly shownRows = new StableRows(this.picker, ({ answer }) => answer);
  /** Someone is working with the rows: they keep their places. */
  private isHeld = false;
  /** More were requested. */
  private isExtending = false;
  private drawing: Disposable | undefined;
  private leave: (chosen: readonly PricedModel[] | undefined) => void = () => {};

  constructor(private readonly parts: PriceBoxParts) {
    const { picker, own } = this;
    const { comparison, session, countdown } = parts;
    this.ticks = new PriceSelection(parts.ticked);
    picker.canSelectMany = true;
    picker.matchOnDescription = true;
    keepOrder(picker);
    own.add(comparison.onDidChange(() => this.drawSoon()));
    own.add(session.onDidChange(() => this.say()));
    own.add(countdown.onDidChange(() => this.say()));
    own.add(picker.onDidChangeValue((text) => (this.isHeld ||= text !== '')));
    own.add(picker.onDidChangeActive(([row]) => (this.isHeld ||= row !== undefined)));
    own.add(picker.onDidChangeSelection((rows) => this.tick(rows)));
    own.add(picker.onDidAccept(() => this.accept()));
    own.add({ dispose: () => this.drawing?.dispose() });
  }

  /** Shows the box with the current selection; resolves with the final one, undefined when the person dismisses it. */
  ask(): Promise<readonly PricedModel[] | undefined> {
    return untilLeft((leave) => {
      this.leave = leave;
      this.draw();
      return this.picker;
    });
  }

  dispose(): void {
    this.own.dispose();
  }

  private get chosen(): readonly PricedModel[] {
    return this.rows.flatMap(({ answer }) => (answer?.says === 'price' && this.ticks.has(answer) ? [answer] : []));
  }

  /** The editor's selection counts only as far as it has prices. */
  private tick(selected: readonly PriceRow[]): void {
    const shown = this.rows.flatMap(({ answer }) => answer ?? []);
    const taken = this.ticks.take(
      selected.map(({ answer }) => answer),
      shown,
    );
    if (taken === 'more') this.askForMore();
    else if (taken === 'added') this.isHeld = true;
    this.showTicks(selected);
    this.say();
  }

  /** New rows are appended; once all have arrived, they are sorted by price. */
  private askForMore(): void {
    this.isExtending = true;
    void this.parts.comparison.ask(batch);
  }

  private accept(): void {
    const { chosen } = this;
    const { session } = this.parts;
    if (chosen.length === 0) return;
    if ((totalOf(chosen, session.state.balance?.cents).afterCents ?? 0) >= 0) return this.leave(chosen);
    // The balance may have been topped up since.
    void session.refreshBalance();
  }

  private drawSoon(): void {
    this.drawing ??= systemClock.after(drawMs, () => this.draw());
  }

  private draw(): void {
    this.drawing?.dispose();
    this.drawing = undefined;
    const { comparison } = this.parts;
    if (this.isExtending && !comparison.isAsking) this.isHeld = this.isExtending = false;
    const shown = this.rows.flatMap(({ answer }) => (answer ? [answer.model.id] : []));
    const answers = arrangedPrices(comparison.answers, this.isHeld ? shown : []);
    const rows = [...answers.map(rowOf), ...this.moreRow()];
    if (this.shownRows.show(rows)) this.rows = rows;
    this.showTicks();
    this.say();
  }

  /** Selects the rows in the editor, unless `selected` shows that they are. */
  private showTicks(selected?: readonly PriceRow[]): void {
    const ticked = this.rows.filter(({ answer }) => answer && this.ticks.has(answer));
    const isShown = selected?.length === ticked.length && ticked.every((row) => selected.includes(row));
    if (!isShown) this.picker.selectedItems = ticked;
  }

  /** Updates title and placeholder. */
  private say(): void {
    const { picker, parts } = this;
    const { comparison, countdown } = parts;
    const { seconds } = countdown;
    const { model, inputs } = comparison.wish;
    picker.busy = comparison.isAsking;
    picker.title = this.title();
    picker.placeholder =
      comparison.unasked > 0 && seconds !== undefined
        ? waitSentence(seconds)
        : vscode.l10n.t('Select models for “{0}”', oneLine(promptOf(model, inputs), 60));
  }

  private title(): string {
    const { count, costCents, afterCents } = totalOf(this.chosen, this.parts.session.state.balance?.cents);
    const price = money(costCents);
    if (count === 0) return vscode.l10n.t('Compare Prices');
    if (afterCents === undefined) return vscode.l10n.t('Compare Prices · {0} selected · {1}', count, price);
    return afterCents < 0
      ? vscode.l10n.t(
          'Compare Prices · {0} selected · {1} · your balance is {2} short',
          count,
          price,
          money(-afterCents),
        )
      : vscode.l10n.t('Compare Prices · {0} selected · {1} · balance after {2}', count, price, money(afterCents));
  }

  private moreRow(): PriceRow[] {
    const { unasked, isAsking, problem } = this.parts.comparison;
    if (unasked === 0 || isAsking) return [];
    return [
      {
        label: vscode.l10n.t('Load {0} more prices', Math.min(unasked, batch)),
        description: vscode.l10n.t('not yet loaded: {0}', unasked.toLocaleString(vscode.env.language)),
        detail: problem === undefined ? undefined : escapeForIcons(sentenceOf(problem)),
        iconPath: new vscode.ThemeIcon('add'),
        alwaysShow: true,
      },
    ];
  }
}

function rowOf(answer: PriceAnswer): PriceRow {
  const { model } = answer;
  const label = escapeForIcons(model.title, 80);
  const row = (words: string, detail?: string, icon?: string) => ({
    label,
    description: escapeForIcons(`${words} · ${model.id}`),
    detail,
    iconPath: icon === undefined ? undefined : new vscode.ThemeIcon(icon),
    answer,
  });
  switch (answer.says) {
    case 'price':
      return row(money(answer.costCents), leftWords(answer.left));
    case 'notStated':
      return row(noPrice(), vscode.l10n.t('The service doesn’t state a price for these inputs.'), 'circle-slash');
    case 'hindered':
      return row(noPrice(), hindranceWords(answer), 'circle-slash');
    case 'failed':
      return row(noPrice(), escapeForIcons(sentenceOf(answer.error)), 'circle-slash');
  }
}

function noPrice(): string {
  return vscode.l10n.t('no price');
}

function hindranceWords({ field, issue }: Extract<PriceAnswer, { says: 'hindered' }>): string {
  const label = escapeForIcons(field.label, 60);
  return issue.code === 'required'
    ? vscode.l10n.t('Also requires: {0}', label)
    : vscode.l10n.t('{0}: {1}', label, issueSentence(issue));
}

/** Names the fields whose values another model doesn't accept; undefined when it accepts all. For a quick pick. */
export function leftWords(left: readonly Field[]): string | undefined {
  const names = left.map(({ label }) => oneLine(label, 40)).join(', ');
  return names === '' ? undefined : escapeForIcons(vscode.l10n.t('Not carried over: {0}', names));
}

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
        const orders = await renders.orders.current(chosen.map((priced) => orderOf(priced, decided, client)));
        if (await isAgreed(() => renders.orders.agreesTo(orders))) {
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
