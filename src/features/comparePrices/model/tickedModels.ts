import * as z from 'zod/mini';
import type { Store } from '../../../base/store';

const key = 'comparePrices.ticked';

/** The models that one prompt was last rendered with: selected again next time. */
export class TickedModels {
  constructor(private readonly everywhere: Store) {}

  /** Their ids. */
  read(): readonly string[] {
    return z.array(z.string()).safeParse(this.everywhere.get(key)).data ?? [];
  }

  async keep(modelIds: readonly string[]): Promise<void> {
    await this.everywhere.update(key, [...modelIds]);
  }
}
