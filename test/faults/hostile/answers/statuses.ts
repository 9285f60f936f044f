import { toEach, type HostileResponse } from '../answer';
import { endpoints } from '../endpoints';
import { jsonType, message, puts, says } from '../wire';

const words = JSON.stringify({ code: 'NO', message: 'Not so' });

const odd: readonly (number | string)[] = [
  ...[201, 202, 203, 206, 207, 208, 226, 299],
  ...[300, 304, 305, 306, 310],
  ...[
    400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 417, 418, 421, 422, 423, 425, 426,
  ],
  ...[428, 431, 444, 451, 494, 499],
  ...[500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 521, 530, 599],
  ...[600, 799, 999, '000', '099', '1000', '-1', 'abc', '2 0', ''],
];

const refusals: Readonly<Record<string, unknown>> = {
  'no code': { message: 'no' },
  'another code': { code: 'BUSY' },
  'a code in an object': { error: { code: 'API_KEY_DAILY_CAP', message: 'cap' } },
  'a code that is a number': { code: 409 },
  'a code of a megabyte': { code: 'x'.repeat(60_000), message: 'y'.repeat(60_000) },
  'ten thousand details': { details: Array.from({ length: 2000 }, (_, n) => ({ field: `f${n}`, message: 'no' })) },
  'details that name a prototype': { details: JSON.parse('{"__proto__":"bad","constructor":"bad"}') as unknown },
  'details in details': { details: { details: { details: { details: { details: 'deep' } } } } },
  'details for lists': { details: [[[]], null, 7, { field: {}, message: [] }, { path: [1, {}, 'x'], issue: 'y' }] },
  markup: {
    message: '<script>alert(1)</script>[x](command:y) $(zap) \u202e\u001b]8;;http://x\u0007\r\nAuthorization: y',
  },
};

/** Responses to a request that was charged, which say both: that it wasn't, and that it was. */
const contradictions: readonly [status: number, what: string, body: unknown][] = [
  [409, 'a prompt that mentions the daily cap', { code: 'BUSY', request: { prompt: 'API_KEY_DAILY_CAP' } }],
  [409, 'help about the daily cap', { code: 'BUSY', message: 'In progress. See also: API_KEY_DAILY_CAP' }],
  [409, 'the daily cap, and a render', { code: 'API_KEY_DAILY_CAP', generation: { id: 'gen_0001' } }],
  [400, 'the render that it was', { code: 'INVALID', details: { generationId: 'gen_0001' } }],
  [400, 'a render in full', { message: 'no', data: { id: 'gen_0001', status: 'queued', costCents: 4 } }],
  [401, 'the render that it was, and more', { error: { code: 'KEY', message: 'no' }, render_id: 1 }],
  [402, 'a word about a charge', { code: 'BALANCE', message: 'Balance too low. This request was already charged.' }],
  [402, 'a code about a charge', { error: { code: 'ALREADY_CHARGED' } }],
  [400, 'a word about the key', { message: 'The Idempotency-Key was used for another body' }],
  [402, 'a charge', { message: 'Balance too low', charged: true }],
];

const early = (...statuses: number[]) =>
  statuses.map((status) => `HTTP/1.1 ${status} Early\r\nLink: </x>\r\n\r\n`).join('');

/** Unexpected statuses, and odd bodies for expected ones. */
export const statusResponses: HostileResponse[] = [
  ...odd.flatMap((status) => toEach(endpoints, 'statuses', `${status}`, says(status, words))),
  ...[200, 204, 205, 304].flatMap((status) =>
    toEach(endpoints, 'statuses', `${status} without a body`, says(status, '', [])),
  ),
  ...[204, 205, 304].flatMap((status) =>
    toEach(
      ['me', 'create', 'content'],
      'statuses',
      `${status} with a body all the same`,
      says(status, '{"balanceCents":6660}'),
    ),
  ),
  ...[400, 401, 402, 409, 429, 500].flatMap((status) =>
    Object.entries(refusals).flatMap(([what, body]) =>
      toEach(['create', 'quote', 'one'], 'refusals', `${status} with ${what}`, says(status, JSON.stringify(body))),
    ),
  ),
  ...contradictions.map(([status, what, body]): HostileResponse => {
    const act = says(status, JSON.stringify(body));
    return { kind: 'contradictions', what: `${status} with ${what}`, endpoint: 'create', act, isCharged: true };
  }),
  ...toEach(
    endpoints,
    'early answers',
    'hints, and no end of them',
    puts(early(...Array.from({ length: 200 }, () => 103)), 'end'),
    true,
  ),
  ...toEach(
    ['me', 'create', 'content'],
    'early answers',
    'a hint, then an error',
    puts(early(103) + message(500, words, [jsonType]).toString('latin1')),
  ),
  ...toEach(
    ['me', 'create', 'content'],
    'early answers',
    '100 that nobody asked for',
    puts(early(100) + message(503, words, [jsonType]).toString('latin1')),
  ),
  ...toEach(
    endpoints,
    'early answers',
    '101, and another language',
    puts('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\nPRI * HTTP/2.0\r\n\r\n'),
    true,
  ),
];
