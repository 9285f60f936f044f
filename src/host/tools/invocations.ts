import * as vscode from 'vscode';
import type { AgentCall, AgentImage, AgentResult } from '../../app/tools/agentTools';
import { euros } from '../../app/tools/toolWords';
import { systemClock } from '../../base/clock';
import { plain } from '../../base/plain';
import { promptOf } from '../../catalog/fields';
import type { ToolName } from '../../app/ids';
import type { Services } from '../../services';

/** What the agents of the editor are called: it doesn't say which of them calls. */
const editorsAgent = 'Chat';

/** The editor calls a preparation unresponsive that takes longer than 3 s. */
const quoteMs = 2500;

/** From editors later than our typings; earlier ones have it without saying so. */
const { LanguageModelDataPart } = vscode as {
  readonly LanguageModelDataPart?: { image(data: Uint8Array, mimeType: string): vscode.LanguageModelTextPart };
};

/** What a call gives the agent of the editor that made it. */
export async function invoked(
  { agentTools }: Services,
  name: ToolName,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  return resultOf(await (await agentTools.get()).call(name, input, callOf(token)));
}

/** Takes back what agents may spend, and says so. */
export async function stopAgents({ renders }: Services): Promise<void> {
  (await renders.get()).spend.stopAgents();
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Agents stopped. You’ll be asked before each of their renders.'),
  );
}

/** The call ends when the editor's token says so. */
function callOf(token: vscode.CancellationToken): AgentCall {
  const cancel = new AbortController();
  token.onCancellationRequested(() => cancel.abort());
  if (token.isCancellationRequested) cancel.abort();
  return { agent: editorsAgent, signal: cancel.signal };
}

function resultOf({ text, images = [] }: AgentResult): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text), ...images.flatMap(imagePart)]);
}

function imagePart({ data, mimeType }: AgentImage): vscode.LanguageModelTextPart[] {
  return LanguageModelDataPart ? [LanguageModelDataPart.image(data, mimeType)] : [];
}

/**
 * What the allowance pays is shown in the chat with its exact price, which the chat may approve by itself; what it
 * doesn't is asked by our own question alone.
 */
export async function prepared(
  { agentTools, renders }: Services,
  name: ToolName,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.PreparedToolInvocation | undefined> {
  if (name !== 'render') return undefined;
  const { spend } = await renders.get();
  if (spend.allowance.left === undefined) return undefined;
  const tools = await agentTools.get();
  const late = new Promise<undefined>((resolve) => systemClock.after(quoteMs, () => resolve(undefined)));
  const orders = await Promise.race([tools.price(input, callOf(token)).catch(() => undefined), late]);
  const cents = orders?.map(({ shownCents }) => shownCents);
  if (!orders?.length || !cents?.every((one) => one !== undefined)) return undefined;
  const sum = cents.reduce((all, one) => all + one, 0);
  if (!spend.allowance.covers(sum)) return undefined;
  const lines = orders.map(
    ({ shownCents, modelId, inputs }) =>
      `${euros(shownCents)} · ${plain(modelId, 80)} · ${plain(promptOf(undefined, inputs), 200)}`,
  );
  const left = vscode.l10n.t('Left for agents: {0}.', euros(spend.allowance.left - sum));
  return {
    confirmationMessages: {
      title: vscode.l10n.t('Render for {0}', euros(sum)),
      message: [...lines, left].join('\n\n'),
    },
  };
}
