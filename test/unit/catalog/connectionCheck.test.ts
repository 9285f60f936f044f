import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../src/base/log';
import { systemClock } from '../../../src/base/clock';
import {
  checkConnection,
  reach,
  sampleInputs,
  type CheckClient,
  type CheckStep,
  type CheckWorld,
} from '../../../src/catalog/connectionCheck';
import { ServiceError } from '../../../src/catalog/errors';
import { HttpTransport } from '../../../src/catalog/transport';
import type { Field, Model } from '../../../src/catalog/types';
import { TestClock } from '../clock';
import { CatalogClient } from '../../../src/catalog/client';
import { evenChance, json, serve, testKey } from './service';

const prompt: Field = { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true };
const seed: Field = { name: 'seed', label: 'Seed', kind: 'seed', statedType: 'seed', required: false };
const picture: Field = { name: 'image', label: 'Image', kind: 'json', statedType: 'file', required: true };

function model(id: string, ...fields: Field[]): Model {
  return { id, provider: 'a', family: 'b', name: id, title: id, kind: 'image', fields };
}

/** A service of which each step can be made to fail. */
class Script implements CheckWorld {
  readonly clock = new TestClock();
  readonly asked: string[] = [];
  models: Model[] = [model('a/b/c', prompt, seed)];
  costCents: number | undefined = 4;
  failing: CheckStep | undefined;
  readonly error = new ServiceError('noAnswer', 'as scripted');

  async address(): Promise<string> {
    return this.answer('address', 'https://models.example');
  }

  async reach(): Promise<number> {
    return this.answer('reach', 401);
  }

  async client(): Promise<CheckClient> {
    const listing = () => ({ items: this.models, incomplete: false, unreadable: 0 });
    return this.answer('key', {
      me: () => this.answer('account', { balanceCents: 1230 }),
      models: () => this.answer('models', listing()),
      model: (id) =>
        this.answer(
          id,
          this.models.find((model) => model.id === id)!,
        ),
      quote: (id, inputs) => this.answer('quote', { costCents: this.costCents }, `${id} ${JSON.stringify(inputs)}`),
    });
  }

  private async answer<T>(step: string, value: T, words = step): Promise<T> {
    this.asked.push(words);
    await this.clock.advance(5);
    if (step === this.failing) throw this.error;
    return value;
  }
}

function check(script: CheckWorld, signal = new AbortController().signal) {
  return checkConnection(script, signal, () => {});
}

test('a service that works is walked to a price, and each step says what it found and took', async () => {
  const script = new Script();
  const steps: CheckStep[] = [];
  const reports = await checkConnection(script, new AbortController().signal, (step) => steps.push(step));
  assert.deepEqual(reports, [
    { step: 'address', outcome: 'passed', ms: 5, found: { kind: 'address', base: 'https://models.example' } },
    { step: 'reach', outcome: 'passed', ms: 5, found: { kind: 'answers', status: 401 } },
    { step: 'key', outcome: 'passed', ms: 5, found: { kind: 'keyFound' } },
    { step: 'account', outcome: 'passed', ms: 5, found: { kind: 'balance', cents: 1230 } },
    { step: 'models', outcome: 'passed', ms: 5, found: { kind: 'models', count: 1 } },
    { step: 'quote', outcome: 'passed', ms: 10, found: { kind: 'price', modelId: 'a/b/c', cents: 4 } },
  ]);
  assert.deepEqual(steps, ['address', 'reach', 'key', 'account', 'models', 'quote']);
  assert.equal(script.asked.at(-1), 'a/b/c {"prompt":"A lighthouse at dusk"}');
});

for (const failing of ['address', 'reach', 'key', 'account', 'models', 'quote'] as const)
  test(`a check that fails at ${failing} stops there and keeps the reason`, async () => {
    const script = new Script();
    script.failing = failing;
    const reports = await check(script);
    const at = reports.findIndex(({ outcome }) => outcome !== 'passed');
    const stopped = reports[at]!;
    assert.equal(stopped.step, failing);
    assert.ok(stopped.outcome === 'failed' && stopped.error === script.error);
    assert.ok(reports.slice(at + 1).every(({ outcome }) => outcome === 'notReached'));
    assert.equal(reports.length, 6);
  });

test('a service without models, and one that states no price, stop there', async () => {
  const script = new Script();
  script.costCents = undefined;
  const [price] = (await check(script)).slice(-1);
  assert.ok(price?.outcome === 'failed' && price.error instanceof Error);
  assert.match(price.error.message, /no price/);
  script.models = [];
  const models = (await check(script))[4]!;
  assert.ok(models.outcome === 'failed' && models.error instanceof Error);
  assert.match(models.error.message, /no models/);
});

test('the price is asked of the first model whose defaults suffice', async () => {
  const script = new Script();
  script.models = [model('needs-a-picture', picture), model('fine', prompt)];
  assert.deepEqual((await check(script))[5], {
    step: 'quote',
    outcome: 'passed',
    ms: 15,
    found: { kind: 'price', modelId: 'fine', cents: 4 },
  });
});

test('when no model can be priced by itself the step is skipped, after a few', async () => {
  const script = new Script();
  script.models = Array.from({ length: 50 }, (_, index) => model(`needs-${index}`, picture));
  assert.equal((await check(script))[5]!.outcome, 'skipped');
  assert.equal(script.asked.filter((asked) => asked.startsWith('needs-')).length, 5);
});

test('a check that is cancelled asks no more, and calls nothing a failure', async () => {
  const script = new Script();
  const cancel = new AbortController();
  const reports = await checkConnection(script, cancel.signal, (step) => {
    if (step === 'key') cancel.abort();
  });
  assert.deepEqual(script.asked, ['address', 'reach', 'key']);
  assert.equal(reports.filter(({ outcome }) => outcome === 'failed').length, 0);
  assert.ok(reports.slice(3).every(({ outcome }) => outcome === 'notReached'));
});

test('a sample takes defaults, fills in a text that must be there, and knows when that is not enough', () => {
  const size: Field = {
    name: 'size',
    label: 'Size',
    kind: 'choice',
    statedType: 'enumeration',
    required: true,
    default: 'small',
    choices: [{ value: 'small', label: 'small' }],
  };
  assert.deepEqual(sampleInputs([prompt, size, seed]), { prompt: 'A lighthouse at dusk', size: 'small' });
  assert.deepEqual(sampleInputs([seed]), {});
  assert.equal(sampleInputs([prompt, picture]), undefined);
  assert.equal(sampleInputs([{ ...prompt, maxLength: 3 }]), undefined);
});

test('whether anything answers is asked without the key, once', async (t) => {
  const service = await serve(t, json({ code: 'UNAUTHORIZED' }, 401));
  const transport = new HttpTransport();
  t.after(() => transport.dispose());
  const { signal } = new AbortController();
  assert.equal(await reach(transport, systemClock, service.base, signal), 401);
  assert.deepEqual(
    service.arrived.map(({ url, headers }) => [url, headers.authorization]),
    [['/api/v1/api/catalog/me', undefined]],
  );
});

test('a port where nothing listens is told by the system’s word for it', async (t) => {
  const transport = new HttpTransport();
  t.after(() => transport.dispose());
  const { signal } = new AbortController();
  await assert.rejects(reach(transport, systemClock, 'http://127.0.0.1:1', signal), { systemCode: 'ECONNREFUSED' });
});

test('each question of the check is sent once, whatever comes', async (t) => {
  const service = await serve(t, json({}, 503));
  const transport = new HttpTransport();
  t.after(() => transport.dispose());
  const client = new CatalogClient({
    base: service.base,
    key: testKey,
    account: 'a',
    transport,
    clock: systemClock,
    random: evenChance,
    log: silentLog,
  });
  await assert.rejects(client.me({ times: 1 }), { status: 503 });
  await assert.rejects(client.quote('a/b/c', {}, { times: 1 }), { status: 503 });
  assert.equal(service.arrived.length, 2);
});
