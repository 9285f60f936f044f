import type { Clock } from '../../../base/clock';
import { reasonOf } from '../../../base/errors';
import type { Log } from '../../../base/log';
import type { Random } from '../../../base/random';
import { below } from '../../../files/below';
import { hashed } from '../../../files/hashed';
import { isInside } from '../../../files/sameFile';
import type { WorkspaceFiles } from '../../../files/workspaceSink';

/**
 * Copies of images that a page couldn't load from where they are, in a folder that all windows share. Each window uses
 * its own names, so that none removes what another one shows.
 */
export class Copies {
  private readonly window: string;

  constructor(
    /** URI. */
    private readonly folder: string,
    private readonly files: Pick<WorkspaceFiles, 'writeFile' | 'delete'>,
    private readonly clock: Clock,
    random: Pick<Random, 'uuid'>,
    private readonly log: Log,
  ) {
    this.window = random.uuid();
  }

  /** The URI of a copy; equal bytes give the same one. `ending` includes its dot, or is ''. */
  async of(bytes: Uint8Array, ending: string): Promise<string> {
    const { sha256 } = await hashed(bytes, this.clock);
    const copy = below(this.folder, [`${this.window}-${sha256}${ending}`]);
    await this.files.writeFile(copy, bytes);
    return copy;
  }

  /**
   * Removes the images (URIs) that are copies and no longer in use. Never rejects: a file that can't be removed does no
   * harm.
   */
  async remove(pictures: readonly string[], inUse: ReadonlySet<string>): Promise<void> {
    for (const uri of pictures) {
      if (!isInside(uri, this.folder) || inUse.has(uri)) continue;
      try {
        await this.files.delete(uri);
      } catch (error) {
        this.log.warn(`Comparison: ${reasonOf(error)}`);
      }
    }
  }
}
