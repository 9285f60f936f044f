import { toEach, type HostileResponse } from '../answer';
import { endpoints, speaking } from '../endpoints';
import { htmlType, jsonType, message, says } from '../wire';

const page = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Free Wi-Fi</body></html>';

const bodies: Readonly<Record<string, string | Uint8Array>> = {
  'nothing at all': '',
  'white space': ' \r\n\t ',
  null: 'null',
  true: 'true',
  'a number': '12',
  'a text': '"ok"',
  'an empty list': '[]',
  'an empty object': '{}',
  'a list of null': '[null]',
  'a list of lists': '[[[[]]]]',
  'half of it': '{"id":"gen_0001","stat',
  'a comma too many': '{"id":"gen_0001",}',
  'a comment': '{/* hello */"id":"gen_0001"}',
  'single quotes': "{'id':'gen_0001'}",
  NaN: '{"balanceCents":NaN,"costCents":NaN,"id":"gen_0001"}',
  Infinity: '{"balanceCents":Infinity,"costCents":-Infinity,"id":"gen_0001"}',
  'a number beyond all': '{"balanceCents":1e999,"costCents":1e999,"id":"gen_0001","status":"queued"}',
  'a number of ten thousand digits': `{"balanceCents":${'9'.repeat(10_000)},"costCents":${'9'.repeat(10_000)}}`,
  'a key twice': '{"id":"gen_0002","id":"gen_0001","balanceCents":1,"balanceCents":2,"costCents":1,"costCents":2}',
  'two documents': '{"balanceCents":1}{"balanceCents":2}',
  'lines of JSON': '{"id":"gen_0001"}\n{"id":"gen_0002"}\n',
  'a guard before it': ')]}\',\n{"balanceCents":1}',
  'a call around it': 'callback({"balanceCents":1})',
  'a byte order mark': '\ufeff{}',
  'UTF-16': Buffer.from('\ufeff{"balanceCents":1,"costCents":1,"id":"gen_0001"}', 'utf16le'),
  'UTF-8 that is none': Buffer.from('7b226964223a22fffec0afed a080227d'.replaceAll(' ', ''), 'hex'),
  'half a surrogate pair': '{"id":"\\ud800","status":"\\udfff","balanceCents":1,"costCents":1}',
  'a control character in a text': '{"id":"gen\u0000_0001"}',
  'zero bytes': new Uint8Array(1000),
  'a picture': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  YAML: 'id: gen_0001\nstatus: queued\n',
  XML: '<?xml version="1.0"?><generation id="gen_0001"/>',
  'the events of a stream': 'data: {"id":"gen_0001"}\n\n',
  'ten thousand lists in each other': '['.repeat(10_000) + ']'.repeat(10_000),
  'ten thousand objects in each other': '{"data":'.repeat(10_000) + '1' + '}'.repeat(10_000),
  'lists that never end': '['.repeat(100_000),
  'wrappers in wrappers': `${'{"data":{"result":{"response":{"payload":'.repeat(500)}{}${'}}}}'.repeat(500)}`,
  'names of the prototype':
    '{"__proto__":{"id":"gen_0001","balanceCents":1,"costCents":1},"constructor":{"prototype":{}}}',
  'a prototype for a list': '{"models":{"__proto__":[{"id":"a/b/c"}]},"generations":{"__proto__":{"id":"gen_0001"}}}',
  'a length for a list': '{"models":{"length":1e9},"generations":{"length":1e9},"fields":{"length":1e9}}',
  'an error with 200': '{"error":{"code":"NO","message":"It failed"}}',
  'an error that is only a word': '{"error":"no"}',
  'an error with the ID of the request': '{"error":{"code":"NO"},"id":"req-9"}',
  'a failure with the ID of the request': '{"success":false,"status":"error","id":"req-9","message":"no"}',
  'another render': '{"id":"gen_0009","status":"queued","costCents":900,"modelId":"an/other/model","inputs":{}}',
  'the render of another prompt': '{"id":"gen_0009","status":"queued","costCents":900,"inputs":{"prompt":"a cat"}}',
  'a page': page,
};

/** What comes instead of a file, with 200. */
const noFiles: Readonly<Record<string, readonly [type: string, body: string]>> = {
  'an error': ['application/json', '{"error":{"code":"NOT_READY","message":"Being copied"}}'],
  'an error called an image': ['image/png', '{"errors":[{"detail":"Not found"}]}'],
  'a state': ['application/json', '{"status":"processing","progress":0.4}'],
  'a data URL': ['text/plain', 'data:image/png;base64,iVBORw0KGgo='],
  'a data URL in JSON': ['application/json', '"data:image/png;base64,iVBORw0KGgo="'],
  'the words of a proxy': ['text/plain', 'upstream connect error or disconnect/reset before headers'],
  'the words of a proxy called an image': ['image/png', 'Bad gateway'],
  XML: ['application/xml', '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>'],
  'a page called an image': ['image/png', page],
  'a page of no type': ['application/octet-stream', `\n  ${page}`],
  'markup and commands': ['text/plain', '<script>x</script>[a](command:b) $(zap)\u202e\u001b'],
};

const pages: readonly number[] = [200, 302, 400, 401, 402, 403, 409, 429, 500, 502, 503];

/** Bodies that violate the specification, with a valid status. */
export const bodyResponses: HostileResponse[] = [
  ...Object.entries(bodies).flatMap(([what, body]) => toEach(speaking, 'bodies', what, says(200, body, [jsonType]))),
  ...Object.entries(bodies).flatMap(([what, body]) =>
    toEach(['quote', 'create', 'one'], 'bodies', `${what}, refused`, says(400, body, [jsonType])),
  ),
  ...toEach(
    ['one', 'quote'],
    'bodies',
    'a million lists in each other',
    says(200, '['.repeat(1_000_000) + ']'.repeat(1_000_000), [jsonType]),
  ),
  ...Object.entries(noFiles).flatMap(([what, [type, body]]) =>
    ['', '; charset=utf-8'].flatMap((charset) =>
      toEach(['content'], 'no files', `${what}${charset}`, says(200, body, [`Content-Type: ${type}${charset}`])),
    ),
  ),
  ...Object.entries(noFiles).flatMap(([what, [type, body]]) =>
    toEach(['content'], 'no files', `${what} without a length`, (wire) => {
      wire.send(message(200, '', [`Content-Type: ${type}`, 'Transfer-Encoding: chunked']));
      wire
        .send(`${Buffer.byteLength(body).toString(16)}\r\n`)
        .send(body)
        .send('\r\n0\r\n\r\n');
    }),
  ),
  ...pages.flatMap((status) => toEach(endpoints, 'web pages', `${status}`, says(status, page, [htmlType]))),
  ...toEach(speaking, 'web pages', 'JSON that says it is one', says(200, '{}', [htmlType])),
];
