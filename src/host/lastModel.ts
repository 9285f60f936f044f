import type { Store } from './drafts';

const key = 'quickRender.lastModel';

/** The model a quick render begins with: the one last rendered that way. */
export class LastModel {
  constructor(private readonly everywhere: Store) {}

  read(): string | undefined {
    const kept = this.everywhere.get(key);
    return typeof kept === 'string' && kept !== '' ? kept : undefined;
  }

  async keep(modelId: string): Promise<void> {
    await this.everywhere.update(key, modelId);
  }
}
