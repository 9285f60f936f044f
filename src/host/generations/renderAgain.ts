import * as vscode from 'vscode';
import { frozenInputs } from '../../base/frozen';
import type { JsonObject } from '../../base/json';
import { systemRandom } from '../../base/random';
import type { QuestionWords } from '../../renders/consent';
import type { RenderRecord, Target } from '../../renders/record';
import { fileNameOf } from '../../files/fileName';
import { plain } from '../../base/plain';
import type { Renders } from '../renders/renders';
import type { ResultServices } from '../../services';

/** A render to repeat. */
export interface Repeat {
  /** Its name for the person. */
  readonly title: string;
  readonly modelId: string;
  readonly inputs: JsonObject;
  readonly target: Target;
  /** What to know before confirming, besides the price. */
  readonly detail?: string;
}

/**
 * The price wasn't on screen when the person acted, so it's requested and shown before anything is spent. Undefined
 * when they declined. Rejects with UserError, or with ServiceError when no price is available.
 */
export async function renderAgain(
  repeat: Repeat,
  { spend }: Pick<Renders, 'spend'>,
  { connection }: ResultServices,
): Promise<RenderRecord | undefined> {
  const { modelId, target } = repeat;
  const draft = { intent: systemRandom.uuid(), modelId, inputs: frozenInputs(repeat.inputs), target };
  await connection.ready();
  const order = await spend.price(draft);
  return spend.renderAgain(order, wordsOf(repeat));
}

function wordsOf({ title, target, detail }: Repeat): QuestionWords {
  const replaced =
    target.replaces &&
    vscode.l10n.t('“{0}” stays unchanged until you accept the new image.', plain(fileNameOf(target.replaces.uri), 60));
  return {
    question: vscode.l10n.t('Render “{0}” again?', plain(title, 80)),
    detail: [replaced, detail].filter(Boolean).join(' '),
  };
}
