import { toEach, type HostileResponse } from '../answer';
import { generationId, truth } from '../truth';
import { says } from '../wire';

type Facts = Readonly<Record<string, unknown>>;

/** The facts as other services would express them. */
const dialects: Readonly<Record<string, (facts: Facts) => unknown>> = {
  'JSON:API': ({ id, ...attributes }) => ({ data: { type: 'generation', id, attributes } }),
  'a GraphQL edge': (node) => ({ data: { generation: { edges: [{ cursor: 'x', node }] } } }),
  'an envelope of its own': (facts) => ({ ok: true, requestId: 'req-1', result: { generation: facts } }),
  'other letters': (facts) => Object.fromEntries(Object.entries(facts).map(([name, value]) => [upper(name), value])),
  'zero values': (facts) => ({ error: '', textOutput: '', deletedAt: '0001-01-01T00:00:00Z', ...facts }),
  'a text beside the file': (facts) => ({ ...facts, textOutput: 'A red kite above a field.' }),
  'the specification’s minimum': ({ id, status, costCents, contentUrl }) => ({ id, status, costCents, contentUrl }),
};

/** True responses in other terms, without a Date. */
export const dialectResponses: HostileResponse[] = [
  ...Object.entries(dialects).flatMap(([what, put]) => [
    ...toEach(['create'], 'dialects', what, says(200, JSON.stringify(put(truth.create as Facts)))),
    ...toEach(['one'], 'dialects', what, says(200, JSON.stringify(put(truth.one as Facts)))),
    ...toEach(['me'], 'dialects', what, says(200, JSON.stringify(put(truth.me as Facts)))),
    ...toEach(['quote'], 'dialects', what, says(200, JSON.stringify(put(truth.quote as Facts)))),
  ]),
  ...toEach(['one'], 'dialects', 'a part that has not heard of it yet', says(404, '{"code":"NOT_FOUND"}')),
  ...toEach(
    ['list'],
    'dialects',
    'the first of many pages',
    says(200, JSON.stringify({ generations: [], next: `/generations?after=${generationId}` })),
  ),
];

function upper(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
