import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkField,
  drawSeed,
  type Field,
  mostVariants,
  otherSeeds,
  Seeds,
  seedVariants,
} from '../../../src/catalog/fields';

const seed: Field = { name: 'seed', label: 'Seed', kind: 'seed', statedType: 'seed', required: false, default: 0 };
const steps: Field = { name: 'steps', label: 'Steps', kind: 'integer', statedType: 'integer', required: false };

function counting() {
  let draws = 0;
  return { unit: () => (draws += 1) / 10 };
}

test('an omitted seed gets a random number that stays until it’s used, and a set one stays', () => {
  const seeds = new Seeds(counting());
  const first = seeds.fill('m', [steps, seed], { steps: 3 });
  assert.equal(typeof first['seed'], 'number');
  assert.deepEqual(seeds.fill('m', [steps, seed], { steps: 4 }), { ...first, steps: 4 });
  assert.deepEqual(seeds.fill('m', [steps, seed], { seed: 0 }), { seed: 0 });
  assert.notEqual(seeds.fill('other', [seed], {})['seed'], first['seed']);
  seeds.renew();
  assert.notEqual(seeds.fill('m', [steps, seed], { steps: 3 })['seed'], first['seed']);
});

test('a model without a seed gets none', () => {
  const inputs = { steps: 3 };
  assert.equal(new Seeds(counting()).fill('m', [steps], inputs), inputs);
});

test('a seed is within the bounds of its field', () => {
  for (const unit of [0, 0.5, 0.999999]) {
    const drawn = drawSeed({ minimum: 1, maximum: 3 }, unit);
    assert.ok([1, 2, 3].includes(drawn), String(drawn));
  }
  assert.ok(Number.isSafeInteger(drawSeed({}, 0.999999)));
});

test('of a field with 64-bit limits, every seed that is drawn is one that the field accepts when it’s entered', () => {
  for (const limits of [
    { maximum: 2 ** 64 },
    { minimum: -(2 ** 63), maximum: 2 ** 63 },
    { minimum: -5, maximum: 2 ** 63 },
  ])
    for (const unit of [0, 0.3, 0.5, 1 - 2 ** -53]) {
      const wide = { ...seed, ...limits };
      const first = new Seeds({ unit: () => unit }).fill('m', [wide], {});
      const seeds = seedVariants([wide], first, 8, { unit: () => unit }).map((one) => one['seed']);
      assert.equal(new Set(seeds).size, 8);
      for (const drawn of seeds) assert.equal(checkField(wide, drawn as number), undefined);
    }
});

test('another seed is one that the field accepts and never the same, and none is offered if there is no other', () => {
  const few = { ...seed, minimum: 1, maximum: 3 };
  for (const now of [1, 2, 3]) {
    const drawn = [0, 0.49, 0.5, 0.999999].map((unit) => otherSeeds([few], { seed: now }, { unit: () => unit })?.seed);
    assert.deepEqual(
      [...new Set(drawn)],
      [1, 2, 3].filter((other) => other !== now),
    );
  }
  assert.deepEqual(otherSeeds([steps, seed], { steps: 3, seed: 9 }, { unit: () => 0 }), { steps: 3, seed: 0 });
  assert.equal(otherSeeds([{ ...seed, minimum: 1, maximum: 1 }], { seed: 1 }, counting()), undefined);
  assert.equal(otherSeeds([steps, seed], { steps: 3 }, counting()), undefined);
});

test('variants are the inputs and the same with other seeds, no two alike, as many as the fields accept', () => {
  const few = { ...seed, minimum: 1, maximum: 5 };
  for (const unit of [0, 0.3, 0.999999]) {
    const seeds = seedVariants([steps, few], { steps: 3, seed: 2 }, 8, { unit: () => unit }).map((one) => {
      assert.equal(one['steps'], 3);
      return one['seed'];
    });
    assert.equal(seeds[0], 2);
    assert.deepEqual(seeds.toSorted(), [1, 2, 3, 4, 5]);
  }
  assert.equal(seedVariants([seed], { seed: 2 }, 4, counting()).length, 4);
  assert.deepEqual([mostVariants([steps, few]), mostVariants([steps])], [5, 1]);
});
