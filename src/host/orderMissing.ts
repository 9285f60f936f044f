import * as vscode from 'vscode';
import { formatCents } from '../base/money';
import { systemRandom } from '../base/random';
import type { Session } from '../catalog/session';
import { covered, type SharedBudget } from '../renders/covered';
import type { LibraryEntry } from '../renders/library';
import type { Order, Target } from '../renders/record';
import type { Documents } from './documents';
import { ended } from './ended';
import type { Agreed } from './missingList';
import { orderAll, type Course, type Stopped } from './orderAll';
import { plain } from './plain';
import { isRenamed } from './renamedResults';
import { shortSentence } from './renderWords';
import type { Renders } from './renders';
import type { Settings } from './settings';
import type { SetBudget } from './spend';
import { targetFile } from './targetFile';
import { remedyOf, UserError } from './userError';
import { sentenceOf } from './words';

/** What ordering missing images needs of the rest of the extension. */
export interface OrderWorld {
  readonly documents: Documents;
  readonly renders: Renders;
  readonly session: Session;
  readonly settings: Pick<Settings, 'notifications'>;
}

/** An order whose price was stated. */
type Priced = Order & { readonly shownCents: number };

/** What is to pay for it: a limit the person has set, or the balance. */
interface Cover extends SharedBudget {
  readonly set?: SetBudget;
}

/**
 * Asks for one yes to the sum, and orders them in their order, as many as balance and limits cover. Resolves when they have ended, or the person
 * cancelled: what was ordered goes on. Rejects with UserError when nothing is covered, or one could not be ordered.
 */
export async function orderMissing(chosen: readonly Agreed[], account: string, world: OrderWorld): Promise<void> {
  const { renders, session, documents } = world;
  await session.refreshBalance();
  const orders = chosen.map((image) => orderOf(image, account, renders));
  const { count, over } = covered(
    orders.map(({ shownCents, target }) => ({ cents: shownCents, limits: coversOf(target, world) })),
  );
  const affordable = orders.slice(0, count);
  if (affordable.length === 0) return refuse(orders[0], over, renders);
  if (!(await agrees(affordable, over && coverSentence(over, count, orders.length), session))) return;
  await documents.lastModel.keep(affordable[0]?.modelId ?? '');
  const outcome = await run(affordable, world);
  void documents.renamed?.ask(outcome.ended, documentsOf(outcome.ended.filter(isRenamed), chosen));
  tell(outcome, affordable.length, world.settings);
}

/** Those that name the files of these renders: no others are opened. */
function documentsOf(entries: readonly LibraryEntry[], chosen: readonly Agreed[]): string[] {
  const files = new Set(entries.map(({ record }) => record && targetFile(record.target)?.toString()));
  const named = chosen.filter(({ image }) => files.has(image.file));
  return [...new Set(named.flatMap(({ image }) => image.documents))];
}

function orderOf({ image, modelId, inputs, cents }: Agreed, account: string, { targets }: Renders): Priced {
  const target = targets.file(vscode.Uri.parse(image.file, true));
  return { intent: systemRandom.uuid(), modelId, inputs, target, shownCents: cents, account };
}

function coversOf(target: Target, { renders, session }: OrderWorld): Cover[] {
  const limits = renders.spend.budgets(target).map((set) => ({ ...set, id: `${set.id} ${target.root}`, set }));
  return [{ id: 'balance', limit: session.state.balance?.cents, committed: 0 }, ...limits];
}

/** Throws UserError: not even the first is covered. */
function refuse(order: Priced | undefined, over: Cover | undefined, { spend }: Renders): void {
  if (!order || !over) return;
  if (over.set) spend.checkBudgets(order);
  throw new UserError(shortSentence(over.limit ?? 0, order.shownCents));
}

async function agrees(orders: readonly Priced[], cover: string | undefined, { state }: Session): Promise<boolean> {
  const sum = sumOf(orders);
  const model = plain(orders[0]?.modelId ?? '');
  const question =
    orders.length === 1
      ? vscode.l10n.t('Render with {0} for {1}?', model, money(sum))
      : vscode.l10n.t('Render {0} images with {1} for {2} in all?', orders.length, model, money(sum));
  const after = state.balance && vscode.l10n.t('Balance after it: {0}', money(state.balance.cents - sum));
  const detail = [cover, after].filter((sentence) => sentence !== undefined).join('\n');
  const yes = vscode.l10n.t('Render for {0}', money(sum));
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

/** Why not all of them. */
function coverSentence({ limit = 0, set }: Cover, count: number, all: number): string {
  return set
    ? vscode.l10n.t(
        'Not all that are ticked: {2} of the limit of {0} in the setting modelCatalog.{1} is used. The rest of it covers the first {3} of {4}.',
        money(limit),
        set.id,
        money(set.committed),
        count,
        all,
      )
    : vscode.l10n.t(
        'Not all that are ticked: the balance of {0} covers the first {1} of {2}.',
        money(limit),
        count,
        all,
      );
}

/** Orders them with the progress of the whole. */
async function run(
  orders: readonly Priced[],
  { renders: { spend, renderer, library, shows }, documents }: OrderWorld,
): Promise<Course & { readonly stopped?: Stopped }> {
  const doors = {
    order: (order: Order) => spend.renderAgreed(order),
    sent: (key: string) => renderer.send(key),
    ended: (key: string) => ended(library, key),
  };
  const keys = orders.map(({ intent }) => intent);
  const held = documents.renamed?.hold(keys);
  for (const key of keys) shows.set(key, () => true);
  const title = vscode.l10n.t('Rendering missing images');
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  try {
    return await vscode.window.withProgress(options, (progress, token) => {
      const cancelled = new AbortController();
      token.onCancellationRequested(() => cancelled.abort());
      return orderAll(orders, doors, cancelled.signal, (course) =>
        progress.report({ message: vscode.l10n.t('{0} of {1}', course.ended.length, orders.length) }),
      );
    });
  } finally {
    // What goes on is told of one by one.
    for (const key of keys) shows.delete(key);
    held?.dispose();
  }
}

/** Throws UserError when one could not be ordered. Those that failed have been told of, each with its next steps. */
function tell(
  { ordered, ended: entries, stopped }: Course & { readonly stopped?: Stopped },
  all: number,
  { notifications }: Pick<Settings, 'notifications'>,
): void {
  if (stopped?.by === 'error') {
    const sentence = vscode.l10n.t('Ordered {0} of {1}, and no more: {2}', ordered, all, sentenceOf(stopped.error));
    throw new UserError(sentence, { cause: stopped.error, remedy: remedyOf(stopped.error) });
  }
  if (stopped && ordered < all) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'Ordered {0} of {1}. What is under way goes on; the others were not sent, nothing was charged for them.',
        ordered,
        all,
      ),
    );
  }
  const saved = entries.filter(({ state }) => state === 'saved');
  if (stopped || saved.length === 0 || notifications !== 'always') return;
  const sum = saved.reduce((cents, { costCents, shownCents }) => cents + (costCents ?? shownCents ?? 0), 0);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Missing images rendered: {0} of {1} · {2}', saved.length, all, money(sum)),
  );
}

function sumOf(orders: readonly Priced[]): number {
  return orders.reduce((cents, { shownCents }) => cents + shownCents, 0);
}

function money(cents: number): string {
  return formatCents(cents, vscode.env.language);
}
