import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Disposables, type Disposable } from '../../base/disposable';
import { escapeForIcons } from '../../base/plain';
import type { Bill, BillRow } from '../../compose/bill';
import { fileNameOf } from '../../files/names';
import { StableRows } from '../../editor/stableRows';
import { inputStep, untilLeft } from '../../editor/boxes';
import { fitWords, money, sentenceOf } from '../../editor/words';

/** Nobody reads a list faster, ms: a key pressed as it opens was meant for something else. */
const readMs = 700;

interface Row extends vscode.QuickPickItem {
  readonly place: number;
}

/** Prices that arrive together are drawn at once, ms. */
const gatherMs = 100;

type Step = 'order' | { readonly prompt: number };

/** The subject of the box. */
export interface BillWords {
  readonly title: (ticked: number, all: number, sum: string) => string;
  readonly placeholder: string;
}

/**
 * Shows renders with their prices until the person takes some of them. Undefined when they dismiss it, or nobody waits
 * for them anymore.
 */
export async function showBill(bill: Bill, words: BillWords, signal?: AbortSignal): Promise<'order' | undefined> {
  for (;;) {
    if (signal?.aborted) return undefined;
    const step = await untilLeft<Step>((leave, own) => {
      const close = () => leave(undefined);
      signal?.addEventListener('abort', close);
      own.add({ dispose: () => signal?.removeEventListener('abort', close) });
      return own.add(new BillBox(bill, words, leave)).picker;
    });
    if (step === undefined || step === 'order') return step;
    await changePrompt(bill, step.prompt);
  }
}

/** A quick pick whose selection is what gets rendered; its title has the total. */
class BillBox implements Disposable {
  private readonly own = new Disposables();
  readonly picker = this.own.add(vscode.window.createQuickPick<Row>());
  private readonly rows = new StableRows(this.picker, ({ place }) => place);
  private readonly openedAt = systemClock.ticks();
  private drawing: Disposable | undefined;

  constructor(
    private readonly bill: Bill,
    private readonly words: BillWords,
    private readonly leave: (step: Step) => void,
  ) {
    const { picker, own } = this;
    picker.canSelectMany = true;
    picker.matchOnDetail = true;
    picker.ignoreFocusOut = true;
    picker.placeholder = words.placeholder;
    this.draw();
    own.add(bill.onDidChange(() => this.drawSoon()));
    own.add({ dispose: () => this.drawing?.dispose() });
    own.add(picker.onDidChangeSelection((rows) => this.bill.tick(new Set(rows.map(({ place }) => place)))));
    own.add(picker.onDidTriggerItemButton(({ item }) => this.leave({ prompt: item.place })));
    own.add(picker.onDidAccept(() => this.accept()));
  }

  dispose(): void {
    this.own.dispose();
  }

  /** Only what is shown with its price can be confirmed. */
  private accept(): void {
    const { bill, picker } = this;
    // The selection that the person sees is the one they confirm.
    bill.tick(new Set(picker.selectedItems.map(({ place }) => place)));
    const ticked = bill.rows.filter((row) => row.ticked).length;
    const isRead = systemClock.ticks() - this.openedAt >= readMs;
    if (isRead && ticked > 0 && bill.agreed.length + bill.free.length === ticked) this.leave('order');
  }

  private drawSoon(): void {
    this.drawing ??= systemClock.after(gatherMs, () => {
      this.drawing = undefined;
      this.draw();
    });
  }

  private draw(): void {
    const { picker, bill } = this;
    const ticked = bill.rows.filter((row) => row.ticked).length;
    const sum = money(bill.agreed.reduce((cents, { shownCents = 0 }) => cents + shownCents, 0));
    picker.busy = bill.isAsking;
    picker.title = this.words.title(ticked, bill.rows.length, bill.isAsking ? `${sum} + …` : sum);
    const rows = bill.rows.map(rowOf);
    // A selection change replaces no row: the editor would respond with the earlier selection.
    if (this.rows.show(rows)) picker.selectedItems = rows.filter(({ place }) => bill.rows[place]?.ticked);
  }
}

function rowOf({ title, draft, prompt, promptField, isFree, order, problem }: BillRow, place: number): Row {
  const price = isFree
    ? money(0)
    : problem !== undefined
      ? vscode.l10n.t('no price')
      : !order
        ? '…'
        : order.shownCents === undefined
          ? vscode.l10n.t('price unknown')
          : money(order.shownCents);
  const edit = { iconPath: new vscode.ThemeIcon('edit'), tooltip: vscode.l10n.t('Edit Prompt') };
  return {
    label: escapeForIcons(fileOf(draft.target) || title, 200),
    description: escapeForIcons(
      [price, title, fitWords(draft.target.fit)].filter((words) => words !== undefined).join(' · '),
    ),
    detail: escapeForIcons(problem === undefined ? prompt : sentenceOf(problem), 300),
    buttons: promptField === undefined ? [] : [edit],
    place,
  };
}

/** Empty if its name isn't known yet. */
function fileOf({ folder, fileName, ending, replaces }: BillRow['draft']['target']): string {
  const name = replaces ? fileNameOf(replaces.uri) : ending !== undefined && `${fileName}.${ending}`;
  return name ? [folder, name].filter(Boolean).join('/') : '';
}

async function changePrompt(bill: Bill, place: number): Promise<void> {
  const answer = await inputStep({
    title: vscode.l10n.t('Edit Prompt'),
    back: true,
    prompt: vscode.l10n.t('Describe the image.'),
    value: bill.rows[place]?.prompt,
    check: () => undefined,
  });
  if (typeof answer === 'object') void bill.say(place, answer.text);
}
