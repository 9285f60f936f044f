import { toEach, type HostileResponse } from '../answer';
import { endpoints } from '../endpoints';
import { generationId, modelId } from '../truth';
import { htmlType, jsonType, message, says, type Act } from '../wire';

const paths = [
  ...[
    '.',
    '..',
    '',
    '/',
    '//',
    '../../me',
    '..%2f..%2fme',
    '%2e%2e',
    'a/b',
    'a?x=1',
    'a#b',
    'a\\b',
    '\\\\srv\\share',
    'C:\\x',
    'con',
    'a b',
  ],
  ...[
    'a%00b',
    'a\u0000b',
    'a\r\nX-Evil: 1',
    '\u202egnp.exe',
    '🦊',
    '\ud800',
    'x'.repeat(4096),
    '__proto__',
    'http://127.0.0.1/',
    '@host',
    ';x',
    '~',
  ],
];

/** IDs that are paths, and responses about something else. */
export const idResponses: HostileResponse[] = paths.flatMap((id) => {
  const told = JSON.stringify(id.slice(0, 20));
  return [
    ...toEach(
      ['create', 'one'],
      'ids that are paths',
      told,
      says(200, JSON.stringify({ id, status: 'queued', costCents: 4 })),
    ),
    ...toEach(['list'], 'ids that are paths', told, says(200, JSON.stringify([{ id, status: 'queued' }]))),
    ...toEach(['models'], 'ids that are paths', told, says(200, JSON.stringify([{ id }, id]))),
    ...toEach(['model'], 'ids that are paths', told, says(200, JSON.stringify({ id, fields: [] }))),
  ];
});

/** URLs of results that must never be fetched. */
export function addressResponses(elsewhere: string): HostileResponse[] {
  const host = elsewhere.replace('http://', '');
  const addresses: readonly unknown[] = [
    ...[`${elsewhere}/x.png`, `//${host}/x.png`, `http://user:pw@${host}/x`, 'x.png', '../x.png', '/x.png', '', ' '],
    ...[
      'file:///etc/passwd',
      'data:image/png;base64,AA==',
      'javascript:alert(1)',
      'command:workbench.action.quit',
      'http://169.254.169.254/',
    ],
    ...['x'.repeat(1024 * 1024), 7, null, {}, [`${elsewhere}/x.png`], { url: `${elsewhere}/x.png` }],
  ];
  return addresses.flatMap((contentUrl) =>
    (['create', 'one', 'list'] as const).flatMap((endpoint) => {
      const generation = { id: generationId, status: 'succeeded', contentUrl };
      const body = JSON.stringify(endpoint === 'list' ? [generation] : generation);
      return toEach([endpoint], 'addresses of results', JSON.stringify(contentUrl).slice(0, 40), says(200, body));
    }),
  );
}

/** The key echoed: in a message, in a page, in an otherwise honest response, in headers. */
const echoes: Readonly<Record<string, (header: string) => Buffer>> = {
  'in the words of a 401': (said) =>
    message(401, JSON.stringify({ code: said, message: `The key ${said} is wrong`, details: { [said]: said } }), [
      jsonType,
    ]),
  'in the words of a 500': (said) => message(500, JSON.stringify({ error: `headers: ${said}` }), [jsonType]),
  'in a text that is no JSON': (said) => message(200, said, [jsonType]),
  'in a text that is no JSON, after a little': (said) => message(200, `{"a":1,${said}`, [jsonType]),
  'in a web page': (said) => message(403, `<html><body>${said}</body></html>`, [htmlType]),
  'in an honest answer': (said) =>
    message(
      200,
      JSON.stringify({
        id: generationId,
        status: said,
        balanceCents: 1,
        costCents: 1,
        reason: said,
        contentUrl: `https://cdn.example/x?key=${said}`,
        title: said,
        models: [{ id: modelId, title: said }],
        generations: [{ id: generationId, status: said, failureReason: said, inputs: { [said]: said } }],
        fields: [{ name: 'prompt', label: said, default: said, help: said }],
      }),
      [jsonType],
    ),
  'in headers': (said) =>
    message(502, '{}', [`X-Echo: ${said}`, `Location: /?${encodeURIComponent(said)}`, `WWW-Authenticate: ${said}`]),
  'in a malformed header': (said) => message(200, '{}', [`X ${said}: ${said}`]),
  'in a chunk’s size': (said) => message(200, `${said}\r\n`, ['Transfer-Encoding: chunked']),
};

export const echoResponses: HostileResponse[] = Object.entries(echoes).flatMap(([what, echo]) => {
  const bare: Act = (wire, { headers }) =>
    void wire.send(echo((headers['authorization'] ?? '').replace('Bearer ', '')));
  const whole: Act = (wire, { headers }) => void wire.send(echo(headers['authorization'] ?? ''));
  return [
    ...toEach(endpoints, 'the key said back', what, bare),
    ...toEach(endpoints, 'the key said back', `${what}, with its word before`, whole),
  ];
});
