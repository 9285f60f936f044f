// VS Code loads this as `extensionTestsPath`. Activates the requested extensions in turn and returns the cost of each.
import { readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { exchange, type Activation } from './exchange';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export async function run(): Promise<void> {
  const { question, answer } = exchange(process.env);
  const activations: Activation[] = [];
  for (const id of JSON.parse(readFileSync(question, 'utf8')) as string[]) {
    await settled();
    activations.push(await activate(id));
  }
  writeFileSync(answer, JSON.stringify(activations));
}

async function activate(id: string): Promise<Activation> {
  const extension = vscode.extensions.getExtension(id);
  if (!extension || extension.isActive) throw new Error('The extension is not there, or was active already.');
  const before = used();
  const begin = performance.now();
  await extension.activate();
  const ms = performance.now() - begin;
  const after = used();
  return { id, ms, heapMB: after.heap - before.heap, rssMB: after.rss - before.rss };
}

/**
 * Resolves once the window has finished starting, so that it responds immediately: every activation requests the
 * extension's storage from it.
 */
async function settled(): Promise<void> {
  let [quick, asked] = [0, 0];
  while (quick < 5 && asked < 200) {
    const begin = performance.now();
    await vscode.commands.executeCommand('getContextKeyInfo');
    asked++;
    quick = performance.now() - begin < 10 ? quick + 1 : 0;
  }
}

/** In use after garbage collection, MB. */
function used() {
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed / 1e6, rss: rss / 1e6 };
}
