import * as vscode from 'vscode';
import { UnfitError } from '../../base/frozen';
import { ServiceError, type FieldProblem } from '../../catalog/errors';
import { BudgetError, SettingError } from '../../renders/budgetError';
import { LedgerError } from '../../renders/ledgerError';
import { OrderError } from '../../renders/orderError';
import { UserError } from '../../editor/userError';
import { plain } from '../../base/plain';
import { sentenceOf } from '../../editor/words';

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
export class RenderError extends Error {
  override readonly name = 'RenderError';
  /** For `invalidInput` and `invalidRequest`: the message for each field. */
  readonly fields: readonly FieldProblem[];
  /** The order's key, if there is an order. */
  readonly key: string | undefined;

  constructor(
    /** For programs. The README lists them. */
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
export function renderErrorOf(error: unknown): RenderError {
  if (error instanceof RenderError) return error;
  if (error instanceof UnfitError) return unfit(error);
  const { fields } = rejectionIn(error) ?? {};
  return new RenderError(codeOf(error), sentenceOf(error), { fields, cause: error });
}

/** What the service said of the inputs, or what we say of them before it's asked. */
function rejectionIn(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  const isInput =
    error instanceof UserError && error.cause instanceof ServiceError && error.cause.kind === 'invalidInput';
  return isInput ? (error.cause as ServiceError) : undefined;
}

function codeOf(error: unknown): string {
  const rejection = rejectionIn(error);
  if (rejection) return rejection.kind;
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof BudgetError || cause instanceof SettingError) return 'overLimit';
  if (cause instanceof OrderError) return cause.code;
  return cause instanceof LedgerError ? 'notRecorded' : 'notPossible';
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
