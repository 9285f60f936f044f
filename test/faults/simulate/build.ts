import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import type { Bug, Edit } from './bugs';
import { root } from '../../editor/root';

const source = join(root, 'src');
const isCode = /\.tsx?$/;

/** The simulator's worker, optionally with a bug planted in the core: see `build`. */
export function buildWorker(bug?: Bug): Promise<string> {
  return build('test/faults/simulate/worker.ts', bug);
}

/**
 * Whether a file of unit tests fails, or never ends, with the bug planted: see `build`. Without it, the unit tests say
 * whether it passes.
 */
export async function failsIn(tests: string, bug: Bug): Promise<boolean> {
  const built = await build(tests, bug);
  const options = { cwd: root, timeout: 30_000, killSignal: 'SIGKILL', env: withoutRunner } as const;
  return new Promise((resolve) => execFile(process.execPath, [built], options, (error) => resolve(error !== null)));
}

/** A test that runs in a test's process would report to that. */
const withoutRunner = { ...process.env, NODE_TEST_CONTEXT: undefined };

/**
 * Builds a program, optionally with a bug planted in the core. Resolves with its path. Rejects unless each
 * text of the bug is in exactly one of the files that it's built of.
 */
async function build(program: string, bug: Bug | undefined): Promise<string> {
  const name = bug ? bug.name.replace(/[^a-z0-9]+/gi, '-').toLowerCase() : 'worker';
  const outfile = join(root, 'out', 'test', 'faults', 'simulate', `${name}.js`);
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [program],
    outfile,
    // Loads its own files by their paths.
    external: ['fast-check'],
    bundle: true,
    platform: 'node',
    target: 'node22',
    mainFields: ['module', 'main'],
    sourcemap: 'inline',
    logLevel: 'silent',
    plugins: bug ? [planting(bug)] : [],
  });
  return outfile;
}

/** Bugs that can't be planted, since the source has changed: where their text is. */
export function misplaced(bugs: readonly Bug[]): readonly string[] {
  const sources = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => isCode.test(path))
    .map((path) => ({ path, contents: readFileSync(join(source, path), 'utf8') }));
  return bugs.flatMap(({ name, edits }) =>
    edits.flatMap(({ find }) => {
      const places = sources.flatMap(({ path, contents }) =>
        Array.from({ length: placesIn(contents, find) }, () => path),
      );
      return places.length === 1 ? [] : `${name}: in ${places.join(', ') || 'no file'}`;
    }),
  );
}

function placesIn(contents: string, find: string): number {
  return contents.split(find).length - 1;
}

function planting({ name, edits }: Bug): esbuild.Plugin {
  return {
    name: 'planting',
    setup: (build) => {
      const planted: Edit[] = [];
      build.onLoad({ filter: isCode }, ({ path }) => {
        if (!path.startsWith(source)) return undefined;
        let contents = readFileSync(path, 'utf8');
        const here = edits.filter(({ find }) => contents.includes(find));
        for (const { find, replace } of here) contents = contents.split(find).join(replace);
        planted.push(...here);
        return here.length === 0 ? undefined : { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
      });
      build.onEnd(() => ({
        errors: edits
          .filter((edit) => planted.filter((one) => one === edit).length !== 1)
          .map(({ find }) => ({ text: `“${name}”: not one file of the core has “${find}”` })),
      }));
    },
  };
}
