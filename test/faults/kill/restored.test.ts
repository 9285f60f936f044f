import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { kills } from '../../extent';
import { openAccount } from './openAccount';
import { Project } from './project';
import type { Point } from './points';
import { asleepMs, type Task } from './task';

/** How far an order had come when the backup was made. */
const backups: readonly Point[] = ['planned is recorded', 'sent is recorded'];
/** Where windows on the restored ledger end, one after the other. */
const points: readonly Point[] = [
  'before the bytes of a poll',
  'the bytes of a poll are out',
  'the answer to a poll begins',
  'before accepted is recorded',
  'accepted is recorded',
  'before succeeded is recorded',
  'the bytes of a download are out',
  'before claimed is recorded',
  'before saved is recorded',
];
const rounds = Math.max(1, Math.floor(kills / 250));

for (const backup of backups)
  test(`a render that a restored ledger knows as “${backup}” is found and saved, and never charged again, wherever windows are killed`, async (t) => {
    const { service, account } = await openAccount(t);
    let killed = 0;

    const oneRound = async () => {
      const project = await Project.create(service, account);
      const { intent } = project.wish('picture');
      await project.run({ killAt: { point: backup, time: 1 } });
      // Closed in order, a ledger is one file.
      await project.records();
      const copy = join(project.folder, 'backup.db');
      await copyFile(project.ledgerPath, copy);
      await project.run();
      await project.checkEnd();

      await copyFile(copy, project.ledgerPath);
      project.pass(asleepMs);
      const later: Partial<Task> = { sleptMs: asleepMs };
      for (const point of points) {
        const ending = await project.open({ ...later, killAt: { point, time: 1 } }).ended;
        assert.ok(ending.killed, `a window comes by: ${point}`);
        killed++;
      }
      await project.open(later).ended;
      const [charged] = project.charged();
      const [record] = await project.records();
      assert.deepEqual([charged?.charges, charged?.refunds], [1, 0], 'it was charged once');
      assert.deepEqual([record?.key, record?.state, record?.generationId], [intent, 'saved', charged?.id]);
      assert.equal(record?.matched, true, 'it was found in the list, and not sent once more');
      await project.remove();
    };
    for (let round = 0; round < rounds; round++) await oneRound();
    t.diagnostic(`${killed} kills`);
  });
