/** Folders that package managers and version control fill. */
const packages = [
  ...['node_modules', 'bower_components', 'jspm_packages', 'Pods', 'Carthage', '.git', '.hg', '.svn'],
  ...['site-packages', 'venv', '.venv', '.tox', '.yarn', '.pnpm-store', '.bundle', '.cargo', '__pycache__'],
];

/** Folders that builds, package managers, and tests fill. Nobody writes documents in them. */
const names = [
  ...packages,
  // Vendored sources.
  ...['vendor', 'third_party', 'third-party'],
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
  ...['coverage', 'htmlcov'],
  // Snapshots of tests.
  ...['__snapshots__', '__image_snapshots__', 'snapshots', '*-snapshots'],
];

/** Patterns for everything inside them, so that a search can skip it. */
export const generatedPatterns = names.map(inside);

/** The same for packages and version control alone: documents show images of builds, too. */
export const packagePatterns = packages.map(inside);

const whole: ReadonlySet<string> = new Set(names);

function inside(name: string): string {
  return `**/${name}/**`;
}

/** Whether a folder of this name is generated. */
export function isGenerated(name: string): boolean {
  return whole.has(name) || name.endsWith('-snapshots');
}
