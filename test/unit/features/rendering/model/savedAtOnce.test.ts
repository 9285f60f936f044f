import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SavedAtOnce } from '../../../../../src/features/rendering/model/savedTogether';
import { entry } from '../../../editor/entries';
import { TestClock } from '../../../clock';

suite('Notifications of saved results', () => {
  function watched() {
    const clock = new TestClock();
    const told: (readonly string[])[] = [];
    const active = { count: 0 };
    const saved = new SavedAtOnce(
      clock,
      () => active.count,
      (entries) => told.push(entries.map(({ id }) => id)),
    );
    return { clock, told, active, saved, save: (id: string) => saved.add(entry({ id })) };
  }

  test('a single one is reported at once', () => {
    const { told, save } = watched();
    save('fox');
    save('cat');
    assert.deepEqual(told, [['fox'], ['cat']]);
  });

  test('those that come while others are in progress are reported together, with the last at once', () => {
    const { told, active, save } = watched();
    active.count = 2;
    save('fox');
    active.count = 1;
    save('cat');
    assert.deepEqual(told, []);
    active.count = 0;
    save('bird');
    assert.deepEqual(told, [['fox', 'cat', 'bird']]);
  });

  test('one waits for others for a second and a half, then the wait starts over', async () => {
    const { clock, told, active, save } = watched();
    active.count = 1;
    save('fox');
    await clock.advance(1500);
    assert.deepEqual(told, [['fox']]);
    save('cat');
    await clock.advance(1000);
    assert.deepEqual(told, [['fox']]);
    await clock.advance(500);
    assert.deepEqual(told, [['fox'], ['cat']]);
  });

  test('nothing is reported of a window that closes', async () => {
    const { clock, told, active, save, saved } = watched();
    active.count = 1;
    save('fox');
    saved.dispose();
    await clock.advance(5000);
    assert.deepEqual(told, []);
  });
});
