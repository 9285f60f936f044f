import assert from 'node:assert/strict';
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { LedgerError } from '../../../src/renders/ledgerError';
import { OrderError } from '../../../src/renders/orderError';
import { TestClock } from '../clock';
import { TestService } from './service';
import { folderFor, openWindow, order, ordered } from './world';

/** What can happen to a storage folder while a window uses it. */
const fates = {
  deleted: (folder: string) => rmSync(folder, { recursive: true }),
  moved: (folder: string) => renameSync(folder, `${folder}-moved`),
  replaced: (folder: string) => {
    renameSync(folder, `${folder}-moved`);
    cpSync(`${folder}-moved`, folder, { recursive: true });
  },
  'without its log': (folder: string) => rmSync(join(folder, 'ledger.db-wal')),
};

async function world(t: TestContext) {
  const clock = new TestClock();
  const service = new TestService(clock);
  const folder = join(folderFor(t), 'storage');
  mkdirSync(folder);
  const window = await openWindow(t, folder, service, clock);
  const troubles: (string | undefined)[] = [];
  window.ledger.onDidChangeTrouble(() => troubles.push(window.ledger.trouble?.code));
  return { clock, service, window, folder, troubles };
}

function isGone(error: unknown): boolean {
  const cause = error instanceof OrderError ? error.cause : error;
  assert.ok(cause instanceof LedgerError, String(error));
  assert.equal(cause.code, 'gone');
  return true;
}

for (const [fate, happens] of Object.entries(fates)) {
  const skip = process.platform === 'win32' && 'an open file stays where it is';

  test(
    `in a storage folder that is ${fate} nothing is begun, and nothing that waits there is sent`,
    { skip },
    async (t) => {
      const { clock, service, window, folder, troubles } = await world(t);
      service.offline = true;
      const waiting = await ordered(window, order());
      service.offline = false;
      happens(folder);
      assert.throws(() => window.renderer.order(order()), isGone);
      await assert.rejects(window.renderer.send(waiting.key), isGone);
      await clock.advance(60_000);
      assert.deepEqual(service.posts, []);
      assert.deepEqual(troubles, ['gone'], 'told once');
    },
  );

  test(`a first attempt does not leave when the storage folder is ${fate} just before it`, { skip }, async (t) => {
    const { clock, service, window, folder } = await world(t);
    const createGeneration = service.createGeneration.bind(service);
    let isFirst = true;
    service.createGeneration = async (...attempt) => {
      if (isFirst) happens(folder);
      isFirst = false;
      return createGeneration(...attempt);
    };
    window.renderer.order(order());
    await clock.advance(60_000);
    assert.deepEqual(service.posts, []);
  });
}

test('an attempt that may have been charged when the storage folder vanished is repeated with its key', async (t) => {
  const { clock, service, window, folder, troubles } = await world(t);
  service.fates = ['lostAfter'];
  const { key } = window.renderer.order(order());
  await clock.advance(0);
  fates.moved(folder);
  await clock.advance(60_000);
  assert.deepEqual(troubles, ['gone']);
  assert.deepEqual(
    service.posts.map((post) => post.key),
    [key, key],
  );
  assert.equal(service.charges.length, 1);
});

test('a storage folder that is restored is used again', async (t) => {
  const { service, window, folder, troubles } = await world(t);
  fates.moved(folder);
  assert.throws(() => window.renderer.order(order()), isGone);
  renameSync(`${folder}-moved`, folder);
  const { state } = await ordered(window, order());
  assert.equal(state, 'accepted');
  assert.equal(service.posts.length, 1);
  assert.deepEqual(troubles, ['gone', undefined]);
});
