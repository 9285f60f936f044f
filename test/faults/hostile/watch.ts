import { createServer, type AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { type Log, reasonOf } from '../../../src/base/log';
import { canaryHits, canaryHitsIn } from '../../canary';

/** A log that only counts how often it contained the key; it gets the core's text before redaction. */
export class CanaryLog implements Log {
  lines = 0;
  hits = 0;
  readonly debug = (message: string, ...details: unknown[]) => this.take(message, details);
  readonly info = (message: string, ...details: unknown[]) => this.take(message, details);
  readonly warn = (message: string, ...details: unknown[]) => this.take(message, details);
  readonly error = (message: string | Error, ...details: unknown[]) => this.take(message, details);

  private take(message: string | Error, details: readonly unknown[]): void {
    this.lines += 1;
    this.hits += canaryHits(message instanceof Error ? reasonOf(message) : message);
    if (details.length > 0) this.hits += canaryHitsIn(details);
  }
}

/** Process-wide events that no response may cause: listens until the test ends. */
export function watchProcess(t: TestContext): string[] {
  const seen: string[] = [];
  const hear = (error: unknown) => void seen.push(reasonOf(error));
  for (const event of ['unhandledRejection', 'uncaughtException', 'warning']) process.on(event, hear);
  t.after(() => {
    for (const event of ['unhandledRejection', 'uncaughtException', 'warning']) process.off(event, hear);
  });
  return seen;
}

/** An origin that must never be contacted, and the requests it got. */
export async function elsewhere(t: TestContext): Promise<{ readonly origin: string; readonly heard: string[] }> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    heard.push('a connection');
    socket.on('data', (chunk) => heard.push(chunk.toString('latin1')));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

/** The peak memory of this process, MiB. */
export function peakMebibytes(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

/** Does the work for each, this many concurrently. */
export async function eachOf<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
