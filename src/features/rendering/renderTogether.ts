import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { wait } from '../../base/concurrency';
import type { ListItem, PricedList, Stated } from '../../compose/pricedList';
import { commands } from '../../editor/ids';
import { oneLine } from '../../base/plain';
import type { LibraryEntry } from '../../renders/library';
import type { QuestionWords } from '../../renders/consent';
import { endedEntry, sendInTurn, type StartedOrders } from '../../renders/batch';
import type { Orders } from '../../renders/orders';
import type { PricedOrder, RenderRecord } from '../../renders/record';
import { showProblem } from '../../editor/commands';
import { nextColumn } from '../../editor/openBeside';
import type { Settings } from '../../editor/settings';
import { remedyOf, sentenceOf } from '../../editor/words';
import { mostLines } from './askUser';
import { togetherOf } from './model/savedTogether';
import { isInEditor } from './renderNotices';
import type { Renders } from './renders';
import { titleOf, totalPriceOf } from './renderWords';
import type { StillWanted } from './stillWanted';

/** How a batch is presented. */
export interface TogetherWords {
  /** The title of its progress. */
  readonly title: string;
  /** Of results of one prompt: whether their comparison opens by itself, or its button is in the notification. */
  readonly comparison?: 'opens' | 'offered';
  /** True if the caller shows the results itself. */
  readonly shown?: boolean;
}

/**
 * Whether the user agrees to a list's total. If it can't be asked about, such as for exceeding a limit, they see why,
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
 * Asks about the total of a list: at once if all of it can be ordered as it is, else of what the user selects once
 * `show` has shown it. Then a no leads back to the list, and so does *Choose Images…* in the first question, which
 * `ask` gets as `instead`: anybody may have run the command, so it's asked as for what acts for the user, and not
 * while those are declined. Resolves with the yes of `ask`, or the step that left the list.
 */
export async function agreedOn<Step, Yes>(
  list: PricedList<ListItem, Stated>,
  show: () => Promise<Step | 'order'>,
  ask: (instead: QuestionWords['instead']) => Promise<Yes | undefined>,
  orders: Orders,
): Promise<Yes | Step | undefined> {
  if (!orders.refuses('automation') && (await isReady(list))) {
    const chosen = new AbortController();
    const yes = await ask({ title: vscode.l10n.t('Choose Images…'), press: () => chosen.abort() });
    if (yes !== undefined || !chosen.signal.aborted) return yes;
  }
  for (;;) {
    const step = await show();
    if (step !== 'order') return step;
    const yes = await ask(undefined);
    if (yes !== undefined) return yes;
  }
}

/** True if all of the list is selected, has its price by the time that somebody waits for it, and fits a question. */
async function isReady(list: PricedList<ListItem, Stated>): Promise<boolean> {
  if (list.ticked.length < list.rows.length || list.rows.length > mostLines) return false;
  const options = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Getting prices…') };
  await vscode.window.withProgress(options, () => Promise.race([list.settled(), wait(systemClock, pricesMs)]));
  return !list.isAsking && list.isAgreed && list.free.length === 0;
}

/**
 * Renders orders that the user has just confirmed together: records them all, then sends them in turn, with progress
 * in the Status Bar, and a Cancel button where that takes long, which discards those not sent yet. Leaves out what is
 * no longer wanted (`still`). Calls `started` for each that is sent. Opens the comparison of all saved ones, without
 * the focus, or reports them in one notification where they aren't shown; a single one, and failures, as for any
 * render. Resolves with those that have ended, when all have or on a cancel. Never rejects.
 */
export async function renderTogether(
  orders: readonly PricedOrder[],
  renders: Renders,
  settings: Settings,
  { title, comparison, shown = false }: TogetherWords,
  still?: StillWanted,
  started: (record: RenderRecord) => void = () => {},
): Promise<readonly LibraryEntry[]> {
  const cancelled = new AbortController();
  const recorded = await recordedOf(orders, renders, still);
  if (recorded.length === 0) return [];
  if (orders.length === 1) return ended(recorded, renders, cancelled.signal, () => {}, started);
  const { shows } = renders;
  for (const { intent } of recorded) shows.set(intent, () => true);
  const options = { location: vscode.ProgressLocation.Window, title };
  const entries = await vscode.window.withProgress(options, (progress) => {
    const tell = (count: number, of: number) => progress.report({ message: vscode.l10n.t('{0} of {1}', count, of) });
    return ended(recorded, renders, cancelled.signal, tell, started, (all) => void offerCancel(title, all, cancelled));
  });
  // The remaining ones are reported individually.
  for (const { intent } of recorded) shows.delete(intent);
  const saved = entries.filter(({ state }) => state === 'saved');
  const isOpen = comparison === 'opens' && !cancelled.signal.aborted && (await showsBeside(saved));
  if (isToTell(saved, renders, settings, shown || isOpen))
    void tellSaved(saved, recorded.length, comparison !== undefined && !isOpen);
  return entries;
}

/** Whether a notification reports these: not what is already visible, if the settings say so. */
function isToTell(
  saved: readonly LibraryEntry[],
  { viewers }: Renders,
  { notifications }: Settings,
  shown: boolean,
): boolean {
  const isSeen = (entry: LibraryEntry) => isInEditor(entry) || [...viewers].some((shows) => shows(entry));
  if (notifications === 'unseen') return !shown && !saved.every(isSeen);
  return saved.length > 0 && notifications === 'always';
}

/** How long a question waits for prices before a list shows them as they come, ms. */
const pricesMs = 3000;

/** How long sending may take before there's a button to cancel it, ms. */
const patienceMs = 1500;

/** Offers to cancel until all have started: later there's nothing left to cancel. */
async function offerCancel(title: string, started: Promise<unknown>, cancelled: AbortController): Promise<void> {
  if (await Promise.race([started.then(() => true), wait(systemClock, patienceMs).then(() => false)])) return;
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  await vscode.window.withProgress(options, (_, token) => {
    token.onCancellationRequested(() => cancelled.abort());
    return started;
  });
}

/** Records them, all or none, and tells the user what isn't recorded. Never rejects. */
async function recordedOf(
  orders: readonly PricedOrder[],
  renders: Renders,
  still: StillWanted | undefined,
): Promise<readonly PricedOrder[]> {
  try {
    const wanted = still ? await still.among(orders) : orders;
    const recorded = await renders.orders.record(wanted, still?.isWanted);
    if (recorded) still?.tell();
    return recorded ?? [];
  } catch (error) {
    void showProblem(sentenceOf(error), remedyOf(error));
    return [];
  }
}

function ended(
  recorded: readonly PricedOrder[],
  { orders, library, log }: Renders,
  signal: AbortSignal,
  onEnd: (ended: number, of: number) => void,
  onStarted: (record: RenderRecord) => void,
  onSending: (started: Promise<unknown>) => void = () => {},
): Promise<readonly LibraryEntry[]> {
  const turn = sendInTurn(recorded, orders, log, {
    ...{ initiator: 'user', signal, onEnd },
    ended: (key) => endedEntry(library, key),
    starting: (_, starting) =>
      void starting.then(
        (record) => record && onStarted(record),
        // Told with what wasn't started.
        () => undefined,
      ),
  });
  onSending(turn.started);
  void turn.started.then((all) => tellLeft(all, recorded.length));
  void Promise.all([turn.started, turn.ended]).then(([{ count }, { length }]) => {
    if (signal.aborted && count === recorded.length) tellGoingOn(count - length, count);
  });
  return turn.ended;
}

/** A cancel after all were started must not look as if it had stopped them. */
function tellGoingOn(goingOn: number, all: number): void {
  if (goingOn === 0) return;
  const sentence = vscode.l10n.t(
    'Too late to cancel: all {1} renders have started. Still in progress: {0}.',
    goingOn,
    all,
  );
  void vscode.window.showInformationMessage(sentence);
}

/** Reports those that were discarded. If the service stopped the batch, the rejected render says why. */
function tellLeft({ count, stopped }: StartedOrders, all: number): void {
  const left = all - count;
  if (stopped?.by === 'error') {
    const why = sentenceOf(stopped.error);
    void showProblem(left > 0 && all > 1 ? `${leftSentence(left, all)} ${why}` : why, remedyOf(stopped.error));
  } else if (left === 0) return;
  else if (stopped?.by === 'person' && count > 0) {
    const sentence = vscode.l10n.t(
      '{0} of {1} renders didn’t start, and nothing was charged for them. The others continue.',
      left,
      all,
    );
    void vscode.window.showInformationMessage(sentence);
  } else void vscode.window.showWarningMessage(leftSentence(left, all));
}

function leftSentence(left: number, all: number): string {
  return vscode.l10n.t('{0} of {1} renders didn’t start. Nothing was charged for them.', left, all);
}

async function tellSaved(saved: readonly LibraryEntry[], all: number, isOffered: boolean): Promise<void> {
  const price = totalPriceOf(saved);
  const sentence =
    price === undefined
      ? vscode.l10n.t('Saved {0} of {1} renders.', saved.length, all)
      : vscode.l10n.t('Saved {0} of {1} renders · {2}', saved.length, all, price);
  const way = saved.length > 1 ? vscode.l10n.t('Compare') : vscode.l10n.t('Open');
  const answer = await vscode.window.showInformationMessage(sentence, ...(isOffered ? [way] : []));
  if (answer === way) await showTogether(saved);
}

/** False if they'd need an editor each, or can't be opened. */
async function showsBeside(saved: readonly LibraryEntry[]): Promise<boolean> {
  if (togetherOf(saved) === 'editors') return false;
  try {
    await showTogether(saved, { viewColumn: nextColumn(), preserveFocus: true });
    return true;
  } catch {
    // Moved or deleted meanwhile.
    return false;
  }
}

/** Shows saved results next to each other, as suits their kind. */
async function showTogether(saved: readonly LibraryEntry[], where?: vscode.TextDocumentShowOptions): Promise<void> {
  const ids = saved.map(({ id }) => id);
  const [first, second] = saved;
  const way = togetherOf(saved);
  if (way === 'difference' && first && second) {
    const title = oneLine(titleOf(first), 60);
    await vscode.commands.executeCommand('vscode.diff', uriOf(first), uriOf(second), title, where);
  } else {
    const command = way === 'comparison' ? commands.compareResults : commands.openResult;
    await vscode.commands.executeCommand(command, where, ids);
  }
}

function uriOf({ file = '' }: LibraryEntry): vscode.Uri {
  return vscode.Uri.parse(file, true);
}
