import { ServiceError } from '../catalog/errors';
import type { Problem } from './record';

/**
 * What the response to an attempt proves about the money (rules of money 3). `refused`: this attempt charged nothing.
 * `wait`: the service turned it away unread and asks to slow down. `unproven`: it may have been charged; only the same
 * bytes with the same key may follow. `declined`: it proves nothing either, and the same bytes would get the same
 * response.
 */
export type Verdict = 'refused' | 'wait' | 'unproven' | 'declined';

/** The verdict on a single failed attempt; after an earlier attempt without a response, a rejection proves nothing. */
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
 * Statuses of the 400s that mean "not now": the request was cut off, one with the same key is still running, or it came
 * too early.
 */
const passing: ReadonlySet<number> = new Set([408, 409, 425]);

/** True for a rejection by the service itself that its specification doesn't know. A web page comes from a proxy. */
function isDeclined({ status = 0, html }: ServiceError): boolean {
  return status >= 400 && status <= 499 && !passing.has(status) && !html;
}

/** The problem that a failed call leaves on a record. */
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

/** A response that the specification doesn't know, verbatim: its status, code, and message. */
function answerOf({ status, code, serviceMessage, message }: ServiceError): string {
  const stated = [status, code, serviceMessage].filter((part) => part !== undefined);
  return stated.length > 0 ? stated.join(' ') : message;
}
