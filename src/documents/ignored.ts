import { folderOf, foldersUp } from './paths';

/** One line of a `.gitignore`. */
interface IgnoreRule {
  /** Re-includes the files it names. */
  readonly isException: boolean;
  readonly foldersOnly: boolean;
  /** Matches from the folder of its file; otherwise at any depth. */
  readonly isAnchored: boolean;
  readonly segments: readonly PathSegment[];
}

/** The pattern of one name between slashes. */
interface PathSegment {
  readonly text: string;
  /** Its characters, classes, and wildcards; undefined for a plain name. */
  readonly parts: readonly string[] | undefined;
}

/** Ignores further or longer lines. No real project has them. */
const mostRules = 500;
const longestRule = 128;

/** What applies to the files in a folder. */
interface FolderRules {
  readonly isIgnored: boolean;
  /** The nearest file first, each with the folder that its paths begin in. Files without a rule are left out. */
  readonly files: readonly { readonly folder: string; readonly rules: readonly IgnoreRule[] }[];
}

/** Which files of a workspace folder its `.gitignore` files exclude. Reads each file once per search. */
export class Ignored {
  private readonly folders = new Map<string, Promise<FolderRules>>();
  private readonly chosen: ReadonlySet<string>;

  /**
   * The folder `within` is never ignored, since somebody chose it. Calls `cut` for each file that exceeds the limits on
   * lines.
   */
  constructor(
    /** The text of a file by its path; undefined if there is none. Never rejects. */
    private readonly read: (path: string) => Promise<string | undefined>,
    within: string,
    private readonly cut: (path: string) => void = () => {},
  ) {
    this.chosen = new Set(foldersUp(within));
  }

  /** Whether a file is excluded. The path is relative to the workspace folder. */
  async has(path: string): Promise<boolean> {
    const folder = await this.rulesIn(folderOf(path));
    return folder.isIgnored || isNamed(folder, path, false);
  }

  private rulesIn(folder: string): Promise<FolderRules> {
    let rules = this.folders.get(folder);
    if (!rules) {
      rules = this.readFolder(folder);
      this.folders.set(folder, rules);
    }
    return rules;
  }

  private async readFolder(folder: string): Promise<FolderRules> {
    const above = folder === '' ? { isIgnored: false, files: [] } : await this.rulesIn(folderOf(folder));
    // Files in an excluded folder can't be re-included.
    if (!this.chosen.has(folder) && (above.isIgnored || isNamed(above, folder, true)))
      return { isIgnored: true, files: [] };
    const rules = await this.readRules(folder === '' ? '.gitignore' : `${folder}/.gitignore`);
    return { isIgnored: false, files: rules.length > 0 ? [{ folder, rules }, ...above.files] : above.files };
  }

  private async readRules(path: string): Promise<readonly IgnoreRule[]> {
    const stated = linesOf((await this.read(path)) ?? '');
    const heeded = stated.filter((line) => line.length <= longestRule).slice(0, mostRules);
    if (heeded.length < stated.length) this.cut(path);
    return heeded.map(ruleOf);
  }
}

/** The last matching rule of the nearest file wins. */
function isNamed({ files }: FolderRules, path: string, isFolder: boolean): boolean {
  for (const { folder, rules } of files) {
    const segments = (folder === '' ? path : path.slice(folder.length + 1)).split('/');
    const rule = rules.findLast((one) => names(one, segments, isFolder));
    if (rule) return !rule.isException;
  }
  return false;
}

/** The lines that state a rule. */
function linesOf(text: string): string[] {
  const lines = text.split('\n', mostRules * 4).map((line) => line.trimEnd());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

function ruleOf(line: string): IgnoreRule {
  const isException = line.startsWith('!');
  const pattern = isException ? line.slice(1) : line;
  const foldersOnly = pattern.endsWith('/');
  const path = foldersOnly ? pattern.slice(0, -1) : pattern;
  // An empty segment, as between two slashes, matches no name.
  const segments = path.replace(/^\//, '').split('/').map(segmentOf);
  return { isException, foldersOnly, isAnchored: path.includes('/'), segments };
}

function segmentOf(text: string): PathSegment {
  const parts = /[*?[\\]/.test(text) ? (text.match(/\\.|\[[!^]?\]?[^\]]*\]|[^]/gu) ?? []) : undefined;
  return { text, parts };
}

function names({ segments, isAnchored, foldersOnly }: IgnoreRule, path: readonly string[], isFolder: boolean): boolean {
  if (foldersOnly && !isFolder) return false;
  const [first] = segments;
  if (!isAnchored) return first !== undefined && isLike(path.at(-1) ?? '', first);
  return likeEach(path, segments, { isAny: ({ text }) => /^\*{2,}$/.test(text), isSame: isLike, isEndOpen: false });
}

function isLike(name: string, { text, parts }: PathSegment): boolean {
  if (!parts) return name === text;
  return likeEach(Array.from(name), parts, { isAny: (one) => one === '*', isSame: isLikeCharacter, isEndOpen: true });
}

function isLikeCharacter(character: string, part: string): boolean {
  if (part === '?') return true;
  if (part.length > 2 && part.startsWith('[')) return isInClass(character, part.slice(1, -1));
  return character === (part.startsWith('\\') && part.length > 1 ? part.slice(1) : part);
}

function isInClass(character: string, text: string): boolean {
  const isNot = /^[!^]/.test(text);
  const members = isNot ? text.slice(1) : text;
  let isIn = false;
  for (let at = 0; at < members.length; at++) {
    const first = members[at] ?? '';
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    const last = isRange ? (members[at + 2] ?? '') : first;
    if (first <= character && character <= last) isIn = true;
    if (isRange) at += 2;
  }
  return isIn !== isNot;
}

interface Likeness<Part> {
  /** The part matches any number of items. */
  readonly isAny: (part: Part) => boolean;
  readonly isSame: (thing: string, part: Part) => boolean;
  /** A final part that matches any number also matches none. */
  readonly isEndOpen: boolean;
}

/** Backtracks only to the last part that matches any number, so that the cost is at most items times parts. */
function likeEach<Part>(
  things: readonly string[],
  parts: readonly Part[],
  { isAny, isSame, isEndOpen }: Likeness<Part>,
): boolean {
  let [at, part] = [0, 0];
  let back: { at: number; part: number } | undefined;
  while (at < things.length) {
    const one = parts[part];
    if (one !== undefined && isAny(one)) back = { at, part: ++part };
    else if (one !== undefined && isSame(things[at] ?? '', one)) [at, part] = [at + 1, part + 1];
    else if (back) [at, part] = [++back.at, back.part];
    else return false;
  }
  return part === parts.length || (isEndOpen && parts.slice(part).every((one) => isAny(one)));
}

/** Folders that package managers and version control fill. */
const packages = [
  ...['node_modules', 'bower_components', 'jspm_packages', 'Pods', 'Carthage', '.git', '.hg', '.svn'],
  ...['site-packages', 'venv', '.venv', '.tox', '.yarn', '.pnpm-store', '.bundle', '.cargo', '__pycache__'],
];

/** Folders that builds, package managers, and tests fill. Nobody writes documents in them. */
const generated = [
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
export const generatedPatterns = generated.map(inside);

/** The same for packages and version control alone: documents show images of builds, too. */
export const packagePatterns = packages.map(inside);

const whole: ReadonlySet<string> = new Set(generated);

function inside(name: string): string {
  return `**/${name}/**`;
}

/** Whether a folder of this name is generated. */
export function isGenerated(name: string): boolean {
  return whole.has(name) || name.endsWith('-snapshots');
}
