import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { canaryKey } from '../canary';

/** A status and a body. */
export type Answer = readonly [status: number, body: unknown];

/** A service whose texts are all from the given ones; its responses can be changed. */
export interface InjectedService {
  readonly base: string;
  /** Names and fields of the listed models. */
  page: readonly string[];
  /** Replaces the response at a path; undefined keeps it. */
  says: (path: string) => Answer | undefined;
  /** True lists renders in unknown states. */
  odd: boolean;
  stop(): Promise<void>;
}

/** The model whose fields contain all the texts. */
export const whole = 'acme/whole/widest';

/** The ID of a model on the page, with a text in each segment as far as IDs allow. */
export function modelIdOf(page: readonly string[], index: number): string {
  const group = index - (index % 5);
  return [page[group], page[group + 1] ?? page[group], `${page[index]} ${index}`].map(segment).join('/');
}

export async function startInjectedService(texts: readonly string[]): Promise<InjectedService> {
  /** How often each order was polled. */
  const looks = new Map<string, number>();
  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    const path = pathname.replace('/api/v1/api/catalog', '');
    if (request.headers.authorization !== `Bearer ${canaryKey}`) return [401, { message: texts[0] }];
    const said = service.says(path);
    if (said) return said;
    if (path === '/me') return [200, { ...record(texts), balanceCents: 4321 }];
    if (path === '/models') return [200, { models: [{ id: whole, name: 'Widest' }, ...modelsOf(service.page)] }];
    if (path === '/models/detail') return [200, detailOf(searchParams.get('id') ?? '', service.page, texts)];
    if (path === '/quote') return [200, { costCents: 1, label: texts[0] }];
    if (path === '/generations' && request.method === 'POST') {
      await json(request);
      return [201, take(request)];
    }
    if (path === '/generations') return [200, { generations: elsewhere(texts, service.odd), next: null }];
    const id = path.split('/')[2] ?? '';
    return looks.has(id) ? [200, look(id)] : [404, { code: texts[1], message: texts[2] }];
  }

  /** An order passes through statuses made of the texts, and ends with all of them. */
  function take({ headers }: IncomingMessage): object {
    const id = headers['idempotency-key'] as string;
    looks.set(id, 0);
    return { id, status: texts[0], costCents: 1 };
  }

  function look(id: string): object {
    const count = (looks.get(id) ?? 0) + 1;
    looks.set(id, count);
    const about = { ...record(texts), id, costCents: 1 };
    if (count < 3) return { ...about, status: texts[count] };
    return { ...about, status: 'succeeded', textOutput: texts.join('\n') };
  }

  const service: InjectedService = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    page: texts,
    says: () => undefined,
    odd: true,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return service;
}

/** As an ID may contain it: without slashes, control characters, or lone surrogates. */
export function segment(text = ''): string {
  return text.replaceAll(/[/\p{Cc}\p{Cs}\u2028\u2029]/gu, '').slice(0, 120);
}

/** An object with the texts as names and values, including `__proto__`. */
function record(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map((text) => [text, text]));
}

function modelsOf(page: readonly string[]): object[] {
  return page.map((title, index) => ({
    id: modelIdOf(page, index),
    title,
    description: page[(index + 1) % page.length],
    type: index % 2 === 0 ? 'image' : title,
    [title]: title,
  }));
}

function detailOf(id: string, page: readonly string[], texts: readonly string[]): object {
  if (id === whole) return { id, name: 'Widest', description: texts[0], fields: everything(texts) };
  const index = page.findIndex((_, other) => modelIdOf(page, other) === id);
  const at = (step: number) => page[(index + step) % page.length];
  return {
    ...(modelsOf(page)[index] ?? { id }),
    fields: [
      { name: 'prompt', label: at(2), help: at(3), type: 'text', required: true },
      { name: 'manner', label: 'Manner', type: 'text', help: everyKind },
      { name: at(4), type: at(5), default: at(6) },
      { name: 'choice', label: at(7), values: [at(8), { value: at(9), label: at(10) }], default: at(8) },
    ],
  };
}

/**
 * A field of each kind for all the texts: as name, label, help, and default, as one of a few options, and as one of
 * many.
 */
function everything(texts: readonly string[]): object[] {
  const few = Array.from({ length: Math.ceil(texts.length / 12) }, (_, row) => texts.slice(row * 12, row * 12 + 12));
  return [
    { name: 'prompt', label: 'Prompt', type: 'text', required: true },
    { name: 'manner', label: 'Manner', type: 'text', help: everyKind },
    ...texts.map((text) => ({ name: text, label: text, help: text, type: 'text', placeholder: text })),
    ...few.map((values, row) => ({ name: `few ${row}`, label: `Few ${row}`, values, default: values[0] })),
    { name: 'many', label: 'Many', values: texts.map((value) => ({ value, label: value })) },
  ];
}

/** One of each kind on a line that fits everywhere, including the editor's input box. */
export const everyKind =
  '[injected](command:injected.run) $(injected) https://injected.invalid <b class=injected>x</b>';

/**
 * Renders started elsewhere: ended ones with four texts each, optionally some whose status is a text, and one with all
 * of them.
 */
function elsewhere(texts: readonly string[], withOdd: boolean): object[] {
  const now = Date.now();
  const fours = texts.flatMap((_, at) => (at % 4 === 0 ? [texts.slice(at, at + 4)] : []));
  const atRest = fours.map(([first = '', second = first, third = first, fourth = first], row) => ({
    id: `${row} ${segment(first)}`,
    status: row % 2 === 0 ? 'failed' : 'succeeded',
    modelId: second,
    inputs: { prompt: first, [second]: third, other: fourth },
    error: { message: first },
    contentUrl: second,
    textOutput: third,
    costCents: 1,
    createdAt: new Date(now - row * 1000).toISOString(),
  }));
  const odd = texts
    .filter((_, at) => withOdd && at % 16 === 0)
    .map((text, row) => ({ id: `odd ${row}`, status: text, modelId: text, inputs: { prompt: text } }));
  const everything = { id: 'everything', status: 'failed', inputs: { prompt: 'everything', ...record(texts) } };
  return [everything, ...odd, ...atRest];
}
