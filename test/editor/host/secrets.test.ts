import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../../src/base/clock';
import type { SessionState } from '../../../src/catalog/session';
import { ApiKeys } from '../../../src/features/account/model/apiKey';
import { settingIds } from '../../../src/editor/ids';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server';
import { removeFolder } from '../../removeFolder';
import { Gate } from '../gate';
import { until } from '../until';
import { Keyring } from './keyring';
import { OwnWindow } from './ownWindow';

const sprite = 'eight-bit-yard/pixel/sprite-1';
const inputs = { prompt: 'a blue boat' };
const price = 2;

async function set(id: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('modelCatalog').update(id, value, vscode.ConfigurationTarget.Global);
}

suite('a secret storage that fails while renders are in progress', () => {
  let folder: string;
  let service: Sandbox;
  let gate: Gate;
  let keyring: Keyring;
  let window: OwnWindow;

  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secrets-'));
    service = await startSandbox({ folder, balanceCents: 1000, latencyMs: 0 });
    gate = await Gate.open(service.base);
    keyring = new Keyring();
    await new ApiKeys(keyring, systemClock).store(gate.base, service.key);
    await set(settingIds.serviceUrl, gate.base);
    window = await OwnWindow.open(keyring, join(folder, 'storage'));
  });

  teardown(async () => {
    window.dispose();
    await gate.close();
    await service.close();
    await set(settingIds.serviceUrl, undefined);
    await removeFolder(folder);
  });

  const stands = (status: SessionState['status']) =>
    until(() => Promise.resolve(window.session.state.status === status));

  /** An accepted render that doesn't end. */
  async function underWay(): Promise<string> {
    void gate.hold('poll');
    const root = vscode.workspace.workspaceFolders![0]!.uri.toString();
    const key = await window.order(sprite, inputs, { root, folder: 'secrets', fileName: '${slug}' });
    await window.until(key, ({ state }) => state === 'accepted');
    return key;
  }

  /** Paid work has paused: the render stays, and no other can be started. */
  async function assertPaused(key: string): Promise<void> {
    assert.equal(window.session.client, undefined);
    assert.equal(window.entry(key).state, 'accepted');
    assert.ok(
      window.renders.library.entries.some(({ id }) => id === key),
      'it stays in sight',
    );
    await assert.rejects(window.press('renderAgain', key), ({ message }: Error) => message === sentence());
    assert.equal(1000 - service.balance(), price);
  }

  const sentence = () => window.session.state.problem;

  async function assertGoesOn(key: string): Promise<void> {
    await stands('connected');
    gate.release();
    const { state, file } = await window.ended(key);
    assert.equal(state, 'saved');
    const content = await vscode.workspace.fs.readFile(vscode.Uri.parse(file!));
    assert.deepEqual([...content.subarray(1, 4)], [...Buffer.from('PNG')]);
    assert.equal(1000 - service.balance(), price);
  }

  test('one that throws pauses renders with its own message, and they resume when the user tries again', async () => {
    const key = await underWay();
    keyring.turn('throw');
    await stands('unusable');
    assert.match(sentence()!, /secret storage: The keyring is locked\. Check your system’s keyring/);
    await assertPaused(key);
    keyring.unlock();
    await window.connection.ready();
    await assertGoesOn(key);
  });

  test('one that hangs pauses renders after its deadline, and they resume once the keyring is unlocked', async () => {
    const key = await underWay();
    keyring.turn('hang');
    await stands('unusable');
    assert.match(sentence()!, /isn’t responding\. Unlock your system’s keyring/);
    await assertPaused(key);
    keyring.unlock();
    await assertGoesOn(key);
  });

  test('one that forgets asks for the key, and renders resume with the entered key', async () => {
    const key = await underWay();
    keyring.turn('forget');
    await stands('noKey');
    assert.equal(window.entry(key).state, 'accepted');
    await assert.rejects(window.press('renderAgain', key), /Connect to a service first/);
    keyring.unlock();
    await new ApiKeys(keyring, systemClock).store(gate.base, service.key);
    await assertGoesOn(key);
  });

  test('an editor without one reports it, keeps earlier renders, and starts nothing', async () => {
    const key = await underWay();
    window.dispose();
    window = await OwnWindow.open(undefined, join(folder, 'storage'));
    assert.equal(window.session.state.status, 'unusable');
    assert.match(sentence()!, /has no secret storage.*The sandbox works without a key/);
    await assertPaused(key);
    window.dispose();
    window = await OwnWindow.open(keyring, join(folder, 'storage'));
    await assertGoesOn(key);
  });

  test('a window that opens while the keyring is locked loses nothing, and resumes once it’s unlocked', async () => {
    const key = await underWay();
    window.dispose();
    keyring.turn('hang');
    window = await OwnWindow.open(keyring, join(folder, 'storage'));
    assert.equal(window.session.state.status, 'unusable');
    await assertPaused(key);
    keyring.unlock();
    await assertGoesOn(key);
  });

  test('a check that finds everything working, now that the keyring is unlocked, lets renders resume', async () => {
    const key = await underWay();
    window.dispose();
    keyring.turn('throw');
    window = await OwnWindow.open(keyring, join(folder, 'storage'));
    assert.equal(window.session.state.status, 'unusable');
    keyring.unlock();
    assert.match(await window.check(), /Everything works/);
    await assertGoesOn(key);
  });
});
