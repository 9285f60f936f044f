import { folderOf, foldersUp, resolved } from './paths';
import { type SiteBuilder, siteBuilders } from './siteBuilders';
import { isNotebook } from './syntax';

/** The site that a document belongs to. */
export interface Site {
  readonly builder: SiteBuilder;
  /** Relative to the workspace folder. */
  readonly folder: string;
  /** The text of its configuration; undefined if too long or unreadable. */
  readonly config: string | undefined;
  /** The folders that `/` means, relative to the site's folder; undefined if unknown. */
  readonly roots: readonly string[] | undefined;
  /** The prefix of `/` in the published site; undefined if unknown. */
  readonly base: string | undefined;
}

/** Reads a workspace folder, by paths relative to it. Nothing here rejects. */
export interface SiteFiles {
  has(path: string): Promise<boolean>;
  /** The text of a configuration file; undefined if it can't be read or is longer than `longestConfig`. */
  read(path: string): Promise<string | undefined>;
  /** Called for a readable configuration file that doesn't reveal its image folders. */
  isUnclear?(path: string): void;
}

/** The sites of a workspace folder, each looked for once. */
export class FolderSites {
  private readonly known = new Map<string, Promise<readonly Site[]>>();

  constructor(private readonly files: SiteFiles) {}

  /** The nearest site around a document, of a builder that reads such documents; undefined if none is known. */
  async of(documentPath: string): Promise<Site | undefined> {
    const isRead = ({ readsNotebooks }: SiteBuilder) => !isNotebook(documentPath) || readsNotebooks === true;
    for (const folder of foldersUp(folderOf(documentPath))) {
      const site = (await this.in(folder)).find(({ builder }) => isRead(builder));
      if (site) return site;
    }
    return undefined;
  }

  private in(folder: string): Promise<readonly Site[]> {
    let sites = this.known.get(folder);
    if (!sites) {
      sites = sitesIn(folder, this.files);
      this.known.set(folder, sites);
    }
    return sites;
  }
}

async function sitesIn(folder: string, files: SiteFiles): Promise<readonly Site[]> {
  const sites = await Promise.all(siteBuilders.map((builder) => siteIn(folder, builder, files)));
  return sites.flatMap((site) => site ?? []);
}

async function siteIn(folder: string, builder: SiteBuilder, files: SiteFiles): Promise<Site | undefined> {
  const paths = builder.files.map((file) => (folder === '' ? file : `${folder}/${file}`));
  const there = await Promise.all(paths.map((path) => files.has(path)));
  const path = paths.find((_, index) => there[index]);
  if (path === undefined) return undefined;
  const config = await files.read(path);
  // Read once for all links of all its documents.
  if (config === undefined) return { builder, folder, config, roots: undefined, base: undefined };
  if (builder.owns && !builder.owns(config)) return undefined;
  const home = resolved(folder, builder.home ?? '') ?? folder;
  const roots = builder.roots(config);
  // Some builders never reveal them.
  if (!roots && builder.roots('')) files.isUnclear?.(path);
  return { builder, folder: home, config, roots, base: builder.base ? builder.base(config) : '' };
}

/** The longest configuration file that is read, in bytes. */
export const longestConfig = 64 * 1024;

/**
 * The text of a configuration's top-level key, in YAML or TOML: `absent` if the key is missing; undefined if its value
 * can't be determined, such as a list, a reference, or several values.
 */
export function topLevelText(config: string, key: string, absent: string): string | undefined {
  const stated = config.split('\n').filter((line) => beginsWith(line, key));
  const [line] = stated;
  if (line === undefined) return absent;
  return stated.length > 1 ? undefined : literal(line.slice(key.length));
}

/** The same for a key of any table in TOML. */
export function tableText(config: string, key: string, absent: string): string | undefined {
  return topLevelText(config.replace(/^[ \t]{1,16}/gm, ''), key, absent);
}

/**
 * The same for a key in a script, anywhere but in a line comment. Only quoted values can be determined, and constants
 * of the same script.
 */
export function scriptText(config: string, key: string, absent: string): string | undefined {
  const code = config.split('\n').filter((line) => !/^\s*(?:\/\/|\*)/.test(line));
  const word = wordOf(key);
  const named = code.filter((line) => word.test(line));
  if (named.length === 0) return absent;
  const after = named.map((line) => line.slice(line.search(word) + key.length));
  const properties = after.filter((text) => /^\s{0,8}['"]?\s{0,8}:/.test(text));
  // Without a property, a constant with its name is what `{ key }` states.
  const stated = (properties.length > 0 ? properties : after).flatMap((text) => statedAfter(text) ?? []);
  const values = new Set(stated.map((value) => quotedIn(value) ?? constant(code, value)));
  const [value] = values;
  return values.size === 1 ? value : undefined;
}

/** The value of a constant that a script states once, quoted. */
function constant(code: readonly string[], value: string): string | undefined {
  const name = /^([A-Za-z_$][\w$]{0,80})\s{0,8}(?:[,;}]|$)/.exec(value)?.[1];
  if (name === undefined) return undefined;
  const word = wordOf(name);
  const stated = code.flatMap((line) => {
    const isConstant = /^\s{0,80}(?:export\s{1,8})?const\s/.test(line) && word.test(line);
    return isConstant ? (statedAfter(line.slice(line.search(word) + name.length)) ?? []) : [];
  });
  return stated.length === 1 ? quotedIn(stated[0] ?? '') : undefined;
}

function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
}

/** Whether a line of the configuration begins with this key, in any case. */
export function statesTopLevel(config: string, key: string): boolean {
  return config.split('\n').some((line) => beginsWith(line, key));
}

function beginsWith(line: string, key: string): boolean {
  return line.slice(0, key.length).toLowerCase() === key.toLowerCase() && /^\s*[:=]/.test(line.slice(key.length));
}

/** The text after a key. Longer texts aren't paths. */
function literal(afterKey: string): string | undefined {
  const value = statedAfter(afterKey) ?? '';
  const quoted = quotedIn(value);
  if (quoted !== undefined) return quoted;
  const bare = value.replace(/(?:^|\s)#.*/, '').trim();
  return bare === '' || /^[^\s[\]{}&*!|>%@"'`$,]+$/.test(bare) ? bare : undefined;
}

function statedAfter(afterKey: string): string | undefined {
  return /^\s{0,8}['"]?\s{0,8}[:=](?!=)\s{0,80}(.{0,300})/.exec(afterKey)?.[1];
}

function quotedIn(value: string): string | undefined {
  return /^(["'`])([^"'`\\$]*)\1/.exec(value)?.[2];
}

/**
 * The folders that websites serve from their root: `public` (Vite, Next, Astro, Nuxt, Vue, VitePress), `static`
 * (SvelteKit, Docusaurus, Hugo, Gatsby), and `wwwroot` (ASP.NET). They may be in any folder around the document, as in
 * a repository of several sites.
 */
const names = ['public', 'static', 'wwwroot'] as const;

/** The folders that `/` may mean in a site's document, nearest first. */
export function siteFolders(documentFolder: string): string[] {
  return foldersUp(documentFolder).flatMap((folder) =>
    names.map((name) => (folder === '' ? name : `${folder}/${name}`)),
  );
}
