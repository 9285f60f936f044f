import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentLog } from '../../../src/base/log';
import { startSandboxThread } from '../../../src/sandbox/thread';
import { balance, call, haiku, newFolder, start } from './service';

const extension = process.cwd();

async function openThread(t: TestContext, folder = newFolder(t)) {
  const thread = await startSandboxThread(extension, folder, silentLog);
  t.after(() => thread.close());
  return thread;
}

test('a sandbox in a thread charges, takes play money, and keeps both when it’s closed', async (t) => {
  const folder = newFolder(t);
  const first = await openThread(t, folder);
  await first.addMoney(500);
  assert.equal(await balance(first), 3000);
  const { json } = await start(first, haiku, { prompt: 'a' });
  await first.close();
  const second = await openThread(t, folder);
  assert.equal(second.key, first.key);
  assert.equal((await call(second, 'GET', `/generations/${String(json.id)}`)).json.costCents, 1);
  assert.equal(await balance(second), 2999);
});

test('a thread whose account can’t be used says why', async (t) => {
  const folder = newFolder(t);
  mkdirSync(join(folder, 'sandbox'));
  writeFileSync(join(folder, 'sandbox', 'account.sqlite'), 'not a database, however long it is'.repeat(100));
  await assert.rejects(startSandboxThread(extension, folder, silentLog), /not a database/);
});

test('play money for a thread that has ended is refused, and never counts as added', async (t) => {
  const thread = await openThread(t);
  await thread.close();
  await assert.rejects(thread.addMoney(500), /thread ended/);
});
