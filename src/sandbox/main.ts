// The program behind `npm run sandbox`, and the thread that `thread.ts` starts in the editor.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { type Log, reasonOf } from '../base/log';
import { sandboxCommand } from './command';
import type { Sandbox } from './server';
import type { Said, Told } from './thread';

if (isMainThread) void sandboxCommand(process.argv.slice(2)).then((code) => (process.exitCode = code));
else void runThread(workerData as { readonly folder: string });

async function runThread({ folder }: { readonly folder: string }): Promise<void> {
  const post = (said: Said) => parentPort?.postMessage(said);
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: (warning) => post({ warning }),
    error: (error) => post({ error: String(error) }),
  };
  const close = async (sandbox: Sandbox) => {
    try {
      await sandbox.close();
    } catch (error) {
      post({ error: reasonOf(error) });
    } finally {
      parentPort?.close();
    }
  };
  try {
    const { startSandbox } = await import('./server');
    const sandbox = await startSandbox({ folder, log });
    parentPort?.on('message', (told: Told) => {
      if (told === 'close') return void close(sandbox);
      try {
        sandbox.addMoney(told.addMoney);
        post('added');
      } catch (error) {
        post({ refused: reasonOf(error) });
      }
    });
    post({ started: { base: sandbox.base, key: sandbox.key } });
  } catch (error) {
    post({ failed: reasonOf(error) });
  }
}
