import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as esbuild from 'esbuild';
import type { Bug } from './bugs';
import { root } from '../../editor/root';

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
  const options = { cwd: root, timeout: 60_000, killSignal: 'SIGKILL', env: withoutRunner } as const;
  return new Promise((resolve) => execFile(process.execPath, [built], options, (error) => resolve(error !== null)));
}

/** A test that runs in a test's process would report to that. */
const withoutRunner = { ...process.env, NODE_TEST_CONTEXT: undefined };

/**
 * Builds a program, optionally with a bug planted in the core. Resolves with its path. Rejects unless the bug's text is
 * found exactly once.
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

/** Bugs that can't be planted, since the core has changed: how often their place is in their file. */
export function misplaced(bugs: readonly Bug[]): readonly string[] {
  return bugs.flatMap(({ name, edits }) =>
    edits
      .map(({ file, find }) => ({ file, places: placesIn(readFileSync(resolve(root, file), 'utf8'), find) }))
      .filter(({ places }) => places !== 1)
      .map(({ file, places }) => `${name}: ${places} times in ${file}`),
  );
}

function placesIn(contents: string, find: string): number {
  return contents.split(find).length - 1;
}

function planting({ name, edits }: Bug): esbuild.Plugin {
  return {
    name: 'planting',
    setup: (build) => {
      const planted = new Set<string>();
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const here = edits.filter(({ file }) => resolve(root, file) === resolve(path));
        if (here.length === 0) return undefined;
        let contents = readFileSync(path, 'utf8');
        for (const { file, find, replace } of here) {
          const places = placesIn(contents, find);
          if (places !== 1) throw new Error(`“${name}”: its place is in ${file} ${places} times, not once`);
          contents = contents.split(find).join(replace);
          planted.add(file);
        }
        return { contents, loader: 'ts' };
      });
      build.onEnd(() => ({
        errors: edits
          .filter(({ file }) => !planted.has(file))
          .map(({ file }) => ({ text: `“${name}”: ${file} is not part of the core` })),
      }));
    },
  };
}
