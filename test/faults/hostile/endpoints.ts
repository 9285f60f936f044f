import assert from 'node:assert/strict';
import type { CatalogClient } from '../../../src/catalog/client';
import { ServiceError } from '../../../src/catalog/errors';
import { isUsableId } from '../../../src/catalog/shape';
import type { Generation } from '../../../src/catalog/fields';
import { generationId, modelId } from './truth';

/** The endpoints of the specification. */
export const endpoints = [
  'me',
  'models',
  'model',
  'quote',
  'create',
  'list',
  'one',
  'content',
  'delete',
] as const satisfies readonly string[];
export type Endpoint = (typeof endpoints)[number];

/** Those with a JSON response that is read. */
export const speaking = endpoints.filter((endpoint) => endpoint !== 'content' && endpoint !== 'delete');

const body = new TextEncoder().encode(JSON.stringify({ modelId, inputs: { prompt: 'a red kite' } }));

/** Where to stop reading an endless stream, bytes. */
const enough = 8 * 1024 * 1024;

/** Calls the endpoint, and checks the result against what the client guarantees. Resolves with that result. */
export const ask: Readonly<Record<Endpoint, (client: CatalogClient) => Promise<unknown>>> = {
  me: async (client) => {
    const account = await client.me();
    assert.ok(Number.isSafeInteger(account.balanceCents));
    return account;
  },
  models: async (client) => {
    const listing = await client.models();
    for (const { id, title, provider, family, name } of listing.items) {
      assert.ok(isUsableId(id));
      for (const text of [title, provider, family, name]) assert.equal(typeof text, 'string');
    }
    assert.ok(Number.isSafeInteger(listing.unreadable));
    return listing;
  },
  model: async (client) => {
    const model = await client.model(modelId);
    assert.equal(model.id, modelId);
    const names = model.fields.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const field of model.fields) {
      assert.ok(field.name !== '' && typeof field.label === 'string' && typeof field.required === 'boolean');
      for (const bound of [field.minimum, field.maximum, field.step, field.maxLength]) {
        assert.ok(bound === undefined || Number.isFinite(bound));
      }
      assert.ok(field.kind !== 'choice' || (field.choices?.length ?? 0) > 0);
    }
    // The form gets it as JSON.
    JSON.stringify(model);
    return model;
  },
  quote: async (client) => {
    const quote = await client.quote(modelId, { prompt: 'a red kite' });
    isAmount(quote.costCents);
    return quote;
  },
  create: async (client) => {
    const { value } = await client.createGeneration(body, 'a3f1c0de-0000-4000-8000-000000000001', () => {});
    isGeneration(value);
    return value;
  },
  list: async (client) => {
    const { value } = await client.generations();
    value.items.forEach(isGeneration);
    return value;
  },
  one: async (client) => {
    const { value } = await client.generation(generationId);
    isGeneration(value);
    assert.equal(value.id, generationId);
    return value;
  },
  content: async (client) => {
    const { stream, length } = await client.content(generationId);
    let bytes = 0;
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > enough) return 'endless';
    }
    assert.ok(length === undefined || length === bytes, 'what framing can tell is told');
    return 'a file';
  },
  delete: (client) => client.delete(generationId),
};

function isGeneration(value: Generation): void {
  assert.ok(isUsableId(value.id));
  assert.equal(typeof value.status, 'string');
  isAmount(value.costCents);
  assert.ok(value.createdAt === undefined || Number.isSafeInteger(value.createdAt));
  JSON.stringify(value);
}

function isAmount(cents: number | undefined): void {
  assert.ok(
    cents === undefined || (Number.isSafeInteger(cents) && cents >= 0),
    'an amount is whole cents or not stated',
  );
}

/** Whether a client may end with this failure, which then has its own message for a user. */
export function isTold(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.kind !== 'cancelled' && error.kind !== 'notAllowed';
}
