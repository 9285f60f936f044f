import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as esbuild from 'esbuild';
import type { Bug } from './bugs';
import { root } from '../../editor/root';

/**
 * Builds the simulator's worker, optionally with a bug planted in the core. Rejects unless the bug's text is found
 * exactly once.
 */
export async function buildWorker(bug?: Bug): Promise<string> {
  const name = bug ? bug.name.replace(/[^a-z0-9]+/gi, '-').toLowerCase() : 'worker';
  const outfile = join(root, 'out', 'test', 'faults', 'simulate', `${name}.js`);
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['test/faults/simulate/worker.ts'],
    outfile,
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
