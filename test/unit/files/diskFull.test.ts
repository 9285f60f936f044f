import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { nodeDisk } from '../../../src/files/disk';
import { localSink } from '../../../src/files/localSink';
import { FileProblem } from '../../../src/files/problem';
import { Spool } from '../../../src/files/spool';
import { systemRandom } from '../../../src/base/clock';
import { pathToFileURL } from 'node:url';
import { systemError, temporaryFolder } from './disks';

const large = Buffer.alloc(3 * 1024 * 1024, 'a');
const limited = process.env['MODEL_CATALOG_LIMITED'];

// The test below restarts this file in a process with a limited file size, in blocks.
if (limited !== undefined) {
  void new Spool(join(limited, 'spool'), nodeDisk)
    .receive('a', Readable.from([large]), { maxBytes: 1e9 })
    .then(
      () => 'kept',
      (error: unknown) => (error instanceof FileProblem ? error.code : String(error)),
    )
    .then((result) => console.log(`result: ${result}`));
} else {
  test(
    'a file that the system doesn’t let grow counts as a full disk, and nothing of it stays (D10)',
    { skip: process.platform === 'win32' },
    async (t) => {
      const folder = await temporaryFolder(t);
      const command = `ulimit -f 2000 && exec "$0" "$1"`;
      const child = spawnSync('bash', ['-c', command, process.execPath, __filename], {
        env: { ...process.env, MODEL_CATALOG_LIMITED: folder, NODE_TEST_CONTEXT: '' },
        encoding: 'utf8',
      });
      assert.match(child.stdout, /^result: diskFull$/m, child.stderr);
      assert.deepEqual(await readdir(join(folder, 'spool')), []);
    },
  );

  test(
    'a device without space is a full disk, in the spool and in the workspace',
    { skip: !existsSync('/dev/full') },
    async (t) => {
      const folder = await temporaryFolder(t);
      const full = {
        ...nodeDisk,
        link: () => Promise.reject(systemError('EXDEV')),
        create: async () => {
          const handle = await open('/dev/full', 'w');
          return {
            write: async (bytes: Uint8Array) => {
              await handle.write(bytes);
            },
            reserve: async () => (await handle.stat()).mode,
            identity: () => Promise.resolve(''),
            sync: () => handle.sync(),
            close: () => handle.close(),
          };
        },
      };
      const isFull = (error: unknown) => error instanceof FileProblem && error.code === 'diskFull';
      const spoolFolder = join(folder, 'spool');
      await assert.rejects(new Spool(spoolFolder, full).receiveText('a', 'text'), isFull);
      const spool = new Spool(spoolFolder, nodeDisk);
      const spooled = await spool.receiveText('a', 'text');
      const sink = localSink(full, spool, systemRandom);
      await assert.rejects(sink.publish(spooled, pathToFileURL(folder).href, 'renders', 'fox'), isFull);
      assert.deepEqual(await readdir(join(folder, 'renders')), []);
      assert.equal(await spool.has('a'), true);
    },
  );
}
