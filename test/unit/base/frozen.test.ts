import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copied, frozenInputs, type Unfit, UnfitError } from '../../../src/base/json';

/** Why it can't be sent, and the path. */
function refusalOf(inputs: Record<string, unknown>): [Unfit, string] {
  try {
    frozenInputs(inputs);
  } catch (error) {
    assert.ok(error instanceof UnfitError);
    return [error.reason, error.path.join('.')];
  }
  throw new Error('It was taken');
}

test('later changes by the caller aren’t in the copy, and the copy can’t be changed', () => {
  const given = { prompt: 'a fox', layers: [{ name: 'sky', on: true }], seed: null };
  const copy = frozenInputs(given);
  given.prompt = 'a thousand foxes';
  given.layers[0]!.name = 'sea';
  given.layers.push({ name: 'sun', on: false });
  assert.deepEqual(copy, { prompt: 'a fox', layers: [{ name: 'sky', on: true }], seed: null });
  assert.throws(() => Object.assign(copy, { prompt: 'x' }), TypeError);
  assert.throws(() => Object.assign((copy as { layers: object[] }).layers[0]!, { name: 'x' }), TypeError);
});

test('a copy isn’t copied again', () => {
  const copy = frozenInputs({ prompt: 'a fox' });
  assert.equal(frozenInputs(copy), copy);
});

test('undefined properties are skipped, and names such as __proto__ are plain names', () => {
  const named = JSON.parse('{"__proto__": {"size": 1}}') as object;
  const copy = frozenInputs({ prompt: 'a fox', size: undefined, ...named });
  assert.equal(JSON.stringify(copy), '{"prompt":"a fox","__proto__":{"size":1}}');
  assert.equal((copy as { size?: unknown }).size, undefined);
});

test('a getter and a proxy are read once, so that every later reader sees the same', () => {
  let reads = 0;
  const counting = {
    get size() {
      return (reads += 1);
    },
  };
  const proxied = new Proxy({ steps: 0 }, { get: () => (reads += 1) });
  const copy = frozenInputs({ counting, proxied });
  const body = JSON.stringify(copy);
  assert.equal(JSON.stringify(copy), body);
  assert.deepEqual(copy, { counting: { size: 1 }, proxied: { steps: 3 } });
});

test('anything that JSON would drop, change, or reject is rejected with its path', () => {
  const loop: Record<string, unknown> = {};
  loop['self'] = { again: loop };
  const thrower = {
    get prompt(): string {
      throw new Error('not today');
    },
  };
  const endless = (): object => new Proxy({ more: 1 }, { get: (_, name) => (name === 'more' ? endless() : undefined) });
  const cases: readonly [Record<string, unknown>, Unfit, string][] = [
    [{ seed: 7n }, 'notJson', 'seed'],
    [{ steps: NaN }, 'notJson', 'steps'],
    [{ steps: [1, Infinity] }, 'notJson', 'steps.1'],
    [{ steps: [1, undefined] }, 'notJson', 'steps.1'],
    [{ steps: new Array(3) }, 'notJson', 'steps.0'],
    [{ call: () => 1 }, 'notJson', 'call'],
    [{ mark: Symbol('x') }, 'notJson', 'mark'],
    [{ at: new Date(0) }, 'notJson', 'at'],
    [{ mask: new Map() }, 'notJson', 'mask'],
    [{ mask: new Uint8Array(2) }, 'notJson', 'mask'],
    [{ text: { toJSON: () => 'cheap' } }, 'notJson', 'text'],
    [loop, 'circular', 'self.again'],
    [thrower, 'unreadable', ''],
    [{ inner: thrower }, 'unreadable', 'inner'],
  ];
  for (const [inputs, reason, path] of cases) assert.deepEqual(refusalOf(inputs), [reason, path]);
  assert.equal(refusalOf({ endless: endless() })[0], 'tooDeep');
});

test('a few objects that expand to millions don’t block the editor', () => {
  let many: unknown = [1];
  for (let level = 0; level < 40; level++) many = [many, many];
  assert.equal(refusalOf({ many })[0], 'tooMany');
});

test('megabytes of text are copied', () => {
  const image = 'x'.repeat(8 * 1024 * 1024);
  assert.equal(frozenInputs({ image })['image'], image);
});

test('foreign input gives a copy or an error, and never throws', () => {
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  for (const given of [undefined, null, 1, 'x', [], () => 1, revoked.proxy]) assert.ok('error' in copied(given));
  assert.deepEqual(copied({ inputs: { prompt: 'x' } }), { copy: { inputs: { prompt: 'x' } } });
});
