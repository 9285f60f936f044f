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
          const parts = contents.split(find);
          if (parts.length !== 2)
            throw new Error(`“${name}”: its place is in ${file} ${parts.length - 1} times, not once`);
          contents = parts.join(replace);
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
