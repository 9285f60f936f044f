import { ServiceError } from '../catalog/errors';
import type { Problem } from './record';

/**
 * What the answer to an attempt proves about the money (rules of money 3).
 * `refused`: this attempt charged nothing. `wait`: the service turned it away unread and asks to slow down.
 * `unproven`: it may have been charged; only the same bytes with the same key may follow.
 */
export type Verdict = 'refused' | 'wait' | 'unproven';

/** The verdict of a failed attempt taken by itself; an earlier unanswered attempt makes a refusal prove nothing. */
export function verdictOf(error: unknown): Verdict {
  if (!(error instanceof ServiceError)) return 'unproven';
  switch (error.kind) {
    case 'invalidInput':
    case 'keyRefused':
    case 'balanceTooLow':
    case 'dailyCap':
      return 'refused';
    case 'tooManyRequests':
      return 'wait';
    default:
      return 'unproven';
  }
}

/** The problem a failed call leaves on a record. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof ServiceError))
    return { code: 'noAnswer', detail: error instanceof Error ? error.message : String(error) };
  const detail = error.serviceMessage ?? error.message;
  switch (error.kind) {
    case 'invalidInput':
      return { code: 'invalidInput', detail, fields: error.fields };
    case 'keyRefused':
    case 'balanceTooLow':
    case 'dailyCap':
    case 'tooManyRequests':
    case 'noAnswer':
    case 'unreadable':
      return { code: error.kind, detail };
    default:
      return { code: 'serviceSays', detail: error.status === undefined ? detail : `${error.status} ${detail}` };
  }
}
