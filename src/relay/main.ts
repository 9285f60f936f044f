// The program that outside agents run: `mcp.mjs <the extension's storage>`. It speaks the Model Context Protocol over
// standard input and output, and passes each call to the window that has the project open.
import { readFileSync } from 'node:fs';
import { systemClock } from '../base/clock';
import { serveAgent } from './mcp';
import { Relay } from './relay';

const [storage] = process.argv.slice(2);
if (storage === undefined) {
  console.error('Run Manage Agents… in VS Code to get the command that starts this program.');
  process.exit(1);
}
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};
const relay = new Relay(storage, workingFolder(), systemClock);
serveAgent(relay, version, systemClock);

/** Undefined once somebody deleted it: the system no longer says where this is. */
function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
