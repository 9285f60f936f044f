import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../../../src/base/log';
import { nodeDisk } from '../../../src/files/disk';
import { ledgerName } from '../../../src/renders/ledgerError';
import { openLedger } from '../../../src/renders/openLedger';
import { settle, unsettled } from '../../../src/renders/setAside';
import { TestClock } from '../clock';
import { folderFor } from './world';

const open = (folder: string, clock = new TestClock()) => openLedger(folder, nodeDisk, clock, silentLog);

test('a ledger that is sound leaves nothing to settle', async (t) => {
  const folder = folderFor(t);
  (await open(folder)).close();
  assert.deepEqual(await unsettled(folder, nodeDisk), []);
});

test('a damaged ledger is set aside whole, and stays unsettled through every restart until the person goes on', async (t) => {
  const folder = folderFor(t);
  const bytes = randomBytes(8192);
  writeFileSync(join(folder, ledgerName), bytes);
  (await open(folder)).close();
  (await open(folder)).close();
  const [path, ...others] = await unsettled(folder, nodeDisk);
  assert.deepEqual(others, []);
  assert.deepEqual(readFileSync(path!), bytes);

  await settle([path!], nodeDisk);
  assert.deepEqual(await unsettled(folder, nodeDisk), []);
  assert.deepEqual(readFileSync(path!), bytes);
});

test('what is damaged after that is to be settled again, and two windows may both say so', async (t) => {
  const folder = folderFor(t);
  const clock = new TestClock();
  for (const second of [1, 2]) {
    writeFileSync(join(folder, ledgerName), randomBytes(8192));
    await clock.advance(1000);
    (await open(folder, clock)).close();
    const found = await unsettled(folder, nodeDisk);
    assert.equal(found.length, 1, `damage ${second}`);
    await Promise.all([settle(found, nodeDisk), settle(found, nodeDisk)]);
  }
  assert.equal(readdirSync(folder).filter((name) => /^damaged-\d+-renders\.db$/.test(name)).length, 2);
});
