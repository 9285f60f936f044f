import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commands } from '../../../src/editor/ids';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server';
import { removeFolder } from '../../removeFolder';
import { wrongCanaryKey } from '../../canary';

/** The service's balance in these tests, different from the sandbox's. */
const serviceCents = 4321;

function run<T>(command: string, ...args: unknown[]): Thenable<T> {
  return vscode.commands.executeCommand<T>(command, ...args);
}

/** Undefined when connected, else the problem. */
const connect = (address: string, key: string) => run<string | undefined>(commands.connect, address, key);
const setApiKey = (key: string) => run<string | undefined>(commands.setApiKey, key);
const balance = () => run<number | undefined>(commands.refreshBalance);
const address = () => vscode.workspace.getConfiguration('modelCatalog').get<string>('serviceUrl');

suite('account', () => {
  let folder: string;
  let service: Sandbox;
  /** The sandbox's balance: other tests may have spent some. */
  let sandboxCents: number;

  suiteSetup(async () => {
    await vscode.extensions.getExtension('model-catalog.model-catalog')!.activate();
    folder = await mkdtemp(join(tmpdir(), 'account-'));
    service = await startSandbox({ folder, balanceCents: serviceCents, latencyMs: 0 });
  });

  setup(async () => {
    await run(commands.useSandbox);
    sandboxCents = (await balance())!;
    assert.notEqual(sandboxCents, serviceCents);
  });

  suiteTeardown(async () => {
    await run(commands.useSandbox);
    await service.close();
    await removeFolder(folder);
  });

  test('every command of the manifest is registered', async () => {
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      Object.values(commands).filter((id) => !known.has(id)),
      [],
    );
  });

  test('without an account, the sandbox is used, with play money', async () => {
    assert.equal(address(), '');
    assert.ok((await balance())! > 0);
  });

  test('play money can be added when it runs out', async () => {
    await run(commands.addPlayMoney);
    assert.equal(await balance(), sandboxCents + 2500);
  });

  test('a valid URL and key switch to the service and its balance', async () => {
    assert.equal(await connect(`${service.base}/`, ` ${service.key} `), undefined);
    assert.equal(await balance(), serviceCents);
    assert.equal(address(), service.base);
  });

  for (const path of ['/api', '/api/v1/', '/api/v1/api/catalog/models'])
    test(`a URL that ends in ${path} finds the service above it`, async () => {
      assert.equal(await connect(service.base + path, `"${service.key}"`), undefined);
      assert.equal(address(), service.base);
      assert.equal(await balance(), serviceCents);
    });

  test('a proxy that is down is named, and not the service', async () => {
    const proxy = vscode.workspace.getConfiguration('http');
    await proxy.update('proxy', 'http://me:word@127.0.0.1:1', vscode.ConfigurationTarget.Global);
    try {
      const sentence = (await connect('https://models.invalid', service.key))!;
      assert.match(sentence, /The proxy 127\.0\.0\.1:1 isn’t responding/);
    } finally {
      await proxy.update('proxy', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  test('a key that the service rejects changes nothing', async () => {
    assert.match((await connect(service.base, wrongCanaryKey))!, /rejected the API key/);
    assert.equal(address(), '');
    assert.equal(await balance(), sandboxCents);
  });

  test('a wrong new key doesn’t replace the one that works', async () => {
    await connect(service.base, service.key);
    assert.match((await setApiKey(wrongCanaryKey))!, /rejected the API key/);
    assert.equal(await balance(), serviceCents);
  });

  test('a service that isn’t responding is reported, and nothing changes', async () => {
    assert.match((await connect('http://127.0.0.1:1', service.key))!, /Nothing responds at this URL/);
    assert.equal(address(), '');
  });

  test('disconnecting removes the key and keeps the URL', async () => {
    await connect(service.base, service.key);
    await run(commands.disconnect);
    assert.equal(address(), service.base);
    assert.equal(await balance(), undefined);
    assert.equal(await setApiKey(service.key), undefined);
    assert.equal(await balance(), serviceCents);
  });

  test('back in the sandbox, its own balance is shown', async () => {
    await connect(service.base, service.key);
    await run(commands.useSandbox);
    assert.equal(await balance(), sandboxCents);
    assert.equal(address(), '');
  });

  test('a URL changed in the settings takes effect', async () => {
    await connect(service.base, service.key);
    const update = (value: string | undefined) =>
      vscode.workspace.getConfiguration('modelCatalog').update('serviceUrl', value, vscode.ConfigurationTarget.Global);
    await update(undefined);
    assert.equal(await balance(), sandboxCents);
    await update(service.base);
    assert.equal(await balance(), serviceCents);
  });

  test('a URL set by a project is ignored', async () => {
    const root = vscode.workspace.workspaceFolders![0]!.uri;
    const file = vscode.Uri.joinPath(root, '.vscode', 'settings.json');
    const text = JSON.stringify({ 'modelCatalog.serviceUrl': service.base, 'modelCatalog.baseUrl': service.base });
    const heard = new Promise<void>((resolve) => {
      const listening = vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('editor.tabSize')) return;
        listening.dispose();
        resolve();
      });
    });
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text.replace('}', ',"editor.tabSize":7}')));
    await heard;
    assert.equal(await balance(), sandboxCents);
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(root, '.vscode'), { recursive: true });
  });

  for (const [what, typed, said] of [
    ['no scheme', 'models.example', /https:\/\//],
    ['http on a public host', 'http://models.example', /anyone on the network path/],
    ['user information', 'https://me:secret@models.example', /user name or password/],
    ['another scheme', 'file:///etc/passwd', /https:\/\//],
    ['a question', 'https://models.example/?x', /question mark/],
    ['dots', 'https://models.example/a/../b', /without “\.”/],
  ] as const) {
    test(`a URL with ${what} is rejected before anything is sent`, async () => {
      assert.match((await connect(typed, service.key))!, said);
      assert.equal(address(), '');
    });
  }

  for (const [what, typed, said] of [
    ['a space', 'ai_live_a b', /space/],
    ['a line break', 'ai_live_a\r\nX: y', /line break/],
    ['a foreign prefix', 'sk-123', /ai_live_/],
    ['a character no key has', 'ai_live_аbc', /contains an invalid character/],
  ] as const) {
    test(`a key with ${what} is rejected, and not shown again`, async () => {
      const sentence = (await connect(service.base, typed))!;
      assert.match(sentence, said);
      assert.ok(!sentence.includes(typed));
    });
  }
});
