import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { GivenImage } from '../base/givenImage';
import { sniff } from './sniff';

/**
 * The bytes of images given as inputs in one project, each by its hash in a folder that only this user can read: hashes
 * are public, so what was chosen in one project can't be named in another. A cache: it forgets what nobody has chosen
 * for long, and bodies of renders have their images themselves. Synchronous, because what is recorded about an order is
 * complete before anything else happens.
 */
export class GivenImages {
  readonly folder: string;

  /** `root` has a folder for each project. */
  constructor(
    private readonly root: string,
    project: string,
  ) {
    this.folder = join(root, hashOf(Buffer.from(project)).slice(0, 32));
  }

  /** Keeps an image, on disk when it returns. `file` says where it's from. Throws when the disk doesn't take it. */
  keep(bytes: Uint8Array, file: string): GivenImage {
    const sha256 = hashOf(bytes);
    const { mediaType: type } = sniff(bytes);
    const image = { file, sha256, type, bytes: bytes.length };
    this.write(this.pathOf(image), bytes);
    return image;
  }

  /** Exactly the bytes of its hash; undefined when they aren't kept, or have changed on disk. */
  read(image: GivenImage): Uint8Array | undefined {
    try {
      const bytes = fs.readFileSync(this.pathOf(image));
      return hashOf(bytes) === image.sha256 ? bytes : undefined;
    } catch {
      // Not kept, or the folder can't be read.
      return undefined;
    }
  }

  /** True if there are bytes of this name; only reading proves that they are its own. */
  has(image: GivenImage): boolean {
    return fs.existsSync(this.pathOf(image));
  }

  /** In whichever project it was chosen. Never throws: at worst it's left for a sweep. */
  forget(image: GivenImage): void {
    const name = basename(this.pathOf(image));
    this.removeAll((path) => basename(path) === name);
  }

  /** Forgets all that were chosen in this project. Never throws. */
  forgetProject(): void {
    this.removeAll((path) => dirname(path) === this.folder);
  }

  /** Forgets what was last chosen before `before`, ms since 1970, in any project. Never throws. */
  sweep(before: number): void {
    this.removeAll((path) => fs.statSync(path).mtimeMs < before);
  }

  /** Pages show images by the extension of their files. The hash has been checked to be one, so it's a safe name. */
  pathOf({ sha256, type }: GivenImage): string {
    return join(this.folder, `${sha256}.${/^image\/([a-z0-9]+)/.exec(type)?.[1] ?? 'bin'}`);
  }

  private removeAll(isToRemove: (path: string) => boolean): void {
    try {
      for (const name of fs.readdirSync(this.root, { recursive: true, encoding: 'utf8' })) {
        const path = join(this.root, name);
        if (fs.statSync(path).isFile() && isToRemove(path)) fs.rmSync(path, { force: true });
      }
    } catch {
      // There's no folder yet, one is in use, or another window removes them too.
    }
  }

  private write(path: string, bytes: Uint8Array): void {
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const temporary = `${path}.${process.pid}.new`;
    fs.writeFileSync(temporary, bytes, { mode: 0o600 });
    fs.renameSync(temporary, path);
  }
}

/** The given images of a project, in the folder that also has the ledger; of windows without a folder by default. */
export function imagesIn(storage: string, project = ''): GivenImages {
  return new GivenImages(join(storage, 'images'), project);
}

/** As `imagesIn`, for a window by what the editor stores for it. */
export function imagesOf({ globalStorageUri, storageUri }: WindowStorage): GivenImages {
  return imagesIn(globalStorageUri.fsPath, storageUri?.toString());
}

interface WindowStorage {
  readonly globalStorageUri: { readonly fsPath: string };
  /** The workspace's own; undefined in a window without a folder. */
  readonly storageUri: { toString(): string } | undefined;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
