import type { Store } from './drafts';

/** The model something begins with: the one last used that way. */
export class LastModel {
  constructor(
    private readonly everywhere: Store,
    private readonly key = 'quickRender.lastModel',
  ) {}

  read(): string | undefined {
    const kept = this.everywhere.get(this.key);
    return typeof kept === 'string' && kept !== '' ? kept : undefined;
  }

  async keep(modelId: string): Promise<void> {
    await this.everywhere.update(this.key, modelId);
  }
}
