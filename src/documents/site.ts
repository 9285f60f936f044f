import { folderOf, foldersUp, resolved } from './paths';
import { siteBuilders, type SiteBuilder } from './siteBuilders';
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
  cannotTell?(path: string): void;
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
  if (!roots && builder.roots('')) files.cannotTell?.(path);
  return { builder, folder: home, config, roots, base: builder.base ? builder.base(config) : '' };
}
