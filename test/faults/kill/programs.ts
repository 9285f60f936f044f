import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SandboxOptions } from '../../../src/sandbox/server';
import { canaryHits } from '../../canary';
import { start, stop } from '../../editor/processes';
import { root } from '../../editor/root';
import type { Task, Told } from './task';

const folder = join(root, 'out', 'test', 'faults', 'kill');
/** Anything that takes longer counts as hanging, ms. */
const longestMs = 120_000;

/** A sandbox in a separate process. */
export interface Service {
  readonly base: string;
  readonly key: string;
  stop(): Promise<void>;
}

export async function startService(options: SandboxOptions): Promise<Service> {
  const service = fork(join(folder, 'service.js'), [JSON.stringify(options)]);
  const [{ base, key }] = (await once(service, 'message')) as [{ base: string; key: string }];
  const end = async () => {
    const gone = once(service, 'exit');
    service.disconnect();
    await gone;
  };
  return { base, key, stop: end };
}

/** How the process of a window ended. */
export interface Ending {
  readonly told: readonly Told[];
  /** Whether a signal ended it. */
  readonly killed: boolean;
  readonly tookMs: number;
}

export interface Running {
  /** Rejects if the window fails or doesn't end. */
  readonly ended: Promise<Ending>;
  /** Resolves when it stops itself. */
  readonly stops: Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): void;
  /** Continues it whenever it stops itself. */
  keepGoing(): void;
}

/** Starts a window in a separate process, optionally with a shell limit such as `ulimit -f 100`. */
export function startWindow(task: Task, limit?: string): Running {
  const began = performance.now();
  const command = [process.execPath, join(folder, 'driver.js'), JSON.stringify(task)] as const;
  const env = { ...process.env, NODE_OPTIONS: '' };
  const program =
    limit === undefined
      ? start(command[0], command.slice(1), { ...env, NODE_COMPILE_CACHE: join(folder, 'cache') })
      : start('/bin/sh', ['-c', `${limit} && exec "$@"`, 'sh', ...command], env);
  let output = '';
  let complaints = '';
  const stops = new Promise<void>((resolve) => {
    program.stdout.on('data', (data: Buffer) => {
      output += data.toString();
      if (output.includes('"stopsAt"')) resolve();
    });
  });
  program.stderr.on('data', (data: Buffer) => (complaints += data.toString()));
  const ended = async (): Promise<Ending> => {
    const deadline = setTimeout(() => void stop(program), longestMs);
    const [code, signal] = (await once(program, 'close')) as [number | null, NodeJS.Signals | null];
    clearTimeout(deadline);
    const tookMs = performance.now() - began;
    const hangs = tookMs >= longestMs;
    const what = hangs ? 'hangs' : `ended with ${signal ?? code}`;
    if (hangs || (signal !== 'SIGKILL' && code !== 0))
      throw new Error(`The window ${what} after it told:\n${output}${complaints}`);
    if (canaryHits(output + complaints) > 0) throw new Error('The window tells the API key.');
    const lines = output.split('\n').slice(0, -1);
    return {
      told: lines.map((line) => JSON.parse(line) as Told),
      killed: signal !== null,
      tookMs,
    };
  };
  const keepGoing = () => {
    const going = setInterval(() => program.kill('SIGCONT'), 100);
    program.once('close', () => clearInterval(going));
  };
  return { ended: ended(), stops, kill: () => void stop(program), keepGoing };
}
