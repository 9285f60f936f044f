import assert from 'node:assert/strict';
import { mkdir, open, readdir, readFile, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openProject } from './openAccount';
import type { Ending } from './programs';

/** The state of the ledger that the window found. */
function found({ told }: Ending) {
  const opened = told.find((one) => 'opened' in one);
  assert.ok(opened, 'the ledger was opened');
  return opened;
}

function setLayout(path: string, version: number): void {
  const ledger = new DatabaseSync(path);
  ledger.exec(`PRAGMA user_version = ${version}`);
  ledger.close();
}

test('a ledger of a newer version is read but not changed, and nothing is sent', async (t) => {
  const project = await openProject(t);
  const paid = project.wish('picture');
  await project.run({ killAt: { point: 'succeeded is recorded', time: 1 } });
  setLayout(project.ledgerPath, 2);
  const refused = project.wish('picture');
  const ending = await project.run({ restsAt: { state: 'succeeded' } });
  assert.equal(found(ending).readOnly, true);
  assert.deepEqual(found(ending).opened, [{ key: paid.intent, state: 'succeeded', attempt: 1 }]);
  assert.ok(ending.told.some((one) => 'notOrdered' in one && one.intent === refused.intent));
  assert.equal(project.charged().length, 1);

  setLayout(project.ledgerPath, 1);
  await project.run();
  await project.checkEnd();
});

test('while the ledger can’t be opened, nothing is sent and nothing removed', async (t) => {
  const project = await openProject(t);
  await mkdir(project.ledgerPath);
  project.wish('picture');
  const { told } = await project.run();
  assert.deepEqual(told, [{ notOpened: 'unavailable' }]);
  assert.ok((await stat(project.ledgerPath)).isDirectory());
  assert.deepEqual(project.charged(), []);

  await rmdir(project.ledgerPath);
  await project.run();
  await project.checkEnd();
});

for (const [where, at] of [
  ['its beginning', 0],
  ['a page in its middle', 4096],
] as const) {
  test(`a ledger with ${where} overwritten is set aside whole and reported, and a new one begins`, async (t) => {
    const project = await openProject(t);
    const before = project.wish('picture');
    await project.run({ killAt: { point: 'before the copy is removed', time: 1 } });
    // A window that closes normally checkpoints everything into one file.
    await project.records();
    const file = await open(project.ledgerPath, 'r+');
    await file.write(Buffer.alloc(2048, 0xa5), 0, 2048, at);
    await file.close();
    const damaged = await readFile(project.ledgerPath);
    const spooled = await readdir(join(project.storage, 'spool'));

    const later = project.wish('picture');
    const ending = await project.open({ wishes: [later] }).ended;
    const { setAside, opened } = found(ending);
    assert.deepEqual(opened, []);
    assert.deepEqual(await readFile(setAside ?? ''), damaged);
    assert.deepEqual(spooled, [before.intent]);
    assert.deepEqual(
      await readdir(join(project.storage, 'spool')),
      spooled,
      'what nobody knows of may have been paid for',
    );
    assert.deepEqual(
      (await project.records()).map(({ key, state }) => [key, state]),
      [[later.intent, 'saved']],
    );
    assert.deepEqual(
      project.charged().map(({ charges }) => charges),
      [1, 1],
    );
  });
}
