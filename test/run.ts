// `npm test [unit|faults|host|browser]`: runs the tests and closes with one line of counts. `--kills`, `--schedules` and `--seed` take a
// number: how much the tests of faults do, and with which chance.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { reasonOf } from '../src/base/errors';
import type { Search } from './canary';
import { obtainChromium } from './editor/chromium';
import { obtainServer } from './editor/codeServer';
import { runHostTests } from './editor/hostTests';
import { nodeWithSqlite } from './editor/node';
import { environment, type ReportLine, type TestResult } from './editor/results';
import { root } from './editor/root';
import { summary, tell } from './editor/telling';
import { searchTraces } from './editor/traces';
import { cameTooLate } from './late';

/** The kinds of tests, in the order they run: what fails fastest comes first. */
const suites: Record<string, () => Promise<TestResult[]>> = {
  unit: () => inNode('Unit tests', builtTests('test/unit', '.test')),
  faults: () => inNode('Tests of faults', builtTests('test/faults', '.test')),
  host: async () => [...(await inHost('min')), ...(await inHost('latest'))],
  browser: inBrowser,
};

const number = { type: 'string' } as const;
const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { kills: number, schedules: number, seed: number },
});
/** The tests read `--kills 5000` as MODEL_CATALOG_KILLS. */
const amounts = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [`MODEL_CATALOG_${name.toUpperCase()}`, value]),
);

async function main(): Promise<void> {
  const unknown = wanted.find((name) => !(name in suites));
  if (unknown !== undefined)
    throw new Error(`There are no tests "${unknown}": choose of ${Object.keys(suites).join(', ')}.`);
  const chosen = Object.keys(suites).filter((name) => wanted.length === 0 || wanted.includes(name));
  // What the later suites need is fetched while the first ones run; a failure is told by the suite that needs it.
  if (chosen.includes('host') || chosen.includes('browser')) {
    void Promise.allSettled([obtainServer('latest'), obtainServer('min'), obtainChromium()]);
  }
  const searches = await mkdtemp(join(tmpdir(), 'model-catalog-searches-'));
  const searched = join(searches, 'searches.jsonl');
  process.env[environment.traces] = searched;
  const results: TestResult[] = [];
  for (const name of chosen) results.push(...(await suites[name]!()));
  if (existsSync(searched)) results.push(tellSearches(await readFile(searched, 'utf8')));
  await rm(searches, { recursive: true });
  console.log(summary(results));
  process.exit(results.length > 0 && results.every(({ outcome }) => outcome !== 'failed') ? 0 : 1);
}

/** Prints what the searches for the key came to, as each was told in a line, and says whether it was found. */
function tellSearches(lines: string): TestResult {
  const searches = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Search);
  const sum = (count: (search: Search) => number) => searches.reduce((all, search) => all + count(search), 0);
  const hits = searches.flatMap((search) => search.hits);
  const bytes = (sum((search) => search.bytes) / 1e6).toFixed(1);
  const files = sum((search) => search.files).toLocaleString('en');
  console.log(`Searched for the API key: ${searches.length} folders, ${files} files, ${bytes} MB, ${hits.length} hits`);
  const name = 'the API key of the tests lies nowhere but in the editor’s store of secrets';
  return hits.length === 0
    ? { name, outcome: 'passed', took: 0 }
    : { name, outcome: 'failed', took: 0, error: hits.join('\n') };
}

async function inHost(version: 'min' | 'latest'): Promise<TestResult[]> {
  const modules = builtTests('test/editor/host', '.test').filter((module) => !module.endsWith('.browser.test.js'));
  if (modules.length === 0) return [];
  const results = await runHostTests({ version, modules });
  tell(`Tests inside VS Code (${version})`, results);
  return results;
}

/**
 * Each module opens an editor and a browser: one at a time is all two processors carry. On a busy machine what a test waits for may still come
 * too late; a module whose first failure was that is run once more, in a new editor, and told as unsteady. What is wrong is never tried again.
 */
async function inBrowser(): Promise<TestResult[]> {
  const results = await inNode('Browser tests', builtTests('test/editor', '.browser.test'), 1);
  const late = cameTooLate(results);
  if (late.length === 0) return results;
  for (const file of late) console.log(`Unsteady, once more: ${relative(root, file)}`);
  const again = await inNode('Browser tests, once more', late.map(builtFrom), 1);
  return [...results.filter(({ file }) => file === undefined || !late.includes(file)), ...again];
}

/** Runs modules of node:test, each in a process of its own. Never rejects: a runner that fails is a failed test. */
async function inNode(title: string, modules: readonly string[], concurrency = 2): Promise<TestResult[]> {
  if (modules.length === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), 'model-catalog-report-'));
  const report = join(folder, 'report.jsonl');
  const results: TestResult[] = [];
  const figures: string[] = [];
  try {
    // Who asks for more waits for it.
    const limit = Object.keys(amounts).length > 0 ? [] : ['--test-timeout=1800000'];
    const flags = [`--test-concurrency=${concurrency}`, ...limit];
    const reporter = [`--test-reporter=${join(root, 'test', 'reporter.mjs')}`, `--test-reporter-destination=${report}`];
    const node = spawn(await nodeWithSqlite(), ['--test', ...flags, ...reporter, ...modules], {
      stdio: 'inherit',
      env: { ...process.env, ...amounts, NODE_OPTIONS: '--enable-source-maps' },
    });
    const code = await new Promise((resolve, reject) => node.once('error', reject).once('close', resolve));
    searchTraces(folder);
    const written = (await readFile(report, 'utf8')).split('\n').filter((line) => line !== '');
    const lines = written.map((line) => JSON.parse(line) as ReportLine);
    results.push(...lines.flatMap((line) => ('result' in line ? [line.result] : [])));
    figures.push(...lines.flatMap((line) => ('figure' in line ? [line.figure] : [])));
    const failed = results.some(({ outcome }) => outcome === 'failed');
    if (code !== 0 && !failed) throw new Error(`Node ended with ${String(code)}.`);
  } catch (error) {
    results.push({ name: `${title} run to the end`, outcome: 'failed', took: 0, error: reasonOf(error) });
  }
  await rm(folder, { recursive: true });
  tell(title, results);
  for (const figure of figures) console.log(`  ${figure}`);
  return results;
}

/** Where the build put the tests in `folder` whose names end so; a test that was deleted is not run because it was once built. */
function builtTests(folder: string, ending: string): string[] {
  const source = join(root, folder);
  if (!existsSync(source)) return [];
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && file.replace(/\.tsx?$/, '').endsWith(ending))
    .map((file) => builtFrom(join(source, file)))
    .sort();
}

/** The built module of a source. */
function builtFrom(source: string): string {
  return join(root, 'out', relative(root, source)).replace(/\.tsx?$/, '.js');
}

main().catch((error: unknown) => {
  console.error(reasonOf(error));
  process.exit(1);
});
