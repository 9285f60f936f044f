import { releases, type Version } from './editor/codeServer';

/** The variables in which the runner tells the tests how much to do. */
export const extentVariables = {
  kills: 'MODEL_CATALOG_KILLS',
  schedules: 'MODEL_CATALOG_SCHEDULES',
  simulated: 'MODEL_CATALOG_SIMULATED',
  hunt: 'MODEL_CATALOG_HUNT',
  seed: 'MODEL_CATALOG_SEED',
  versions: 'MODEL_CATALOG_VERSIONS',
} as const;

// The runner recognizes a test file that does more at full size by its imports from here.

/** How many windows are killed. */
export const kills = numberOf('kills', 100);
/** How many schedules are simulated. */
export const schedules = numberOf('schedules', 5_000);
/** How many schedules an earlier run has simulated; this one continues after them. */
export const simulated = numberOf('simulated', 0);
/** How many schedules a planted bug may survive; 0 omits this test. */
export const hunt = numberOf('hunt', 8_000);
/** The seed of all chance. */
export const seed = numberOf('seed', 1);
/** The editors that window tests run in; both by default. */
export const versions = versionsOf(process.env[extentVariables.versions]);

function numberOf(name: Exclude<keyof typeof extentVariables, 'versions'>, usual: number): number {
  return Number(process.env[extentVariables[name]] ?? usual);
}

function versionsOf(named: string | undefined): Version[] {
  const all = Object.keys(releases) as Version[];
  return named === undefined ? all : all.filter((version) => named.split(',').includes(version));
}
