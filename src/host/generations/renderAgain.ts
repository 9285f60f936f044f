import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json';
import { formatCents } from '../../base/money';
import { systemRandom } from '../../base/random';
import type { RenderRecord, Target } from '../../renders/record';
import { connectedClient } from '../account/connectedClient';
import { fileNameOf } from '../fileName';
import { plain } from '../plain';
import type { Renders } from '../renders/renders';
import type { ResultWorld } from '../renders/resultWorld';

/** What is to be rendered once more. */
export interface Repeat {
  /** What a person calls it. */
  readonly title: string;
  readonly modelId: string;
  readonly inputs: JsonObject;
  readonly target: Target;
  /** What they should know before they say yes, besides the price. */
  readonly detail?: string;
}

/**
 * The price was not on the screen when the person pressed: it is asked for and shown before anything is spent. Undefined when they said no.
 * Rejects with UserError, or ServiceError when there is no price to be had.
 */
export async function renderAgain(
  repeat: Repeat,
  { spend }: Pick<Renders, 'spend'>,
  { connection, session }: ResultWorld,
): Promise<RenderRecord | undefined> {
  await connection.ready();
  const client = connectedClient(session);
  const { modelId, inputs, target } = repeat;
  const { costCents } = await client.quote(modelId, inputs);
  if (costCents !== undefined && !(await agrees(repeat, costCents))) return undefined;
  const { account } = client;
  return spend.renderAgreed({ intent: systemRandom.uuid(), modelId, inputs, target, shownCents: costCents, account });
}

async function agrees({ title, target, detail }: Repeat, costCents: number): Promise<boolean> {
  const yes = vscode.l10n.t('Render for {0}', formatCents(costCents, vscode.env.language));
  const question = vscode.l10n.t('Render “{0}” again?', plain(title, 80));
  const replaced =
    target.replaces &&
    vscode.l10n.t('“{0}” stays as it is until you have compared the two.', plain(fileNameOf(target.replaces.uri), 60));
  return (
    (await vscode.window.showInformationMessage(
      question,
      { modal: true, detail: [replaced, detail].filter(Boolean).join(' ') },
      yes,
    )) === yes
  );
}
