import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DefaultPrices } from '../../../../../src/features/models/model/defaultPrices';
import { Emitter } from '../../../../../src/base/disposable';
import { silentLog } from '../../../../../src/base/log';
import type { JsonObject } from '../../../../../src/base/json';
import { readModel } from '../../../../../src/catalog/modelSchema';
import type { QuotedPrice } from '../../../../../src/catalog/quotes';

const model = readModel(
  {
    id: 'a/b/c',
    fields: [
      { name: 'prompt', type: 'text', required: true },
      { name: 'size', type: 'enum', values: ['small', 'large'], default: 'small' },
      { name: 'steps', type: 'integer', default: 4 },
      { name: 'seed', type: 'integer', default: 0 },
    ],
  },
  'a/b/c',
);

function known() {
  const quoted = new Emitter<QuotedPrice>();
  const noQuote = () => Promise.reject(new Error('nothing is priced here'));
  const [client, other] = [{ quote: noQuote }, { quote: noQuote }];
  const session = {
    client,
    model: (id: string) => (id === 'a/b/c' ? Promise.resolve(model) : Promise.reject(new Error())),
  };
  const asked: { readonly modelId: string; readonly inputs: JsonObject }[] = [];
  const of = (_client: unknown, modelId: string, inputs: JsonObject) => {
    asked.push({ modelId, inputs });
    quoted.fire({ client: session.client, modelId, inputs, costCents: 4 });
    return Promise.resolve({ quote: { costCents: 4 } } as never);
  };
  const prices = new DefaultPrices(session, { onDidQuote: quoted.event, of }, silentLog);
  let changes = 0;
  prices.onDidChange(() => (changes += 1));
  const quote = async (inputs: JsonObject, costCents: number, of = client, modelId = 'a/b/c') => {
    quoted.fire({ client: of, modelId, inputs, costCents });
    await new Promise((resolve) => setImmediate(resolve));
    return [prices.of('a/b/c'), changes];
  };
  return { prices, quote, other, session, asked };
}

test('a price is remembered when only the texts and the seed aren’t the defaults, and announced once', async () => {
  const { quote } = known();
  assert.deepEqual(await quote({ prompt: 'a fox', size: 'small', steps: 4, seed: 77 }, 2), [2, 1]);
  assert.deepEqual(await quote({ prompt: 'a cat', size: 'small' }, 2), [2, 1], 'what is left out is a default, too');
  assert.deepEqual(await quote({ prompt: 'a cat', size: 'small' }, 3), [3, 2]);
});

test('the price of other inputs, accounts, and unreadable models isn’t taken for it', async () => {
  const { quote, other, prices, session } = known();
  assert.deepEqual(await quote({ prompt: 'a fox', size: 'large' }, 9), [undefined, 0]);
  assert.deepEqual(await quote({ prompt: 'a fox', size: 'small', steps: 50 }, 9), [undefined, 0]);
  assert.deepEqual(await quote({ prompt: 'a fox' }, 9, other), [undefined, 0]);
  assert.deepEqual(await quote({}, 9, undefined, 'gone/b/c'), [undefined, 0]);
  await quote({ prompt: 'a fox' }, 2);
  session.client = other;
  assert.equal(prices.of('a/b/c'), undefined);
});

test('of models that are seen, the price is requested once for each account, and makes none the cheapest used', async () => {
  const { prices, asked, session, other } = known();
  await prices.ask(['gone/b/c', 'a/b/c']);
  await prices.ask(['a/b/c']);
  const sample = { prompt: 'A lighthouse at dusk', size: 'small' };
  assert.deepEqual(asked, [{ modelId: 'a/b/c', inputs: sample }]);
  assert.equal(prices.of('a/b/c'), 4);
  assert.equal(prices.ofUsed('a/b/c'), undefined);
  session.client = other;
  await prices.ask(['a/b/c']);
  assert.equal(asked.length, 2);
});

test('of a long list, only the first models are asked about, and a known price isn’t', async () => {
  const { prices, asked, quote } = known();
  await quote({ prompt: 'a fox' }, 2);
  await prices.ask(['a/b/c', ...Array.from({ length: 40 }, (_, index) => `a/b/${index}`), 'a/b/c']);
  assert.deepEqual(asked, []);
});
