/** Folders that builds, package managers and tests fill: nobody writes documents in them. */
const names = [
  // Packages and copies of others' sources.
  ...['node_modules', 'bower_components', 'jspm_packages', 'vendor', 'third_party', 'third-party', 'Pods', 'Carthage'],
  ...['site-packages', 'venv', '.venv', '.tox', '.yarn', '.pnpm-store', '.bundle', '.cargo'],
  // Left behind by builds and caches.
  ...['dist', 'build', '_build', 'out', 'target', '_site', '_book', '.jekyll-cache', '.next', '.nuxt', '.output'],
  ...[
    '.svelte-kit',
    '.docusaurus',
    '.astro',
    '.vercel',
    '.netlify',
    '.cache',
    '.parcel-cache',
    '.turbo',
    '.hugo_build',
  ],
  ...['coverage', 'htmlcov', '__pycache__', '.git', '.hg', '.svn'],
  // Compared with by tests.
  ...['__snapshots__', '__image_snapshots__', 'snapshots', '*-snapshots'],
];

/** Patterns of what lies in any of them, for a search that needn't enter them. */
export const generatedPatterns: readonly string[] = names.map((name) => `**/${name}/**`);

const whole: ReadonlySet<string> = new Set(names);

/** True for the name of such a folder. */
export function isGenerated(name: string): boolean {
  return whole.has(name) || name.endsWith('-snapshots');
}
