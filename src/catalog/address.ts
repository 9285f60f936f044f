import { isLoopback } from '../base/loopback';

/**
 * Why an address can't be used. `scheme` neither https nor http, or none · `httpNotLoopback` http to another machine
 * would show the key to everyone along the way · `dots` a path with `.` or `..` · the others name a part that the
 * address may not contain.
 */
export type AddressProblem =
  | 'empty'
  | 'tooLong'
  | 'whitespace'
  | 'backslash'
  | 'scheme'
  | 'notAnAddress'
  | 'httpNotLoopback'
  | 'userInfo'
  | 'query'
  | 'hash'
  | 'dots';

export type AddressCheck = { readonly base: string } | { readonly problem: AddressProblem };

/** The path of every endpoint below the base address (specification, first paragraph). */
export const catalogRoot: readonly string[] = ['api', 'v1', 'api', 'catalog'];
const rootPath = catalogRoot.join('/');

/**
 * The base address a user means, normalized: scheme, host, port and path prefix, no slash at the end. The catalog
 * root may be included, also with an endpoint. Whatever could lead the key elsewhere is refused, not corrected.
 */
export function parseAddress(text: string): AddressCheck {
  const typed = text.trim();
  const problem = problemOf(typed);
  if (problem) return { problem };
  const url = new URL(typed);
  const path = url.pathname
    .split('/')
    .filter((segment) => segment !== '')
    .join('/');
  const prefix = `${path}/`.replace(new RegExp(`(^|/)${rootPath}/((me|models|quote|generations)/)?$`), '');
  return { base: [url.origin, prefix.replace(/\/$/, '')].filter(Boolean).join('/') };
}

/**
 * The base to try when no catalog service responds at this one, since it may end within the catalog root: `…/api` or
 * `…/api/v1` without that. Undefined for any other.
 */
export function shorterBase(base: string): string | undefined {
  const beginnings = catalogRoot.map((_, index) => `/${catalogRoot.slice(0, index + 1).join('/')}`);
  const end = beginnings.findLast((beginning) => new URL(base).pathname.endsWith(beginning));
  return end === undefined ? undefined : base.slice(0, -end.length);
}

function problemOf(typed: string): AddressProblem | undefined {
  if (typed === '') return 'empty';
  if (typed.length > 2048) return 'tooLong';
  // URL silently drops line breaks and tabs, and turns backslashes into slashes.
  if (/[\s\u0000-\u001f\u007f]/.test(typed)) return 'whitespace';
  if (typed.includes('\\')) return 'backslash';
  if (!/^https?:\/\/[^/]/i.test(typed)) return 'scheme';
  if (!URL.canParse(typed)) return 'notAnAddress';
  const url = new URL(typed);
  // Checks the text, since the URL doesn't tell `https://@host`, `host?`, and `host#` from the bare host.
  if (/^[^/]+\/\/[^/?#]*@/.test(typed)) return 'userInfo';
  if (typed.includes('#')) return 'hash';
  if (typed.includes('?')) return 'query';
  if (hasDots(typed)) return 'dots';
  if (url.protocol === 'http:' && !isLoopback(url.origin)) return 'httpNotLoopback';
  return undefined;
}

/** URL resolves dot segments, also percent-encoded ones, which may not yield a prefix that the user never read. */
function hasDots(typed: string): boolean {
  const path = typed.replace(/^[^/]+\/\/[^/]*/, '');
  return path.split(/\/|%2f|%5c/i).some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
}
