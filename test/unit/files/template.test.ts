import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendar } from '../../../src/files/calendar';
import { slug } from '../../../src/files/names';
import { checkTemplate, fillTemplate, previewName, type NameFacts } from '../../../src/files/template';

const facts: NameFacts = {
  time: Date.UTC(2026, 0, 1, 4, 5, 6),
  modelId: 'lumen/photo/lumen-2',
  prompt: 'A red fox, in the snow!',
  id: 'gen_0192f3a47c1d9b2e',
  index: 3,
};
const berlin = calendar('Europe/Berlin');

test('a template is filled in with the render’s facts', () => {
  assert.equal(fillTemplate('${date}-${model}-${slug}', facts, berlin), '2026-01-01-lumen-2-a-red-fox-in-the-snow');
  assert.equal(fillTemplate('${time} ${id} ${index}', facts, berlin), '050506 7c1d9b2e 3');
});

test('date and time are local time', () => {
  assert.equal(fillTemplate('${date} ${time}', facts, calendar('America/New_York')), '2025-12-31 230506');
  assert.equal(fillTemplate('${time}', { ...facts, time: Date.UTC(2026, 0, 1) }, calendar('UTC')), '000000');
});

test('a preview shows a name before there is an ID', () => {
  assert.equal(previewName('${slug} ${id}', facts, berlin), 'a-red-fox-in-the-snow xxxxxxxx');
});

test('an unknown variable and a folder in the name are reported', () => {
  assert.equal(checkTemplate('${date} ${time} ${model} ${slug} ${id} ${index}'), undefined);
  assert.deepEqual(checkTemplate('${date}-${seed}'), { kind: 'unknownVariable', variable: 'seed' });
  assert.deepEqual(checkTemplate('${__proto__}'), { kind: 'unknownVariable', variable: '__proto__' });
  assert.deepEqual(checkTemplate('${date}/${slug}'), { kind: 'separator', character: '/' });
});

test('an invalid template still gives a safe name', () => {
  assert.equal(fillTemplate('../${toString}/x', facts, berlin), 'x');
  assert.equal(fillTemplate('${slug}', { ...facts, prompt: '' }, berlin), 'render');
  assert.equal(fillTemplate('${model}', { ...facts, modelId: 'a/b/..' }, berlin), 'render');
});

test('a prompt isn’t interpreted as part of the template', () => {
  assert.equal(fillTemplate('${slug}-${index}', { ...facts, prompt: '$& ${id} $1' }, berlin), 'id-1-3');
});

test('a slug is plain Latin for a Latin prompt, and keeps the letters of other scripts', () => {
  assert.equal(slug('Größer als Ærø: ein süßer Fuchs'), 'grosser-als-aero-ein');
  assert.equal(slug("Don't  stop"), 'dont-stop');
  assert.equal(slug('рыжая лиса'), 'рыжая-лиса');
  assert.equal(slug('हिन्दी'), 'हिन्दी');
  assert.equal(slug('🦊 !!'), '');
});

test('a slug is cut between words, and a single long word after 24 characters', () => {
  assert.equal(slug('one two three four five six seven eight nine ten'), 'one-two-three-four-five');
  assert.equal(slug('a'.repeat(60)), 'a'.repeat(24));
  assert.equal(slug('x'.repeat(23) + '𝒜'.repeat(3)).length, 24);
  assert.equal(slug('word '.repeat(1_000_000)), 'word-word-word-word-word');
});

test('a slug that is cut doesn’t end in small words, which lead on to what is missing, and keeps at least one word', () => {
  assert.equal(slug('a village in the snow at night'), 'a-village-in-the-snow');
  assert.equal(slug('a red lighthouse by the sea'), 'a-red-lighthouse');
  assert.equal(slug('an otter, one of the many that live here'), 'an-otter-one-of-the-many');
  assert.equal(slug('foxes from and to, for or by the riverside'), 'foxes');
  assert.equal(slug('to the of and with from by or in'), 'to');
  assert.equal(slug(`the ${'x'.repeat(24)}`), 'the');
  // These only end like small words.
  assert.equal(slug('the small blue salon panda everywhere'), 'the-small-blue-salon');
  assert.equal(slug('a very calm brown panda everywhere'), 'a-very-calm-brown-panda');
});

test('a slug that isn’t cut ends as its prompt does', () => {
  assert.equal(slug('what it is made of'), 'what-it-is-made-of');
  assert.equal(slug('to be or'), 'to-be-or');
});

test('a prompt without letters still gives a name, which a model without a prompt omits', () => {
  const name = (prompt: string) => fillTemplate('${slug}-${model}', { ...facts, prompt }, berlin);
  assert.equal(name('🦊 !!'), 'untitled-lumen-2');
  assert.equal(name(''), 'lumen-2');
});

test('an emoji leaves nothing in a slug, however it’s composed', () => {
  for (const emoji of ['❤\ufe0f', '✌\u{1f3fd}', '👩\u200d🚒', '🏳\ufe0f\u200d🌈', '☂\ufe0e', '🇩🇪'])
    assert.equal(slug(emoji), '', emoji);
  assert.equal(slug('I ❤\ufe0f foxes ✌\ufe0f'), 'i-foxes');
  assert.equal(slug('1\ufe0f\u20e3 fox'), '1-fox');
});

test('a template works out each of its variables once, however often it has it', () => {
  let looks = 0;
  const counting: typeof berlin = (time) => {
    looks += 1;
    return berlin(time);
  };
  assert.match(fillTemplate('${date}'.repeat(10_000), facts, counting), /^2026-01-012026/);
  assert.equal(looks, 1);
});
