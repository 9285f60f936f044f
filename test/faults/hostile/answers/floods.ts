import { toEach, type HostileResponse } from '../answer';
import { endpoints, speaking, type Endpoint } from '../endpoints';
import { modelId } from '../truth';
import { jsonType, says, type Act } from '../wire';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const block = Buffer.alloc(64 * kibibyte, 0x78);
const chunk = Buffer.concat([Buffer.from('10000\r\n'), block, Buffer.from('\r\n')]);
const header = Buffer.from(`X-Flood: ${'x'.repeat(1000)}\r\n`);

/** Sends this many MiB after the head. */
function pours(head: string, mib: number, piece: Uint8Array = block): Act {
  return (wire) => wire.send(head).pour(piece, (mib * mebibyte) / piece.length);
}

const head = (status: number, framing: string) => `HTTP/1.1 ${status} So\r\n${jsonType}\r\n${framing}\r\n\r\n`;

/** A JSON response, a charge, a list, and a file: the others are read the same way. */
const some: readonly Endpoint[] = ['me', 'create', 'list', 'content'];

/** More than was asked for: bytes, headers, trailers. Without a limit, a deadline ends them. */
export const floodResponses: HostileResponse[] = [
  ...toEach(endpoints, 'floods', '64 MiB of a stated length', pours(head(200, `Content-Length: ${64 * mebibyte}`), 64)),
  ...toEach(some, 'floods', '64 MiB in chunks', pours(head(200, 'Transfer-Encoding: chunked'), 64, chunk)),
  ...toEach(
    endpoints,
    'floods',
    'an exbibyte, as it says',
    pours(head(200, 'Content-Length: 1152921504606846976'), 1),
    true,
  ),
  ...[402, 409, 429, 500].flatMap((status) =>
    toEach(endpoints, 'floods', `16 MiB of ${status}`, pours(head(status, 'Transfer-Encoding: chunked'), 16, chunk)),
  ),
  ...toEach(endpoints, 'floods', '16 MiB of headers', pours('HTTP/1.1 200 OK\r\n', 16, header)),
  ...toEach(some, 'floods', 'one header of 16 MiB', pours('HTTP/1.1 200 OK\r\nX-A: ', 16)),
  ...toEach(some, 'floods', 'a status of 16 MiB', pours('HTTP/1.1 200 ', 16), true),
  ...toEach(
    some,
    'floods',
    '16 MiB of trailers',
    pours(`${head(200, 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n`, 16, header),
  ),
  ...toEach(
    some,
    'floods',
    'a chunk’s extension of 16 MiB',
    pours(`${head(200, 'Transfer-Encoding: chunked')}2;x=`, 16),
    true,
  ),
  ...toEach(
    some,
    'floods',
    '4,000 headers of one byte',
    says(
      200,
      '{}',
      Array.from({ length: 4000 }, (_, n) => `H${n}: 1`),
    ),
  ),
];

const rows = (count: number, row: (n: number) => unknown) =>
  JSON.stringify(Array.from({ length: count }, (_, n) => row(n)));
const option = (n: number) => ({ value: `v${n}`, label: `Value ${n}` });

/** Valid lists that are very large. */
export const largeResponses: HostileResponse[] = [
  ...large(
    'models',
    '10,000 models',
    rows(10_000, (n) => ({ id: `a/b/m${n}`, title: `Model ${n}`, description: 'x'.repeat(100) })),
  ),
  ...large(
    'models',
    '100,000 models',
    rows(100_000, (n) => ({ id: `a/b/m${n}` })),
  ),
  ...large(
    'models',
    '10,000 times one model',
    rows(10_000, () => ({ id: modelId })),
  ),
  ...large(
    'models',
    '100,000 rows that cannot be read',
    rows(100_000, (n) => n),
  ),
  ...large(
    'models',
    'a map of 10,000 models',
    `{"models":${JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`a/b/m${n}`, {}])))}}`,
  ),
  ...large('models', 'a title of 8 MiB', JSON.stringify([{ id: modelId, title: 'x'.repeat(8 * mebibyte) }])),
  ...large(
    'model',
    '500 fields',
    JSON.stringify({ id: modelId, fields: Array.from({ length: 500 }, (_, n) => ({ name: `f${n}`, type: 'text' })) }),
  ),
  ...large(
    'model',
    '50,000 fields',
    JSON.stringify({
      id: modelId,
      fields: Array.from({ length: 50_000 }, (_, n) => ({ name: `f${n}`, type: 'text' })),
    }),
  ),
  ...large(
    'model',
    '5,000 options',
    JSON.stringify({
      id: modelId,
      fields: [{ name: 'x', type: 'enum', options: Array.from({ length: 5000 }, (_, n) => option(n)) }],
    }),
  ),
  ...large(
    'model',
    '5,000 options in words',
    JSON.stringify({
      id: modelId,
      fields: [{ name: 'x', type: `enumeration: ${Array.from({ length: 5000 }, (_, n) => `v${n}`).join(', ')}` }],
    }),
  ),
  ...large('model', 'no options', JSON.stringify({ id: modelId, fields: [{ name: 'x', type: 'enum', options: [] }] })),
  ...large(
    'model',
    'a type of a megabyte of bars',
    JSON.stringify({ id: modelId, fields: [{ name: 'x', type: '|'.repeat(mebibyte) }] }),
  ),
  ...large(
    'model',
    'a type of a megabyte of blanks',
    JSON.stringify({ id: modelId, fields: [{ name: 'x', type: `enum: ${' '.repeat(mebibyte)}!` }] }),
  ),
  ...large(
    'model',
    'a name of a megabyte of strokes',
    JSON.stringify({ id: modelId, fields: [{ name: '_- '.repeat(mebibyte / 3), type: 'text' }] }),
  ),
  ...large(
    'list',
    '100,000 generations',
    rows(100_000, (n) => ({ id: `g${n}`, status: 'queued', costCents: 1 })),
  ),
  ...large(
    'list',
    '10,000 generations of wide inputs',
    rows(10_000, (n) => ({ id: `g${n}`, status: 'failed', inputs: { prompt: 'x'.repeat(500), n } })),
  ),
  ...speaking.flatMap((endpoint) =>
    large(
      endpoint,
      'a text of 8 MiB beside the rest',
      JSON.stringify({ noise: 'x'.repeat(8 * mebibyte), id: 'gen_0001' }),
    ),
  ),
  ...large(
    'quote',
    '100,000 names',
    JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`n${n}Cents`, n]))),
  ),
];

function large(
  endpoint: 'models' | 'model' | 'list' | (typeof speaking)[number],
  what: string,
  body: string,
): HostileResponse[] {
  return toEach([endpoint], 'large answers', what, says(200, body));
}
