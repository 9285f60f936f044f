import { toEach, type HostileResponse } from '../answer';
import { endpoints } from '../endpoints';
import { jsonType, message, says } from '../wire';

const ok = `HTTP/1.1 200 OK\r\n${jsonType}\r\n`;
const json = '{"id":"gen_0001","status":"queued","balanceCents":6660,"costCents":0}';

/** Responses that arrive late, byte by byte, or never. */
export const slowResponses: HostileResponse[] = [
  ...toEach(endpoints, 'silence', 'from the beginning', () => {}, true),
  ...toEach(endpoints, 'silence', 'after the status', (wire) => void wire.send('HTTP/1.1 200 OK\r\n'), true),
  ...toEach(
    endpoints,
    'silence',
    'after the headers',
    (wire) => void wire.send(`${ok}Content-Length: 70\r\n\r\n`),
    true,
  ),
  ...toEach(
    endpoints,
    'silence',
    'in the middle of the body',
    (wire) => void wire.send(`${ok}Content-Length: 700\r\n\r\n${json}`),
    true,
  ),
  ...toEach(
    endpoints,
    'silence',
    'in the middle of a chunk',
    (wire) => void wire.send(`${ok}Transfer-Encoding: chunked\r\n\r\n80\r\n${json}`),
    true,
  ),
  ...toEach(
    endpoints,
    'silence',
    'in the body of a refusal',
    (wire) => void wire.send(`HTTP/1.1 402 No\r\nContent-Length: 70\r\n\r\n{`),
    true,
  ),
  ...toEach(
    endpoints,
    'slow bytes',
    'in the headers',
    (wire) => wire.drip(`${ok}X-A: ${'x'.repeat(1000)}\r\n\r\n`, 2000),
    true,
  ),
  ...toEach(
    endpoints,
    'slow bytes',
    'in the body',
    (wire) => wire.send(`${ok}Content-Length: 1000\r\n\r\n`).drip(json.padEnd(1000), 2000),
    true,
  ),
  ...toEach(
    endpoints,
    'slow bytes',
    'hints again and again',
    (wire) => wire.drip('HTTP/1.1 103 Early\r\n\r\n'.repeat(100), 500),
    true,
  ),
];

const waits = [
  '5',
  '0',
  '-1',
  '1e9',
  '999999999999',
  'abc',
  '',
  '1.5',
  ' 7 ',
  'Fri, 31 Dec 1999 23:59:59 GMT',
  'Fri, 31 Dec 2100 23:59:59 GMT',
];
const dates = [
  '',
  'yesterday',
  '0',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'Fri, 31 Dec 9999 23:59:59 GMT',
  'Xyz, 99 Foo 2026 99:99:99 GMT',
  '2026-11-21T10:00:00Z',
];

/** Times that a service may state. */
export const timeResponses: HostileResponse[] = [
  ...waits.flatMap((wait) =>
    [429, 503].flatMap((status) =>
      toEach(
        ['me', 'create', 'quote', 'list', 'content'],
        'times to wait',
        `${status} and ${JSON.stringify(wait)}`,
        says(status, '{}', [`Retry-After: ${wait}`]),
        true,
      ),
    ),
  ),
  ...dates.flatMap((date) =>
    toEach(
      endpoints,
      'times it is',
      JSON.stringify(date),
      (wire) => void wire.send(message(200, '{}', [`Date: ${date}`])),
    ),
  ),
];
