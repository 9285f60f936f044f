import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { systemRandom } from '../../../src/base/clock';
import { nodeDisk } from '../../../src/files/disk';
import { FileProblem, type FileProblemCode } from '../../../src/files/problem';
import type { NameClaim } from '../../../src/files/sink';
import { Spool } from '../../../src/files/spool';
import { type WorkspaceEntry, type WorkspaceFiles, workspaceSink } from '../../../src/files/workspaceSink';
import { systemError, temporaryFolder } from './disks';
import { png } from './pictures';
import { recordedClaim } from './recordedClaim';

const root = 'vscode-remote://ssh-remote%2Bbox/home/me/work%20space';

/** Remote files, in memory: what `vscode.workspace.fs` promises, with its error codes. */
class RemoteFiles implements WorkspaceFiles {
  readonly files = new Map<string, Buffer>();
  readonly folders = new Set([root]);
  readonly links = new Set<string>();
  /** Called before each change; an error it throws becomes the change's. */
  before: (operation: string) => void = () => {};
  /** What is stored of the written bytes; undefined stores nothing, silently. */
  kept: (bytes: Buffer) => Buffer | undefined = (bytes) => bytes;
  statesSizes = true;

  async stat(uri: string): Promise<WorkspaceEntry> {
    await Promise.resolve();
    const file = this.files.get(uri);
    if (file)
      return { kind: 'file', link: this.links.has(uri), size: this.statesSizes ? file.length : 0, changedAt: 0 };
    if (this.folders.has(uri)) return { kind: 'folder', link: this.links.has(uri), size: 0, changedAt: 0 };
    throw systemError('FileNotFound');
  }

  async readDirectory(uri: string): Promise<string[]> {
    await this.stat(uri);
    const inside = [...this.files.keys(), ...this.folders].filter((path) => path.startsWith(`${uri}/`));
    return inside.map((path) => decodeURIComponent(path.slice(uri.length + 1))).filter((name) => !name.includes('/'));
  }

  async createDirectory(uri: string): Promise<void> {
    await Promise.resolve();
    this.before('createDirectory');
    this.folders.add(uri);
  }

  async readFile(uri: string): Promise<Uint8Array> {
    await this.stat(uri);
    return this.files.get(uri)!;
  }

  async writeFile(uri: string, bytes: Uint8Array): Promise<void> {
    await Promise.resolve();
    this.before('writeFile');
    this.keep(uri, Buffer.from(bytes));
  }

  async rename(from: string, to: string): Promise<void> {
    await this.stat(from);
    this.before('rename');
    if (this.files.has(to) || this.folders.has(to)) throw systemError('FileExists');
    this.keep(to, this.files.get(from)!);
    this.before('forget');
    this.files.delete(from);
  }

  private keep(uri: string, bytes: Buffer): void {
    const kept = this.kept(bytes);
    if (kept) this.files.set(uri, kept);
  }

  async delete(uri: string): Promise<void> {
    await this.stat(uri);
    this.before('delete');
    this.files.delete(uri);
  }
}

async function remote(t: TestContext) {
  const files = new RemoteFiles();
  const spool = new Spool(await temporaryFolder(t), nodeDisk);
  const image = await spool.receive('a1', Readable.from([png()]), { maxBytes: 1e9 });
  const sink = workspaceSink(files, spool, systemRandom);
  const publish = (folder = 'renders', baseName = 'a fox', claim?: NameClaim) =>
    sink.publish(image, root, folder, baseName, claim);
  return { files, spool, picture: image, sink, publish };
}

function is(code: FileProblemCode): (error: unknown) => boolean {
  return (error) => error instanceof FileProblem && error.code === code;
}

test('a result is saved on another machine as a complete file and nothing else', async (t) => {
  const { files, publish } = await remote(t);
  const { uri } = await publish('assets/renders');
  assert.equal(uri, `${root}/assets/renders/a%20fox.png`);
  assert.deepEqual([...files.files], [[uri, png()]]);
});

test('a query that a file system needs stays at the end of the URI', async (t) => {
  const { files, sink, picture: image } = await remote(t);
  files.folders.add('memory:/w?branch=1');
  const { uri } = await sink.publish(image, 'memory:/w?branch=1', '', 'fox');
  assert.equal(uri, 'memory:/w/fox.png?branch=1');
});

test('a sidecar is saved there too, and an existing file stays and is reported', async (t) => {
  const { files, sink, picture: image } = await remote(t);
  const companion = { ending: '.render.json', text: '{"a": 1}' };
  const publish = () => sink.publish(image, root, '', 'fox', undefined, companion);
  assert.equal((await publish()).companionProblem, undefined);
  assert.equal(String(files.files.get(`${root}/fox.png.render.json`)), companion.text);

  files.files.set(`${root}/fox-2.png.render.json`, Buffer.from('theirs'));
  const { uri, companionProblem } = await publish();
  assert.equal(uri, `${root}/fox-2.png`);
  assert.ok(is('notWritable')(companionProblem));
  assert.equal(String(files.files.get(`${root}/fox-2.png.render.json`)), 'theirs');
  assert.equal(files.files.size, 4, 'nothing is left over');
});

test('a file whose sidecar can’t be written is saved anyway', async (t) => {
  const { files, sink, picture: image } = await remote(t);
  let writes = 0;
  files.before = (operation) => {
    if (operation === 'writeFile' && ++writes === 2) throw systemError('NoPermissions');
  };
  const companion = { ending: '.render.json', text: '{}' };
  const { uri, companionProblem } = await sink.publish(image, root, '', 'fox', undefined, companion);
  assert.ok(is('notWritable')(companionProblem));
  assert.deepEqual([...files.files.keys()], [uri]);
});

test('an existing file keeps its name there', async (t) => {
  const { files, publish } = await remote(t);
  files.folders.add(`${root}/renders`).add(`${root}/renders/a%20fox-2.png`);
  files.files.set(`${root}/renders/A%20FOX.png`, Buffer.from('theirs'));
  assert.equal((await publish()).uri, `${root}/renders/a%20fox-3.png`);
  assert.equal(String(files.files.get(`${root}/renders/A%20FOX.png`)), 'theirs');
});

test('twenty results with the same name at the same time are twenty files there', async (t) => {
  const { files, publish } = await remote(t);
  const published = await Promise.all(Array.from({ length: 20 }, () => publish()));
  assert.equal(new Set(published.map(({ uri }) => uri)).size, 20);
  assert.equal(files.files.size, 20);
});

test('a linked folder there is rejected, even if it becomes one in the meantime', async (t) => {
  const { files, publish } = await remote(t);
  files.folders.add(`${root}/renders`);
  files.before = (operation) => {
    if (operation === 'writeFile') files.links.add(`${root}/renders`);
  };
  await assert.rejects(publish(), is('outsideFolder'));
  assert.equal(files.files.size, 0);
  files.before = () => assert.fail('nothing is touched');
  await assert.rejects(publish(), is('outsideFolder'));
  await assert.rejects(publish('../elsewhere'), is('outsideFolder'));
});

test('the editor’s file errors are reported as our problems', async (t) => {
  const codes: Readonly<Record<string, FileProblemCode>> = {
    NoPermissions: 'notWritable',
    Unavailable: 'folderGone',
    FileNotFound: 'folderGone',
    Unknown: 'diskFailed',
  };
  for (const [code, problem] of Object.entries(codes)) {
    for (const failing of ['createDirectory', 'writeFile', 'rename']) {
      const { files, publish } = await remote(t);
      files.before = (operation) => {
        if (operation === failing) throw systemError(code);
      };
      await assert.rejects(publish(), is(problem), `${code} in ${failing}`);
      assert.equal(files.files.size, 0);
    }
  }
});

test('files that were silently stored in part or not at all don’t count as saved', async (t) => {
  for (const kept of [() => undefined, (bytes: Buffer) => bytes.subarray(0, 20)]) {
    const { files, publish } = await remote(t);
    files.kept = kept;
    await assert.rejects(publish(), is('notWritable'));
    assert.equal(files.files.size, 0);
  }
});

test('a name with a partial file doesn’t count as saved, and the next attempt leaves it alone and is complete', async (t) => {
  const { files, publish } = await remote(t);
  let renames = 0;
  files.before = (operation) => {
    if (operation === 'rename' && ++renames === 1) files.kept = (bytes) => bytes.subarray(0, 20);
  };
  const claim = recordedClaim();
  await assert.rejects(publish('renders', 'fox', claim), is('notWritable'));
  files.kept = (bytes) => bytes;
  const { uri } = await publish('renders', 'fox', claim);
  assert.equal(uri, `${root}/renders/fox-2.png`);
  assert.deepEqual(files.files.get(uri), png());
});

test('a file whose rename failed halfway is found again, not written twice', async (t) => {
  const { files, publish } = await remote(t);
  files.before = (operation) => {
    if (operation === 'forget') throw systemError('Unavailable');
  };
  const claim = recordedClaim();
  await assert.rejects(publish('renders', 'fox', claim), is('folderGone'));
  files.before = () => {};
  const { uri } = await publish('renders', 'fox', claim);
  assert.deepEqual([...files.files], [[uri, png()]]);
});

test('files without a stated size are read to verify that they’re complete', async (t) => {
  const { files, publish } = await remote(t);
  files.statesSizes = false;
  const { uri } = await publish();
  assert.deepEqual([...files.files], [[uri, png()]]);
});

test('a missing workspace there is reported', async (t) => {
  const { files, publish } = await remote(t);
  files.folders.delete(root);
  await assert.rejects(publish(), is('folderGone'));
});

test('after a crash between the file and its record, there is one file', async (t) => {
  const { files, publish } = await remote(t);
  const claim = recordedClaim();
  const first = await publish('renders', 'fox', claim);
  files.files.set(`${root}/renders/.a1.left-over.part`, Buffer.from('part'));
  assert.deepEqual(await publish('renders', 'fox', claim), first);
  assert.deepEqual([...files.files.keys()], [first.uri]);
});

test('a result too large for the editor is reported as such, and nothing of it is read or written', async (t) => {
  const { files, spool, picture: image } = await remote(t);
  files.before = () => assert.fail('nothing is touched');
  spool.read = () => assert.fail('nothing is read');
  const sink = workspaceSink(files, spool, systemRandom, image.bytes - 1);
  await assert.rejects(sink.publish(image, root, 'renders', 'fox'), is('tooLargeThere'));
});

test('a remote folder that is a link or a file is known to be unusable before anything is ordered for it', async (t) => {
  const { files, sink } = await remote(t);
  files.folders.add(`${root}/linked`);
  files.links.add(`${root}/linked`);
  files.files.set(`${root}/notes`, png());
  await assert.rejects(sink.prove(root, 'linked/renders'), is('outsideFolder'));
  await assert.rejects(sink.prove(root, 'notes'), is('notWritable'));
  await sink.prove(root, 'not/yet/made');
  assert.deepEqual([...files.folders], [root, `${root}/linked`]);
});

test('a remote folder in another Unicode form gets the result, and no look-alike is created', async (t) => {
  const { files, publish } = await remote(t);
  const theirs = `${root}/${encodeURIComponent('cafe\u0301')}`;
  files.folders.add(theirs);
  assert.equal((await publish('caf\u00e9')).uri, `${theirs}/a%20fox.png`);
  assert.equal((await publish('cafe\u0301/images')).uri, `${theirs}/images/a%20fox.png`);
  assert.deepEqual([...files.folders], [root, theirs, `${theirs}/images`]);
});
