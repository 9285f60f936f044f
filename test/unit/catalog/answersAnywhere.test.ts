import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../../src/catalog/errors';
import { readAccount, readGeneration, readQuote } from '../../../src/catalog/records';

// The specification's own responses, wrapped, renamed, reordered, and padded at random.

const wrapperNames = ['data', 'result', 'attributes', 'payload', 'account', 'wallet', 'somewhere', 'Deep_Down', 'x'];
const padding = fc.dictionary(
  fc.constantFrom(
    'requestId',
    'version',
    'modelId',
    'expiresInSeconds',
    'dailyCapCents',
    'tags',
    'links',
    'note',
    'inputs',
  ),
  fc.oneof(
    fc.integer(),
    fc.constantFrom('', 'EUR', 'a/b/c', 'USD 12 off', null, true, false),
    fc.array(fc.integer(), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('self', 'next', 'costCentsWere', 'hint'), fc.oneof(fc.integer(), fc.string())),
  ),
  { maxKeys: 4 },
);

/** `costCents` in the naming styles of all languages. */
function styled(name: string): fc.Arbitrary<string> {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return fc.constantFrom(
    name,
    snake,
    snake.toUpperCase(),
    snake.replaceAll('_', '-'),
    name.toLowerCase(),
    name.charAt(0).toUpperCase() + name.slice(1),
  );
}

/** An object with the pads and its own fields, in any order. */
function mixed(own: object, pads: object): fc.Arbitrary<object> {
  const entries = Object.entries({ ...pads, ...own });
  return fc
    .shuffledSubarray(entries, { minLength: entries.length, maxLength: entries.length })
    .map((shuffled) => Object.fromEntries(shuffled) as object);
}

/** A response that states this value under this name, up to eight objects deep. */
function stating(name: string, value: unknown): fc.Arbitrary<object> {
  return fc
    .tuple(styled(name), padding, fc.array(fc.tuple(fc.constantFrom(...wrapperNames), padding), { maxLength: 8 }))
    .chain(([own, pads, wrappers]) =>
      wrappers.reduce<fc.Arbitrary<object>>(
        (inner, [wrapper, around]) => inner.chain((it) => mixed({ [wrapper]: it }, around)),
        mixed({ [own]: value }, pads),
      ),
    );
}

const cents = fc.integer({ min: 0, max: 1_000_000 });

test('the price by its own name is found at any depth, in any order, among anything', () => {
  fc.assert(
    fc.property(
      cents.chain((value) => fc.tuple(fc.constant(value), stating('costCents', value))),
      ([value, answer]) => assert.deepEqual(readQuote(answer), { costCents: value }),
    ),
  );
});

test('the balance by its own name is found at any depth, in any order, among anything', () => {
  fc.assert(
    fc.property(
      cents.chain((value) => fc.tuple(fc.constant(value), stating('balanceCents', value))),
      ([value, answer]) => assert.deepEqual(readAccount(answer), { balanceCents: value }),
    ),
  );
});

test('a generation is found at any depth, in any order, among anything', () => {
  const names = wrapperNames.filter((name) => name !== 'account');
  const generation = fc
    .tuple(styled('id'), styled('status'), styled('costCents'), padding)
    .chain(([id, status, costCents, pads]) => mixed({ [id]: 'g1', [status]: 'succeeded', [costCents]: 4 }, pads));
  const wrapped = fc
    .array(fc.tuple(fc.constantFrom(...names), padding), { maxLength: 8 })
    .chain((wrappers) =>
      wrappers.reduce<fc.Arbitrary<object>>(
        (inner, [wrapper, around]) => inner.chain((it) => mixed({ [wrapper]: it, id: 'req-1' }, around)),
        generation,
      ),
    );
  fc.assert(
    fc.property(wrapped, (answer) => {
      const { id, status, costCents } = readGeneration(answer);
      assert.deepEqual({ id, status, costCents }, { id: 'g1', status: 'succeeded', costCents: 4 });
    }),
  );
});

test('if two disagree, neither is stated', () => {
  const two = (name: string) =>
    fc
      .tuple(cents, cents)
      .filter(([one, other]) => one !== other)
      .chain(([one, other]) => fc.tuple(stating(name, one), stating(name, other)))
      .chain(([first, second]) => mixed({ first, second }, {}));
  fc.assert(fc.property(two('costCents'), (answer) => assert.deepEqual(readQuote(answer), { costCents: undefined })));
  fc.assert(
    fc.property(two('balanceCents'), (answer) =>
      assert.throws(
        () => readAccount(answer),
        (error) => error instanceof ServiceError && error.kind === 'unreadable',
      ),
    ),
  );
});
