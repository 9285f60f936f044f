// `npm test [unit|faults|simulations|host|browser]`: runs the tests and ends with one line of counts. `--all` runs them
// at full size, `--rest` what the usual size omits of that; `unit --watch` runs the unit tests again whenever a source
// changes.
// `--kills`, `--schedules`, and `--seed` take a number: how much the fault tests do, and with which chance.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { reasonOf } from '../src/base/log';
import type { Search } from './canary';
import { obtainChromium } from './editor/chromium';
import { obtainServer, type Version } from './editor/codeServer';
import { runHostTests } from './editor/hostTests';
import { nodeWithSqlite } from './editor/node';
import { environment, type ReportLine, type TestResult } from './editor/results';
import { root } from './editor/root';
import { summary, tell, tellFailed, tellSlowest } from './editor/telling';
import { searchTraces } from './editor/traces';
import { extentVariables } from './extent';
import { cameTooLate } from './late';

/** How much is run. */
interface Extent {
  versions: readonly Version[];
  kills: number;
  schedules: number;
  /** How many schedules the usual extent has already simulated. */
  simulated: number;
  /** How many schedules a planted bug may survive; 0 omits this test. */
  hunt: number;
  /** The folders whose tests are all run, with those below; of the others, only those that depend on the extent. */
  whole: readonly string[];
  /** The tests in a browser that depend on the extent and are run, by the first part of their names; all if omitted. */
  browser?: readonly string[];
}

/**
 * What is run before a commit. Of the tests in a browser, only those that run in both editors: the ways that people go
 * most.
 */
const usual: Extent = {
  versions: ['latest'],
  kills: 100,
  schedules: 5_000,
  simulated: 0,
  hunt: 0,
  whole: ['test/unit', 'test/faults'],
};
const all: Extent = {
  versions: ['min', 'latest'],
  kills: 500,
  schedules: 20_000,
  simulated: 0,
  hunt: 8_000,
  whole: ['test/unit', 'test/faults', 'test/editor'],
};
/**
 * What the usual extent omits, in the time that two processors have for every change: half of the crashes and two
 * thirds of the schedules, and in the oldest editor only the main ways by browser, since the tests that need no page
 * run inside that editor too.
 */
const rest: Extent = {
  ...all,
  versions: ['min'],
  kills: 150,
  schedules: 10_000,
  simulated: usual.schedules,
  whole: all.whole.filter((folder) => !usual.whole.includes(folder)),
  browser: ['quickRender', 'renderFiles', 'renders', 'settings', 'smoke', 'tools'],
};

const flag = { type: 'boolean' } as const;
const number = { type: 'string' } as const;
const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { all: flag, rest: flag, watch: flag, kills: number, schedules: number, seed: number },
});
const extent = values.all ? all : values.rest ? rest : usual;

/** The kinds of tests, in the order they begin: the fastest to fail come first. */
const suites: Record<string, () => Promise<TestResult[]>> = {
  unit: () => inNode('Unit tests', wantedIn('test/unit', '.test')),
  simulations: () => inNode('Simulations', wantedIn('test/faults/simulate', '.test'), { isPatient: true }),
  faults: () =>
    inNode(
      'Tests of faults',
      ['hostile', 'kill'].flatMap((kind) => wantedIn(`test/faults/${kind}`, '.test')),
    ),
  host: async () => {
    const results: TestResult[] = [];
    for (const version of extent.versions) results.push(...(await inHost(version)));
    return results;
  },
  browser: inBrowser,
};

async function main(): Promise<void> {
  if (values.watch) return watch();
  const unknown = wanted.find((name) => !(name in suites));
  if (unknown !== undefined)
    throw new Error(`There are no tests "${unknown}": choose of ${Object.keys(suites).join(', ')}.`);
  const chosen = Object.keys(suites).filter((name) => wanted.length === 0 || wanted.includes(name));
  // Downloads what later suites need during the first ones; the suite that needs it reports a failure.
  if (chosen.includes('host') || chosen.includes('browser')) {
    void Promise.allSettled([...extent.versions.map(obtainServer), obtainChromium()]);
  }
  const searches = await mkdtemp(join(tmpdir(), 'model-catalog-searches-'));
  const searched = join(searches, 'searches.jsonl');
  process.env[environment.traces] = searched;
  process.env[extentVariables.versions] = extent.versions.join(',');
  process.env[extentVariables.kills] = values.kills ?? String(extent.kills);
  process.env[extentVariables.schedules] = values.schedules ?? String(extent.schedules);
  process.env[extentVariables.simulated] = String(extent.simulated);
  process.env[extentVariables.hunt] = String(extent.hunt);
  if (values.seed !== undefined) process.env[extentVariables.seed] = values.seed;
  const results = await runSuites(chosen);
  if (existsSync(searched)) results.push(tellSearches(await readFile(searched, 'utf8')));
  await rm(searches, { recursive: true });
  tellSlowest(results);
  tellFailed(results);
  console.log(summary(results));
  process.exit(results.length > 0 && results.every(({ outcome }) => outcome !== 'failed') ? 0 : 1);
}

/**
 * Runs the suites one after the other, except the simulations: they have a clock of their own, so that they can take
 * what those that mostly wait, for processes or editors, leave of the processors.
 */
async function runSuites(chosen: readonly string[]): Promise<TestResult[]> {
  const results: TestResult[] = [];
  let beside: Promise<TestResult[]> | undefined;
  for (const name of chosen) {
    const running = suites[name]!();
    if (name === 'simulations') beside = running;
    else results.push(...(await running));
  }
  return [...results, ...((await beside) ?? [])];
}

/** Prints the results of the searches for the key, one per line of the file, and returns whether it was found. */
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

/** A third of the modules in each of three editors, which mostly wait. */
async function inHost(version: Version): Promise<TestResult[]> {
  // The same tests in each version: none reads the extent.
  const modules = testsIn('test/editor/host', '.test')
    .filter((file) => !file.endsWith('.browser.test.ts'))
    .map(builtFrom);
  const began = performance.now();
  const thirds = [0, 1, 2].map((third) => modules.filter((_, index) => index % 3 === third));
  const results = (await Promise.all(thirds.map((some) => runHostTests({ version, modules: some })))).flat();
  tell(`Tests inside VS Code (${version})`, results, performance.now() - began);
  return results;
}

/**
 * Each module opens an editor and a browser. Two processors can run only two at a time, and even then a test may time
 * out. A module whose first failure was a timeout is run again, alone in a new editor, and reported as unsteady. Other
 * failures are never retried.
 */
async function inBrowser(): Promise<TestResult[]> {
  const results = await inNode('Browser tests', wantedIn('test/editor', '.browser.test'));
  const late = cameTooLate(results);
  if (late.length === 0) return results;
  for (const file of late) console.log(`Unsteady, once more: ${relative(root, file)}`);
  const again = await inNode('Browser tests, once more', late.map(builtFrom), { concurrency: 1 });
  return [...results.filter(({ file }) => file === undefined || !late.includes(file)), ...again];
}

/**
 * Runs modules of node:test, each in its own process; patient ones for as long as they take, and only while no others
 * need the processors. Never rejects: a runner that fails is a failed test.
 */
async function inNode(
  title: string,
  modules: readonly string[],
  { concurrency = 2, isPatient = false } = {},
): Promise<TestResult[]> {
  if (modules.length === 0) return [];
  const began = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'model-catalog-report-'));
  const report = join(folder, 'report.jsonl');
  const results: TestResult[] = [];
  const figures: string[] = [];
  try {
    // Whoever asks for more waits for it.
    const asksForMore = values.kills !== undefined || values.schedules !== undefined;
    const limit = asksForMore || isPatient ? [] : ['--test-timeout=1800000'];
    const flags = [`--test-concurrency=${concurrency}`, ...limit];
    const reporter = [`--test-reporter=${join(root, 'test', 'reporter.mjs')}`, `--test-reporter-destination=${report}`];
    const node = spawn(await nodeWithSqlite(), ['--test', ...flags, ...reporter, ...modules], {
      stdio: 'inherit',
      env: { ...process.env, NODE_OPTIONS: '--enable-source-maps' },
    });
    if (isPatient && node.pid !== undefined) setPriority(node.pid, constants.priority.PRIORITY_LOW);
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
  tell(title, results, performance.now() - began);
  for (const figure of figures) console.log(`  ${figure}`);
  return results;
}

/** Runs the unit tests, and reruns those whose sources change, until stopped. */
async function watch(): Promise<void> {
  const [node, modules] = [await nodeWithSqlite(), testsIn('test/unit', '.test').map(builtFrom)];
  const options = {
    stdio: 'inherit',
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '--enable-source-maps' },
  } as const;
  for (const program of [
    ['esbuild.mjs', '--watch'],
    ['--test', '--watch', '--test-reporter=dot', ...modules],
  ])
    spawn(node, program, options);
}

/** The test sources in `folder` whose names end like this. Ignores what was built from deleted ones. */
function testsIn(folder: string, ending: string): string[] {
  const source = join(root, folder);
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && file.replace(/\.tsx?$/, '').endsWith(ending))
    .map((file) => join(source, file))
    .sort();
}

/** The built modules of those that are to run. */
function wantedIn(folder: string, ending: string): string[] {
  return testsIn(folder, ending)
    .filter((source) => (differs(source) ? isWanted(source) : extent.whole.some((whole) => folder.startsWith(whole))))
    .map(builtFrom);
}

/** Whether a test that depends on the extent is run: all are, but in a browser only those that the extent names. */
function isWanted(source: string): boolean {
  if (!source.endsWith('.browser.test.ts')) return true;
  const [name] = basename(source).split('.');
  return name !== undefined && (extent.browser?.includes(name) ?? true);
}

/** Whether a test file does more, or something else, at another extent. */
function differs(source: string): boolean {
  return /from '[./]+\/extent'/.test(readFileSync(source, 'utf8'));
}

/** The built module of a source. */
function builtFrom(source: string): string {
  return join(root, 'out', relative(root, source)).replace(/\.tsx?$/, '.js');
}

main().catch((error: unknown) => {
  console.error(reasonOf(error));
  process.exit(1);
});
