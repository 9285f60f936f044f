import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { toEach, type HostileResponse } from '../answer';
import { endpoints } from '../endpoints';
import { image } from '../truth';
import { htmlType, jsonType, puts, says, type Act } from '../wire';

const json = '{"id":"gen_0001","status":"queued","balanceCents":6660,"costCents":0}';
const ok = `HTTP/1.1 200 OK\r\n${jsonType}\r\n`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const length = `Content-Length: ${json.length}\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n';

/** Bytes after which nothing follows: the response is cut off, or never was one. */
const cut: Readonly<Record<string, string>> = {
  nothing: '',
  'half a status': 'HTTP/1.1 20',
  'half of the headers': `${ok}Content-Le`,
  'headers alone': `${ok}Content-Length: 1000\r\n\r\n`,
  'half a body': `${ok}Content-Length: 1000\r\n\r\n${json}`,
  'a body without its last byte': `${ok}${length}\r\n${json.slice(0, -1)}`,
  'chunks without the last': `${ok}${chunked}\r\n${chunk(json)}`,
  'half a chunk': `${ok}${chunked}\r\n40\r\n${json.slice(0, 10)}`,
  'half a chunk, to be closed': `${ok}${chunked}Connection: close\r\n\r\n40\r\n${json.slice(0, 10)}`,
  'a chunk’s size alone': `${ok}${chunked}\r\n40\r\n`,
  'half of the trailers': `${ok}${chunked}\r\n${chunk(json)}0\r\nX-A: `,
  'half a body without a length': `${ok}\r\n${json.slice(0, 20)}`,
};

/** Bytes that aren't an HTTP message, or are one and something else. */
const malformed: Readonly<Record<string, string>> = {
  'two lengths': `${ok}${length}Content-Length: 5\r\n\r\n${json}`,
  'two lengths in one line': `${ok}Content-Length: 5, 5\r\n\r\n${json}`,
  'a length and chunks': `${ok}${length}${chunked}\r\n${chunk(json)}0\r\n\r\n`,
  'a length below nought': `${ok}Content-Length: -1\r\n\r\n${json}`,
  'a length in words': `${ok}Content-Length: many\r\n\r\n${json}`,
  'a length with a sign': `${ok}Content-Length: +5\r\n\r\n${json}`,
  'a length in hexadecimal': `${ok}Content-Length: 0x10\r\n\r\n${json}`,
  'a length beyond counting': `${ok}Content-Length: ${'9'.repeat(30)}\r\n\r\n${json}`,
  'a length of a fraction': `${ok}Content-Length: 1.5\r\n\r\n${json}`,
  'a chunk’s size that is none': `${ok}${chunked}\r\nzz\r\n${json}\r\n0\r\n\r\n`,
  'a chunk’s size below nought': `${ok}${chunked}\r\n-5\r\n${json}\r\n0\r\n\r\n`,
  'a chunk’s size beyond counting': `${ok}${chunked}\r\n${'f'.repeat(30)}\r\n${json}`,
  'a chunk longer than its size': `${ok}${chunked}\r\n5\r\n${json}\r\n0\r\n\r\n`,
  'a transfer coding nobody knows': `${ok}Transfer-Encoding: secret\r\n\r\n${json}`,
  'chunks in chunks': `${ok}Transfer-Encoding: chunked, chunked\r\n\r\n${chunk(json)}0\r\n\r\n`,
  'bare line feeds': `HTTP/1.1 200 OK\nContent-Length: ${json.length}\n\n${json}`,
  'a header without a colon': `${ok}Nonsense\r\n${length}\r\n${json}`,
  'a space in a header’s name': `${ok}X Y: 1\r\n${length}\r\n${json}`,
  'a zero byte in a header': `${ok}X-A: a\u0000b\r\n${length}\r\n${json}`,
  'a folded header': `${ok}X-A: a\r\n  b\r\n${length}\r\n${json}`,
  'an empty header’s name': `${ok}: x\r\n${length}\r\n${json}`,
  'no status line': json,
  'HTTP/0.9': '<html>hello</html>',
  'HTTP/1.0 without a length': `HTTP/1.0 200 OK\r\n\r\n${json}`,
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'HTTP/9.9': `HTTP/9.9 200 OK\r\n${length}\r\n${json}`,
  TLS: '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  SSH: 'SSH-2.0-OpenSSH_9.6\r\n',
  'a mail server': '220 mail.example ESMTP ready\r\n',
  noise: Array.from({ length: 4000 }, (_, n) => String.fromCharCode((n * 7919) % 256)).join(''),
};

/** Complete responses with extra bytes, which must not be taken for the next response. */
const followed: Readonly<Record<string, string>> = {
  'a second answer': `${ok}${length}\r\n${json}${ok}${length}\r\n${json}`,
  'an error after it': `${ok}${length}\r\n${json}HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n`,
  'bytes too many': `${ok}Content-Length: 18\r\n\r\n{"balanceCents":1}${json}`,
  'noise after it': `${ok}${length}\r\n${json}\u0000\u0001\u0002`,
};

const plain = Buffer.from(json);
const coded: Readonly<Record<string, readonly [coding: string, bytes: Uint8Array]>> = {
  gzip: ['gzip', gzipSync(plain)],
  'half of a gzip': ['gzip', gzipSync(plain).subarray(0, 20)],
  'gzip that is none': ['gzip', plain],
  'x-gzip': ['x-gzip', gzipSync(plain)],
  deflate: ['deflate', deflateSync(plain)],
  br: ['br', brotliCompressSync(plain)],
  zstd: ['zstd', plain],
  'a coding nobody knows': ['secret', plain],
  'six codings': ['gzip, gzip, gzip, gzip, gzip, gzip', gzipSync(plain)],
  'identity and gzip': ['identity, gzip', gzipSync(plain)],
  'a bomb': ['gzip', gzipSync(Buffer.alloc(50 * 1024 * 1024))],
};

const ends: Readonly<Record<string, (bytes: string) => Act>> = {
  'then the end': (bytes) => puts(bytes, 'end'),
  'then a reset': (bytes) => puts(bytes, 'reset'),
};

/** Responses whose framing is cut off, invalid, encoded, or duplicated. */
export const framingResponses: HostileResponse[] = [
  ...Object.entries(cut).flatMap(([what, bytes]) =>
    Object.entries(ends).flatMap(([end, act]) => toEach(endpoints, 'cut answers', `${what}, ${end}`, act(bytes))),
  ),
  ...Object.entries(malformed).flatMap(([what, bytes]) =>
    toEach(['me', 'create', 'list', 'content', 'delete'], 'malformed messages', what, puts(bytes, 'end')),
  ),
  ...Object.entries(followed).flatMap(([what, bytes]) =>
    toEach(endpoints, 'answers followed by another', what, puts(bytes)),
  ),
  ...Object.entries(coded).flatMap(([what, [coding, bytes]]) => [
    ...toEach(endpoints, 'codings nobody asked for', what, says(200, bytes, [`Content-Encoding: ${coding}`])),
    ...toEach(
      ['create', 'quote'],
      'codings nobody asked for',
      `${what}, refused`,
      says(402, bytes, [`Content-Encoding: ${coding}`]),
    ),
  ]),
];

const imageType = 'Content-Type: image/png';
const range = (to: number, all: number | string) => `Content-Range: bytes 0-${to}/${all}`;

/** Responses that are all of the file, in ways that nobody asked for. */
export const wholeFiles: HostileResponse[] = [
  ...[gzipSync(image), Buffer.concat([gzipSync(image.subarray(0, 50)), gzipSync(image.subarray(50))])].flatMap(
    (bytes, n) => whole(`gzip ${n + 1}`, says(200, bytes, [imageType, 'Content-Encoding: gzip'])),
  ),
  ...whole('x-gzip', says(200, gzipSync(image), [imageType, 'Content-Encoding: X-GZIP'])),
  ...whole('deflate', says(200, deflateSync(image), [imageType, 'Content-Encoding: deflate'])),
  ...whole('br', says(200, brotliCompressSync(image), [imageType, 'Content-Encoding: br'])),
  ...whole('a part that is all of it', says(206, image, [imageType, range(image.length - 1, image.length)])),
  ...whole('called a web page', says(200, image, [htmlType])),
  ...whole('called JSON', says(200, image, [jsonType])),
  ...whole('of no type', says(200, image, [])),
];

function whole(what: string, act: Act): HostileResponse[] {
  return toEach(['content'], 'whole files', what, act);
}

/** Parts of the file. */
export const partResponses: HostileResponse[] = [
  range(image.length - 2, image.length),
  range(image.length - 1, image.length + 1),
  range(image.length - 1, '*'),
  'Content-Range: bytes 1-9/10',
  'Content-Range: pages 0-9/10',
  'Content-Range: bytes 0-9',
  'X-None: 1',
].flatMap((header) =>
  toEach(['content'], 'parts of a file', header, says(206, image.subarray(0, -1), [imageType, header])),
);
