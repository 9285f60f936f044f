import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draw, type DrawingStyle } from '../../../src/sandbox/art/artist';
import { compose } from '../../../src/sandbox/art/composition';
import { Dice } from '../../../src/sandbox/art/random';
import { subjects } from '../../../src/sandbox/art/subjects';
import { readPrompt } from '../../../src/sandbox/art/vocabulary';
import { decoded, mean } from './pictures';

const styles: readonly DrawingStyle[] = ['paper', 'poster', 'watercolor', 'engraving', 'pixels', 'blocks'];

function named(prompt: string): string[] {
  return readPrompt(prompt).subjects.map(({ subject }) => subject);
}

test('the subjects of a prompt are found, each once and in the stated number', () => {
  for (const subject of subjects) assert.deepEqual(named(`a paper ${subject} in the snow`), [subject]);
  assert.deepEqual(named('a cup of coffee'), ['cup']);
  assert.deepEqual(named('portrait of a woman'), ['portrait']);
  assert.deepEqual(named('two foxes and a robot'), ['fox', 'fox', 'robot']);
  assert.deepEqual(named('a black cat and a white cat'), ['cat', 'cat']);
  assert.deepEqual(named('mountains at dawn'), []);
});

test('birds and flowers are part of the landscape, a bird or a flower is its subject', () => {
  assert.deepEqual(named('birds over a field of flowers'), []);
  assert.ok(readPrompt('birds over a field of flowers').things.has('birds'));
  assert.deepEqual(named('a bird and a flower'), ['bird', 'flower']);
});

test('a village, a harbor, and a pier are no city', () => {
  const seen = (prompt: string) => {
    const { grounds, things } = readPrompt(prompt);
    return [...grounds, ...things].join(' ');
  };
  assert.equal(seen('a village in the snow'), 'field village');
  assert.equal(seen('the harbor from above'), 'sea boat village pier');
  assert.equal(seen('the old pier in the fog'), 'sea pier');
  for (const prompt of ['ein Dorf', 'un pueblo', 'un village', '村'])
    assert.equal(seen(prompt), seen('a village'), prompt);
  assert.equal(seen('a street in a big city'), 'city');
});

test('a prompt means the same in all five languages of the interface', () => {
  const prompts = [
    'a red fox in the snow at night',
    'ein roter Fuchs im Schnee in der Nacht',
    'un zorro rojo en la nieve por la noche',
    'un renard rouge dans la neige la nuit',
    '夜の雪の中の赤い狐',
  ];
  const [first, ...others] = prompts.map((prompt) => {
    const { subjects: wished, time, weather } = readPrompt(prompt);
    return { wished, time, weather };
  });
  assert.deepEqual(first, {
    wished: [{ subject: 'fox', color: first!.wished[0]!.color }],
    time: 'night',
    weather: 'snow',
  });
  assert.ok(first.wished[0]!.color![0] > 0.7);
  for (const other of others) assert.deepEqual(other, first);
});

for (const style of styles) {
  test(`${style}: a car has the color it is given, in the middle of the picture`, async () => {
    const redOverBlue = async (prompt: string) => {
      const image = decoded(await draw(style, { prompt, size: 'small', seed: 1, ink: 'Iron gall' }));
      const middle = [0.2, 0.3, 0.8, 0.85];
      return mean(image, 0, middle) - mean(image, 2, middle);
    };
    assert.ok((await redOverBlue('a red car in a field')) > (await redOverBlue('a blue car in a field')) + 6);
  });
}

test('every subject stays inside the image, whatever its shape and however many there are', () => {
  for (const [width, height] of [
    [1024, 1024],
    [1344, 448],
    [448, 1344],
  ] as const)
    for (const subject of subjects.filter((each) => each !== 'portrait'))
      for (const prompt of [`a ${subject}`, `${subject} fox robot`]) {
        const plan = compose({ prompt, width, height, dice: new Dice(1), detail: 0.5 });
        assert.ok(plan.subjects.length > 0, prompt);
        for (const [x, y] of plan.subjects.flatMap(({ path }) => path.flat()))
          assert.ok(x >= 0 && x <= width && y >= 0 && y <= height, `${prompt} ${width}:${height}`);
      }
});
