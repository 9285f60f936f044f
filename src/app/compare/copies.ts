import type { Clock } from '../../base/clock';
import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import type { Random } from '../../base/random';
import { below } from '../../files/below';
import { hashed } from '../../files/hashed';
import { isInside } from '../../files/sameFile';
import type { WorkspaceFiles } from '../../files/workspaceSink';

/**
 * Copies of pictures that a page could not load from where they are, in a folder that all windows share. Each window
 * names its own, so that none takes away what another one shows.
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

  /** The URI of a copy; of the same bytes it is the same one. `ending` with its dot, or ''. */
  async of(bytes: Uint8Array, ending: string): Promise<string> {
    const { sha256 } = await hashed(bytes, this.clock);
    const copy = below(this.folder, [`${this.window}-${sha256}${ending}`]);
    await this.files.writeFile(copy, bytes);
    return copy;
  }

  /**
   * Removes those of the pictures (URIs) that are copies and not in use any more. Never rejects: what cannot be removed
   * is in nobody's way.
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
