import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/base/json';
import { checkInputs, type Field, inputsOf, valuesFrom } from '../../../src/catalog/fields';
import { readFields } from '../../../src/catalog/fieldSchema';
import { shapeInputs, shapeOf } from '../../../src/documents/prompt';

function choice(name: string, ...values: (string | number)[]): Field {
  return {
    name,
    label: name,
    kind: 'choice',
    statedType: 'enum',
    required: false,
    choices: values.map((value) => ({ value, label: String(value) })),
  };
}

function side(name: string, bounds: Partial<Field> = {}): Field {
  return { name, label: name, kind: 'integer', statedType: 'integer', required: false, ...bounds };
}

const prompt: Field = { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true };
const ratios = choice('aspect_ratio', '1:1', '2:1', '1:2', '3:1', '1:3', '21:9', '16:9');

suite('A shape', () => {
  test('is the size in pixels that a link states', () => {
    assert.deepEqual(shapeOf({ width: 300, height: 200 }), { width: 300, height: 200 });
    assert.equal(shapeOf({ width: 300 }), undefined);
  });

  test('is the closest ratio that a model has', () => {
    const ratio = (width: number, height: number) => shapeInputs([prompt, ratios], { width, height }).aspect_ratio;
    assert.equal(ratio(640, 360), '16:9');
    assert.equal(ratio(500, 510), '1:1');
    assert.equal(ratio(300, 700), '1:2');
    assert.equal(ratio(3000, 200), '3:1');
    // Perceptually halfway between 1:1 and 2:1.
    assert.equal(shapeInputs([choice('r', '1:1', '2:1')], { width: 145, height: 100 }).r, '2:1');
  });

  test('is the closest size, by area among those with the same ratio', () => {
    const sizes = choice('size', '256x256', '1024x1024', '1792x1024', '1024x1792', 'auto');
    assert.deepEqual(shapeInputs([sizes], { width: 300, height: 290 }), { size: '256x256' });
    assert.deepEqual(shapeInputs([sizes], { width: 900, height: 900 }), { size: '1024x1024' });
    assert.deepEqual(shapeInputs([sizes, ratios], { width: 1600, height: 900 }), { aspect_ratio: '16:9' });
    assert.deepEqual(shapeInputs([choice('format', 'square', 'portrait', 'landscape')], { width: 3, height: 2 }), {
      format: 'landscape',
    });
  });

  test('is the closest of the choices that services name in words', () => {
    const sizes = choice(
      'image_size',
      ...['square_hd', 'square', 'portrait_4_3', 'portrait_16_9', 'landscape_4_3', 'landscape_16_9'],
    );
    const size = (width: number, height: number) => shapeInputs([prompt, sizes], { width, height })['image_size'];
    assert.equal(size(1920, 1080), 'landscape_16_9');
    assert.equal(size(900, 1200), 'portrait_4_3');
    assert.equal(size(1080, 1920), 'portrait_16_9');
    assert.equal(size(1024, 1024), 'square_hd');
    assert.equal(size(300, 300), 'square');
    const aspects = choice('aspect', 'ASPECT_1_1', 'ASPECT_16_10', 'ASPECT_10_16', 'ASPECT_3_1');
    assert.deepEqual(shapeInputs([aspects], { width: 1000, height: 1600 }), { aspect: 'ASPECT_10_16' });
    assert.deepEqual(shapeInputs([choice('ratio', '1_1', '16_9')], { width: 1600, height: 900 }), { ratio: '16_9' });
    assert.deepEqual(shapeInputs([choice('version', '1_5', '2_1')], { width: 1600, height: 900 }), {});
  });

  test('is the closest of objects with both sides, or fills the one that is a default', () => {
    const field = (spec: JsonObject) => readFields({ inputs: [{ name: 'image_size', ...spec }] })!;
    const [small, wide] = [
      { width: 512, height: 512 },
      { width: 1024, height: 576 },
    ];
    const size = { width: 1920, height: 1080 };
    assert.deepEqual(shapeInputs(field({ options: [small, wide] }), size), { image_size: wide });
    const named = [small, wide].map((value) => ({ value, label: `${value.width} pixels wide` }));
    assert.deepEqual(shapeInputs(field({ options: named }), size), { image_size: wide });
    assert.deepEqual(shapeInputs(field({ default: { ...small, unit: 'px' } }), size), {
      image_size: { ...size, unit: 'px' },
    });
    const either: JsonObject = { anyOf: [{ type: 'object' }, { enum: ['square', 'landscape_16_9'] }] };
    assert.deepEqual(shapeInputs(field(either), size), { image_size: 'landscape_16_9' });
    for (const fields of [field({ options: [small, wide] }), field({ default: small })]) {
      const values = valuesFrom(fields, shapeInputs(fields, size));
      assert.deepEqual(checkInputs(fields, values), []);
      assert.deepEqual(inputsOf(fields, values), shapeInputs(fields, size));
    }
  });

  test('is a width and a height within bounds and steps', () => {
    const bounds = { minimum: 256, maximum: 1024, step: 64 };
    const fields = [side('width', bounds), side('height', bounds)];
    assert.deepEqual(shapeInputs(fields, { width: 640, height: 320 }), { width: 640, height: 320 });
    assert.deepEqual(shapeInputs(fields, { width: 64, height: 32 }), { width: 512, height: 256 });
    assert.deepEqual(shapeInputs(fields, { width: 4000, height: 2000 }), { width: 1024, height: 512 });
    assert.deepEqual(shapeInputs(fields, { width: 9000, height: 100 }), { width: 1024, height: 256 });
    assert.deepEqual(shapeInputs([side('width', bounds)], { width: 1, height: 1 }), {});
  });

  test('is nothing for a model without suitable fields', () => {
    assert.deepEqual(
      shapeInputs([prompt, choice('style', 'ink', 'oil'), choice('count', 1, 2)], { width: 3, height: 2 }),
      {},
    );
  });

  test('is always valid for the model', () => {
    const bound = fc.integer({ min: 1, max: 3000 });
    const bounds = fc
      .tuple(bound, bound, fc.option(fc.constantFrom(1, 8, 64), { nil: undefined }))
      .map(([a, b, step]) => ({ minimum: Math.min(a, b), maximum: Math.max(a, b), step }));
    const size = fc.record({ width: fc.integer({ min: 1, max: 9999 }), height: fc.integer({ min: 1, max: 9999 }) });
    fc.assert(
      fc.property(bounds, bounds, size, (width, height, wanted) => {
        const fields = [side('width', width), side('height', height), ratios];
        for (const some of [fields, fields.slice(0, 2)]) {
          const inputs = shapeInputs(some, wanted);
          assert.notDeepEqual(inputs, {});
          assert.deepEqual(checkInputs(some, valuesFrom(some, inputs)), []);
        }
      }),
    );
  });
});
