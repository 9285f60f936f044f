import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reasonOf } from '../base/log';
import { formatCents } from '../base/format';
import type { Sandbox, SandboxOptions } from './server';

const usage = `Runs a local catalog service with play money.

  --port <number>      the port to listen on; a free one by default
  --balance <cents>    the balance of a new account; 2500 by default
  --latency <ms>       how long a typical render takes; 1500 by default
  --cap <cents>        the daily cap of the key; none by default
  --folder <path>      where to store the account; discarded on exit by default
  --new-key            revokes that account’s key and creates another
  --help               shows this text`;

/** Runs the sandbox as a command until interrupted. Resolves with the exit code, never rejects. */
export async function sandboxCommand(args: readonly string[]): Promise<number> {
  const asked = read(args);
  if (typeof asked === 'string') return tell(asked);
  const temporary = asked.folder === undefined;
  const folder = asked.folder ?? mkdtempSync(join(tmpdir(), 'model-catalog-sandbox-'));
  try {
    await run({ ...asked, folder });
    return 0;
  } catch (error) {
    console.error(`The sandbox couldn’t start: ${reasonOf(error)}`);
    return 1;
  } finally {
    if (temporary) rmSync(folder, { recursive: true, force: true });
  }
}

type Asked = Omit<SandboxOptions, 'folder'> & { readonly folder?: string };

/** The options, or a sentence: what is wrong with them, or the usage. */
function read(args: readonly string[]): Asked | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        balance: { type: 'string' },
        latency: { type: 'string' },
        cap: { type: 'string' },
        folder: { type: 'string' },
        'new-key': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) return usage;
    return {
      port: wholeNumber('--port', values.port, 65_535),
      balanceCents: wholeNumber('--balance', values.balance, 1e12),
      latencyMs: wholeNumber('--latency', values.latency, 3_600_000),
      dailyCapCents: wholeNumber('--cap', values.cap, 1e12),
      newKey: values['new-key'],
      folder: values.folder,
    };
  } catch (error) {
    return `${reasonOf(error)}\n\n${usage}`;
  }
}

function wholeNumber(name: string, text: string | undefined, maximum: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value <= maximum) return value;
  throw new Error(`${name} takes a whole number from 0 to ${maximum}, not "${text}".`);
}

function tell(words: string): number {
  const wanted = words === usage;
  (wanted ? console.log : console.error)(words);
  return wanted ? 0 : 2;
}

async function run(options: SandboxOptions): Promise<void> {
  const interrupted = new Promise<void>((resolve) => {
    // Stays registered, since the same interrupt may come from both the terminal and a parent process.
    process.on('SIGINT', resolve);
    process.on('SIGTERM', resolve);
  });
  // Loaded here, so that an invalid option is reported even if the account file can't be used.
  const { startSandbox } = await import('./server');
  const sandbox = await startSandbox(options);
  console.log(greeting(sandbox));
  await interrupted;
  await sandbox.close();
}

function greeting(sandbox: Sandbox): string {
  return `Model Catalog sandbox, play money only.

  URL      ${sandbox.base}
  API key  ${sandbox.key}
  Balance  ${formatCents(sandbox.balance(), 'en')}

Press Ctrl+C to stop it.`;
}
