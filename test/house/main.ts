// `npm run house`: measures of the sources, one per line.
import { readdirSync, readFileSync } from 'node:fs';
import { circles, folderImports } from './circles';
import { importersOf, largestCircle, ownImportsPer100, partsPer1000, repeated } from './figures';
import { readSources, type Source } from './sources';
import { waysIn } from './ways';

const widest = 120;
const long = 60;
const small = 20;

const sources = readSources();
for (const [name, figure] of Object.entries(figuresOf(sources))) console.log(`${name.padEnd(54)}${figure}`);

function figuresOf(sources: readonly Source[]): Record<string, string> {
  const sizes = sources.map(({ lines }) => lines.length);
  const functions = sources.flatMap((source) => source.functions.map(({ lines }) => lines));
  const features = new Set(sources.flatMap(({ path }) => /^features\/(\w+)\//.exec(path)?.[1] ?? []));
  const editors = sources.filter(importsEditor);
  const around = circles(folderImports(sources));
  return {
    'files / lines': `${sources.length} / ${sum(sizes)}`,
    'lines of a file: mean / median / p90 / max': `${Math.round(sum(sizes) / sizes.length)} / ${quantile(sizes, 0.5)} / ${quantile(sizes, 0.9)} / ${Math.max(...sizes)}`,
    [`files of at most ${small} lines`]: share(sizes, (lines) => lines <= small),
    [`lines of a function: p90 / over ${long}`]: `${quantile(functions, 0.9)} / ${share(functions, (lines) => lines > long)}`,
    'files that never import vscode': share(sources, (source) => !importsEditor(source)),
    [`lines over ${widest} characters`]: String(sum(sources.map(wideLines))),
    'lines of activate': String(activateLines(sources)),
    features: String(features.size),
    'files that import vscode / their lines': `${editors.length} / ${sum(editors.map(({ lines }) => lines.length))}`,
    'folders in circles': around.map((circle) => `${circle.length} (${circle.join(', ')})`).join('; ') || 'none',
    'largest circle of files, with types: all / not lazy': `${largestCircle(sources, { lazy: true })} / ${largestCircle(sources, { lazy: false })}`,
    'own imports per 100 lines': ownImportsPer100(sources).toFixed(2),
    'Pick and Omit per 1,000 lines': partsPer1000(sources).toFixed(2),
    'files with one importer': String(importersOf(sources).filter((count) => count === 1).length),
    'exported names that exist twice or more': String(repeated(sources.flatMap(({ exported }) => exported))),
    'names of types that exist twice or more': String(repeated(sources.flatMap(({ types }) => types))),
    ...Object.fromEntries(
      waysIn(readFileSync('src/README.md', 'utf8'), sources).map(({ name, files }) => [
        `files: ${name.replaceAll('_', '').toLowerCase()}`,
        String(files.length),
      ]),
    ),
    'scripts in the package': String(scripts().length),
    'lines of package.json': String(readFileSync('package.json', 'utf8').trimEnd().split('\n').length),
    'types called World, Parts, Port, Doors, Use': String(
      sources.flatMap(({ types }) => types).filter((name) => /(?:World|Parts|Port|Doors|Use)$/.test(name)).length,
    ),
  };
}

function importsEditor({ imports }: Source): boolean {
  return imports.some(({ from }) => from === 'vscode');
}

function wideLines({ lines }: Source): number {
  return lines.filter((line) => line.length > widest).length;
}

function activateLines(sources: readonly Source[]): number {
  const entry = sources.find(({ path }) => path === 'extension');
  return entry?.functions.find(({ name }) => name === 'activate')?.lines ?? 0;
}

/** The built scripts, of which the package has all. */
function scripts(): string[] {
  return readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((file) => /\.m?js$/.test(file));
}

function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * share)] ?? 0;
}

function share<T>(all: readonly T[], is: (one: T) => boolean): string {
  return `${((100 * all.filter(is).length) / all.length).toFixed(2)} %`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
