import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import {
  type CheckClient,
  checkConnection,
  type CheckStep,
  type CheckDeps,
  expectedOf,
  isMisread,
  reach,
  sampleInputs,
} from '../../../src/catalog/connectionCheck';
import { ServiceError } from '../../../src/catalog/errors';
import { HttpTransport } from '../../../src/catalog/transport';
import type { Field, Model } from '../../../src/catalog/fields';
import { TestClock } from '../clock';
import { clientOf, json, serve, testKey, type Answering, type Arrived } from './service';

const prompt: Field = { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true };
const seed: Field = { name: 'seed', label: 'Seed', kind: 'seed', statedType: 'seed', required: false };
const image: Field = { name: 'image', label: 'Image', kind: 'json', statedType: 'file', required: true };

function model(id: string, ...fields: Field[]): Model {
  return { id, provider: 'a', family: 'b', name: id, title: id, kind: 'image', fields };
}

/** A service whose steps can be made to fail. */
class Script implements CheckDeps {
  readonly clock = new TestClock();
  readonly asked: string[] = [];
  models: Model[] = [model('a/b/c', prompt, seed)];
  costCents: number | undefined = 4;
  isKeyTyped = false;
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

function check(script: CheckDeps, signal = new AbortController().signal) {
  return checkConnection(script, signal, () => {});
}

test('a working service is checked up to a price, and each step reports its result and duration', async () => {
  const script = new Script();
  const steps: CheckStep[] = [];
  const reports = await checkConnection(script, new AbortController().signal, (step) => steps.push(step));
  assert.deepEqual(reports, [
    { step: 'address', outcome: 'passed', ms: 5, found: { kind: 'address', base: 'https://models.example' } },
    { step: 'reach', outcome: 'passed', ms: 5, found: { kind: 'answers', status: 401 } },
    { step: 'key', outcome: 'passed', ms: 5, found: { kind: 'keyFound' } },
    { step: 'account', outcome: 'passed', ms: 5, found: { kind: 'balance', cents: 1230 } },
    { step: 'models', outcome: 'passed', ms: 5, found: { kind: 'models', count: 1, unreadable: 0 } },
    { step: 'quote', outcome: 'passed', ms: 10, found: { kind: 'price', modelId: 'a/b/c', cents: 4 } },
  ]);
  assert.deepEqual(steps, ['address', 'reach', 'key', 'account', 'models', 'quote']);
  assert.equal(script.asked.at(-1), 'a/b/c {"prompt":"A lighthouse at dusk"}');
});

for (const failing of ['address', 'reach', 'key', 'account', 'models', 'quote'] as const)
  test(`a check that fails at ${failing} stops there with the reason`, async () => {
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

test('a key typed for the check is reported as typed, not as stored', async () => {
  const script = new Script();
  script.isKeyTyped = true;
  const report = (await check(script))[2]!;
  assert.ok(report.outcome === 'passed' && report.found.kind === 'keyTyped');
});

test('the check stops at a service without models, or one that states no price', async () => {
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

test('the price is requested for the first model whose defaults suffice', async () => {
  const script = new Script();
  script.models = [model('needs-a-picture', image), model('fine', prompt)];
  assert.deepEqual((await check(script))[5], {
    step: 'quote',
    outcome: 'passed',
    ms: 15,
    found: { kind: 'price', modelId: 'fine', cents: 4 },
  });
});

test('if no model can be priced without input, the step is skipped after a few', async () => {
  const script = new Script();
  script.models = Array.from({ length: 50 }, (_, index) => model(`needs-${index}`, image));
  assert.equal((await check(script))[5]!.outcome, 'skipped');
  assert.equal(script.asked.filter((asked) => asked.startsWith('needs-')).length, 5);
});

test('a canceled check makes no more requests, and reports no failure', async () => {
  const script = new Script();
  const cancel = new AbortController();
  const reports = await checkConnection(script, cancel.signal, (step) => {
    if (step === 'key') cancel.abort();
  });
  assert.deepEqual(script.asked, ['address', 'reach', 'key']);
  assert.equal(reports.filter(({ outcome }) => outcome === 'failed').length, 0);
  assert.ok(reports.slice(3).every(({ outcome }) => outcome === 'notReached'));
});

test('a sample takes defaults, fills in a required text, and knows when that isn’t enough', () => {
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
  assert.equal(sampleInputs([prompt, image]), undefined);
  assert.equal(sampleInputs([{ ...prompt, maxLength: 3 }]), undefined);
});

test('whether anything responds is checked without the key, once', async (t) => {
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

test('a port without a server is reported with the system’s error code', async (t) => {
  const transport = new HttpTransport();
  t.after(() => transport.dispose());
  const { signal } = new AbortController();
  await assert.rejects(reach(transport, systemClock, 'http://127.0.0.1:1', signal), { systemCode: 'ECONNREFUSED' });
});

test('each request of the check is sent once, whatever the response', async (t) => {
  const service = await serve(t, json({}, 503));
  const client = clientOf(t, service.base);
  await assert.rejects(client.me({ times: 1 }), { status: 503 });
  await assert.rejects(client.quote('a/b/c', {}, { times: 1 }), { status: 503 });
  assert.equal(service.arrived.length, 2);
});

/** Checks a service that responds at each path as given, JSON or not, by default as the specification says. */
async function checkService(t: TestContext, answers: Readonly<Record<string, unknown>>, status = 200) {
  const usual: Readonly<Record<string, unknown>> = {
    me: { balanceCents: 1230 },
    models: [{ id: 'a/b/c' }],
    detail: { fields: [{ name: 'prompt', type: 'text', required: 'yes' }] },
    quote: { costCents: 4 },
  };
  const nameOf = ({ url }: Arrived) => /(\w+)(\?.*)?$/.exec(url)![1]!;
  const service = await serve(t, (response, request) => {
    const name = nameOf(request);
    const answer = answers[name] ?? usual[name];
    if (typeof answer === 'function') (answer as Answering)(response, request);
    else json(answer, name in answers ? status : 200)(response, request);
  });
  const client = clientOf(t, service.base);
  const reports = await check({
    clock: systemClock,
    address: () => Promise.resolve(service.base),
    reach: () => Promise.resolve(401),
    client: () => Promise.resolve(client),
  });
  const heard = reports.flatMap((report) => ('heard' in report && report.heard) || []);
  const stopped = reports.find(({ outcome }) => outcome === 'failed')?.step;
  return { reports, heard, stopped, misread: reports.some(isMisread) };
}

/** A response with this body; when it states a greater length, it breaks off after the body. */
function raw(type: string, body: string, length = body.length): Answering {
  return (response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': length });
    if (length === body.length) response.end(body);
    else response.write(body, () => response.destroy());
  };
}

test('a service that is understood leaves nothing to report', async (t) => {
  const { reports, heard } = await checkService(t, {});
  assert.ok(reports.every(({ outcome }) => outcome === 'passed'));
  assert.deepEqual(heard, []);
});

const root = '/api/v1/api/catalog';
const strangers: readonly [what: string, answers: Record<string, unknown>, step: string, path: string, row: RegExp][] =
  [
    ['no balance', { me: { name: 'Ada' } }, 'account', `${root}/me`, /balanceCents$/],
    ['no list', { models: 'none' }, 'models', `${root}/models`, /JSON list of models$/],
    ['a list without a model in it', { models: [{ name: 7 }] }, 'models', `${root}/models`, /JSON list of models$/],
    ['no fields', { detail: { title: 'C' } }, 'quote', `${root}/models/detail?id=a%2Fb%2Fc`, /with its input fields$/],
    ['no price', { quote: { ok: true } }, 'quote', `${root}/quote`, /the price in euro cents$/],
  ];

for (const [what, answers, step, path, row] of strangers)
  test(`a service that states ${what} is reported with the request, the response, and what was expected`, async (t) => {
    const { heard, stopped, misread } = await checkService(t, answers);
    assert.equal(stopped, step);
    const [exchange] = heard;
    assert.deepEqual([exchange?.path, exchange?.status, exchange?.type], [path, 200, 'application/json']);
    assert.equal(exchange?.beginning, JSON.stringify(Object.values(answers)[0]));
    assert.match(expectedOf(exchange)[0]!, row);
    assert.ok(misread);
  });

const readable: readonly [what: string, answers: Record<string, unknown>, status: number, beginning?: string][] = [
  ['a rejected key', { me: {} }, 401, '{}'],
  ['too many requests', { me: {} }, 429, '{}'],
  ['a service with a problem', { me: {} }, 503, '{}'],
  ['an empty list', { models: [] }, 200, '[]'],
  ['a web page', { me: raw('text/html', '<p>Sign in</p>') }, 200, '<p>Sign in</p>'],
  ['a response that is cut', { me: raw('application/json', '{"balanceCe', 100) }, 200, undefined],
];

for (const [what, answers, status, beginning] of readable)
  test(`${what} is reported with what was read of the response, and isn’t the operator’s to mend`, async (t) => {
    const { heard, stopped, misread } = await checkService(t, answers, status);
    assert.ok(stopped);
    assert.deepEqual([heard[0]?.status, heard[0]?.beginning], [status, beginning]);
    assert.ok(!misread);
  });

test('an empty response is reported as empty', async (t) => {
  const { heard, misread } = await checkService(t, { me: raw('application/json', '') });
  assert.equal(heard[0]?.beginning, '');
  assert.ok(misread);
});

test('a partly understood list passes, and is reported anyway', async (t) => {
  const { reports, heard, stopped, misread } = await checkService(t, { models: [{ id: 'a/b/c' }, { name: 7 }] });
  assert.equal(stopped, undefined);
  const models = reports[4];
  assert.ok(models?.outcome === 'passed');
  assert.deepEqual(models.found, { kind: 'models', count: 1, unreadable: 1 });
  assert.equal(heard[0]?.question, 'models');
  assert.ok(misread);
});

test('an error is reported with its status, and the expected form of errors', async (t) => {
  const { heard } = await checkService(t, { me: { oops: 'no' } }, 503);
  assert.deepEqual([heard[0]?.status, heard[0]?.beginning], [503, '{"oops":"no"}']);
  assert.match(expectedOf(heard[0]!)[1]!, /a code and a message/);
  const refused = await checkService(t, { me: {} }, 401);
  assert.deepEqual(expectedOf(refused.heard[0]!), ['A missing, wrong, or revoked key gives HTTP 401.']);
});

test('a report has 300 characters on one line, and no key, however it’s quoted', async (t) => {
  const other = 'ai_live_of_somebody_else';
  const words = { bearer: `Bearer ${testKey}`, query: `?key=${testKey}&x`, other, pad: `\n\u202e${'x'.repeat(5000)}` };
  const { heard } = await checkService(t, { me: words });
  const { beginning = '' } = heard[0]!;
  assert.equal(beginning.length, 300 + String.raw`\u{202e}`.length - 1);
  assert.ok(!beginning.includes(testKey) && !beginning.includes(other));
  assert.match(beginning, /^\{"bearer":"Bearer ai_live_…","query":"\?key=ai_live_…/);
  assert.doesNotMatch(beginning, /[\n\u202e]/);
});

test('a key at the point where the report is cut off isn’t included in part', async (t) => {
  for (let pad = 270; pad <= 300; pad++) {
    const { heard } = await checkService(t, { me: { pad: 'x'.repeat(pad), key: testKey } });
    assert.doesNotMatch(heard[0]!.beginning!, /test_key/);
  }
});
