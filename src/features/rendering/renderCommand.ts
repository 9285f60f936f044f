import * as z from 'zod/mini';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { frozenInputs, type Copied } from '../../base/frozen';
import { isObject, type JsonObject } from '../../base/json';
import type { Lazy } from '../../base/lazy';
import { systemRandom } from '../../base/random';
import type { Session } from '../../catalog/session';
import { namesKeptImage } from '../../files/recordedImages';
import { fateOf, type Fate } from '../../renders/fate';
import type { LibraryEntry } from '../../renders/library';
import { mayRead } from '../../renders/reach';
import type { RenderRecord } from '../../renders/record';
import { connectedClient } from '../account/connectedClient';
import type { Connection } from '../account/connection';
import { keptImageSentence, problemSentence } from '../../editor/problemWords';
import { sentenceOf } from '../../editor/words';
import { RenderError, renderErrorOf } from './renderError';
import type { Renders } from './renders';

/** How a render ended. */
export type RenderEnd = 'succeeded' | 'failed' | 'refunded' | 'refused' | 'unknown';

/** The result of the command `modelCatalog.render`, once the render has ended. */
export interface RenderOutcome {
  /** Identifies the order permanently. */
  readonly key: string;
  readonly generationId: string | undefined;
  readonly status: RenderEnd;
  /** Charged according to the service, euro cents. */
  readonly costCents: number | undefined;
  /** URI. */
  readonly file?: string;
  readonly text?: string;
  /** Why there is no result, in words. */
  readonly problem?: string;
}

const requestShape = z.object({
  modelId: z.string().check(z.minLength(1)),
  inputs: z.custom<JsonObject>(isObject),
  target: z.optional(z.object({ folder: z.optional(z.string()), fileName: z.optional(z.string()) })),
});

/**
 * Renders for another extension, a keyboard shortcut, or an agent: directly within the unattended budget, above it
 * after a person confirmed the price. Resolves when it has ended, with undefined when they declined. Rejects with
 * RenderError when it doesn't end; reporting is up to the caller.
 */
export async function renderCommand(
  request: Copied,
  renders: Lazy<Renders>,
  session: Session,
  connection: Connection,
): Promise<RenderOutcome | undefined> {
  let opened: Renders | undefined;
  const intent = systemRandom.uuid();
  try {
    const { modelId, inputs, target } = readRequest(request);
    await connection.ready();
    checkConnected(session);
    opened = await renders.get();
    opened.awaited.add(intent);
    const { spend, targets } = opened;
    const draft = { intent, modelId, inputs, target: { ...targets.default(), ...target } };
    const record = await spend.renderUnattended(draft);
    return record && outcomeOf(await fateIn(opened, record.key));
  } catch (error) {
    throw renderErrorOf(error);
  } finally {
    opened?.awaited.delete(intent);
  }
}

/** Throws RenderError, or UnfitError for inputs that can't be sent as they are. */
function readRequest(request: Copied) {
  if ('error' in request && request.error.path[0] === 'inputs') throw request.error;
  const parsed = requestShape.safeParse('copy' in request ? request.copy : undefined);
  if (parsed.success) {
    if (namesKeptImage(parsed.data.inputs)) throw new RenderError('invalidRequest', keptImageSentence());
    return { ...parsed.data, inputs: frozenInputs(parsed.data.inputs) };
  }
  const message = vscode.l10n.t('modelCatalog.render expects {modelId, inputs, target?: {folder?, fileName?}}.');
  const fields = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  throw new RenderError('invalidRequest', message, { fields });
}

function checkConnected(session: Session): void {
  try {
    connectedClient(session);
  } catch (error) {
    throw new RenderError('notConnected', sentenceOf(error), { cause: error });
  }
}

/** The outcome of a render ordered for a caller. */
export function fateIn(renders: Renders, key: string): Promise<Fate> {
  const { spend, library } = renders;
  const isInUse = (record: RenderRecord) => {
    const connected = renders.connection();
    return connected !== undefined && mayRead(record, connected);
  };
  return fateOf(key, { renderer: spend, library, isInUse, clock: systemClock });
}

/** Throws RenderError when it hasn't ended, and for inputs that the service rejected. */
function outcomeOf({ is, entry }: Fate): RenderOutcome {
  const { id: key, problem } = entry;
  const why = problem && problemSentence(problem);
  switch (is) {
    case 'ended':
      if (entry.state === 'refused' && problem?.code === 'invalidInput')
        throw new RenderError('invalidInput', why ?? '', { key, fields: problem.fields });
      return endOf(entry, why);
    case 'notSent':
      throw new RenderError('notSent', sentences(vscode.l10n.t('Not sent, nothing charged.'), why), { key });
    case 'waiting':
      throw new RenderError(
        'waiting',
        sentences(
          vscode.l10n.t('Not sent, nothing charged. The render is under “Not sent” in the Generations view.'),
          why,
        ),
        { key },
      );
    case 'away':
      throw new RenderError(
        'accountChanged',
        vscode.l10n.t(
          'The account that started this render isn’t connected, so we can’t tell yet how it ended. Connect with that account.',
        ),
        { key },
      );
  }
}

function endOf(entry: LibraryEntry, problem: string | undefined): RenderOutcome {
  const { id, generationId, costCents, file, textOutput } = entry;
  return { key: id, generationId, status: statusOf(entry), costCents, file, text: textOutput, problem };
}

function statusOf({ state }: LibraryEntry): RenderEnd {
  switch (state) {
    case 'failed':
    case 'refunded':
    case 'refused':
    case 'unknown':
      return state;
    default:
      return 'succeeded';
  }
}

function sentences(...all: readonly (string | undefined)[]): string {
  return all.filter(Boolean).join(' ');
}
