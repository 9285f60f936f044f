import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { systemRandom } from '../../../src/base/clock';
import { nodeDisk } from '../../../src/files/disk';
import { localSink } from '../../../src/files/localSink';
import { Spool } from '../../../src/files/spool';
import { png } from '../../unit/files/pictures';

// Real processes with one folder: this file is the test or, with a number in its environment, one of the writers.
const number = process.env['MODEL_CATALOG_SAVER'];
const folder = process.env['MODEL_CATALOG_FOLDER'] ?? '';
const savers = 3;
const each = 20;

/** Saves its results, all at the same time and under the same name, and prints where they are. */
async function save(saver: number): Promise<void> {
  const spool = new Spool(join(folder, `spool-${saver}`), nodeDisk);
  const sink = localSink(nodeDisk, spool, systemRandom);
  const root = pathToFileURL(join(folder, 'project')).href;
  const results = await Promise.all(
    Array.from({ length: each }, (_, n) =>
      spool.receive(`render-${saver}-${n}`, Readable.from([png(saver * each + n)]), { maxBytes: 1e9 }),
    ),
  );
  // All start together once the last one is ready.
  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
  const saved = await Promise.all(results.map((result) => sink.publish(result, root, 'renders', 'NUL: fox')));
  process.stdout.write(JSON.stringify(saved.map(({ uri }) => uri)));
  process.stdin.destroy();
}

if (number !== undefined) {
  void save(Number(number));
} else {
  test('processes that save under the same name at the same time replace no one’s files', async (t) => {
    const shared = mkdtempSync(join(tmpdir(), 'model-catalog-saving-'));
    t.after(() => rmSync(shared, { recursive: true, force: true }));
    const renders = join(shared, 'project', 'renders');
    mkdirSync(renders, { recursive: true });
    const name = (n: number) => (n === 1 ? 'NUL- fox.png' : `NUL- fox (${n}).png`);
    writeFileSync(join(renders, name(1)), 'theirs');
    symlinkSync(join(shared, 'nowhere'), join(renders, name(3)));
    mkdirSync(join(renders, name(5)));
    writeFileSync(join(renders, 'nul- FOX (7).PNG'), 'theirs too');

    const children = Array.from({ length: savers }, (_, saver) => start(saver, shared));
    t.after(() => children.forEach(({ child }) => child.kill('SIGKILL')));
    await Promise.all(children.map(({ ready }) => ready));
    for (const { child } of children) child.stdin.write('go\n');
    const saved = (await Promise.all(children.map(({ told }) => told))).flat();

    assert.equal(new Set(saved).size, savers * each);
    const bytes = saved.map((uri) => readFileSync(new URL(uri)).toString('base64')).sort();
    const wanted = Array.from({ length: savers * each }, (_, n) => png(n).toString('base64')).sort();
    assert.deepEqual(bytes, wanted);
    assert.equal(readFileSync(join(renders, name(1)), 'utf8'), 'theirs');
    assert.equal(readlinkSync(join(renders, name(3))), join(shared, 'nowhere'));
    assert.equal(readFileSync(join(renders, 'nul- FOX (7).PNG'), 'utf8'), 'theirs too');
    assert.equal(readdirSync(renders).length, savers * each + 4, 'nothing is left over');
    assert.ok(!readdirSync(shared).includes('nowhere'));
    t.diagnostic(`${savers} processes saved ${saved.length} results under one name at once: each is a file of its own`);
  });
}

function start(saver: number, shared: string) {
  const env: NodeJS.ProcessEnv = { ...process.env, MODEL_CATALOG_SAVER: String(saver), MODEL_CATALOG_FOLDER: shared };
  delete env['NODE_TEST_CONTEXT'];
  const child = spawn(process.execPath, [process.argv[1] ?? ''], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  let isReady: () => void = () => {};
  const ready = new Promise<void>((resolve) => (isReady = resolve));
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (text.startsWith('ready\n')) isReady();
  });
  // A process that ends early is noticed by its missing output.
  child.once('close', () => isReady());
  const told = once(child, 'close').then(() => JSON.parse(text.slice('ready\n'.length)) as string[]);
  return { child, ready, told };
}
