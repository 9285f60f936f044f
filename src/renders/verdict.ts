import { ServiceError } from '../catalog/errors';
import type { Problem } from './record';

/**
 * What the answer to an attempt proves about the money (rules of money 3).
 * `refused`: this attempt charged nothing. `wait`: the service turned it away unread and asks to slow down.
 * `unproven`: it may have been charged; only the same bytes with the same key may follow.
 * `declined`: it proves nothing either, and the same bytes would get the same answer.
 */
export type Verdict = 'refused' | 'wait' | 'unproven' | 'declined';

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
    case 'status':
      return isDeclined(error) ? 'declined' : 'unproven';
    default:
      return 'unproven';
  }
}

/**
 * Statuses of the 400s that say "not now": a request that was cut, one with the same key that is still at work, one
 * that came too early.
 */
const passing: ReadonlySet<number> = new Set([408, 409, 425]);

/**
 * True for a no of the service's own that its specification doesn't know. A web page comes from something in between.
 */
function isDeclined({ status = 0, html }: ServiceError): boolean {
  return status >= 400 && status <= 499 && !passing.has(status) && !html;
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
      return { code: 'serviceSays', detail: answerOf(error) };
  }
}

/** An answer that the specification doesn't know, as it came: its status, its code, its words. */
function answerOf({ status, code, serviceMessage, message }: ServiceError): string {
  const stated = [status, code, serviceMessage].filter((part) => part !== undefined);
  return stated.length > 0 ? stated.join(' ') : message;
}
