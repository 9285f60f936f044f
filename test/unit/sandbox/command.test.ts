import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sandboxCommand } from '../../../src/sandbox/command';
import { newFolder, open } from './service';

/** The command's output and exit code. */
async function run(t: TestContext, args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const out = t.mock.method(console, 'log', (words: string) => (said.out += words));
  const err = t.mock.method(console, 'error', (words: string) => (said.err += words));
  const code = await sandboxCommand(args);
  out.mock.restore();
  err.mock.restore();
  return { code, ...said };
}

test('--help shows the options', async (t) => {
  const { code, out } = await run(t, ['--help']);
  assert.equal(code, 0);
  for (const option of ['--port', '--balance', '--latency', '--cap', '--folder', '--new-key'])
    assert.match(out, new RegExp(option));
});

test('an invalid option is named, with its valid values', async (t) => {
  for (const [args, words] of [
    [['--prot', '1'], /--prot/],
    [['--port', 'x'], /--port takes a whole number from 0 to 65535, not "x"/],
    [['--port', '70000'], /--port/],
    [['--balance', '-5'], /--balance/],
    [['--cap', '1.5'], /--cap/],
    [['surplus'], /surplus/],
  ] as const) {
    const { code, err, out } = await run(t, args);
    assert.equal(code, 2);
    assert.match(err, words);
    assert.equal(out, '');
  }
});

test('a port in use is reported, and nothing is left running', async (t) => {
  const other = await open(t);
  const { code, err } = await run(t, ['--port', new URL(other.base).port, '--folder', newFolder(t)]);
  assert.equal(code, 1);
  assert.match(err, /couldn’t start: .*EADDRINUSE/);
});

test('an interrupt ends it cleanly after it has shown its URL and key', async (t) => {
  const said: string[] = [];
  const log = t.mock.method(console, 'log', (words: string) => {
    said.push(words);
    process.emit('SIGINT');
  });
  const ended = sandboxCommand(['--balance', '1234']);
  assert.equal(await ended, 0);
  log.mock.restore();
  assert.match(said.join('\n'), /http:\/\/127\.0\.0\.1:\d+[\s\S]*ai_live_[\s\S]*€12\.34/);
});
