import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kills } from '../../extent';
import { openAccount } from './openAccount';
import type { Point } from './points';
import { Project } from './project';
import { bodiesOf } from './watchedBodies';

/** Where a window ends while storing a large body. */
const keeping: readonly Point[] = [
  'the folder of bodies is there',
  'the body is open',
  'the body is half written',
  'the body is written',
  'the body is synced',
  'before the body has its name',
  'the body has its name',
  'the folder of bodies is synced',
  'planned is recorded',
  'before the bytes of the order',
  'the bytes of the order are out',
];
/** Where a window ends while forgetting a render with such a body. */
const forgetting: readonly Point[] = [
  'before it is forgotten',
  'before the body is removed',
  'the body is removed',
  'it is forgotten',
];
/** Where a window ends while withdrawing an order that wasn't sent. */
const takingBack: readonly Point[] = [
  'before discarded is recorded',
  'before the body is removed',
  'the body is removed',
  'discarded is recorded',
];
/** Where a window ends while removing leftovers. */
const sweeping: readonly Point[] = ['before a left-over body is removed', 'a left-over body is removed'];

/** Longer than leftovers are kept for windows that may still record them, ms. */
const twoDaysMs = 2 * 86_400_000;
/** The minimum number of windows that end at each point: two at full size. */
const rounds = Math.max(1, Math.floor(kills / 250));

test('a large body exists exactly as long as its record needs it, wherever windows are killed', async (t) => {
  const { service, account } = await openAccount(t);
  const killed = new Map<Point, number>();

  const oneRound = async (index: number) => {
    const project = await Project.create(service, account);
    const killAt = async (point: Point, how = {}) => {
      const ending = await project.run({ ...how, killAt: { point, time: 1 } });
      assert.ok(ending.killed, `a window comes by: ${point}`);
      killed.set(point, (killed.get(point) ?? 0) + 1);
    };
    const isOver = async (how = {}) => assert.equal((await project.run(how)).killed, false);
    const records = async () => new Map((await project.records()).map((record) => [record.key, record]));

    const kept = project.wish('longText');
    await killAt(keeping[index % keeping.length]!);
    await isOver();
    // A user who sees no order gives it up, and its body is left alone.
    const given = project.wish('longText');
    await killAt(keeping[1 + (index % 7)]!);
    assert.equal((await records()).has(given.intent), false);
    project.wishes.pop();
    await isOver();

    const forgotten = project.wish('longText');
    await killAt(forgetting[index % forgetting.length]!, { forgets: [forgotten.intent] });
    await isOver({ forgets: [forgotten.intent] });
    const takenBack = project.wish('takenBack');
    await killAt(takingBack[index % takingBack.length]!);
    await isOver();

    project.pass(twoDaysMs);
    await killAt(sweeping[index % sweeping.length]!);
    await isOver();
    const all = await records();
    assert.deepEqual(
      [kept, forgotten, takenBack].map(({ intent }) => [all.get(intent)?.state, all.get(intent)?.forgotten]),
      [
        ['saved', undefined],
        ['saved', true],
        ['discarded', undefined],
      ],
    );
    assert.deepEqual(bodiesOf(project.ledgerPath), [kept.intent], 'one body is needed, and there');
    assert.deepEqual(
      project
        .charged()
        .map(({ intent, charges, refunds }) => [intent, charges, refunds])
        .sort(),
      [kept, forgotten].map(({ intent }) => [intent, 1, 0]).sort(),
    );
    await project.remove();
  };

  const all = keeping.length * rounds;
  for (let index = 0; index < all; index += 2)
    await Promise.all([index, index + 1].filter((one) => one < all).map(oneRound));
  t.diagnostic([...killed].map(([point, times]) => `${point}: ${times}`).join(' · '));
  for (const point of [...keeping, ...forgetting, ...takingBack, ...sweeping])
    assert.ok((killed.get(point) ?? 0) >= rounds, `what is not reached is not tested: ${point}`);
});
