import * as vscode from 'vscode';
import { money } from '../../editor/words';
import { Disposables } from '../../base/disposable';
import type { JsonObject } from '../../base/json';
import { connectedClient } from '../account/connectedClient';
import { commands } from '../../editor/ids';
import { escapeForIcons, oneLine } from '../../base/plain';
import { separator, untilLeft } from '../../editor/boxes';
import { findFits, similarModels, type ModelFit, priceListOf, type ModelInputs } from '../../compose/fitting';
import { StableRows } from '../../editor/stableRows';
import type { Foundation } from '../../foundation';
import { sharedTitles } from '../models/model/modelGroups';
import { leftWords } from './priceBox';

interface FitRow extends vscode.QuickPickItem {
  readonly fit?: ModelFit;
  readonly run?: () => unknown;
}

/** As `Verbs.whatFits`. */
export async function whatFits(
  modelId: string,
  inputs: JsonObject,
  foundation: Foundation,
): Promise<ModelFit | undefined> {
  const { session, connection } = foundation;
  await connection.start();
  const quotes = await foundation.quotes.get();
  const client = connectedClient(session);
  const [model, { quote }] = await Promise.all([
    session.model(modelId),
    quotes.of(client, modelId, inputs, { times: 1 }),
    session.refreshBalance(),
  ]);
  return untilLeft<ModelFit>(
    (leave, own) => own.add(new FitPicker(foundation, { model, inputs }, quote.costCents, leave)).picker,
  );
}

/** The quick pick, filled as prices arrive. */
class FitPicker {
  private readonly own = new Disposables();
  readonly picker = this.own.add(vscode.window.createQuickPick<FitRow>());
  private readonly ending = new AbortController();
  private readonly fits: FitRow[] = [];
  private readonly way: FitRow;
  private note: string | undefined;
  private readonly rows = new StableRows(this.picker, ({ fit }) => fit);

  constructor(
    private readonly foundation: Foundation,
    private readonly request: ModelInputs,
    private readonly costCents: number | undefined,
    leave: (fit: ModelFit | undefined) => void,
  ) {
    const { picker, own } = this;
    this.way = this.accountRow();
    picker.title = this.title();
    picker.placeholder = this.shortWords();
    picker.matchOnDescription = true;
    picker.busy = true;
    own.add({ dispose: () => this.ending.abort() });
    own.add(
      picker.onDidAccept(() => {
        const [row] = picker.selectedItems;
        if (!row?.fit && !row?.run) return;
        row.run?.();
        leave(row.fit);
      }),
    );
    this.draw();
    void this.search();
  }

  dispose(): void {
    this.own.dispose();
  }

  private get balance(): number | undefined {
    return this.foundation.session.state.balance?.cents;
  }

  /** The maximum price: the balance, or less than before if that is unknown. */
  private get limit(): number {
    return this.balance ?? (this.costCents ?? Infinity) - 1;
  }

  private async search(): Promise<void> {
    const { request, costCents, limit } = this;
    if (costCents !== undefined && costCents <= limit) this.add({ ...request, left: [], costCents }, false);
    try {
      this.note = (await this.findAll()) ? undefined : moreWords();
    } catch {
      // The list of models is unavailable, which its view reports.
      this.note = moreWords();
    }
    if (this.ending.signal.aborted) return;
    this.picker.busy = false;
    this.draw();
  }

  private async findAll(): Promise<boolean> {
    const { session, quotes, list, chosenModels } = this.foundation;
    const { signal } = this.ending;
    const { listing } = await list.read();
    const models = similarModels(this.request.model, listing.items, [
      ...chosenModels.favourites,
      ...chosenModels.recent,
    ]);
    const shared = sharedTitles(listing.items);
    const { client } = session;
    if (!client || signal.aborted) return false;
    // Without repeats: if the service is slow to respond, the next request is worth as much.
    const prices = priceListOf(client, session, await quotes.get(), { times: 1 });
    return findFits(
      this.request,
      models,
      this.limit,
      prices,
      (fit) => this.add(fit, shared.has(fit.model.title)),
      signal,
    );
  }

  private add(fit: ModelFit, needsId: boolean): void {
    this.fits.push(rowOf(fit, this.request, needsId));
    this.fits.sort((a, b) => (a.fit?.costCents ?? 0) - (b.fit?.costCents ?? 0));
    this.draw();
  }

  private draw(): void {
    const items = [
      ...group(
        vscode.l10n.t('same model'),
        this.fits.filter(({ fit }) => fit?.model.id === this.request.model.id),
      ),
      ...group(
        vscode.l10n.t('other models'),
        this.fits.filter(({ fit }) => fit?.model.id !== this.request.model.id),
      ),
      ...group(vscode.l10n.t('account'), this.ways()),
    ];
    const { picker } = this;
    const isReplaced = this.rows.show(items);
    if (isReplaced && picker.activeItems.length === 0) picker.activeItems = items.slice(1, 2);
  }

  /** The account actions, and remaining notes. */
  private ways(): FitRow[] {
    return [...(this.picker.busy ? [] : this.words()), this.way];
  }

  private words(): FitRow[] {
    const nothing = this.fits.length === 0 ? [vscode.l10n.t('No options within your balance')] : [];
    return [...nothing, ...(this.note === undefined ? [] : [this.note])].map((label) => row('info', label));
  }

  private accountRow(): FitRow {
    const { place } = this.foundation.session.state;
    if (place?.sandbox === true) {
      const add = () => vscode.commands.executeCommand(commands.addPlayMoney);
      return { ...row('add', vscode.l10n.t('Add Play Money')), run: add };
    }
    const base = place?.base ?? '';
    const copy = () => vscode.env.clipboard.writeText(base);
    const label = vscode.l10n.t('Add funds in your account: {0}', escapeForIcons(base));
    return { ...row('account', label, vscode.l10n.t('copy URL')), run: copy };
  }

  private title(): string {
    return this.balance === undefined
      ? vscode.l10n.t('Cheaper Options')
      : vscode.l10n.t('Options up to {0}', money(this.balance));
  }

  private shortWords(): string {
    const { balance, costCents } = this;
    if (costCents === undefined || balance === undefined) return oneLine(this.request.model.title, 80);
    return costCents > balance
      ? vscode.l10n.t('It costs {0}. Your balance is {1} short.', money(costCents), money(costCents - balance))
      : vscode.l10n.t('It costs {0}. Your balance now covers it.', money(costCents));
  }
}

function rowOf(fit: ModelFit, request: ModelInputs, needsId: boolean): FitRow {
  const { model, change, left, costCents } = fit;
  const price = money(costCents);
  if (model.id !== request.model.id) {
    return {
      ...row('library', escapeForIcons(model.title, 80), escapeForIcons(needsId ? `${price} · ${model.id}` : price)),
      detail: leftWords(left),
      fit,
    };
  }
  const label = change
    ? `${escapeForIcons(change.field.label, 60)}: ${escapeForIcons(change.choice.label, 80)}`
    : vscode.l10n.t('No changes');
  return { ...row(change ? 'settings' : 'check', label, price), fit };
}

function row(icon: string, label: string, description?: string): FitRow {
  return { label, description, iconPath: new vscode.ThemeIcon(icon) };
}

function group(label: string, rows: readonly FitRow[]): FitRow[] {
  return rows.length === 0 ? [] : [separator(label), ...rows];
}

function moreWords(): string {
  return vscode.l10n.t('Some prices couldn’t be loaded. There may be more options.');
}
