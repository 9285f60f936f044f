import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { GivenImage } from '../base/givenImage';
import { sniff } from './sniff';

/**
 * The bytes of images given as inputs, each by its hash in a folder that only this user can read. A cache: it forgets
 * what nobody has chosen for long, and bodies of renders have their images themselves. Synchronous, because what is
 * recorded about an order is complete before anything else happens.
 */
export class GivenImages {
  constructor(readonly folder: string) {}

  /** Keeps an image, on disk when it returns. `file` says where it's from. Throws when the disk doesn't take it. */
  keep(bytes: Uint8Array, file: string): GivenImage {
    const sha256 = hashOf(bytes);
    const { mediaType: type } = sniff(bytes);
    const image = { file, sha256, type, bytes: bytes.length };
    this.write(this.pathOf(image), bytes);
    return image;
  }

  /** Exactly the bytes of its hash; undefined when they aren't kept, or have changed on disk. */
  read(image: Pick<GivenImage, 'sha256' | 'type'>): Uint8Array | undefined {
    try {
      const bytes = fs.readFileSync(this.pathOf(image));
      return hashOf(bytes) === image.sha256 ? bytes : undefined;
    } catch {
      // Not kept, or the folder can't be read.
      return undefined;
    }
  }

  /** True if there are bytes of this name; only reading proves that they are its own. */
  has(image: Pick<GivenImage, 'sha256' | 'type'>): boolean {
    return fs.existsSync(this.pathOf(image));
  }

  /** Never throws: at worst it's left for a sweep. */
  forget(image: Pick<GivenImage, 'sha256' | 'type'>): void {
    try {
      fs.rmSync(this.pathOf(image), { force: true });
    } catch {
      // It's in use, or the folder can't be written.
    }
  }

  /** Forgets what was last chosen before `before`, ms since 1970. Never throws. */
  sweep(before: number): void {
    try {
      for (const name of fs.readdirSync(this.folder)) {
        const path = join(this.folder, name);
        if (fs.statSync(path).mtimeMs < before) fs.rmSync(path, { force: true });
      }
    } catch {
      // There's no folder yet, or another window sweeps too.
    }
  }

  /** Pages show images by the extension of their files. The hash has been checked to be one, so it's a safe name. */
  pathOf({ sha256, type }: Pick<GivenImage, 'sha256' | 'type'>): string {
    return join(this.folder, `${sha256}.${/^image\/([a-z0-9]+)/.exec(type)?.[1] ?? 'bin'}`);
  }

  private write(path: string, bytes: Uint8Array): void {
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const temporary = `${path}.${process.pid}.new`;
    fs.writeFileSync(temporary, bytes, { mode: 0o600 });
    fs.renameSync(temporary, path);
  }
}

/** The given images of this user, in the folder that also has the ledger. */
export function imagesIn(storage: string): GivenImages {
  return new GivenImages(join(storage, 'images'));
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
