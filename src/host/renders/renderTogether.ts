import * as vscode from 'vscode';
import { commands } from '../../app/ids';
import { oneLine } from '../../base/plain';
import type { Library, LibraryEntry } from '../../renders/library';
import { orderInTurn, type OrderDoors, type PlacedOrders } from '../../renders/orderInTurn';
import type { PricedOrder } from '../../renders/priced';
import type { RenderRecord } from '../../renders/record';
import { showProblem } from '../commands';
import type { Settings } from '../settings';
import { remedyOf } from '../../app/userError';
import { sentenceOf } from '../words';
import { togetherOf } from '../../app/generations/together';
import type { Renders } from './renders';
import { titleOf, totalPriceOf } from './renderWords';

/** How a batch is presented. */
export interface TogetherWords {
  /** The title of its progress. */
  readonly title: string;
  /** Results of one prompt, to be compared. */
  readonly compared: boolean;
}

/**
 * Whether the person agrees to a list's total. If it can't be asked about, such as for exceeding a limit, they see why,
 * and it's a no: the list is to be shown again as it was. Never rejects.
 */
export async function isAgreed(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ask();
  } catch (error) {
    void showProblem(sentenceOf(error), remedyOf(error));
    return false;
  }
}

/**
 * Renders orders that the person has just confirmed together, with progress and a Cancel button that doesn't stop those
 * already ordered. Calls `placed` for each that was recorded. Reports all saved ones in one notification; a single one,
 * and failures, as for any render. Resolves with those that have ended, when all have or on a cancel. Never rejects.
 */
export async function renderTogether(
  orders: readonly PricedOrder[],
  renders: Renders,
  settings: Pick<Settings, 'notifications'>,
  { title, compared }: TogetherWords,
  placed: (record: RenderRecord) => void = () => {},
): Promise<readonly LibraryEntry[]> {
  const cancelled = new AbortController();
  if (orders.length === 1) return ordered(orders, renders, cancelled.signal, () => {}, placed);
  const { shows } = renders;
  for (const { intent } of orders) shows.set(intent, () => true);
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  const entries = await vscode.window.withProgress(options, (progress, token) => {
    token.onCancellationRequested(() => cancelled.abort());
    const tell = (count: number, of: number) => progress.report({ message: vscode.l10n.t('{0} of {1}', count, of) });
    return ordered(orders, renders, cancelled.signal, tell, placed);
  });
  // The remaining ones are reported individually.
  for (const { intent } of orders) shows.delete(intent);
  const saved = entries.filter(({ state }) => state === 'saved');
  if (saved.length > 0 && settings.notifications === 'always') void tellSaved(saved, orders.length, compared);
  return entries;
}

function ordered(
  orders: readonly PricedOrder[],
  { spend, library, fileRenders }: Renders,
  signal: AbortSignal,
  onEnd: (ended: number, of: number) => void,
  onPlaced: (record: RenderRecord) => void,
): Promise<readonly LibraryEntry[]> {
  fileRenders.wait(orders);
  const doors: OrderDoors<PricedOrder> = {
    place: async (order) => {
      const record = await spend.renderAgreed(order);
      fileRenders.waitNoMore([order]);
      if (record) onPlaced(record);
      return record;
    },
    sent: (key) => spend.send(key),
    ended: (key) => ended(library, key),
  };
  const turn = orderInTurn(orders, doors, signal, onEnd);
  void turn.placed.then((placed) => {
    fileRenders.waitNoMore(orders);
    tellLeft(placed, orders.length);
  });
  void Promise.all([turn.placed, turn.ended]).then(([{ count }, { length }]) => {
    if (signal.aborted && count === orders.length) tellGoingOn(count - length, count);
  });
  return turn.ended;
}

/** A cancel after all were ordered must not look as if it had stopped them. */
function tellGoingOn(goingOn: number, all: number): void {
  if (goingOn === 0) return;
  const sentence = vscode.l10n.t(
    'Nothing left to cancel: all renders have started. Still in progress: {0} of {1}.',
    goingOn,
    all,
  );
  void vscode.window.showInformationMessage(sentence);
}

/** Reports those that weren't recorded. If the service stopped the batch, the rejected render says why. */
function tellLeft({ count, stopped }: PlacedOrders, all: number): void {
  const left = all - count;
  if (stopped?.by === 'error') {
    const why = sentenceOf(stopped.error);
    void showProblem(left > 0 && all > 1 ? `${leftSentence(left, all)} ${why}` : why, remedyOf(stopped.error));
  } else if (left === 0) return;
  else if (stopped?.by === 'person' && count > 0) {
    const sentence = vscode.l10n.t(
      'Not started, nothing charged: {0} of {1} renders. Renders in progress continue.',
      left,
      all,
    );
    void vscode.window.showInformationMessage(sentence);
  } else void vscode.window.showWarningMessage(leftSentence(left, all));
}

function leftSentence(left: number, all: number): string {
  return vscode.l10n.t('Not started, nothing charged: {0} of {1} renders.', left, all);
}

async function tellSaved(saved: readonly LibraryEntry[], all: number, compared: boolean): Promise<void> {
  const price = totalPriceOf(saved);
  const sentence =
    price === undefined
      ? vscode.l10n.t('Saved {0} of {1} renders.', saved.length, all)
      : vscode.l10n.t('Saved {0} of {1} renders · {2}', saved.length, all, price);
  const way = saved.length > 1 ? vscode.l10n.t('Compare') : vscode.l10n.t('Open');
  const answer = await vscode.window.showInformationMessage(sentence, ...(compared ? [way] : []));
  if (answer === way) await showTogether(saved);
}

/** Shows saved results next to each other, as suits their kind. */
async function showTogether(saved: readonly LibraryEntry[]): Promise<void> {
  const ids = saved.map(({ id }) => id);
  const [first, second] = saved;
  const way = togetherOf(saved);
  if (way === 'difference' && first && second) {
    await vscode.commands.executeCommand('vscode.diff', uriOf(first), uriOf(second), oneLine(titleOf(first), 60));
  } else {
    const command = way === 'comparison' ? commands.compareResults : commands.openResult;
    await vscode.commands.executeCommand(command, undefined, ids);
  }
}

function uriOf({ file = '' }: LibraryEntry): vscode.Uri {
  return vscode.Uri.parse(file, true);
}

/** Resolves when nothing further happens to the render automatically. */
function ended(library: Pick<Library, 'ofRecord' | 'onDidChange'>, key: string): Promise<LibraryEntry> {
  return new Promise((resolve) => {
    const look = () => {
      const entry = library.ofRecord(key);
      if (!entry || entry.group === 'active') return;
      listening.dispose();
      resolve(entry);
    };
    const listening = library.onDidChange(look);
    look();
  });
}
