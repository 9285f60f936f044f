import * as vscode from 'vscode';
import { money } from '../../editor/words';
import { frozenInputs } from '../../base/frozen';
import { systemRandom } from '../../base/random';
import type { CatalogClient } from '../../catalog/client';
import type { Session } from '../../catalog/session';
import type { Model } from '../../catalog/types';
import type { NamedBudget } from '../../renders/budgets';
import { covered, type SharedBudget } from '../../renders/covered';
import type { QuestionWords } from '../../renders/consent';
import type { LibraryEntry } from '../../renders/library';
import type { PricedOrder } from '../../renders/priced';
import type { Target } from '../../renders/record';
import type { Documents } from './documents';
import { isRenamed } from '../../editor/isRenamed';
import { plain } from '../../base/plain';
import { limitSettings } from '../rendering/openLimit';
import type { Renders } from '../rendering/renders';
import { isAgreed, renderTogether } from '../rendering/renderTogether';
import { shortSentence } from '../rendering/renderWords';
import type { StillWanted } from '../rendering/stillWanted';
import { targetFile } from '../../editor/targetFile';
import type { Settings } from '../../editor/settings';
import { UserError } from '../../editor/userError';
import type { AgreedImage } from './model/missingList';
import { linkFit } from './linkFit';

/** The dependencies of ordering missing images. */
export interface OrderWorld {
  readonly documents: Documents;
  readonly renders: Renders;
  readonly session: Session;
  readonly settings: Pick<Settings, 'notifications' | 'fitToLinks'>;
}

/** An order with a stated price. */
type PricedImage = PricedOrder & { readonly shownCents: number };

/** The money that pays for it: one of the person's limits, or the balance. */
interface Cover extends SharedBudget {
  readonly budget?: NamedBudget;
}

/**
 * Asks for one confirmation of the total: for as many as balance and limits cover. Undefined when the person declined,
 * or was told why not even the first is covered.
 */
export async function agreedOf(
  chosen: readonly AgreedImage[],
  client: CatalogClient,
  world: OrderWorld,
): Promise<readonly PricedImage[] | undefined> {
  const { renders, session } = world;
  await session.refreshBalance();
  const orders = chosen.map((image) => orderOf(image, client, world));
  const { count, over } = covered(
    orders.map(({ shownCents, target }) => ({ cents: shownCents, limits: coversOf(target, world) })),
  );
  const affordable = orders.slice(0, count);
  const cover = over && coverSentence(over, count, orders.length);
  const words = wordsOf(affordable, chosen[0]?.model, cover);
  const ask = async () => {
    if (affordable.length === 0) refuse(orders[0], over, renders);
    return renders.spend.agreesTo(affordable, words);
  };
  return (await isAgreed(ask)) ? affordable : undefined;
}

/**
 * Orders those still wanted. Resolves when they have ended, or on a cancel, which doesn't stop those already sent.
 */
export async function renderMissing(
  agreed: readonly PricedImage[],
  chosen: readonly AgreedImage[],
  still: StillWanted,
  world: OrderWorld,
): Promise<undefined> {
  const { documents } = world;
  const [first] = agreed;
  if (!first) return;
  await documents.lastModel.keep(first.modelId);
  const entries = await run(agreed, still, world);
  void documents.renamed?.ask(entries, documentsOf(entries.filter(isRenamed), chosen));
}

/** The documents that name the files of these renders: no others are opened. */
function documentsOf(entries: readonly LibraryEntry[], chosen: readonly AgreedImage[]): string[] {
  const files = new Set(entries.map(({ record }) => record && targetFile(record.target)?.toString()));
  const named = chosen.filter(({ image }) => files.has(image.file));
  return [...new Set(named.flatMap(({ image }) => image.documents))];
}

function orderOf(
  { image, model, inputs, cents }: AgreedImage,
  client: CatalogClient,
  { renders, settings }: OrderWorld,
): PricedImage {
  const file = vscode.Uri.parse(image.file, true);
  const target = { ...renders.targets.file(file), fit: linkFit(file, image.size, settings) };
  const { account } = client;
  const order = { intent: systemRandom.uuid(), modelId: model.id, inputs: frozenInputs(inputs), target };
  return { ...order, shownCents: cents, account, asked: { client } };
}

function coversOf(target: Target, { renders, session }: OrderWorld): Cover[] {
  const limits = renders.spend.limitsOf(target).map((budget) => ({ ...budget, budget }));
  return [{ id: 'balance', limit: session.state.balance?.cents, committed: 0 }, ...limits];
}

/** Throws UserError: not even the first is covered. */
function refuse(order: PricedImage | undefined, over: Cover | undefined, { spend }: Renders): void {
  if (!order || !over) return;
  if (over.budget) spend.checkBudgets([order]);
  throw new UserError(shortSentence(over.limit ?? 0, order.shownCents));
}

function wordsOf(orders: readonly PricedImage[], model: Model | undefined, cover: string | undefined): QuestionWords {
  const sum = sumOf(orders);
  const name = plain(model?.title ?? '', 80);
  const question =
    orders.length === 1
      ? vscode.l10n.t('Render with {0} for {1}?', name, money(sum))
      : vscode.l10n.t('Render {0} images with {1} for {2} in total?', orders.length, name, money(sum));
  return { question, detail: cover };
}

/** Why not all of them are ordered. */
function coverSentence({ limit = 0, budget }: Cover, count: number, all: number): string {
  return budget
    ? vscode.l10n.t(
        'Not all selected images: {2} of the {0} limit set in modelCatalog.{1} is used. The rest covers the first {3} of {4}.',
        money(limit),
        limitSettings[budget.name],
        money(budget.committed),
        count,
        all,
      )
    : vscode.l10n.t(
        'Not all selected images: your balance of {0} covers the first {1} of {2}.',
        money(limit),
        count,
        all,
      );
}

/** Renders them. One question about changed links for all of them, instead of one each. */
async function run(
  orders: readonly PricedImage[],
  still: StillWanted,
  { renders, documents, settings }: OrderWorld,
): Promise<readonly LibraryEntry[]> {
  const held = documents.renamed?.hold(orders.map(({ intent }) => intent));
  const title = vscode.l10n.t('Rendering missing images');
  try {
    return await renderTogether(orders, renders, settings, { title, compared: false }, still);
  } finally {
    held?.dispose();
  }
}

function sumOf(orders: readonly PricedImage[]): number {
  return orders.reduce((cents, { shownCents }) => cents + shownCents, 0);
}
