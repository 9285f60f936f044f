import { png } from '../../unit/files/pictures';
import type { Endpoint } from './endpoints';
import { jsonType, message, type Act, type Request } from './wire';

/** The generation in every honest response. */
export const generationId = 'gen_0001';
export const modelId = 'hostile/studio/painter';
/** The bytes of its result. */
export const image = png(7);

/** The JSON of an honest service. */
export const truth: Readonly<Record<Exclude<Endpoint, 'content'>, unknown>> = {
  me: { balanceCents: 4321 },
  models: { models: [{ id: modelId, title: 'Painter', description: 'Paints', type: 'image' }] },
  model: {
    id: modelId,
    title: 'Painter',
    fields: [
      { name: 'prompt', type: 'text', required: 'yes', label: 'Prompt', maxLength: 500, help: 'What to paint' },
      { name: 'size', type: 'enumeration', values: ['small', { value: 'large', label: 'Large' }], default: 'small' },
      { name: 'steps', type: 'integer', minimum: 1, maximum: 50, step: 1, default: 20, required: false },
    ],
  },
  quote: { costCents: 4 },
  create: { id: generationId, status: 'queued', costCents: 4 },
  list: {
    generations: [
      {
        id: generationId,
        status: 'queued',
        costCents: 4,
        modelId,
        inputs: { prompt: 'a red kite' },
        createdAt: '2026-11-21T10:00:00Z',
      },
    ],
  },
  one: { id: generationId, status: 'succeeded', costCents: 4, contentUrl: `/files/${generationId}.png` },
  delete: { deleted: true },
};

/** Responds like an honest service, with its current time, ms since 1970. */
export function honestly(endpoint: Endpoint, now: number): Act {
  const date = `Date: ${new Date(now).toUTCString()}`;
  if (endpoint === 'content') return (wire) => void wire.send(message(200, image, ['Content-Type: image/png', date]));
  return (wire) => void wire.send(message(200, JSON.stringify(truth[endpoint]), [jsonType, date]));
}

/** The endpoint of a request; undefined for unspecified ones. */
export function endpointOf({ method, path }: Request): Endpoint | undefined {
  const below = /^\/api\/v1\/api\/catalog\/(.*)$/.exec(path)?.[1] ?? '';
  const rows: readonly [method: string, path: RegExp, Endpoint][] = [
    ['GET', /^me$/, 'me'],
    ['GET', /^models$/, 'models'],
    ['GET', /^models\/detail\?id=[^&/]+$/, 'model'],
    ['POST', /^quote$/, 'quote'],
    ['POST', /^generations$/, 'create'],
    ['GET', /^generations$/, 'list'],
    ['GET', /^generations\/[^/?#]+$/, 'one'],
    ['GET', /^generations\/[^/?#]+\/content$/, 'content'],
    ['DELETE', /^generations\/[^/?#]+$/, 'delete'],
  ];
  return rows.find(([verb, pattern]) => verb === method && pattern.test(below))?.[2];
}
