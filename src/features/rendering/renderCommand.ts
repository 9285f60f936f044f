import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { systemClock, systemRandom } from '../../base/clock';
import { isObject, type JsonObject, type Copied, frozenInputs, UnfitError } from '../../base/json';
import type { Lazy } from '../../base/disposable';
import { plain } from '../../base/plain';
import { type FieldProblem, ServiceError } from '../../catalog/errors';
import type { Session } from '../../catalog/session';
import { issueSentence, keptImageSentence, problemSentence, sentenceOf } from '../../editor/words';
import { namesKeptImage } from '../../files/recordedImages';
import { BudgetError, SettingError } from '../../renders/budget';
import { type Fate, fateOf } from '../../renders/fate';
import { LedgerError } from '../../renders/ledgerError';
import type { LibraryEntry } from '../../renders/library';
import { InputError, OrderError } from '../../renders/orderError';
import { mayRead, type RenderRecord } from '../../renders/record';
import { connectedClient } from '../account/connectedClient';
import type { Connection } from '../account/connection';
import { knownModel } from '../models/model/lastModel';
import { ImagesNotAllowed, NamedImageError } from './namedImages';
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
 * after a user confirmed the price. Resolves when it has ended, with undefined when they declined. Rejects with
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
    const { orders, targets, namedImages } = opened;
    const { fields = [] } = (await knownModel(session.model(modelId))) ?? {};
    const [given = inputs] = await namedImages.given([{ fields, inputs, uriOf: uriInProject }], {});
    const draft = { intent, modelId, inputs: frozenInputs(given), target: { ...targets.default(), ...target } };
    const record = await orders.renderUnattended(draft);
    return record && outcomeOf(await fateIn(opened, record.key));
  } catch (error) {
    if (error instanceof ImagesNotAllowed) return undefined;
    throw renderErrorOf(error);
  } finally {
    opened?.awaited.delete(intent);
  }
}

/** An absolute path, or one from the first open folder. */
function uriInProject(path: string): Promise<vscode.Uri> {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  const isRelative = first && !isAbsolute(path);
  return Promise.resolve(isRelative ? vscode.Uri.joinPath(first.uri, path) : vscode.Uri.file(path));
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
  const { orders, library } = renders;
  const isInUse = (record: RenderRecord) => {
    const connected = renders.connection();
    return connected !== undefined && mayRead(record, connected);
  };
  return fateOf(key, { renderer: orders, library, isInUse, clock: systemClock });
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

/** The documented properties of a failure, besides its message. */
interface Facts {
  readonly fields?: readonly FieldProblem[];
  readonly key?: string;
  readonly cause?: unknown;
}

/**
 * Why a caller's render didn't end. Nothing was or will be charged, unless it has the `key` of an order that still
 * exists. Its message is fit for a notification.
 */
class RenderError extends Error {
  override readonly name = 'RenderError';
  /** For `invalidInput` and `invalidRequest`: the message for each field. */
  readonly fields: readonly FieldProblem[];
  /** The order's key, if there is an order. */
  readonly key: string | undefined;

  constructor(
    /** For programs. The help page `api.md` lists them. */
    readonly code: string,
    message: string,
    { fields = [], key, cause }: Facts = {},
  ) {
    super(message, { cause });
    this.fields = fields;
    this.key = key;
  }
}

/** Any failure before there was an order, as the caller gets it. */
function renderErrorOf(error: unknown): RenderError {
  if (error instanceof RenderError) return error;
  if (error instanceof UnfitError) return unfit(error);
  const fields = error instanceof ServiceError ? error.fields : fieldsOf(error);
  return new RenderError(codeOf(error), sentenceOf(error), { fields, cause: error });
}

/** What we say of the inputs before the service is asked. */
function fieldsOf(error: unknown): readonly FieldProblem[] | undefined {
  if (error instanceof NamedImageError) return [{ field: error.field.name, message: error.message }];
  if (!(error instanceof InputError)) return undefined;
  return [{ field: error.field.name, message: issueSentence(error.issue) }];
}

function codeOf(error: unknown): string {
  if (error instanceof ServiceError) return error.kind;
  if (error instanceof InputError || error instanceof NamedImageError) return 'invalidInput';
  if (error instanceof BudgetError || error instanceof SettingError) return 'overLimit';
  if (error instanceof OrderError) return error.code;
  return error instanceof LedgerError ? 'notRecorded' : 'notPossible';
}

function unfit(error: UnfitError): RenderError {
  const [, field = 'inputs'] = error.path;
  const message = unfitSentence(error);
  return new RenderError('invalidInput', message, { fields: [{ field: String(field), message }], cause: error });
}

function unfitSentence({ reason, path }: UnfitError): string {
  const name = plain(path.join('.'), 120);
  switch (reason) {
    case 'notJson':
      return vscode.l10n.t(
        '“{0}” can’t be sent. Use text, numbers, true, false, null, lists, and plain objects.',
        name,
      );
    case 'circular':
      return vscode.l10n.t('“{0}” can’t be sent. It contains itself.', name);
    case 'tooDeep':
      return vscode.l10n.t('“{0}” can’t be sent. It’s nested too deeply.', name);
    case 'tooMany':
      return vscode.l10n.t('“{0}” can’t be sent. The inputs hold too many values.', name);
    case 'unreadable':
      return vscode.l10n.t('“{0}” can’t be sent. Reading it failed.', name);
  }
}
