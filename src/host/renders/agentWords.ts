import * as vscode from 'vscode';
import { formatCents } from '../../base/money';
import { plain } from '../../base/plain';
import { promptOf } from '../../catalog/fields';
import type { Proposal } from '../../renders/consent';

/** The agent that asks, for what, and the target: an agent may have accepted the list of its orders itself. */
export function agentWords(orders: readonly Proposal[]): string[] {
  const [first] = orders;
  if (!first) return [];
  const who = vscode.l10n.t('Requested by an agent that calls itself “{0}”.', plain(first.agent ?? '', 60));
  if (orders.length > 1) return [who, ...orders.map(agentLine)];
  const prompt = plain(promptOf(undefined, first.inputs), 400);
  return [who, vscode.l10n.t('Prompt: {0}', prompt), vscode.l10n.t('File: {0}', plain(fileOf(first), 200))];
}

/** An order in one line: its price, its file, and its prompt. */
export function agentLine(order: Proposal): string {
  const { shownCents, inputs } = order;
  const price = shownCents === undefined ? [] : [formatCents(shownCents, vscode.env.language)];
  return [...price, plain(fileOf(order), 80), plain(promptOf(undefined, inputs), 80)].join(' · ');
}

function fileOf({ target }: Proposal): string {
  const name = target.ending === undefined ? '…' : `${target.fileName}.${target.ending}`;
  return [target.folder, name].filter(Boolean).join('/');
}
