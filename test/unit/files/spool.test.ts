import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { isAbort } from '../../../src/base/log';
import { nodeDisk, type Disk } from '../../../src/files/disk';
import { FileProblem, type FileProblemCode } from '../../../src/files/problem';
import { Spool } from '../../../src/files/spool';
import { diskUntil, systemError, temporaryFolder, watchedDisk } from './disks';
import { gif, png } from './pictures';

const maxBytes = 100 * 1024 * 1024;

async function spoolOf(t: TestContext, disk: Disk = nodeDisk): Promise<{ spool: Spool; folder: string }> {
  const folder = join(await temporaryFolder(t), 'spool');
  return { spool: new Spool(folder, disk), folder };
}

function is(code: FileProblemCode): (error: unknown) => boolean {
  return (error) => error instanceof FileProblem && error.code === code;
}

/** Resolves when the real files are in that state. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

test('a stream is stored completely, with its hash and type', async (t) => {
  const { spool, folder } = await spoolOf(t);
  const image = png();
  const progress: number[] = [];
  const onProgress = (bytes: number) => void progress.push(bytes);
  const stream = Readable.from([image.subarray(0, 50), image.subarray(50)]);
  const spooled = await spool.receive('a1', stream, { length: image.length, maxBytes, onProgress });
  assert.deepEqual(spooled, {
    name: 'a1',
    bytes: image.length,
    sha256: createHash('sha256').update(image).digest('hex'),
    mediaType: 'image/png',
    extension: 'png',
  });
  assert.deepEqual(await readFile(spool.path('a1')), image);
  assert.deepEqual(await bytesOf(spool.read(spooled)), image);
  assert.deepEqual(await readdir(folder), ['a1']);
  assert.deepEqual(progress, [50, image.length]);
  assert.equal(await spool.has('a1'), true);
});

test('only this user can read the stored results', { skip: process.platform === 'win32' }, async (t) => {
  const { spool, folder } = await spoolOf(t);
  await spool.receive('a', Readable.from([png()]), { maxBytes });
  assert.equal((await lstat(folder)).mode & 0o777, 0o700);
  assert.equal((await lstat(spool.path('a'))).mode & 0o777, 0o600);
});

test('a large result is written in blocks, and no faster than the disk accepts them', async (t) => {
  let waiting = 0;
  const block = Buffer.alloc(256 * 1024, 1);
  let produced = 0;
  let ahead = 0;
  const written: number[] = [];
  const slow = watchedDisk((operation) => {
    if (operation === 'write') ahead = Math.max(ahead, produced - waiting);
  });
  const counting: Disk = {
    ...slow,
    create: async (path, mode) => {
      const file = await slow.create(path, mode);
      return {
        write: async (bytes) => {
          await file.write(bytes);
          written.push(bytes.length);
          waiting += bytes.length;
        },
        reserve: () => file.reserve(),
        identity: () => file.identity(),
        sync: () => file.sync(),
        close: () => file.close(),
      };
    },
  };
  const { spool } = await spoolOf(t, counting);
  function* source(): Generator<Buffer> {
    for (let i = 0; i < 40; i++) {
      produced += block.length;
      yield block;
    }
  }
  await spool.receive('a', Readable.from(source(), { objectMode: false, highWaterMark: block.length }), { maxBytes });
  assert.equal((await lstat(spool.path('a'))).size, 40 * block.length);
  assert.equal(written.length, 10, 'a mebibyte at a time');
  assert.ok(ahead <= 2 * 1024 * 1024, `${ahead} bytes waited in memory`);
});

test('a stream without bytes is an empty file, and leaves none (C31)', async (t) => {
  const { spool, folder } = await spoolOf(t);
  await assert.rejects(spool.receive('a', Readable.from([]), { maxBytes }), is('emptyFile'));
  await assert.rejects(spool.receive('a', Readable.from([]), { length: 1000, maxBytes }), is('emptyFile'));
  await assert.rejects(spool.receiveText('a', ''), is('emptyFile'));
  assert.deepEqual(await readdir(folder), []);
});

test('fewer or more bytes than stated are a cut file, and leave none (C31)', async (t) => {
  const { spool, folder } = await spoolOf(t);
  for (const length of [png().length + 1, png().length - 1]) {
    await assert.rejects(spool.receive('a', Readable.from([png()]), { length, maxBytes }), is('cutFile'));
  }
  assert.deepEqual(await readdir(folder), []);
});

test('an image without its end is cut if no length was stated, until the same comes again (C33)', async (t) => {
  const { spool, folder } = await spoolOf(t);
  const cut = png().subarray(0, -5);
  const receive = (bytes: Uint8Array) => spool.receive('a', Readable.from([bytes]), { maxBytes });
  await assert.rejects(receive(cut), is('cutFile'));
  await assert.rejects(receive(png().subarray(0, -6)), is('cutFile'));
  await assert.rejects(receive(cut), is('cutFile'));
  assert.equal(await spool.has('a'), false);
  const found = await receive(cut);
  assert.deepEqual([found.odd, found.bytes, found.mediaType], [true, cut.length, 'image/png']);
  await spool.remove('a');
  assert.deepEqual(await readdir(folder), []);
});

for (const [what, bytes] of Object.entries({
  'a PNG without its last chunk': png().subarray(0, -12),
  'a JPEG without its end marker': Buffer.from(
    'ffd8ffe000104a46494600010100000100010000ffda000c03010002110311003f00',
    'hex',
  ),
  'a GIF without its trailer': Buffer.from('GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0', 'latin1'),
  'a WebP that states a byte more': Buffer.from('RIFF\x10\0\0\0WEBPVP8 1234567', 'latin1'),
}))
  test(`${what} is kept if all bytes of its stated length arrived, and called odd`, async (t) => {
    const { spool } = await spoolOf(t);
    const found = await spool.receive('a', Readable.from([bytes]), { length: bytes.length, maxBytes });
    assert.deepEqual([found.odd, found.bytes], [true, bytes.length]);
    await assert.rejects(spool.receive('b', Readable.from([bytes]), { maxBytes }), is('cutFile'));
  });

const notReady = '{"error":{"code":"NOT_READY","message":"Being copied"}}';
const page = '<!DOCTYPE html><title>Sign in</title>';

for (const [what, { text, type, kind, problem }] of Object.entries({
  'JSON with an error': { text: notReady, type: 'application/json', kind: undefined, problem: 'notResult' },
  'an error without a stated type': { text: notReady, type: undefined, kind: 'image', problem: 'notResult' },
  'a state': { text: '{"status":"processing"}', type: 'application/json', kind: 'other', problem: 'notResult' },
  'a data URL': {
    text: 'data:image/png;base64,iVBORw0KGgo=',
    type: 'image/png',
    kind: undefined,
    problem: 'notResult',
  },
  'a text instead of an image': { text: 'upstream timeout', type: 'text/plain', kind: 'image', problem: 'notResult' },
  'a text called an image': { text: 'Bad gateway', type: 'image/png', kind: undefined, problem: 'notResult' },
  'a web page': { text: page, type: undefined, kind: undefined, problem: 'webPage' },
  'a text called a web page': { text: 'Sign in', type: 'text/html', kind: 'image', problem: 'webPage' },
} as const))
  test(`${what} isn’t the result: it’s kept aside, and never has the name`, async (t) => {
    const { spool, folder } = await spoolOf(t);
    for (let times = 0; times < 3; times++) {
      const stream = Readable.from([Buffer.from(text)]);
      const receiving = spool.receive('a', stream, { length: text.length, ordered: { type, kind }, maxBytes });
      await assert.rejects(receiving, is(problem));
    }
    assert.equal(await spool.has('a'), false);
    const [kept = '', ...more] = await readdir(folder);
    assert.deepEqual(more, []);
    assert.equal(await readFile(join(folder, kept), 'utf8'), text);
    await spool.sweep((name) => name === 'a');
    assert.deepEqual(await readdir(folder), []);
  });

test('a text model’s response may be a web page, and an error only if it comes again', async (t) => {
  const { spool } = await spoolOf(t);
  const receive = (text: string, type: string) =>
    spool.receive('a', Readable.from([Buffer.from(text)]), { ordered: { kind: 'text', type }, maxBytes });
  assert.deepEqual([(await receive(page, 'text/html')).extension, await spool.has('a')], ['txt', true]);
  await assert.rejects(receive(notReady, 'application/json'), is('notResult'));
  assert.equal((await receive(notReady, 'application/json')).odd, true);
});

test('an image is kept whatever type it’s called', async (t) => {
  const { spool } = await spoolOf(t);
  const found = await spool.receive('a', Readable.from([png()]), { ordered: { type: 'text/html' }, maxBytes });
  assert.deepEqual([found.mediaType, found.odd], ['image/png', undefined]);
});

test('a result leaves space for the ledger on its disk, also if it grows while it arrives', async (t) => {
  const mebibyte = 1024 * 1024;
  let free = 70 * mebibyte;
  const disk: Disk = { ...nodeDisk, space: () => Promise.resolve({ free, disk: 'one' }) };
  const { spool, folder } = await spoolOf(t, disk);
  const limits = { maxBytes: 1e9 };
  let asked = 0;
  const once = async function* () {
    await Promise.resolve();
    asked++;
    yield png();
  };
  await assert.rejects(spool.receive('a', Readable.from(once()), { ...limits, length: 7 * mebibyte }), is('diskFull'));
  assert.equal(asked, 0, 'nothing is read that doesn’t fit');
  let given = 0;
  const endless = async function* () {
    for (;;) {
      await Promise.resolve();
      given += mebibyte;
      free -= mebibyte;
      yield Buffer.alloc(mebibyte);
    }
  };
  free = 100 * mebibyte;
  await assert.rejects(spool.receive('a', Readable.from(endless()), limits), is('diskFull'));
  assert.ok(given < 60 * mebibyte, `${given} bytes`);
  assert.deepEqual(await readdir(folder), []);
});

test('a disk without modes of files keeps results', async (t) => {
  for (const code of ['EPERM', 'ENOTSUP', 'EINVAL', 'ENOSYS']) {
    const disk = watchedDisk((operation) => {
      if (operation === 'reserve' || operation === 'chmod') throw systemError(code);
    });
    const { spool } = await spoolOf(t, disk);
    assert.equal((await spool.receive('a', Readable.from([png()]), { maxBytes })).bytes, png().length);
  }
});

test('a disk that fails while a kept result is read isn’t a lost result', async (t) => {
  const failing: Disk = {
    ...nodeDisk,
    read: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(systemError('EIO')) }) }),
  };
  const { spool, folder } = await spoolOf(t);
  const kept = await spool.receive('a', Readable.from([png()]), { maxBytes });
  const reading = new Spool(folder, failing).read(kept);
  await assert.rejects(reading.next(), is('diskFailed'));
});

test('too many bytes are rejected before they fill the disk', async (t) => {
  const { spool, folder } = await spoolOf(t);
  let taken = 0;
  function* endless(): Generator<Buffer> {
    for (;;) yield Buffer.alloc(++taken && 64 * 1024);
  }
  await assert.rejects(spool.receive('a', Readable.from(endless()), { maxBytes: 1_000_000 }), is('unreadable'));
  assert.ok(taken < 100);
  assert.deepEqual(await readdir(folder), []);
});

test('a stream’s error is passed on unchanged, and the name keeps its earlier file', async (t) => {
  const { spool, folder } = await spoolOf(t);
  const kept = await spool.receive('a', Readable.from([png(1)]), { maxBytes });
  const reset = systemError('ECONNRESET');
  async function* failing(): AsyncGenerator<Buffer> {
    yield png(2).subarray(0, 60);
    throw await Promise.resolve(reset);
  }
  await assert.rejects(spool.receive('a', Readable.from(failing()), { maxBytes }), (error) => error === reset);
  assert.deepEqual(await bytesOf(spool.read(kept)), png(1));
  assert.deepEqual(await readdir(folder), ['a']);
});

test('a stream that fails before it’s read does no harm', async (t) => {
  const { spool, folder } = await spoolOf(t);
  const reset = systemError('ECONNRESET');
  const stream = new Readable({ read() {} });
  stream.destroy(reset);
  await assert.rejects(spool.receive('a', stream, { maxBytes }), (error) => error === reset);
  assert.deepEqual(await readdir(folder), []);
});

test('a stream closed before its end is cut', async (t) => {
  const { spool } = await spoolOf(t);
  const stream = new Readable({ read() {} });
  stream.push(png().subarray(0, 20));
  await assert.rejects(
    spool.receive('a', stream, { maxBytes, onProgress: () => void stream.destroy() }),
    is('cutFile'),
  );
});

test('an abort ends the transfer and leaves nothing', async (t) => {
  const { spool, folder } = await spoolOf(t);
  const cancel = new AbortController();
  const stream = new Readable({ read() {} });
  stream.push(png());
  const closed = new Promise((resolve) => stream.once('close', resolve));
  const onProgress = () => cancel.abort();
  await assert.rejects(spool.receive('a', stream, { maxBytes, signal: cancel.signal, onProgress }), isAbort);
  await assert.rejects(spool.receive('b', Readable.from([png()]), { maxBytes, signal: cancel.signal }), isAbort);
  await closed;
  assert.deepEqual(await readdir(folder), []);
});

test('disk failures are distinguished, the stream is destroyed, and nothing is left', async (t) => {
  const codes: Readonly<Record<string, FileProblemCode>> = {
    ENOSPC: 'diskFull',
    EFBIG: 'diskFull',
    EDQUOT: 'diskFull',
    EACCES: 'notWritable',
    EPERM: 'notWritable',
    EROFS: 'notWritable',
    EBUSY: 'diskFailed',
    EIO: 'diskFailed',
    ESTALE: 'diskFailed',
    ETIMEDOUT: 'diskFailed',
  };
  for (const [code, problem] of Object.entries(codes)) {
    for (const failing of ['create', 'write', 'sync', 'rename']) {
      const disk = watchedDisk((operation) => {
        if (operation === failing) throw systemError(code);
      });
      const { spool, folder } = await spoolOf(t, disk);
      const stream = Readable.from([png()]);
      await assert.rejects(spool.receive('a', stream, { maxBytes }), is(problem), `${code} in ${failing}`);
      assert.equal(stream.destroyed, true);
      assert.deepEqual(await readdir(folder), [], `${code} in ${failing}`);
    }
  }
});

test('a partial file from a crash, or a link in its place, is replaced and not followed', async (t) => {
  const { spool, folder } = await spoolOf(t);
  await spool.receiveText('first', 'makes the folder');
  const outside = join(folder, '..', 'outside');
  await writeFile(outside, 'untouched');
  await symlink(outside, `${spool.path('a')}.part`);
  await spool.receive('a', Readable.from([gif()]), { maxBytes });
  assert.deepEqual(await readFile(spool.path('a')), gif());
  assert.equal(await readFile(outside, 'utf8'), 'untouched');
});

test('a window suspended during a transfer and one that took over never touch each other’s bytes', async (t) => {
  const { spool: frozen, folder } = await spoolOf(t);
  const other = new Spool(folder, nodeDisk);
  const [early, late] = [new PassThrough(), new PassThrough()];
  early.write(png(1).subarray(0, 60));
  const first = frozen.receive('a', early, { maxBytes });
  await until(async () => (await readdir(folder).catch(() => [])).length === 1);
  late.write(png(2).subarray(0, 60));
  const second = other.receive('a', late, { maxBytes });
  await until(async () => (await readdir(folder))[0] !== undefined);
  early.end(png(1).subarray(60));
  const thawed = await first.catch(() => undefined);
  if (thawed) assert.deepEqual(await readFile(frozen.path('a')), png(1));
  else assert.equal(await frozen.has('a'), false);
  late.end(png(2).subarray(60));
  const spooled = await second;
  assert.deepEqual(await bytesOf(other.read(spooled)), png(2));
});

test('a part replaced by another file isn’t mistaken for what was written', async (t) => {
  const disk: Disk = {
    ...nodeDisk,
    lstat: async (path) => {
      const entry = await nodeDisk.lstat(path);
      return path.endsWith('.part') ? { ...entry, identity: 'another file' } : entry;
    },
  };
  const { spool, folder } = await spoolOf(t, disk);
  await assert.rejects(spool.receive('a', Readable.from([png()]), { maxBytes }), is('cutFile'));
  assert.deepEqual(await readdir(folder), []);
});

test('nothing gets the name once the right to it is lost (A3)', async (t) => {
  const { spool, folder } = await spoolOf(t);
  const hold = { signal: new AbortController().signal, prove: () => assert.fail('lost') };
  await assert.rejects(spool.receive('a', Readable.from([png()]), { maxBytes, hold }), /lost/);
  assert.deepEqual(await readdir(folder), []);
});

test('a text model’s response is a Markdown file with exactly its words', async (t) => {
  const { spool } = await spoolOf(t);
  const spooled = await spool.receiveText('a', '# Fuchs\n\nsüß');
  assert.deepEqual([spooled.mediaType, spooled.extension], ['text/markdown', 'md']);
  assert.equal(await readFile(spool.path('a'), 'utf8'), '# Fuchs\n\nsüß');
});

test('changed or missing files in the spool aren’t returned as results', async (t) => {
  const { spool } = await spoolOf(t);
  const spooled = await spool.receive('a', Readable.from([png()]), { maxBytes });
  await writeFile(spool.path('a'), png(9));
  await assert.rejects(bytesOf(spool.read(spooled)), is('cutFile'));
  await spool.remove('a');
  await assert.rejects(bytesOf(spool.read(spooled)), is('cutFile'));
  assert.equal(await spool.has('a'), false);
  await spool.remove('a');
});

test('a sweep removes what is known to be finished, and keeps unknown files', async (t) => {
  const { spool, folder } = await spoolOf(t);
  await spool.sweep(() => true);
  for (const name of ['waiting', 'over']) await spool.receiveText(name, name);
  for (const name of ['over', 'arriving', 'strange']) await writeFile(join(folder, `${name}.part`), 'part');
  await spool.sweep((name) => name === 'over');
  assert.deepEqual((await readdir(folder)).sort(), ['arriving.part', 'strange.part', 'waiting']);
});

test('a path isn’t a valid name in the spool', async (t) => {
  const { spool } = await spoolOf(t);
  for (const name of ['', '..', 'a/b', 'a\\b', 'a.part', 'C:x'])
    assert.throws(() => spool.path(name), /not a name/, name);
});

test('after a crash at any time a name is a complete file or none, and it can be downloaded again (D21)', async (t) => {
  for (let operations = 0; ; operations++) {
    const disk = diskUntil(operations);
    const { spool, folder } = await spoolOf(t, disk);
    await spool.receive('a', Readable.from([png()]), { maxBytes }).catch(() => {});
    const after = new Spool(folder, nodeDisk);
    if (await after.has('a')) assert.deepEqual(await readFile(after.path('a')), png());
    await after.receive('a', Readable.from([png()]), { maxBytes });
    assert.deepEqual(await readdir(folder), ['a']);
    if (!disk.reached) return;
  }
});
