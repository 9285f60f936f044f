import { appendFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { searchBelow } from '../canary';
import { environment } from './results';

/** The one place in the browser in which the editor may keep the key: its own store of secrets. */
const secretStore = 'secrets.provider';

/** What a window leaves outside the folders of its profile: what it has shown, kept and said. */
export class Traces {
  private readonly said: string[] = [];

  private constructor() {}

  /** Listens to the pages of this context from their beginning. */
  static async of(context: BrowserContext): Promise<Traces> {
    const traces = new Traces();
    context.on('console', (message) => traces.said.push(message.text()));
    await context.exposeBinding('keepMessage', (_, message: string) => void traces.said.push(message));
    await context.addInitScript(keepMessages);
    return traces;
  }

  /** Writes it all into the folder, for the search. */
  async write(page: Page, folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'console and messages.txt'), this.said.join('\n'));
    for (const [index, frame] of page.frames().entries()) {
      // A frame on its way out shows nothing.
      const content = await frame.content().catch(() => '');
      await writeFile(join(folder, `document ${index}.html`), content);
    }
    await writeFile(join(folder, 'storage.json'), await page.evaluate(storageOf, secretStore));
  }
}

/**
 * Looks for the key in all files below the folder, tells the run how many they were, and throws where it finds it. The
 * editor's own store of secrets is the only place for it; on a desktop that is encrypted by the system.
 */
export function searchTraces(folder: string): void {
  const search = searchBelow(folder);
  const report = process.env[environment.traces];
  if (report !== undefined) appendFileSync(report, `${JSON.stringify(search)}\n`);
  if (search.hits.length > 0) throw new Error(`The API key lies about in ${search.hits.join(', ')}.`);
}

/** Runs in every document before anything else: what is sent to a webview's own document goes to `keepMessage` too. */
function keepMessages(): void {
  if (window === window.top) return;
  const { keepMessage } = window as unknown as { keepMessage?: (message: string) => void };
  const send = window.postMessage.bind(window) as (...sent: unknown[]) => void;
  window.postMessage = (...sent: unknown[]) => {
    try {
      keepMessage?.(JSON.stringify(sent));
    } catch {
      // What JSON cannot say is none of our messages.
    }
    send(...sent);
  };
}

/** Runs in the page: everything the browser keeps for it, but the entry `except`. */
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
