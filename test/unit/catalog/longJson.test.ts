import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../../../src/base/clock';
import { Yielder } from '../../../src/base/concurrency';
import { ServiceError } from '../../../src/catalog/errors';
import { parseJson } from '../../../src/catalog/body';
import { slowTurns } from '../slowTurns';

const most = 250_000;

function parsed(text: string, mostValues = Infinity): Promise<unknown> {
  return parseJson(text, mostValues, new Yielder(systemClock));
}

/** Makes values long in different ways: all at once, in the middle, by a text, or by their depth. */
const lengthen: readonly ((json: string, other: string) => string)[] = [
  (json, other) =>
    `[${Array<string>(Math.ceil(70_000 / (json.length + 1)))
      .fill(json)
      .join(', ')}, ${other}]`,
  (json, other) => `{"a": ${other}, "b": [${'1,'.repeat(40_000)}${json}], "__proto__": ${json}, "a": 1}`,
  (json, other) => `[${JSON.stringify(`${other}\\\n\u{1F98A}`.repeat(70_000 / (other.length + 4)))}, ${json}]`,
  (json, other) => `${`[${other}, "${'x'.repeat(200)}",`.repeat(400)}${json}${']'.repeat(400)}`,
  (json, other) =>
    `{${Array.from({ length: 9000 }, (_, index) => `"${index % 7000}n": ${json}`).join()}, "": ${other}}`,
];

const longJson = fc
  .tuple(fc.json({ maxDepth: 3 }), fc.json({ maxDepth: 3 }), fc.constantFrom(...lengthen))
  .map(([json, other, make]) => make(json, other));

function outcomeOf(text: string): unknown {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return 'no JSON';
  }
}

test('a long JSON text is parsed as JSON.parse does, whatever is in it', async () => {
  await fc.assert(
    fc.asyncProperty(longJson, async (text) => {
      const value = await parsed(text);
      assert.deepEqual(value, JSON.parse(text));
      // Also the order of names, of which the last value counts.
      assert.equal(JSON.stringify(value), JSON.stringify(JSON.parse(text)));
    }),
    { numRuns: 60 },
  );
});

test('a long text with one character more or less is accepted only if JSON.parse accepts it', async () => {
  const characters = fc.constantFrom('', '[', ']', '{', '}', ',', ':', '"', '\\', ' ', '1', 'x');
  await fc.assert(
    fc.asyncProperty(longJson, fc.double({ min: 0, max: 1, noNaN: true }), characters, fc.nat(1), async (...given) => {
      const [text, place, character, removed] = given;
      // The interesting places are at both ends.
      const at = Math.floor(place < 0.5 ? place * 20 : text.length - (place - 0.5) * 20);
      const changed = text.slice(0, at) + character + text.slice(at + removed);
      const outcome = await parsed(changed).then(
        (value) => ({ value }),
        (error: unknown) => {
          assert.ok(error instanceof SyntaxError);
          return 'no JSON';
        },
      );
      assert.deepEqual(outcome, outcomeOf(changed));
    }),
    { numRuns: 100 },
  );
});

test('a text of escapes is cut only between them', async () => {
  for (const escape of ['\\n', '\\\\', '\\"', '\\u00e9', '\\ud83e\\udd8a'])
    for (let before = 0; before < 12; before++) {
      const text = `["${'x'.repeat(before)}${escape.repeat(20_000)}${'x'.repeat(70_000)}"]`;
      assert.deepEqual(await parsed(text), JSON.parse(text));
    }
});

test('other work runs every few thousand characters', async () => {
  const { turns: slow, pauses } = slowTurns();
  const text = JSON.stringify([Array(100_000).fill(1), 'x'.repeat(200_000), { a: 'y'.repeat(100_000) }]);
  await parseJson(text, most, slow);
  assert.ok(pauses() >= text.length / 5000, `${pauses()} pauses`);
});

test('JSON that no service writes is rejected before it blocks the thread', async () => {
  const isTooLarge = (error: unknown) => error instanceof ServiceError && error.kind === 'tooLarge';
  await assert.rejects(parsed(`[${'[],'.repeat(130_000)}0]`, most), isTooLarge);
  const names = Array.from({ length: 20_001 }, (_, index) => `"${index}":1`).join();
  await assert.rejects(parsed(`{${names}}`), isTooLarge);
  for (const text of [`{"${'n'.repeat(70_000)}":1}`, `[${'1'.repeat(300_000)}]`, `[${' '.repeat(300_000)}1]`])
    await assert.rejects(parsed(text), SyntaxError);
});
