import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ServiceOptions } from './service';

/** A service in a process of its own, so that its work and its memory don't count as ours. */
export async function startServiceProcess(options: ServiceOptions): Promise<{ base: string; stop(): void }> {
  const service = fork(join(__dirname, 'serve.js'), [JSON.stringify(options)], { execArgv: [] });
  const [base] = (await once(service, 'message')) as [string];
  return { base, stop: () => void service.kill() };
}
