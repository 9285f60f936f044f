import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** A program of ours, and all it starts. */
export type Program = ChildProcessByStdio<null, Readable, Readable>;

const running = new Set<Program>();

/** Starts a program in a process group of its own, so that nothing it starts outlives this process. */
export function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Program {
  const program = spawn(command, args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  running.add(program);
  program.once('exit', () => running.delete(program));
  return program;
}

/** Ends the program and all it started; resolves when it is gone. */
export async function stop(program: Program): Promise<void> {
  if (program.pid === undefined) return;
  const gone = program.exitCode === null && program.signalCode === null ? once(program, 'exit') : undefined;
  kill(program, 'SIGKILL');
  await gone;
}

/** An error that carries on in an ended program is no use: whoever waits gets what it said last. */
export function lastWords(program: Program): () => string {
  let words = '';
  const keep = (data: Buffer) => (words = (words + data.toString()).slice(-4000));
  program.stdout.on('data', keep);
  program.stderr.on('data', keep);
  return () => words.trim();
}

function kill(program: Program, signal: NodeJS.Signals): void {
  if (program.pid === undefined) return;
  try {
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(program.pid), '/T', '/F']);
    else process.kill(-program.pid, signal);
  } catch {
    // The group has ended by itself.
  }
}

process.once('exit', () => running.forEach((program) => kill(program, 'SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
