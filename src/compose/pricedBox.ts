import * as vscode from 'vscode';
import { systemClock } from '../base/clock';
import { type Disposable, Disposables } from '../base/disposable';
import { escapeForIcons } from '../base/plain';
import { caughtUp, inputStep, keepOrder, untilLeft, whileBusy } from '../editor/boxes';
import { StableRows } from '../editor/stableRows';
import { readMs, Standing } from '../editor/standing';
import { fitWords, money, sentenceOf } from '../editor/words';
import { fileNameOf } from '../files/names';
import {
  changePrompt,
  type DraftItem,
  type DraftList,
  type ListItem,
  type PricedList,
  type PricedRow,
  type Stated,
} from './pricedList';

/** What pressing something in the box does: returns the step that leaves it, or undefined to stay. */
export interface Press<Step> {
  readonly press?: () => Step | undefined;
}

export interface BoxButton<Step> extends vscode.QuickInputButton, Press<Step> {}

/** A row of the box. One that isn't of the list, or can't be selected, may do something when it alone is selected. */
export interface BoxRow<Step> extends vscode.QuickPickItem, Press<Step> {
  /** Of the list's row that it shows. */
  readonly id?: string;
  readonly buttons?: readonly BoxButton<Step>[];
}

/** What a box says of a list. */
export interface PricedView<Step> {
  /** What is matched with a filter, apart from labels; and whether the box stays when the window loses focus. */
  readonly look: { matchOnDescription?: boolean; matchOnDetail?: boolean; ignoreFocusOut?: boolean };
  title(): string;
  placeholder(): string;
  /** In order. `held`: the ids of rows that keep their places, since someone is working with them. */
  rows(held: readonly string[]): readonly BoxRow<Step>[];
  buttons?(): readonly BoxButton<Step>[];
  /** Called on Enter. Undefined to stay, `order` to order what is selected if all of it has its price. */
  accept?(): Promise<Step | 'order' | undefined>;
}

/** Prices that arrive together are drawn at once, ms: a click is lost if its row is replaced during it. */
const gatherMs = 100;

/**
 * A quick pick of a priced list. Its ticks are what gets ordered, and its title has the sum. Only what is shown with
 * its price can be confirmed, by a key that comes after one could read the list. It orders nothing itself.
 */
export class PricedBox<T extends ListItem, P extends Stated, Step> implements Disposable {
  private readonly own = new Disposables();
  private readonly picker = this.own.add(vscode.window.createQuickPick<BoxRow<Step>>());
  private readonly rows = new StableRows(this.picker, ({ id }) => id);
  private readonly standing = this.own.add(new Standing(systemClock, readMs.list, caughtUp));
  /** Someone is working with the rows: they keep their places. */
  private isHeld = false;
  /** More rows were requested: they are put in order once all have arrived. */
  private isExtending = false;
  private drawing: Disposable | undefined;
  private leave: (step: Step | 'order' | undefined) => void = () => {};

  constructor(
    private readonly list: PricedList<T, P>,
    private readonly view: PricedView<Step>,
  ) {
    const { picker, own } = this;
    Object.assign(picker, { canSelectMany: true, keepScrollPosition: true, ...view.look });
    keepOrder(picker);
    own.add(list.onDidChange(() => this.drawSoon()));
    own.add({ dispose: () => this.drawing?.dispose() });
    own.add(picker.onDidChangeValue((text) => (this.isHeld ||= text !== '')));
    own.add(picker.onDidChangeActive(([row]) => (this.isHeld ||= row !== undefined)));
    own.add(picker.onDidChangeSelection((rows) => this.select(rows)));
    own.add(picker.onDidTriggerButton((pressed) => this.press(pressed as BoxButton<Step>)));
    own.add(picker.onDidTriggerItemButton(({ button }) => this.press(button as BoxButton<Step>)));
    own.add(picker.onDidAccept(() => void this.accept()));
    own.add(this.standing.onDidStand(() => this.say()));
  }

  /**
   * Shows the box until something is to be ordered, or a step is chosen; undefined when the user dismisses it, or
   * nobody waits for them anymore.
   */
  async ask(signal?: AbortSignal): Promise<Step | 'order' | undefined> {
    if (signal?.aborted) return undefined;
    return untilLeft((leave, own) => {
      this.leave = leave;
      const close = () => leave(undefined);
      signal?.addEventListener('abort', close);
      own.add({ dispose: () => signal?.removeEventListener('abort', close) });
      this.standing.again('list');
      this.draw();
      this.showTicks();
      return this.picker;
    });
  }

  /** Says title and placeholder again. */
  say(): void {
    const { picker, list, view } = this;
    // Also while Enter doesn't count yet.
    picker.busy = list.isAsking || !picker.enabled || !this.standing.has('list');
    picker.title = view.title();
    picker.placeholder = view.placeholder();
    const buttons = view.buttons?.() ?? [];
    // Only when they change: the editor draws them again.
    if (picker.buttons.length !== buttons.length) picker.buttons = buttons;
  }

  dispose(): void {
    this.own.dispose();
  }

  /** The editor's selection counts only as far as the list takes it. */
  private select(selected: readonly BoxRow<Step>[]): void {
    const added = selected.filter((row) => !this.isTicked(row));
    this.list.tick(idsOf(selected));
    const [first, second] = added;
    // Selecting all rows at once means none of what a single row does.
    if (first?.press && !second) this.press(first);
    else if (first) this.isHeld = true;
    this.showTicks(selected);
    this.say();
  }

  private press({ press }: Press<Step>): void {
    const step = press?.();
    if (step !== undefined) this.leave(step);
    else this.isExtending = true;
  }

  private async accept(): Promise<void> {
    const { picker, list, view } = this;
    if (!this.standing.has('list')) return;
    // The selection that is on screen is the one that's confirmed.
    list.tick(idsOf(picker.selectedItems));
    await whileBusy(picker, async () => {
      const step = view.accept ? await view.accept() : 'order';
      if (step !== undefined && (step !== 'order' || list.isAgreed)) this.leave(step);
    });
    this.draw();
    this.showTicks();
  }

  private drawSoon(): void {
    this.drawing ??= systemClock.after(gatherMs, () => this.draw());
  }

  private draw(): void {
    this.drawing?.dispose();
    this.drawing = undefined;
    const { list, view, picker } = this;
    if (this.isExtending && !list.isAsking) this.isHeld = this.isExtending = false;
    const rows = view.rows(this.isHeld ? [...idsOf(picker.items)] : []);
    if (this.rows.show(rows)) this.showTicks();
    this.say();
  }

  /** Selects rows in the editor as in the list, unless `selected` shows that they are. */
  private showTicks(selected?: readonly BoxRow<Step>[]): void {
    const ticked = this.picker.items.filter((row) => this.isTicked(row));
    const isShown = selected?.length === ticked.length && ticked.every((row) => selected.includes(row));
    if (!isShown) this.picker.selectedItems = ticked;
  }

  private isTicked({ id }: BoxRow<Step>): boolean {
    return id !== undefined && this.list.row(id)?.ticked === true;
  }
}

function idsOf(rows: readonly BoxRow<unknown>[]): ReadonlySet<string> {
  return new Set(rows.flatMap(({ id }) => id ?? []));
}

/** As `PricedBox.ask`, for one step. */
export async function showPriced<T extends ListItem, P extends Stated, Step>(
  list: PricedList<T, P>,
  view: PricedView<Step>,
  signal?: AbortSignal,
): Promise<Step | 'order' | undefined> {
  const box = new PricedBox(list, view);
  try {
    return await box.ask(signal);
  } finally {
    box.dispose();
  }
}

/** The sum of a list's ticks, as far as it's known. */
export function sumWords(list: PricedList<ListItem, Stated>): string {
  const sum = money(list.sumCents);
  return list.isAsking ? `${sum} + …` : sum;
}

/** The price of a row; empty before it's wanted. */
export function priceWords({ item, price, ticked }: PricedRow<ListItem, Stated>): string {
  if (item.isFree) return money(0);
  switch (price.is) {
    case 'known':
      return price.priced.shownCents === undefined ? vscode.l10n.t('price unknown') : money(price.priced.shownCents);
    case 'asking':
      return '…';
    case 'failed':
      return vscode.l10n.t('no price');
    case 'notAsked':
      return ticked ? '…' : '';
  }
}

export function editButton<Step>(press: () => Step): BoxButton<Step> {
  return { iconPath: new vscode.ThemeIcon('edit'), tooltip: vscode.l10n.t('Edit Prompt'), press };
}

/** Asks for another prompt; undefined when it stays as it is. */
export async function askPrompt(title: string, value: string | undefined): Promise<string | undefined> {
  const prompt = vscode.l10n.t('Describe the image.');
  const answer = await inputStep({ title, back: true, prompt, value, check: () => undefined });
  return typeof answer === 'object' ? answer.text : undefined;
}

/** The subject of a list of drafts. */
export interface DraftWords {
  readonly title: (ticked: number, all: number, sum: string) => string;
  readonly placeholder: string;
}

interface PromptStep {
  /** The id of a row. */
  readonly promptOf: string;
}

/** Shows drafts with their prices until some of them are to be ordered. Otherwise as `PricedBox.ask`. */
export async function showDrafts(
  list: DraftList,
  words: DraftWords,
  signal?: AbortSignal,
): Promise<'order' | undefined> {
  const view: PricedView<PromptStep> = {
    look: { matchOnDetail: true, ignoreFocusOut: true },
    title: () => words.title(list.ticked.length, list.rows.length, sumWords(list)),
    placeholder: () => words.placeholder,
    rows: () => list.rows.map(draftRow),
  };
  for (;;) {
    const step = await showPriced(list, view, signal);
    if (step === undefined || step === 'order') return step;
    const prompt = await askPrompt(vscode.l10n.t('Edit Prompt'), list.row(step.promptOf)?.item.prompt);
    if (prompt !== undefined) void changePrompt(list, step.promptOf, prompt);
  }
}

function draftRow(row: DraftList['rows'][number]): BoxRow<PromptStep> {
  const { item, price } = row;
  const { id, title, draft, prompt, promptField } = item;
  return {
    id,
    label: escapeForIcons(fileOf(draft.target) || title, 200),
    description: escapeForIcons([priceWords(row), title, fitWords(draft.target.fit)].filter(Boolean).join(' · ')),
    detail: escapeForIcons(price.is === 'failed' ? sentenceOf(price.error) : prompt, 300),
    buttons: promptField === undefined ? [] : [editButton(() => ({ promptOf: id }))],
  };
}

/** Empty if its name isn't known yet. */
function fileOf({ folder, fileName, ending, replaces }: DraftItem['draft']['target']): string {
  const name = replaces ? fileNameOf(replaces.uri) : ending !== undefined && `${fileName}.${ending}`;
  return name ? [folder, name].filter(Boolean).join('/') : '';
}
