import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Log } from '../base/log';
import type { Address } from './server';

/** What the thread is told. */
export type Told = { readonly addMoney: number } | 'close';

/** What the thread tells. */
export type Said =
  | { readonly started: Address }
  | { readonly failed: string }
  | { readonly warning: string }
  | { readonly error: string }
  /** To `addMoney`, each in turn. */
  | { readonly refused: string }
  | 'added';

/** A sandbox in a thread of its own. */
export interface SandboxThread extends Address {
  /** Resolves once the account has it; `cents` are play money. */
  addMoney(cents: number): Promise<void>;
  /** Resolves once no work is in progress. Unfinished renders continue at the next start. */
  close(): Promise<void>;
  /** Resolves when the thread has ended, however it did. */
  readonly ended: Promise<void>;
}

/**
 * Starts the sandbox outside the host's thread, which all extensions share: drawing an image keeps a processor busy for
 * half a second. `extension` is its folder, and its account is in that of `storage`. Rejects if that can't be used.
 */
export async function startSandboxThread(extension: string, storage: string, log: Log): Promise<SandboxThread> {
  const workerData = { folder: join(storage, 'sandbox') };
  const thread = new Worker(join(extension, 'dist', 'sandbox.js'), { workerData, env: {}, execArgv: [] });
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  const waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const { base, key } = await new Promise<Address>((resolve, reject) => {
    thread.on('message', (said: Said) => {
      if (said === 'added') waiting.shift()?.resolve();
      else if ('refused' in said) waiting.shift()?.reject(new Error(said.refused));
      else if ('started' in said) resolve(said.started);
      else if ('failed' in said) {
        reject(new Error(said.failed));
        void thread.terminate();
      } else if ('warning' in said) log.warn(said.warning);
      else log.error(said.error);
    });
    thread.on('error', (error) => {
      log.error('Sandbox: its thread ended', error);
      reject(error);
    });
    void ended.then(() => reject(new Error('its thread ended')));
  });
  const tell = (told: Told) => thread.postMessage(told);
  return {
    base,
    key,
    ended,
    addMoney: (cents) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        void ended.then(() => reject(new Error('its thread ended')));
        tell({ addMoney: cents });
      }),
    close: () => {
      tell('close');
      return ended;
    },
  };
}
