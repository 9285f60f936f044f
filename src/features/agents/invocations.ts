import * as vscode from 'vscode';
import type { AgentCall, AgentImage, AgentResult } from './model/agentTools';
import { systemClock } from '../../base/clock';
import { plain } from '../../base/plain';
import type { Orders } from '../../renders/orders';
import { sumOf } from '../../renders/record';
import type { ToolName } from '../../editor/ids';
import { modelNames } from '../models/model/modelNames';
import { orderLine } from '../rendering/askUser';
import { money } from '../../editor/words';
import type { Lazy } from '../../base/disposable';
import type { Session } from '../../catalog/session';
import type { Renders } from '../rendering/renders';
import type { Settings } from '../../editor/settings';
import type { Tools } from './tools';

/** After 3 s the editor calls a preparation unresponsive. */
const quoteMs = 2500;

/** Newer than our typings; earlier editors have it undocumented. */
const { LanguageModelDataPart } = vscode as {
  readonly LanguageModelDataPart?: { image(data: Uint8Array, mimeType: string): vscode.LanguageModelTextPart };
};

/** The result of a call, for the editor's agents. */
export async function invoked(
  tools: Lazy<Tools>,
  name: ToolName,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  return resultOf(await (await tools.get()).call(name, input, callOf(token)));
}

/** Withdraws what agents may spend, and what isn't sent. Says so, and what they can still spend by running commands. */
export function stopAgents(orders: Orders, settings: Settings): void {
  const isRevoked = orders.allowance.left !== undefined;
  orders.stopAgents();
  const stopped = isRevoked
    ? vscode.l10n.t('Allowance revoked. You’ll be asked before every render by an agent.')
    : vscode.l10n.t('Canceled what wasn’t sent yet. You’ll be asked before every render by an agent.');
  const left = vscode.l10n.t('Commands that agents run can still use the allowance for others.');
  void vscode.window.showInformationMessage(settings.unattendedBudget > 0 ? `${stopped} ${left}` : stopped);
}

/** The call ends with the editor's token. */
function callOf(token: vscode.CancellationToken): AgentCall {
  const cancel = new AbortController();
  token.onCancellationRequested(() => cancel.abort());
  if (token.isCancellationRequested) cancel.abort();
  return { signal: cancel.signal };
}

function resultOf({ text, images = [] }: AgentResult): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text), ...images.flatMap(imagePart)]);
}

function imagePart({ data, mimeType }: AgentImage): vscode.LanguageModelTextPart[] {
  return LanguageModelDataPart ? [LanguageModelDataPart.image(data, mimeType)] : [];
}

/**
 * The chat shows calls that the allowance covers with their exact price, and may approve them by itself. Anything else
 * is confirmed only in our own question.
 */
export async function prepared(
  tools: Lazy<Tools>,
  renders: Lazy<Renders>,
  session: Session,
  name: ToolName,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.PreparedToolInvocation | undefined> {
  if (name !== 'render') return undefined;
  const { allowance } = (await renders.get()).orders;
  if (allowance.left === undefined) return undefined;
  const late = new Promise<undefined>((resolve) => systemClock.after(quoteMs, () => resolve(undefined)));
  const orders = await Promise.race([(await tools.get()).price(input, callOf(token)).catch(() => undefined), late]);
  const sum = orders && sumOf(orders);
  if (!orders?.length || sum === undefined || !allowance.covers(sum)) return undefined;
  const ids = orders.map(({ modelId }) => modelId);
  const named = await modelNames(session, ids);
  const lines = orders.map((order) => `${orderLine(order)} · ${plain(named(order.modelId), 80)}`);
  const left = vscode.l10n.t('Agents’ allowance after this: {0}', money(allowance.left - sum));
  const { balance } = session.state;
  const after = balance ? [vscode.l10n.t('Balance after: {0}', money(balance.cents - sum))] : [];
  return {
    confirmationMessages: {
      title: vscode.l10n.t('Render for {0}', money(sum)),
      message: [...lines, left, ...after].join('\n\n'),
    },
  };
}
