import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { graphicEndings } from '../../../src/documents/destination';
import { Ignored } from '../../../src/documents/ignored';
import type { Surroundings } from '../../../src/documents/linkPath';
import { endingOf, folderOf, foldersUp } from '../../../src/documents/paths';
import { FolderSites, longestConfig } from '../../../src/documents/site';

/** A workspace folder as the search for missing images sees it, at one time. */
export class SeenFolder {
  private readonly there: Set<string>;
  private readonly byName = new Map<string, string[]>();
  readonly ignored: Ignored;
  private readonly sites: FolderSites;

  constructor(
    readonly files: readonly string[],
    private readonly text: (path: string) => string,
  ) {
    this.there = new Set(files.flatMap((file) => [file, ...foldersUp(folderOf(file))]).concat(''));
    for (const file of files.filter((path) => graphicEndings.has(endingOf(path)))) {
      const name = nameOf(file);
      this.byName.set(name, [...(this.byName.get(name) ?? []), file]);
    }
    const read = (path: string) => this.read(path);
    this.ignored = new Ignored(read, '');
    this.sites = new FolderSites({ has: (path) => Promise.resolve(this.there.has(path)), read });
  }

  /** A folder on disk. */
  static at(root: string): SeenFolder {
    const files = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
    return new SeenFolder(files.sort(), (path) => readFileSync(join(root, path), 'utf8'));
  }

  /** Around a document, without some images, and with renders in progress for others. */
  around(
    documentPath: string,
    deleted: ReadonlySet<string> = new Set(),
    isAwaited: (path: string) => boolean = () => false,
  ): Surroundings {
    const has = (path: string) => Promise.resolve(this.there.has(path) && !deleted.has(path));
    return {
      turn: () => Promise.resolve(),
      has,
      named: (name) => Promise.resolve(this.named(name).filter((path) => !deleted.has(path))),
      isIgnored: (path) => this.ignored.has(path),
      site: () => this.sites.of(documentPath),
      isAwaited: (path) => Promise.resolve(isAwaited(path)),
    };
  }

  /** The images with a file name, in any case. */
  named(name: string): readonly string[] {
    return this.byName.get(name.toLowerCase()) ?? [];
  }

  private read(path: string): Promise<string | undefined> {
    const text = this.there.has(path) ? this.text(path) : undefined;
    return Promise.resolve(text !== undefined && text.length <= longestConfig ? text : undefined);
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}
