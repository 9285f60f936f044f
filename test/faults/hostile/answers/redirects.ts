import { toEach, type HostileResponse } from '../answer';
import { endpoints } from '../endpoints';
import { says } from '../wire';

/** Redirects of every kind; `elsewhere` is an origin that must never be contacted. */
export function redirectResponses(elsewhere: string): HostileResponse[] {
  const host = elsewhere.replace('http://', '');
  const locations: Readonly<Record<string, string>> = {
    'another origin': `${elsewhere}/api/v1/api/catalog/me`,
    'another origin by its bare host': `//${host}/x`,
    'another origin by a backslash': `\\\\${host}\\x`,
    'another origin with our name in front': `http://127.0.0.1@${host}/x`,
    'another origin after a line break': `/x\tLocation: ${elsewhere}`,
    'a safe origin': `https://${host}/x`,
    'the same place': '/api/v1/api/catalog/me',
    itself: '',
    'a relative path': '../../../../x',
    'a path of nothing': '.',
    'the machine’s own data': 'http://169.254.169.254/latest/meta-data/',
    'a file': 'file:///etc/passwd',
    data: 'data:application/json,{"balanceCents":1}',
    'a script': 'javascript:alert(1)',
    'no address': 'http://[::1',
    'a long way': `/${'x'.repeat(10_000)}`,
  };
  const body = '{"id":"gen_0001","status":"queued","balanceCents":6660,"costCents":0}';
  return [301, 302, 303, 307, 308].flatMap((status) =>
    Object.entries(locations).flatMap(([what, location]) =>
      toEach(
        status === 302 || what === 'another origin' ? endpoints : ['create', 'content'],
        'redirections',
        `${status} to ${what}`,
        says(status, body, [`Location: ${location}`]),
      ),
    ),
  );
}

/** Headers that lead elsewhere without being a redirect. */
export function leadingResponses(elsewhere: string): HostileResponse[] {
  const headers = [
    `Location: ${elsewhere}/x`,
    `Refresh: 0; url=${elsewhere}/x`,
    `Link: <${elsewhere}/x>; rel="next", <${elsewhere}/y>; rel=preload`,
    `Content-Location: ${elsewhere}/x`,
    `Alt-Svc: h2="${elsewhere.replace('http://', '')}"; ma=2592000`,
    `Set-Cookie: a=b; Domain=127.0.0.1; Path=/`,
    `WWW-Authenticate: Basic realm="${elsewhere}"`,
    `Report-To: {"endpoints":[{"url":"${elsewhere}/x"}]}`,
  ];
  return headers.flatMap((header) => [
    ...toEach(endpoints, 'headers that lead elsewhere', header.split(':')[0]!, says(200, '{}', [header])),
    ...toEach(
      ['create', 'content', 'me'],
      'headers that lead elsewhere',
      `${header.split(':')[0]!} with 401`,
      says(401, '{}', [header]),
    ),
  ]);
}
