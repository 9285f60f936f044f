// The program that checks render files without an editor: `node check.mjs [folder]`. It needs no key and no network.
import { statSync } from 'node:fs';
import { systemClock } from '../base/clock';
import { checkFolder } from './checkFolder';

const usage = `Usage: node check.mjs [folder]

Checks the render files (renders.jsonc, *.renders.jsonc) in a folder, by default the current one, and prints a line for
each image that isn’t current and for each error.

Exit codes: 0 all images are current · 1 some are missing, stale, or unreadable, or a file has errors · 2 wrong arguments`;

process.exitCode = await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<number> {
  if (args.length === 1 && /^(--help|-h)$/.test(args.join())) {
    console.log(usage);
    return 0;
  }
  const [folder = '.'] = args;
  if (args.length > 1 || folder.startsWith('-')) {
    console.error(usage);
    return 2;
  }
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    console.error(`The folder ${folder} doesn’t exist.`);
    return 2;
  }
  const { lines, isGood } = await checkFolder(folder, systemClock);
  for (const line of lines) console.log(line);
  return isGood ? 0 : 1;
}
