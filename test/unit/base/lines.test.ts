import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Lines } from '../../../src/documents/scan';

test('an offset’s line and column match counting the preceding line breaks', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', 'ß'), maxLength: 40 });
  fc.assert(
    fc.property(text, fc.nat(50), (whole, some) => {
      const offset = Math.min(some, whole.length);
      const before = whole.slice(0, offset).split('\n');
      assert.deepEqual(new Lines(whole).placeOf(offset), { line: before.length - 1, column: before.at(-1)!.length });
    }),
  );
});
