// A window in its own process, whose tools answer by their input: `window.js <storage> <folder>`. Writes its events to
// standard output as JSON lines.
import { join } from 'node:path';
import type { AgentCall, AgentResult } from '../../../src/features/agents/model/agentTools';
import { systemClock } from '../../../src/base/clock';
import { silentLog } from '../../../src/base/log';
import { WindowServer } from '../../../src/relay/windowServer';
import { pendingPage, toolsThat } from './world';

/** An event that a test's window writes to standard output. */
export interface Happening {
  readonly what: 'open' | 'called' | 'given up';
  readonly name?: string;
  readonly input?: unknown;
  readonly agent?: string;
  readonly folder?: string;
}

const [storage = '', folderOfWindow = ''] = process.argv.slice(2);
void beWindow();

async function beWindow(): Promise<void> {
  const tell = (happening: Happening) => console.log(JSON.stringify(happening));
  const answer = async (name: string, input: unknown, call: AgentCall): Promise<AgentResult> => {
    const { agent, folder, signal } = call;
    const { never } = input as { readonly never?: boolean };
    call.asks?.();
    const givenUp = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    tell({ what: 'called', name, input, agent, folder });
    if (!never) return imageOf(folderOfWindow);
    await givenUp;
    tell({ what: 'given up', name });
    return { text: 'Discarded' };
  };
  const tools = toolsThat(answer);
  const folders = () => [folderOfWindow];
  await WindowServer.open({
    storage,
    folders,
    tools: () => Promise.resolve(tools),
    page: () => Promise.resolve(pendingPage),
    clock: systemClock,
    log: silentLog,
  });
  tell({ what: 'open' });
}

function imageOf(folder: string): AgentResult {
  const image = { file: join(folder, 'a.png'), mimeType: 'image/png', data: new Uint8Array([1, 2, 3]) };
  return { text: `Saved ${image.file}`, structured: { id: 'r1', costCents: 4 }, images: [image] };
}
