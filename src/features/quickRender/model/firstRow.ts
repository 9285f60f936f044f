import { ServiceError } from '../../../catalog/errors';
import { checkInputs, type Field, type FieldIssue, type FieldValues, type Model } from '../../../catalog/fields';
import type { SessionState } from '../../../catalog/session';
import type { Offer } from '../../../compose/offer';
import type { Writing } from '../../../compose/writing';

/**
 * The text of the first row, which determines what Enter does there. `order` orders exactly what it says, `notStated`
 * the same after a confirmation; no other row spends anything.
 */
export type FirstRow =
  /** `count` if it orders several, at their sum. */
  | {
      readonly says: 'order';
      readonly intent: string;
      readonly costCents: number;
      readonly afterCents?: number;
      readonly count?: number;
    }
  | { readonly says: 'notStated'; readonly intent: string }
  | { readonly says: 'short'; readonly costCents: number; readonly shortCents: number }
  /** `oneAtATime`: the service states no price, so several have no sum. */
  | { readonly says: 'asking' | 'loading' | 'chooseModel' | 'chooseField' | 'noPrompt' | 'compare' | 'oneAtATime' }
  | { readonly says: 'takesNoText' }
  | { readonly says: 'takesNoImage' }
  | { readonly says: 'tooLong'; readonly length: number; readonly maxLength: number }
  | { readonly says: 'waiting'; readonly seconds: number }
  | { readonly says: 'wrong'; readonly field: Field; readonly issue: FieldIssue; readonly isPrompt: boolean }
  | { readonly says: 'refused'; readonly field: Field; readonly message: string; readonly isPrompt: boolean }
  | { readonly says: 'noPrice' | 'noFields'; readonly error: unknown }
  | { readonly says: 'disconnected'; readonly status: SessionState['status'] };

/** The effect of Enter on a first row. */
export type Enter =
  | {
      readonly does:
        | 'order'
        | 'nothing'
        | 'retry'
        | 'refreshBalance'
        | 'chooseModel'
        | 'chooseField'
        | 'enterKey'
        | 'openAccount'
        | 'compare';
    }
  /** `problem`: what the service says about the field. */
  | { readonly does: 'changeField'; readonly field: Field; readonly problem?: string };

/** The effect of Enter on this first row. */
export function enterOf(row: FirstRow): Enter {
  switch (row.says) {
    case 'order':
    case 'notStated':
      return { does: 'order' };
    case 'short':
      return { does: 'refreshBalance' };
    case 'wrong':
      return row.isPrompt ? { does: 'nothing' } : { does: 'changeField', field: row.field };
    case 'refused':
      return row.isPrompt ? { does: 'nothing' } : { does: 'changeField', field: row.field, problem: row.message };
    case 'noPrice':
    case 'noFields':
    case 'waiting':
      return { does: 'retry' };
    case 'chooseModel':
    case 'takesNoText':
    case 'takesNoImage':
    case 'tooLong':
      return { does: 'chooseModel' };
    case 'chooseField':
      return { does: 'chooseField' };
    case 'compare':
      return { does: 'compare' };
    case 'disconnected':
      return { does: row.status === 'noKey' || row.status === 'keyRefused' ? 'enterKey' : 'openAccount' };
    case 'asking':
    case 'loading':
    case 'noPrompt':
    case 'oneAtATime':
      return { does: 'nothing' };
  }
}

/** What an image waits for: a model that takes one, the field of several that it goes into, or the user's words. */
export type ImageNeed = 'model' | 'field' | 'words';

/** The state that the first row is derived from. */
export interface RowState {
  readonly model: Model | undefined;
  /** The model is being loaded. */
  readonly isReading: boolean;
  /** Why there is no model. */
  readonly problem: unknown;
  readonly writing: Writing;
  /** Includes what is typed. */
  readonly values: FieldValues;
  /** The typed text is an instruction for a text. */
  readonly sendsMaterial: boolean;
  /** Only compares prices: nothing is ordered. */
  readonly compares: boolean;
  /** The inputs have images, and nobody has typed yet; or a text has no instruction yet. */
  readonly isHeld: boolean;
  /** Of an image to change: what is missing before it may be sent, also for a price; undefined without one. */
  readonly image: { readonly awaits: ImageNeed | undefined } | undefined;
  /** There are a URL and a key. */
  readonly hasClient: boolean;
  readonly status: SessionState['status'];
  readonly balanceCents: number | undefined;
  readonly offer: Pick<Offer, 'state' | 'drafts' | 'count'>;
  /** How long the service asks for a pause; undefined if it doesn't. */
  readonly quietSeconds: number | undefined;
}

/** The first row: the first obstacle to an order, else its price. */
export function firstRowOf(standing: RowState): FirstRow {
  const { model, hasClient, status, problem } = standing;
  if (model && (!hasClient || status === 'keyRefused')) return { says: 'disconnected', status };
  if (standing.isReading) return waiting('loading', standing);
  if (!hasClient) return { says: 'disconnected', status };
  if (!model && problem === undefined) return { says: 'chooseModel' };
  if (!model) return asksToWait(problem, standing) ?? { says: 'noFields', error: problem };
  const obstacle = wrong(model, standing);
  if (obstacle) return obstacle;
  if (standing.compares) return { says: 'compare' };
  return standing.isHeld ? { says: 'noPrompt' } : priced(model, standing);
}

function wrong({ fields }: Model, { writing, values, sendsMaterial, image }: RowState): FirstRow | undefined {
  const written = writing.fields(fields);
  if (image?.awaits === 'model') return { says: 'takesNoImage' };
  if (image?.awaits === 'field') return { says: 'chooseField' };
  if ((sendsMaterial || image) && written.length === 0) return { says: 'takesNoText' };
  if (image?.awaits === 'words') return { says: 'noPrompt' };
  const [first] = checkInputs(fields, values);
  const field = first && fields.find(({ name }) => name === first[0]);
  if (!field) return undefined;
  const [, issue] = first;
  const isPrompt = written.includes(field);
  if (isPrompt && issue.code === 'required') return { says: 'noPrompt' };
  if (isPrompt && issue.code === 'tooLong' && sendsMaterial)
    return { says: 'tooLong', length: issue.length, maxLength: issue.maxLength };
  return { says: 'wrong', field, issue, isPrompt };
}

function priced(model: Model, standing: RowState): FirstRow {
  const { state, drafts, count } = standing.offer;
  if (state.status === 'failed') return failed(model, state.error, standing);
  if (state.status === 'notStated' && count > 1) return { says: 'oneAtATime' };
  const [first] = drafts;
  if (!first) return waiting('asking', standing);
  const { intent } = first;
  if (state.status !== 'priced') return { says: 'notStated', intent };
  return covered({ says: 'order', intent, costCents: state.costCents, ...(count > 1 && { count }) }, standing);
}

function covered(order: Extract<FirstRow, { says: 'order' }>, { balanceCents }: RowState): FirstRow {
  if (balanceCents === undefined) return order;
  const { costCents } = order;
  const afterCents = balanceCents - costCents;
  return afterCents < 0 ? { says: 'short', costCents, shortCents: -afterCents } : { ...order, afterCents };
}

function failed({ fields }: Model, error: ServiceError, standing: RowState): FirstRow {
  const waits = asksToWait(error, standing);
  if (waits) return waits;
  for (const { field: name, message } of error.fields) {
    const field = fields.find((own) => own.name === name);
    if (field) return { says: 'refused', field, message, isPrompt: standing.writing.fields(fields).includes(field) };
  }
  return { says: 'noPrice', error };
}

/** A pending request stays pending while the service asks for a pause. */
function waiting(otherwise: 'asking' | 'loading', { quietSeconds }: RowState): FirstRow {
  return quietSeconds === undefined ? { says: otherwise } : { says: 'waiting', seconds: quietSeconds };
}

function asksToWait(error: unknown, { quietSeconds }: RowState): FirstRow | undefined {
  const isAsked = error instanceof ServiceError && error.kind === 'tooManyRequests';
  return isAsked && quietSeconds !== undefined ? { says: 'waiting', seconds: quietSeconds } : undefined;
}
