// `npm run sandbox -- …`: the sandbox as a command, on a Node with SQLite for its account.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { nodeWithSqlite } from './node';
import { root } from './root';

async function main(): Promise<void> {
  const program = join(root, 'dist', 'sandbox.js');
  const sandbox = spawn(await nodeWithSqlite(), [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => sandbox.kill(signal));
  sandbox.once('exit', (code) => (process.exitCode = code ?? 1));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
