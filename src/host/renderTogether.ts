import * as vscode from 'vscode';
import { systemClock } from '../base/clock';
import { formatCents } from '../base/money';
import type { LibraryEntry } from '../renders/library';
import type { Order } from '../renders/record';
import { showProblem } from './commands';
import { ended } from './ended';
import { orderTogether } from './orderTogether';
import type { Renders } from './renders';
import type { Settings } from './settings';
import { showTogether } from './showTogether';
import { remedyOf } from './userError';
import { sentenceOf } from './words';

/**
 * Renders orders that the person has just said one yes to, and tells of those that are saved in one notice when all have ended; the others are told of as
 * any render. Never rejects.
 */
export async function renderTogether(
  orders: readonly Order[],
  { spend, renderer, library, shows }: Renders,
  settings: Pick<Settings, 'notifications'>,
): Promise<void> {
  const areSeveral = orders.length > 1;
  if (areSeveral) for (const { intent } of orders) shows.set(intent, () => true);
  const desk = { place: (order: Order) => spend.renderAgreed(order), send: (key: string) => renderer.send(key) };
  const { keys, problem } = await orderTogether(orders, desk, systemClock);
  if (problem !== undefined || keys.length < orders.length)
    tellLeft(orders.length - keys.length, orders.length, problem);
  const entries = await Promise.all(keys.map((key) => ended(library, key)));
  for (const { intent } of orders) shows.delete(intent);
  const saved = entries.filter(({ state }) => state === 'saved');
  if (areSeveral && saved.length > 0 && settings.notifications === 'always') await tellSaved(saved, orders.length);
}

/** Those that were not recorded. Why is in the problem; without one it was told with a render. */
function tellLeft(left: number, all: number, problem: unknown): void {
  const sentence = vscode.l10n.t('Not ordered, nothing charged: {0} of {1} renders.', left, all);
  if (problem === undefined) void vscode.window.showWarningMessage(sentence);
  else if (all === 1) void showProblem(sentenceOf(problem), remedyOf(problem));
  else void showProblem(`${sentence} ${sentenceOf(problem)}`, remedyOf(problem));
}

async function tellSaved(saved: readonly LibraryEntry[], all: number): Promise<void> {
  const charged = saved.every(({ costCents }) => costCents !== undefined)
    ? saved.reduce((sum, { costCents = 0 }) => sum + costCents, 0)
    : undefined;
  const sentence =
    charged === undefined
      ? vscode.l10n.t('Saved {0} of {1} renders.', saved.length, all)
      : vscode.l10n.t('Saved {0} of {1} renders · {2}', saved.length, all, formatCents(charged, vscode.env.language));
  const way = saved.length > 1 ? vscode.l10n.t('Compare') : vscode.l10n.t('Open');
  const answer = await vscode.window.showInformationMessage(sentence, way);
  if (answer === way) await showTogether(saved);
}
