import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/catalog/errors';
import type { Field, Generation } from '../../../src/catalog/fields';
import type { Connected } from '../../../src/renders/record';
import { cutShort } from '../../../src/renders/ledgerRow';
import {
  compared,
  type Likeness,
  isAdoptable,
  matchesOf,
  possibleMatchesOf,
  tellsOf,
  verdictOf,
} from '../../../src/renders/proof';
import { record } from './records';

const year = 365 * 86_400_000;
const inputs = { prompt: 'a kite' };

test('a machine clock that was set neither rules out a match with another render’s generation nor proves one', () => {
  const sent = record({ inputs, firstSentAt: year, firstSentServiceTime: undefined });
  const listed = { id: 'g1', modelId: sent.modelId, inputs, createdAt: 1000, status: 'pending' } as const;
  assert.deepEqual(matchesOf(sent, [listed]), []);
  assert.deepEqual(possibleMatchesOf(sent, [listed]), [listed]);
  const known = { ...sent, firstSentServiceTime: year };
  assert.deepEqual(possibleMatchesOf(known, [listed]), [], 'the service’s own clock rules it out');
});

const long = 'a red kite above a field of barley '.repeat(10);
const sent = { prompt: long, style: 'ink', seed: -1, steps: 20, tiles: [1, 2], image: 'data:image/png;base64,AAAA' };
const comparisons: readonly [what: string, stated: Partial<Generation>, Likeness][] = [
  ['nothing', {}, 'silent'],
  ['the model alone', { modelId: 'a/b/c' }, 'silent'],
  ['the model’s title', { modelId: 'Painter' }, 'silent'],
  ['another model', { modelId: 'a/b/d', inputs: sent }, 'other'],
  ['the same inputs', { modelId: 'A/B/c', inputs: { ...sent, quality: 'high' } }, 'same'],
  ['one input', { inputs: { style: 'ink' } }, 'same'],
  ['numbers as texts', { inputs: { steps: '20', tiles: ['1', '2'] } }, 'same'],
  ['white space of its own', { inputs: { prompt: ` ${long.replaceAll(' ', '\n ')}` } }, 'same'],
  ['a shortened text', { inputs: { prompt: `${long.slice(0, 30)}…` } }, 'silent'],
  ['a text that is cut', { inputs: { prompt: long.slice(0, 200) } }, 'silent'],
  ['the seed that it chose', { inputs: { seed: 7 } }, 'silent'],
  ['an image by its address', { inputs: { image: 'https://models.example/1.png' } }, 'silent'],
  ['another image', { inputs: { ...sent, image: 'data:image/png;base64,BBBB' } }, 'other'],
  ['another text', { inputs: { ...sent, prompt: 'a blue kite' } }, 'other'],
  ['the beginning of another text', { inputs: { prompt: 'a blue…' } }, 'other'],
  ['another number', { inputs: { ...sent, steps: 21 } }, 'other'],
  ['another list', { inputs: { ...sent, tiles: [1, 2, 3] } }, 'other'],
];

for (const [what, stated, expected] of comparisons)
  test(`a generation that states ${what} compares as “${expected}”`, () => {
    assert.equal(compared(record({ inputs: sent }), { id: 'g1', status: 'queued', ...stated }), expected);
  });

const connected = (account: string) => ({ place: 'https://models.example', client: { account } }) as Connected;
const other = connected('account-2');

test('what another key reads is about a render only if there is something to compare, and all of it matches', () => {
  const ours = record({ generationId: 'g1', inputs, firstSentServiceTime: year });
  const answer = { id: 'g1', status: 'succeeded', modelId: 'a/b/c', costCents: 4, createdAt: year };
  const tells = (stated: Generation, by = other) => tellsOf(ours, stated, by);
  assert.equal(tells({ ...answer, inputs }), true);
  for (const stated of [
    { id: 'g1', status: 'succeeded' },
    answer,
    { ...answer, inputs: {} },
    { ...answer, inputs, costCents: 900 },
    { ...answer, inputs, createdAt: year - 3_600_000 },
    { ...answer, inputs, modelId: 'a/b/d' },
    { ...answer, inputs, id: 'g2' },
  ])
    assert.equal(tells(stated), false, JSON.stringify(stated));
  // Without the service's own time there is nothing to compare with: the machine's clock may have been set.
  const apart = { ...answer, inputs, createdAt: year - 3_600_000 };
  assert.equal(tellsOf({ ...ours, firstSentServiceTime: undefined, firstSentAt: year }, apart, other), true);
  // The key that ordered it needs no proof, and takes no contradiction.
  assert.equal(tells({ id: 'g1', status: 'succeeded' }, connected('account-1')), true);
  assert.equal(tells({ ...answer, inputs: { prompt: 'a cat' } }, connected('account-1')), false);
});

test('another key for the account reads a render with large inputs, of which the record has only the beginnings', () => {
  const large = { prompt: 'a red kite', image: 'x'.repeat(100_000) };
  const ours = record({ generationId: 'g1', inputs: cutShort(large), isApart: true });
  const answer = { id: 'g1', status: 'succeeded', modelId: 'a/b/c' };
  assert.equal(tellsOf(ours, { ...answer, inputs: large }, other), true);
  assert.equal(tellsOf(ours, { ...answer, inputs: { ...large, prompt: 'a blue kite' } }, other), false);
  assert.equal(tellsOf(ours, { ...answer, inputs: { ...large, image: 'another' } }, other), false);
});

test('a listed render is adopted only at the quoted price, and with no option but the model’s defaults', () => {
  const fields = [
    { name: 'quality', default: 'low' },
    { name: 'steps', default: 20 },
  ] as unknown as Field[];
  const match = { id: 'g1', status: 'queued', costCents: 4, inputs };
  const may = (change: Partial<Generation>, shownCents: number | undefined = 4) =>
    isAdoptable(record({ inputs, shownCents }), { ...match, ...change }, fields);
  assert.equal(may({}), true);
  assert.equal(may({ inputs: { ...inputs, quality: 'low', steps: '20', seed: null } }), true);
  assert.equal(may({ costCents: 40 }), false);
  assert.equal(may({ costCents: undefined }), false);
  assert.equal(isAdoptable(record({ inputs, shownCents: undefined }), match, fields), false);
  assert.equal(may({ inputs: { ...inputs, quality: 'high' } }), false);
  assert.equal(may({ inputs: { ...inputs, unheardOf: 1 } }), false);
  // A large one that the response was too long for.
  assert.equal(may({ inputs: { ...inputs, image: {} } }), false);
});

test('a rejection that says that something was charged proves nothing', () => {
  for (const kind of ['invalidInput', 'keyRefused', 'balanceTooLow', 'dailyCap'] as const) {
    assert.equal(verdictOf(new ServiceError(kind, 'no')), 'refused');
    assert.equal(verdictOf(new ServiceError(kind, 'no', { contradicted: true })), 'unproven');
  }
});
