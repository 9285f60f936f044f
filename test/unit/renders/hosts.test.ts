import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { systemClock, systemRandom } from '../../../src/base/clock';
import { silentLog } from '../../../src/base/log';
import { nodeDisk, type Disk } from '../../../src/files/disk';
import { ledgerName } from '../../../src/renders/ledgerError';
import { openLedger } from '../../../src/renders/openLedger';
import type { Decision } from '../../../src/renders/record';
import { leaseMs, WindowLease } from '../../../src/renders/windowLease';
import { planOne } from '../../planOne';
import { recordsOf } from '../../recordsOf';
import { TestClock } from '../clock';
import { folderFor } from './world';

// Computers with one home folder: this file is the test on one of them or, with a folder in its environment, a window
// on another one.
const homeOfOther = process.env['MODEL_CATALOG_HOME'];

/** The disk as a computer sees it that has a home folder from the network. */
const networkDisk: Disk = { ...nodeDisk, isLocal: () => Promise.resolve(false) };

const open = (home: string, disk: Disk = networkDisk) => openLedger(home, disk, silentLog);

function decision(key: string): Decision {
  return {
    key,
    place: 'https://models.example',
    account: 'account-1',
    modelId: 'a/b/c',
    inputs: { prompt: 'a kite' },
    body: new TextEncoder().encode('{}'),
    shownCents: 4,
    target: { root: 'file:///project', folder: 'renders', fileName: '${slug}' },
    plannedAt: 1000,
  };
}

/** A window at work; for each line it gets, it records a render under that key, and prints all keys. */
async function otherWindow(home: string): Promise<void> {
  // Computers share files, and no memory.
  rmSync(join(home, `${ledgerName}-shm`), { force: true });
  const ledger = await open(home);
  const lease = new WindowLease(ledger, systemClock, systemRandom);
  lease.stayAlive(true);
  console.log(lease.id);
  for await (const key of createInterface(process.stdin)) {
    planOne(ledger, decision(key), lease.id);
    console.log(
      recordsOf(ledger)
        .map((record) => record.key)
        .join(),
    );
  }
}

/** A window of another computer. */
async function startOther(t: TestContext, home: string) {
  const env: NodeJS.ProcessEnv = { ...process.env, MODEL_CATALOG_HOME: home };
  delete env['NODE_TEST_CONTEXT'];
  const child = spawn(process.execPath, [process.argv[1] ?? ''], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const hear = async () => String((await lines.next()).value);
  const record = (key: string) => {
    child.stdin.write(`${key}\n`);
    return hear();
  };
  const crash = async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  return { id: await hear(), record, crash };
}

/** The names in a folder that belong to its ledger. */
function filesOf(home: string): string[] {
  return readdirSync(home).sort();
}

if (homeOfOther !== undefined) {
  void otherWindow(homeOfOther);
} else {
  test('no record is lost when windows on two computers record in one home folder', async (t) => {
    const home = folderFor(t);
    const here = await open(home);
    here.changedElsewhere();
    const other = await startOther(t, home);
    const keys = Array.from({ length: 20 }, (_, n) => `here-${n}`);
    for (const key of keys) {
      const record = planOne(here, decision(key), 'here');
      assert.equal(here.change(record, { state: 'sent', attempt: 1 })?.state, 'sent');
    }
    const seen = await other.record('there');
    assert.deepEqual(seen.split(',').sort(), ['there', ...keys].sort(), 'the other one has them');
    assert.ok(here.changedElsewhere() && here.get('there'));
    here.close();
    await other.crash();
    const later = await open(home);
    t.after(() => later.close());
    assert.equal(recordsOf(later).length, 21);
    assert.equal(later.inStates('sent').length, 20);
  });

  test('a window on another computer is alive as long as it says so, and no process here can answer for it', async (t) => {
    const home = folderFor(t);
    const clock = new TestClock();
    const here = await open(home);
    t.after(() => here.close());
    const other = await startOther(t, home);
    const lease = new WindowLease(here, clock, systemRandom);
    assert.equal(lease.isAlive(other.id), true);
    await other.crash();
    assert.equal(lease.isAlive(other.id), true, 'it may only be slow');
    await clock.advance(leaseMs);
    assert.equal(lease.isAlive(other.id), false);
  });

  test('a ledger that was on a local disk can be shared, and has every record, also those of a crash', async (t) => {
    const home = folderFor(t);
    const moved = folderFor(t);
    const before = await open(home, nodeDisk);
    for (const key of ['one', 'two']) planOne(before, decision(key), 'window');
    for (const name of [ledgerName, `${ledgerName}-wal`]) cpSync(join(home, name), join(moved, name));
    before.close();
    for (const folder of [home, moved]) {
      const shared = await open(folder);
      assert.deepEqual(
        recordsOf(shared).map(({ key }) => key),
        ['two', 'one'],
      );
      planOne(shared, decision('three'), 'window');
      // To the computer that has the disk, it's local.
      const local = await open(folder, nodeDisk);
      planOne(local, decision('four'), 'window');
      assert.equal(recordsOf(shared).length, 4);
      assert.deepEqual(filesOf(folder), [ledgerName, `${ledgerName}-journal`]);
      local.close();
      shared.close();
    }
  });

  test('while the computer that has the disk uses the ledger as a local one, others don’t', async (t) => {
    const home = folderFor(t);
    const local = await open(home, nodeDisk);
    planOne(local, decision('one'), 'window');
    await assert.rejects(open(home), { code: 'inUse' });
    planOne(local, decision('two'), 'window');
    local.close();
    const shared = await open(home);
    t.after(() => shared.close());
    assert.equal(recordsOf(shared).length, 2);
  });

  const types = {
    NFS: 0x6969,
    SMB: 0x517b,
    CIFS: 0xff534d42,
    'SMB 2': 0xfe534d42,
    FUSE: 0x65735546,
    '9P': 0x01021997,
    AFS: 0x5346414f,
    Ceph: 0x00c36400,
    Lustre: 0x0bd00bd0,
    'a type that isn’t known': 0x12345678,
  };
  const skip = process.platform !== 'linux' && 'only Linux numbers them';
  for (const [name, type] of Object.entries({ ...types, ext4: 0xef53, tmpfs: 0x01021994 }))
    test(`memory is shared only on a local disk: ${name}`, { skip }, async (t) => {
      const home = folderFor(t);
      t.mock.method(fs, 'statfs', () => Promise.resolve({ type }));
      const ledger = await open(home, nodeDisk);
      t.after(() => ledger.close());
      planOne(ledger, decision('one'), 'window');
      const expected = name in types ? ['-journal'] : ['-shm', '-wal'];
      assert.deepEqual(
        filesOf(home),
        ['', ...expected].map((suffix) => ledgerName + suffix),
      );
    });
}
