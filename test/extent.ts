import { releases, type Version } from './editor/codeServer';

/** How the runner tells the tests how much to do. */
export const extentVariables = {
  kills: 'MODEL_CATALOG_KILLS',
  schedules: 'MODEL_CATALOG_SCHEDULES',
  simulated: 'MODEL_CATALOG_SIMULATED',
  hunt: 'MODEL_CATALOG_HUNT',
  seed: 'MODEL_CATALOG_SEED',
  versions: 'MODEL_CATALOG_VERSIONS',
} as const;

// A file of tests that does more at full size imports what it does of these: the runner goes by that.

/** How many windows are killed. */
export const kills = numberOf('kills', 120);
/** How many schedules are simulated. */
export const schedules = numberOf('schedules', 5_000);
/** How many schedules an earlier run has simulated: this one continues after them. */
export const simulated = numberOf('simulated', 0);
/** How many schedules a planted bug may survive; 0 leaves the hunt for them out. */
export const hunt = numberOf('hunt', 8_000);
/** What chance begins with. */
export const seed = numberOf('seed', 1);
/** The editors in which the window is tested: both, where nothing is said. */
export const versions = versionsOf(process.env[extentVariables.versions]);

function numberOf(name: Exclude<keyof typeof extentVariables, 'versions'>, usual: number): number {
  return Number(process.env[extentVariables[name]] ?? usual);
}

function versionsOf(named: string | undefined): Version[] {
  const all = Object.keys(releases) as Version[];
  return named === undefined ? all : all.filter((version) => named.split(',').includes(version));
}
