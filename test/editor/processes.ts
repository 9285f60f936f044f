import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** A program that we started, and everything it starts. */
export type Program = ChildProcessByStdio<null, Readable, Readable>;

const running = new Set<Program>();

/** Starts a program in its own process group, so that nothing it starts outlives this process. */
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

/** Ends the program and everything it started; resolves once it's gone. */
export async function stop(program: Program): Promise<void> {
  if (program.pid === undefined) return;
  const gone = program.exitCode === null && program.signalCode === null ? once(program, 'exit') : undefined;
  kill(program, 'SIGKILL');
  await gone;
}

/** A program's last output, which explains an unexpected end. */
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
    // The group has already ended.
  }
}

process.once('exit', () => running.forEach((program) => kill(program, 'SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
