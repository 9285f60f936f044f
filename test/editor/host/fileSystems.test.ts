import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../../src/base/clock';
import { ApiKeys } from '../../../src/features/account/model/apiKey';
import { canDo } from '../../../src/features/rendering/model/actions';
import { settingIds } from '../../../src/editor/ids';
import { story } from '../../../src/features/rendering/renderWords';
import type { Target } from '../../../src/renders/record';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server';
import { removeFolder } from '../../removeFolder';
import { until } from '../until';
import { Keyring } from './keyring';
import { MemoryFiles, type Operation } from './memoryFiles';
import { OwnWindow } from './ownWindow';

const scheme = 'vscode-vfs';
const sprite = 'eight-bit-yard/pixel/sprite-1';
/** A slow model, so that things can happen in the meantime. */
const unhurried = 'wet-brush/aquarelle/mist-3-slow';
const price = 2;

async function set(id: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('modelCatalog').update(id, value, vscode.ConfigurationTarget.Global);
}

/** Registers the file system; resolves once the editor knows it. */
async function register(files: MemoryFiles, isReadonly = false): Promise<vscode.Disposable> {
  const registered = vscode.workspace.registerFileSystemProvider(scheme, files, { isReadonly, isCaseSensitive: true });
  const isKnown = () => vscode.workspace.fs.isWritableFileSystem(scheme) === !isReadonly;
  await until(async () => isKnown() && (await isThere(files)));
  return registered;
}

/** Resolves once the editor no longer finds anything there. */
async function unregister(registered: vscode.Disposable, files: MemoryFiles): Promise<void> {
  registered.dispose();
  await until(async () => !(await isThere(files)));
}

function isThere({ root }: MemoryFiles): Promise<boolean> {
  return Promise.resolve(vscode.workspace.fs.stat(root)).then(
    () => true,
    () => false,
  );
}

const fails = (at: Operation, error: Error) => (operation: Operation) => {
  if (operation === at) throw error;
};

/** How file systems fail halfway, and our messages. */
const faults: Readonly<Record<string, { readonly code: string; readonly break: (files: MemoryFiles) => void }>> = {
  'refuses to make the folder': {
    code: 'notWritable',
    break: (files) => (files.fault = fails('createDirectory', vscode.FileSystemError.NoPermissions('no'))),
  },
  'refuses the bytes': {
    code: 'notWritable',
    break: (files) => (files.fault = fails('writeFile', vscode.FileSystemError.NoPermissions('no'))),
  },
  'goes away before the bytes': {
    code: 'folderGone',
    break: (files) => (files.fault = fails('writeFile', vscode.FileSystemError.Unavailable('gone'))),
  },
  'says yes and keeps nothing': { code: 'notWritable', break: (files) => (files.kept = () => undefined) },
  'says yes and keeps half': {
    code: 'notWritable',
    break: (files) => (files.kept = (content) => content.subarray(0, content.length / 2)),
  },
  'knows no rename that does not overwrite': {
    code: 'diskFailed',
    break: (files) => (files.fault = fails('rename', new Error('overwrite: false is not supported'))),
  },
  'goes away before the name': {
    code: 'folderGone',
    break: (files) => (files.fault = fails('rename', vscode.FileSystemError.Unavailable('gone'))),
  },
  'goes away in the middle of a rename that is none': {
    code: 'folderGone',
    break: (files) => (files.fault = fails('named', vscode.FileSystemError.Unavailable('gone'))),
  },
};

suite('results in virtual file systems', () => {
  let folder: string;
  let service: Sandbox;
  let window: OwnWindow;
  let files: MemoryFiles;
  let registered: vscode.Disposable;

  suiteSetup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-systems-'));
    service = await startSandbox({ folder, balanceCents: 1000, latencyMs: 80 });
    const keyring = new Keyring();
    await new ApiKeys(keyring, systemClock).store(service.base, service.key);
    await set(settingIds.serviceUrl, service.base);
    window = await OwnWindow.open(keyring, join(folder, 'storage'));
  });

  setup(async () => {
    files = new MemoryFiles(vscode.Uri.parse(`${scheme}://host+x/work space?branch=1`));
    registered = await register(files);
  });

  teardown(() => unregister(registered, files));

  suiteTeardown(async () => {
    window.dispose();
    await service.close();
    await set(settingIds.serviceUrl, undefined);
    await removeFolder(folder);
  });

  const target = (): Target => ({ root: files.root.toString(), folder: 'assets/renders', fileName: '${slug}' });
  const order = async () => {
    const key = await window.order(sprite, { prompt: 'a red boat' }, target());
    return window.ended(key);
  };

  /** Asserts that a render's file, read from the file system itself, is its complete result. */
  function assertWhole(key: string): void {
    const { file, record } = window.entry(key);
    const content = files.entries.get(vscode.Uri.parse(file!).path);
    assert.equal(createHash('sha256').update(content!).digest('hex'), record!.spooled!.sha256);
    assert.deepEqual([...content!.subarray(1, 4)], [...Buffer.from('PNG')]);
  }

  test('a result becomes a complete file below a root with authority and query, next to a file of the same name', async () => {
    const theirs = files.uri('assets/renders/a-red-boat.png').path;
    for (const path of ['assets', 'assets/renders']) files.entries.set(files.uri(path).path, undefined);
    files.entries.set(theirs, Buffer.from('theirs'));
    const before = service.balance();
    const entry = await order();
    assert.equal(entry.state, 'saved');
    const { authority, path, query } = vscode.Uri.parse(entry.file!);
    assert.deepEqual([authority, path, query], ['host+x', '/work space/assets/renders/a-red-boat-2.png', 'branch=1']);
    assertWhole(entry.id);
    assert.equal(String(files.entries.get(theirs)), 'theirs');
    assert.deepEqual(files.names('assets/renders').sort(), ['a-red-boat-2.png', 'a-red-boat.png']);
    assert.equal(before - service.balance(), price);
  });

  test('results saved under the same name at the same time become separate, complete files', async () => {
    const entries = await Promise.all(Array.from({ length: 4 }, order));
    assert.equal(new Set(entries.map(({ file }) => file)).size, 4);
    for (const { id } of entries) assertWhole(id);
    assert.equal(files.names('assets/renders').length, 4);
  });

  test('in a read-only file system, a result stays “Paid, not saved”, with its buttons, until it can be saved', async () => {
    await unregister(registered, files);
    registered = await register(files, true);
    const before = service.balance();
    const entry = await order();
    assert.deepEqual([entry.group, entry.problem?.code], ['paidNotSaved', 'notWritable']);
    for (const action of ['saveAs', 'downloadAgain'] as const) assert.ok(canDo(action, entry));
    assert.match(story(entry) ?? '', /^Paid, but not saved yet\. The result is kept\. Can’t write to the folder\./);
    const lost = { ...entry, record: { ...entry.record!, spooled: undefined } };
    assert.match(story(lost) ?? '', /^Paid, but not downloaded yet\. Can’t write/);
    await assert.rejects(window.press('downloadAgain', entry.id), /Can’t write to/);
    assert.equal(window.entry(entry.id).group, 'paidNotSaved');

    await unregister(registered, files);
    registered = await register(files);
    await window.press('downloadAgain', entry.id);
    assert.equal(window.entry(entry.id).state, 'saved');
    assertWhole(entry.id);
    assert.equal(before - service.balance(), price);
  });

  test('while a file system has no provider, a result stays “Paid, not saved”, and is saved once it has one', async () => {
    const key = await window.order(unhurried, { prompt: 'a red boat' }, target());
    await unregister(registered, files);
    const entry = await window.ended(key);
    assert.deepEqual([entry.group, entry.problem?.code], ['paidNotSaved', 'folderGone']);
    registered = await register(files);
    await window.press('downloadAgain', entry.id);
    assertWhole(entry.id);
  });

  for (const [how, { code, break: breakIt }] of Object.entries(faults))
    test(`where the file system ${how}, a result stays “Paid, not saved”, and is saved complete and once afterward`, async () => {
      breakIt(files);
      const before = service.balance();
      const entry = await order();
      assert.deepEqual([entry.group, entry.problem?.code], ['paidNotSaved', code]);
      assert.ok(canDo('downloadAgain', entry));

      files.mend();
      await window.press('downloadAgain', entry.id);
      assertWhole(entry.id);
      const { file } = window.entry(entry.id);
      assert.deepEqual(
        files.names('assets/renders').map((name) => files.uri(`assets/renders/${name}`).toString()),
        [file],
      );
      assert.equal(before - service.balance(), price);
    });

  test('a file system that goes away during a write leaves a name that another attempt doesn’t take', async () => {
    let renames = 0;
    files.fault = (operation) => {
      if (operation === 'rename' && ++renames === 1) files.kept = (content) => content.subarray(0, 20);
    };
    const entry = await order();
    assert.deepEqual([entry.group, entry.problem?.code], ['paidNotSaved', 'notWritable']);
    files.mend();
    await window.press('downloadAgain', entry.id);
    assertWhole(entry.id);
    assert.match(vscode.Uri.parse(window.entry(entry.id).file!).path, /a-red-boat-2\.png$/);
  });
});
