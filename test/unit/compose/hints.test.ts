import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { Hints } from '../../../src/compose/hints';
import type { JsonObject } from '../../../src/base/json';
import type { Field, Model } from '../../../src/catalog/fields';

const limits = { types: ['image/png'], maxBytes: 1_000_000 };
const field = (name: string, kind: Field['kind']): Field => ({
  name,
  label: name,
  kind,
  statedType: kind,
  required: false,
});
const model: Model = {
  ...{ id: 'a/b/c', provider: 'a', family: 'b', name: 'c', title: 'C', kind: 'image' },
  fields: [field('prompt', 'longText'), { ...field('start', 'image'), image: limits }, field('extra', 'json')],
};
const kept = { file: 'a.png', sha256: 'a'.repeat(64), type: 'image/png', bytes: 3 };
const dataUrl = 'data:image/png;base64,AAAA';

suite('What the service is asked for unasked', () => {
  /** Everything that left. */
  let sent: unknown[];
  let isTrusted: boolean;
  let read: Model | undefined;
  let hints: Hints;
  beforeEach(() => {
    [sent, isTrusted, read] = [[], true, undefined];
    const session = {
      client: {} as never,
      model: (id: string) => Promise.resolve((sent.push(id), model)),
      readModel: () => Promise.resolve(read),
    };
    const of = (_: unknown, id: string, inputs: JsonObject) => {
      sent.push([id, inputs]);
      return Promise.resolve({ quote: { costCents: 4 }, askedAt: { wall: 0, ticks: 0 } as never });
    };
    hints = new Hints(session, { get: () => Promise.resolve({ of }) }, () => isTrusted);
  });

  test('in Restricted Mode nothing leaves, whether a model is known or not', async () => {
    isTrusted = false;
    await assert.rejects(hints.model('stranger/of/words'));
    read = model;
    assert.equal(await hints.model(model.id), model);
    assert.equal(await hints.price(model, { prompt: 'a stranger’s words' }), undefined);
    assert.equal(await hints.total([{ modelId: model.id, inputs: { prompt: 'a stranger’s words' } }]), undefined);
    assert.deepEqual(sent, []);
  });

  test('in a trusted folder a prompt is priced, and several are summed', async () => {
    assert.equal(await hints.price(model, { prompt: 'a fox' }), 4);
    const two = ['a fox', 'a cat'].map((prompt) => ({ modelId: model.id, inputs: { prompt } }));
    assert.equal(await hints.total(two), 8);
  });

  const withImages: Readonly<Record<string, JsonObject>> = {
    'the path of an image': { start: 'img/secret.png' },
    'the URL of an image, which the service would fetch': { start: 'http://169.254.169.254/latest' },
    'an image that is kept': { start: kept },
    'an image in a data URL': { extra: dataUrl },
    'an image in a list': { extra: [{ image: dataUrl }] },
    'a kept image in an object': { extra: { images: [kept] } },
  };
  for (const [what, inputs] of Object.entries(withImages))
    test(`no hint sends ${what}, even in a trusted folder`, async () => {
      const withPrompt = { prompt: 'a fox', ...inputs };
      assert.equal(await hints.price(model, withPrompt), undefined);
      assert.equal(await hints.total([{ modelId: model.id, inputs: withPrompt }]), undefined);
      assert.ok(!JSON.stringify(sent).includes('a fox'));
    });

  test('an image that isn’t given doesn’t keep a prompt from being priced', async () => {
    assert.equal(await hints.price(model, { prompt: 'a fox', start: '' }), 4);
  });

  test('more renders than a hint may ask about have no total, and nothing leaves', async () => {
    const many = Array.from({ length: 9 }, () => ({ modelId: model.id, inputs: { prompt: 'a fox' } }));
    assert.equal(await hints.total(many), undefined);
    assert.deepEqual(sent, []);
  });
});
