import type { Store } from '../../../base/store';

const key = 'targets.lastFolder';

/** The workspace folder that the user last chose for results, of several. */
export class LastFolder {
  constructor(private readonly workspace: Store) {}

  /** Its URI, if it's among the open ones. */
  among(open: readonly string[]): string | undefined {
    const kept = this.workspace.get(key);
    return open.find((folder) => folder === kept);
  }

  async keep(folder: string): Promise<void> {
    await this.workspace.update(key, folder);
  }
}
