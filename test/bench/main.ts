// `npm run bench [-- names] [--write]`: measures what ships against peers and limits, and prints one table.
import { execFile, fork } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { reasonOf } from '../../src/base/log';
import { releases } from '../editor/codeServer';
import { nodeOfMajor } from '../editor/node';
import { root } from '../editor/root';
import { benches, isBench, type BenchName } from './benches';
import type { Outcome } from './outcome';
import type { Row } from './row';
import { table } from './table';

const readme = join(root, 'test', 'bench', 'README.md');
const marks = { begin: '<!-- table: begin -->', end: '<!-- table: end -->' };

/** How long a bench may take before it counts as stuck, ms. */
const longest = 600_000;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } });
  const unknown = positionals.filter((name) => !isBench(name));
  if (unknown.length > 0)
    throw new Error(`There is no bench ${unknown.join(', ')}: choose of ${Object.keys(benches).join(', ')}.`);
  const names = positionals.length > 0 ? positionals.filter(isBench) : (Object.keys(benches) as BenchName[]);
  const node = await nodeOfMajor(24);
  const rows: Row[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const begin = performance.now();
    const outcome = await run(name, node);
    const word = 'rows' in outcome ? 'measured' : 'failed';
    console.error(`${name}: ${word} in ${((performance.now() - begin) / 1000).toFixed(0)} s`);
    if ('rows' in outcome) rows.push(...outcome.rows);
    else problems.push(`${name} could not be run: ${outcome.problem}`);
  }
  const report = [await machine(node), table(rows), ...problems].join('\n\n');
  console.log(report);
  if (values.write) await write(report);
}

/** Runs a bench in its own process, on the Node of the newest editor. Never rejects. */
function run(name: BenchName, node: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const bench = fork(join(__dirname, 'one.js'), [name], { execPath: node, execArgv: ['--expose-gc'] });
    const stuck = setTimeout(() => bench.kill('SIGTERM'), longest);
    bench.once('message', (outcome) => resolve(outcome as Outcome));
    bench.once('error', (error) => resolve({ problem: reasonOf(error) }));
    bench.once('exit', (code) => {
      clearTimeout(stuck);
      resolve({ problem: `It ended with ${String(code)} and without a word.` });
    });
  });
}

async function machine(node: string): Promise<string> {
  const [processor] = cpus();
  const { stdout: version } = await promisify(execFile)(node, ['--version']);
  const date = new Date().toISOString().slice(0, 10);
  return `${date} · ${cpus().length} cores of ${processor?.model ?? 'an unknown processor'} · Node ${version.trim().slice(1)} · VS Code ${releases.latest.vscode}`;
}

async function write(report: string): Promise<void> {
  const text = await readFile(readme, 'utf8');
  const [before, after] = [text.indexOf(marks.begin), text.indexOf(marks.end)];
  if (before < 0 || after < before) throw new Error(`${readme} has lost its marks ${marks.begin} and ${marks.end}.`);
  await writeFile(readme, `${text.slice(0, before)}${marks.begin}\n\n${report}\n\n${text.slice(after)}`);
}

main().catch((error: unknown) => console.error(`The benches could not be run: ${reasonOf(error)}`));
