import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../../../src/base/log';
import { nodeDisk } from '../../../src/files/disk';
import { openLedger } from '../../../src/renders/openLedger';
import type { Decision } from '../../../src/renders/record';
import { folderFor } from './world';
import { planOne } from '../../planOne';

const decision: Decision = {
  key: 'k',
  place: 'https://models.example',
  account: 'account-1',
  modelId: 'a/b/c',
  inputs: { prompt: 'a kite' },
  body: new TextEncoder().encode('{}'),
  shownCents: 4,
  target: { root: 'file:///project', folder: 'renders', fileName: '${slug}' },
  plannedAt: 1000,
};

const skip = process.platform === 'win32' && 'Windows keeps files apart by other means';

async function modes(folder: string): Promise<string[]> {
  const names = ['', ...(await readdir(folder))].sort();
  return Promise.all(
    names.map(async (name) => `${name} ${((await stat(join(folder, name))).mode & 0o777).toString(8)}`),
  );
}

test('only this user can read the render history', { skip }, async (t) => {
  const folder = join(folderFor(t), 'storage');
  const before = process.umask(0);
  t.after(() => process.umask(before));
  const ledger = await openLedger(folder, nodeDisk, silentLog);
  planOne(ledger, decision, 'window');
  assert.deepEqual(await modes(folder), [' 700', 'renders.db 600', 'renders.db-shm 600', 'renders.db-wal 600']);
  ledger.close();
});

test('a folder and a ledger that others could read are restricted at the next start', { skip }, async (t) => {
  const folder = join(folderFor(t), 'storage');
  await mkdir(folder, { mode: 0o755 });
  const first = await openLedger(folder, nodeDisk, silentLog);
  planOne(first, decision, 'window');
  for (const name of ['', ...(await readdir(folder))]) await chmod(join(folder, name), name === '' ? 0o755 : 0o644);
  const second = await openLedger(folder, nodeDisk, silentLog);
  assert.deepEqual(await modes(folder), [' 700', 'renders.db 600', 'renders.db-shm 600', 'renders.db-wal 600']);
  second.close();
  first.close();
});
