import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../../src/catalog/body';
import { ServiceError } from '../../../src/catalog/errors';
import { growsInProportion } from '../growth';

const isTooLarge = (error: unknown) => error instanceof ServiceError && error.kind === 'tooLarge';

test('JSON is parsed as JSON.parse does, or rejected as that does', () => {
  const text = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', '', '[', ']', '{', '}', ',', ':', '"', '\\', '1'));
  fc.assert(
    fc.property(text, ([json, place, added]) => {
      const at = place % (json.length + 1);
      const changed = json.slice(0, at) + added + json.slice(at);
      const outcome = (parse: () => unknown) => {
        try {
          return { value: parse() };
        } catch (error) {
          return (error as Error).name;
        }
      };
      // Integers too large for a number have a test of their own.
      fc.pre(!/\d{16}/.test(changed));
      assert.deepEqual(
        outcome(() => parseJson(changed, Infinity)),
        outcome(() => JSON.parse(changed) as unknown),
      );
    }),
  );
});

test('whatever is in texts, only values count', () => {
  const special = fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', ']', '{', '}', 'a') });
  fc.assert(
    fc.property(fc.array(special, { minLength: 1 }), (texts) => {
      const json = JSON.stringify(texts);
      assert.deepEqual(parseJson(json, texts.length + 1), texts);
      assert.throws(() => parseJson(json, texts.length), isTooLarge);
    }),
  );
});

test('JSON that no service writes is rejected before it’s parsed, which would take long', () => {
  assert.throws(() => parseJson(`[${'[],'.repeat(130_000)}`, 250_000), isTooLarge);
  const names = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":[1,2]`).join()}}`;
  assert.equal(Object.keys(parseJson(names(20_000), Infinity) as object).length, 20_000);
  assert.throws(() => parseJson(names(20_001), Infinity), isTooLarge);
});

test('ten times the text takes about ten times as long', () => {
  for (const run of ['\\"', '\\\\', ' ', '",', '"a",'])
    assert.ok(
      growsInProportion(
        () => rejected(`["${run.repeat(20_000)}`),
        () => rejected(`["${run.repeat(200_000)}`),
      ),
      run,
    );
});

function rejected(text: string): void {
  assert.throws(() => parseJson(text, Infinity), SyntaxError);
}
