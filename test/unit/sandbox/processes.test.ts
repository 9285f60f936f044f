import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server';
import { balance, call, haiku, newFolder, open, sprite, start, until } from './service';

// Real processes on one account file: this file is the test or, with a folder in its environment, another process's
// sandbox.
const folderOfChild = process.env.SANDBOX_FOLDER;

interface Child {
  readonly process: ChildProcess;
  readonly sandbox: Sandbox;
}

async function child(t: TestContext, folder: string): Promise<Child> {
  const env: NodeJS.ProcessEnv = { ...process.env, SANDBOX_FOLDER: folder };
  delete env.NODE_TEST_CONTEXT;
  const program = process.argv[1];
  assert.ok(program);
  const started = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => started.kill('SIGKILL'));
  for await (const line of createInterface(started.stdout)) {
    return { process: started, sandbox: JSON.parse(line) as Sandbox };
  }
  throw new Error('the other process said nothing');
}

async function killed({ process: running }: Child): Promise<void> {
  running.kill('SIGKILL');
  await once(running, 'exit');
}

if (folderOfChild !== undefined) {
  void startSandbox({ folder: folderOfChild, latencyMs: 300 }).then(({ base, key }) =>
    console.log(JSON.stringify({ base, key })),
  );
} else {
  test('a process killed during renders loses none of them, and charges none of them twice', async (t) => {
    const folder = newFolder(t);
    const first = await child(t, folder);
    const started = await Promise.all(
      [1, 2, 3].map((n) => start(first.sandbox, sprite, { prompt: `hill ${n}`, size: 'small' }, `key-${n}`)),
    );
    await killed(first);
    const after = await open(t, { folder });
    assert.equal(await balance(after), 2497);
    const ids = started.map(({ json }) => json.id);
    const again = await Promise.all(
      [1, 2, 3].map((n) => start(after, sprite, { prompt: `hill ${n}`, size: 'small' }, `key-${n}`)),
    );
    assert.deepEqual(
      again.map(({ json }) => json.id),
      ids,
    );
    for (const id of ids) await until(after, id, 'succeeded');
    assert.equal(await balance(after), 2497);
  });

  test('three processes on one account answer identical requests with one render and one charge', async (t) => {
    const folder = newFolder(t);
    const here = await open(t, { folder });
    const others = await Promise.all([child(t, folder), child(t, folder)]);
    const everywhere = [here, ...others.map(({ sandbox }) => sandbox)];
    assert.equal(new Set(everywhere.map(({ key }) => key)).size, 1);
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, i) => start(everywhere[i % 3]!, haiku, { prompt: 'a' }, 'key-1')),
    );
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(replies.map(({ json }) => json.id)).size, 1);
    await Promise.all(everywhere.map((each) => until(each, replies[0]!.json.id, 'succeeded')));
    for (const each of everywhere) assert.equal((await call(each, 'GET', '/me')).json.balanceCents, 2499);
  });
}
