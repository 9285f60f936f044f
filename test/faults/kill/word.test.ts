import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kills } from '../../extent';
import { openAccount } from './openAccount';
import { Project } from './project';
import type { Point } from './points';
import { asleepMs, type Task, type Told } from './task';

/** The user's successive words on an unconfirmed render: charged, not charged, taken back. */
const words = [true, false, null] as const;
const points: readonly Point[] = ['before the word is recorded', 'the word is recorded'];
const rounds = Math.max(1, Math.floor(kills / 120));
const rests: Partial<Task> = { restsAt: { state: 'unknown', problem: 'tooOld' }, sleptMs: asleepMs };

test('the user’s word on an unconfirmed render is recorded or not, and limits agree, wherever the window is killed', async (t) => {
  const { service, account } = await openAccount(t);
  const killed = new Map<string, number>();

  const oneRound = async () => {
    const project = await Project.create(service, account);
    const { intent } = project.wish('picture');
    const settledIn = (told: readonly Told[]) =>
      told.flatMap((one) => ('opened' in one ? one.opened : [])).find(({ key }) => key === intent);
    await project.run({ killAt: { point: 'before the bytes of the order', time: 1 } });
    // The service got nothing, and its key is no longer trusted, so only a user can find out.
    project.pass(asleepMs);
    await project.run(rests);
    let said: boolean | null = null;
    for (const word of words) {
      for (const point of points) {
        const ending = await project.run({ ...rests, says: word, killAt: { point, time: 1 } });
        assert.ok(ending.killed, `a window comes by: ${point}`);
        killed.set(`${point}, ${word}`, (killed.get(`${point}, ${word}`) ?? 0) + 1);
        assert.equal(settledIn(ending.told)?.settled ?? null, said, 'what was said before stands');
        if (point === 'the word is recorded') said = word;
        const { told } = await project.run(rests);
        assert.deepEqual([settledIn(told)?.state, settledIn(told)?.settled ?? null], ['unknown', said]);
        const used = told.find((one) => 'used' in one);
        assert.equal(used?.used === 0, said === false, 'the limit counts it unless it was not charged');
      }
    }
    assert.deepEqual(project.charged(), [], 'nothing was sent again');
    await project.remove();
  };
  for (let round = 0; round < rounds; round++) await oneRound();
  t.diagnostic([...killed].map(([what, times]) => `${what}: ${times}`).join(' · '));
});
