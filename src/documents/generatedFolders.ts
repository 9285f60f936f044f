/** Folders that builds, package managers, and tests fill. Nobody writes documents in them. */
const names = [
  // Packages and vendored sources.
  ...['node_modules', 'bower_components', 'jspm_packages', 'vendor', 'third_party', 'third-party', 'Pods', 'Carthage'],
  ...['site-packages', 'venv', '.venv', '.tox', '.yarn', '.pnpm-store', '.bundle', '.cargo'],
  // Output of builds and caches.
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
  // Snapshots of tests.
  ...['__snapshots__', '__image_snapshots__', 'snapshots', '*-snapshots'],
];

/** Patterns for everything inside them, so that a search can skip it. */
export const generatedPatterns: readonly string[] = names.map((name) => `**/${name}/**`);

const whole: ReadonlySet<string> = new Set(names);

/** Whether a folder of this name is generated. */
export function isGenerated(name: string): boolean {
  return whole.has(name) || name.endsWith('-snapshots');
}
