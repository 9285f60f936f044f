import * as vscode from 'vscode';
import { systemRandom } from '../../base/clock';
import { type JsonObject, frozenInputs } from '../../base/json';
import { plain } from '../../base/plain';
import { fileNameOf } from '../../files/names';
import type { Initiator, QuestionWords } from '../../renders/consent';
import type { Orders } from '../../renders/orders';
import type { RenderRecord, Target } from '../../renders/record';
import type { Connection } from '../account/connection';

/** A render to repeat. */
export interface Repeat {
  /** Its name for the user. */
  readonly title: string;
  readonly modelId: string;
  readonly inputs: JsonObject;
  readonly target: Target;
  /** What to know before confirming, besides the price. */
  readonly detail?: string;
  /** Who asks for it. */
  readonly initiator: Initiator;
  /** The price next to what the user pressed in our own views, euro cents; undefined when none was. */
  readonly seenCents?: number;
}

/**
 * Requests the price, and shows it before anything is spent, unless it's covered by the one on screen. Undefined when
 * the user declined. Rejects with UserError, or with ServiceError when no price is available.
 */
export async function renderAgain(
  repeat: Repeat,
  orders: Orders,
  connection: Connection,
): Promise<RenderRecord | undefined> {
  const { modelId, target } = repeat;
  const draft = { intent: systemRandom.uuid(), modelId, inputs: frozenInputs(repeat.inputs), target };
  await connection.ready();
  return orders.renderAgain(draft, questionOf(repeat), repeat.initiator, repeat.seenCents);
}

function questionOf({ title, target, detail }: Repeat): QuestionWords {
  const replaced =
    target.replaces &&
    vscode.l10n.t('“{0}” stays unchanged until you accept the new image.', plain(fileNameOf(target.replaces.uri), 60));
  return {
    question: vscode.l10n.t('Render “{0}” again?', plain(title, 80)),
    detail: [replaced, detail].filter(Boolean).join(' '),
  };
}
