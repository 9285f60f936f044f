import type { Turns } from '../base/turns';
import { ServiceError, type ServiceErrorFacts, type ServiceErrorKind } from './errors';
import { header } from './headers';
import { parseJson } from './longJson';
import { isContradicted, readProblem, statesCode } from './problemSchema';
import type { Incoming } from './transport';

/**
 * The error that a response other than 2xx means (specification: Errors). `text` is the part of its body that arrived.
 * The message, which goes to the log, contains nothing of the body, which may quote what a person typed.
 */
export function refusalOf(incoming: Incoming, text: string, facts: ServiceErrorFacts): ServiceError {
  const { status } = incoming;
  const html = isHtml(incoming, text);
  const body = html ? undefined : parsed(text);
  const { code, message, fields } = readProblem(body);
  // A proxy that turns requests away asks for the same patience.
  const kind = html && status !== 429 ? 'status' : kindOf(status, body ?? text);
  return new ServiceError(kind, `Status ${status}${html ? ' with a web page' : codeWord(code)}`, {
    ...facts,
    status,
    code,
    serviceMessage: message,
    fields,
    html,
    contradicted: isContradicted(body ?? text),
  });
}

/**
 * The JSON of a 2xx. Rejects with ServiceError `unreadable` that says what it is instead, and `tooLarge` if it has more
 * values than `most`.
 */
export async function parseAnswer(incoming: Incoming, text: string, most: number, turns: Turns): Promise<unknown> {
  try {
    return await parseJson(text, most, turns);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const html = isHtml(incoming, text);
    const what = html ? 'a web page' : text === '' ? 'nothing' : `${text.length} characters`;
    throw new ServiceError('unreadable', `Expected JSON, but got ${what}`, { status: incoming.status, html });
  }
}

/** For a response whose body doesn't matter. Throws ServiceError `unreadable` for a web page. */
export function refuseWebPage(incoming: Incoming, text: string): void {
  const { status } = incoming;
  // Some servers declare an empty body as a web page.
  if (text.trim() !== '' && isHtml(incoming, text))
    throw new ServiceError('unreadable', 'The response is a web page', { status, html: true });
}

/**
 * A web page is never from the service: it's from a proxy, the login page of a network, or another server. `text`: the
 * part of its body that arrived.
 */
export function isHtml({ headers }: Incoming, text: string): boolean {
  return (
    /^\s*(text\/html|application\/xhtml)/i.test(header(headers, 'content-type') ?? '') ||
    /^\s*<(!doctype|html)\b/i.test(text)
  );
}

/** A code of the service, as opposed to text. */
function codeWord(code: string | undefined): string {
  return code !== undefined && /^(?:[A-Z][A-Z_]{2,63}|[a-z]{1,20}(?:_[a-z]{1,20}){1,5})$/.test(code) ? `, ${code}` : '';
}

function kindOf(status: number, body: unknown): ServiceErrorKind {
  switch (status) {
    case 400:
      return 'invalidInput';
    case 401:
      return 'keyRefused';
    case 402:
      return 'balanceTooLow';
    case 409:
      return statesCode(body, 'API_KEY_DAILY_CAP') ? 'dailyCap' : 'status';
    case 429:
      return 'tooManyRequests';
    default:
      return 'status';
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Errors that aren't JSON are known by their status alone.
    return undefined;
  }
}
