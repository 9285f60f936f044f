import { ServiceError } from '../catalog/errors';
import { FileProblem, type FileProblemCode } from '../files/problem';
import type { Problem, ProblemCode, Progress, RenderRecord } from './record';
import { pauseAfter, renderProblemOf } from './proof';

/** A delivery that waits for something other than time. */
export class Undelivered extends Error {
  override readonly name = 'Undelivered';
  constructor(readonly problem: Problem) {
    super(`The result can’t be delivered (${problem.code})`);
  }
}

/** The longest pause between two tries, ms. */
export const longestPauseMs = 3_600_000;
/** A shorter wait isn't worth telling: the result counts as being saved. ms */
const briefMs = 20_000;
/** How long, and how often, the service must say that it doesn't have a result until it's believed. ms */
const goneMs = 7 * 24 * 3_600_000;
const goneTries = 24;

/** File problems that stay until the user chooses another place. */
const usersChoice: ReadonlySet<FileProblemCode> = new Set(['outsideFolder', 'tooLargeThere', 'unreadable']);
/** Problems that time may mend, and the user sooner. */
const usersToo: ReadonlySet<ProblemCode> = new Set(['diskFull', 'folderGone', 'notWritable']);

/**
 * Who can mend a failed delivery. Time: whatever the service, the network, or a disk does now, it may not do later. The
 * user: it waits for their decision, such as another API key or folder, and isn't tried again before.
 */
export function mendedBy(error: unknown): 'time' | 'user' {
  if (error instanceof Undelivered) return 'user';
  if (error instanceof FileProblem) return usersChoice.has(error.code) ? 'user' : 'time';
  return error instanceof ServiceError && error.kind === 'notAllowed' ? 'user' : 'time';
}

/**
 * The changes to a record whose delivery just failed: its problem, and when it's tried again. The pauses double from a
 * second to an hour, and the service's own wish is their least. A result that the service has denied for a week is
 * gone: it's left to the user.
 *
 * @param now Ms since 1970.
 * @param unit At least 0 and less than 1, to spread the tries.
 */
export function afterFailure(
  { problem: before, retry }: RenderRecord,
  error: unknown,
  now: number,
  unit: number,
): Pick<Progress, 'problem' | 'retry'> {
  const problem = problemIn(error);
  if (mendedBy(error) === 'user') return { problem, retry: undefined };
  if (before?.code === 'gone') return { problem: before, retry: undefined };
  const { kind, status, retryAfterMs = 0 } = error instanceof ServiceError ? error : {};
  // Turned back by ourselves, since the service asked for fewer requests: that's no try.
  const wasTried = kind !== 'tooManyRequests' || status !== undefined;
  const tries = (retry?.tries ?? 0) + (wasTried ? 1 : 0);
  const deniedSince = status === 404 || status === 410 ? (retry?.deniedSince ?? now) : undefined;
  if (deniedSince !== undefined && now - deniedSince >= goneMs && tries >= goneTries)
    return { problem: { code: 'gone' }, retry: undefined };
  const pause = Math.max(retryAfterMs, pauseAfter(Math.max(1, tries), unit, longestPauseMs));
  const isTold = before !== undefined || pause > briefMs || usersToo.has(problem.code);
  return {
    problem: isTold ? problem : undefined,
    retry: { tries, failedAt: now, nextAt: Math.round(now + pause), deniedSince },
  };
}

/** How long until a failed delivery is tried again, ms. A clock that was set back since makes nothing wait. */
export function untilRetry({ retry }: RenderRecord, now: number): number {
  return retry === undefined || now < retry.failedAt ? 0 : Math.max(0, retry.nextAt - now);
}

function problemIn(error: unknown): Problem {
  if (error instanceof Undelivered) return error.problem;
  if (error instanceof FileProblem) return { code: error.code, detail: error.detail };
  if (error instanceof ServiceError && error.leadsTo !== undefined)
    return { code: 'redirected', detail: error.leadsTo };
  return isNotReady(error) ? { code: 'noContent', detail: error.serviceMessage } : renderProblemOf(error);
}

/** True for the service's answer that it has no file to give, whatever it calls that. A web page comes from a proxy. */
function isNotReady(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError) || error.html || error.kind === 'tooManyRequests') return false;
  const { status = 0 } = error;
  return (status > 200 && status < 300) || (status >= 400 && status < 500);
}
