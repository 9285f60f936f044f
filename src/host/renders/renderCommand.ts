import * as z from 'zod/mini';
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json';
import { isObject } from '../../base/json';
import type { Lazy } from '../../base/lazy';
import { systemRandom } from '../../base/random';
import { ServiceError, type FieldProblem } from '../../catalog/errors';
import type { Session } from '../../catalog/session';
import type { LibraryEntry } from '../../renders/library';
import { connectedClient } from '../account/connectedClient';
import type { Connection } from '../account/connection';
import { problemSentence } from '../problemWords';
import { UserError } from '../userError';
import { sentenceOf } from '../words';
import { ended } from './ended';
import type { Renders } from './renders';
import type { ResultWorld } from './resultWorld';

/** What the command `modelCatalog.render` resolves with when the render has ended. */
export interface RenderOutcome {
  readonly key: string;
  readonly generationId: string | undefined;
  /** The service's word, else our state. */
  readonly status: string;
  /** Charged by the service's own word, euro cents. */
  readonly costCents: number | undefined;
  /** URI. */
  readonly file?: string;
  readonly text?: string;
  /** Why there is no result, in words; for a refusal of inputs with the names of the fields. */
  readonly problem?: string;
  /** What the service says of which field. */
  readonly fields?: readonly FieldProblem[];
}

const request = z.object({
  modelId: z.string().check(z.minLength(1)),
  inputs: z.custom<JsonObject>(isObject),
  target: z.optional(z.object({ folder: z.optional(z.string()), fileName: z.optional(z.string()) })),
});

/**
 * Renders for another extension, a keybinding or an agent: within the unattended budget at once, above it after a person agreed to
 * the price. Undefined when they did not. Rejects with UserError, or ServiceError when the price cannot be had.
 */
export async function renderCommand(
  arg: unknown,
  renders: Lazy<Renders>,
  session: Session,
  connection: Connection,
  openForm: ResultWorld['openForm'],
): Promise<RenderOutcome | undefined> {
  const parsed = request.safeParse(arg);
  if (!parsed.success) {
    throw new UserError(
      vscode.l10n.t(
        'modelCatalog.render takes {modelId, inputs, target?: {folder?, fileName?}}; this is something else.',
      ),
    );
  }
  const { modelId, inputs, target } = parsed.data;
  await connection.ready();
  const client = connectedClient(session);
  const { library, spend, targets } = await renders.get();
  const draft = {
    intent: systemRandom.uuid(),
    modelId,
    inputs,
    target: { ...targets.default(), ...target },
    account: client.account,
  };
  const price = async () => (await client.quote(modelId, inputs)).costCents;
  try {
    const record = await spend.renderUnattended(draft, price);
    return record && outcomeOf(await ended(library, record.key));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.fields.length === 0) throw error;
    void showField(error, () => openForm(modelId, inputs, { refused: error.fields }));
    return undefined;
  }
}

/** What was refused, and the way to it: the form, at the field the service names. */
async function showField(error: ServiceError, open: () => Promise<void>): Promise<void> {
  const show = vscode.l10n.t('Show Field');
  const answer = await vscode.window.showErrorMessage(sentenceOf(error), show);
  if (answer === show) await open();
}

function outcomeOf(entry: LibraryEntry): RenderOutcome {
  const { id, generationId, status, state, costCents, file, textOutput, problem } = entry;
  return {
    key: id,
    generationId,
    status: status ?? state ?? '',
    costCents,
    file,
    text: textOutput,
    problem: problem && problemSentence(problem),
    fields: problem?.fields,
  };
}
