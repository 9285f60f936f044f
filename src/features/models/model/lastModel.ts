import type { Store } from '../../../base/store';

/** The default model: the one a person set, else the last one used that way without a failure. */
export class LastModel {
  constructor(
    private readonly everywhere: Store,
    private readonly key = 'quickRender.lastModel',
    private readonly chosen: () => string = () => '',
  ) {}

  read(): string | undefined {
    return this.chosen() || this.kept(this.key);
  }

  async keep(modelId: string): Promise<void> {
    const before = this.kept(this.key);
    if (before === modelId) return;
    await this.everywhere.update(this.beforeKey, before);
    await this.everywhere.update(this.key, modelId);
  }

  /** A render with this model failed: if it was the last one, the previous one is restored. */
  async failed(modelId: string): Promise<void> {
    if (this.kept(this.key) !== modelId) return;
    await this.everywhere.update(this.key, this.kept(this.beforeKey));
    await this.everywhere.update(this.beforeKey, undefined);
  }

  private get beforeKey(): string {
    return `${this.key}.before`;
  }

  private kept(key: string): string | undefined {
    const kept = this.everywhere.get(key);
    return typeof kept === 'string' && kept !== '' ? kept : undefined;
  }
}
