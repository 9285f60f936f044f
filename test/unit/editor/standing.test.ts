import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onceRead, readMs, Standing } from '../../../src/editor/standing';
import { settled, TestClock } from '../clock';
import { deferred } from '../deferred';

function screen() {
  const clock = new TestClock();
  const shows: (() => Promise<void>)[] = [];
  const standing = new Standing(clock, readMs.price, () => {
    const { promise, resolve } = deferred<undefined>();
    shows.push(() => (resolve(undefined), settled()));
    return promise;
  });
  let stood = 0;
  standing.onDidStand(() => (stood += 1));
  return { clock, shows, standing, stood: () => stood };
}

test('a price counts once it has been visible for a moment', async () => {
  const { clock, shows, standing, stood } = screen();
  standing.show('one');
  await clock.advance(199);
  assert.equal(shows.length, 0);
  await clock.advance(1);
  assert.equal(standing.has('one'), false);
  await shows[0]!();
  assert.deepEqual([standing.has('one'), standing.has('two'), stood()], [true, false, 1]);
});

test('a new price has to be visible for a while, and a late confirmation of the first one doesn’t count', async () => {
  const { clock, shows, standing } = screen();
  standing.show('one');
  await clock.advance(200);
  standing.show('two');
  await shows[0]!();
  assert.deepEqual([standing.has('one'), standing.has('two')], [false, false]);
  await clock.advance(200);
  await shows[1]!();
  assert.equal(standing.has('two'), true);
});

test('the same price shown again stays orderable, unless another was shown in between', async () => {
  const { clock, shows, standing } = screen();
  standing.show('one');
  await clock.advance(200);
  await shows[0]!();
  standing.show('one');
  assert.equal(standing.has('one'), true);
  standing.again('one');
  assert.equal(standing.has('one'), false);
  standing.again(undefined);
  await clock.advance(1000);
  assert.deepEqual([shows.length, clock.waiting], [1, 0]);
});

test('a question answered before one could read it is asked again, and a dismissed one isn’t', async () => {
  const answers = ['Render', undefined];
  let asked = 0;
  assert.equal(await onceRead(() => Promise.resolve(answers[asked++])), undefined);
  assert.equal(asked, 2);
});
