import { appendFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { searchBelow } from '../canary';
import { environment } from './results';

/** The only place in the browser where the editor may store the key: its own secret storage. */
const secretStore = 'secrets.provider';

/** What a window leaves outside its profile's folders: what it has shown, stored, and sent. */
export class Traces {
  private readonly said: string[] = [];

  private constructor() {}

  /** Listens to the pages of this context from the start. */
  static async of(context: BrowserContext): Promise<Traces> {
    const traces = new Traces();
    context.on('console', (message) => traces.said.push(message.text()));
    await context.exposeBinding('keepMessage', (_, message: string) => void traces.said.push(message));
    await context.addInitScript(keepMessages);
    return traces;
  }

  /** Writes everything into the folder, for the search. */
  async write(page: Page, folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'console and messages.txt'), this.said.join('\n'));
    for (const [index, frame] of page.frames().entries()) {
      // A frame that is being removed shows nothing.
      const content = await frame.content().catch(() => '');
      await writeFile(join(folder, `document ${index}.html`), content);
    }
    await writeFile(join(folder, 'storage.json'), await page.evaluate(storageOf, secretStore));
  }
}

/**
 * Searches all files below the folder for the key, reports their number to the run, and throws if it finds the key.
 * Only the editor's own secret storage may contain it, which the system encrypts on a desktop.
 */
export function searchTraces(folder: string): void {
  const search = searchBelow(folder);
  const report = process.env[environment.traces];
  if (report !== undefined) appendFileSync(report, `${JSON.stringify(search)}\n`);
  if (search.hits.length > 0) throw new Error(`The API key lies about in ${search.hits.join(', ')}.`);
}

/** Runs in every document before anything else: also passes what is sent to a webview's document to `keepMessage`. */
function keepMessages(): void {
  if (window === window.top) return;
  const { keepMessage } = window as unknown as { keepMessage?: (message: string) => void };
  const send = window.postMessage.bind(window) as (...sent: unknown[]) => void;
  window.postMessage = (...sent: unknown[]) => {
    try {
      keepMessage?.(JSON.stringify(sent));
    } catch {
      // What JSON can't express isn't one of our messages.
    }
    send(...sent);
  };
}

/** Runs in the page: everything that the browser stores for it, except the entry `except`. */
async function storageOf(except: string): Promise<string> {
  const entries = [localStorage, sessionStorage].flatMap((storage) =>
    Object.entries(storage).filter(([name]) => name !== except),
  );
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('The database cannot be read.'));
    });
  const kept: unknown[] = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name!));
    for (const store of database.objectStoreNames) {
      const values = database.transaction(store).objectStore(store);
      kept.push(name, store, await done(values.getAllKeys()), await done(values.getAll()));
    }
    database.close();
  }
  const asText = (_: string, value: unknown) => (value instanceof Uint8Array ? new TextDecoder().decode(value) : value);
  return JSON.stringify([entries, kept], asText);
}
