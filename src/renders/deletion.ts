import type { Clock } from '../base/clock';
import type { CatalogClient } from '../catalog/client';
import type { Fitting } from './fitting';
import { forget } from './forgetting';
import type { Ledger } from './ledger';
import type { Library, LibraryEntry } from './library';
import type { RenderRecord } from './record';

/** Deletes renders at the service, or what is recorded of them on this computer. */
export class Deletion {
  constructor(
    private readonly ledger: Ledger,
    private readonly library: Pick<Library, 'forget'>,
    private readonly clock: Clock,
    private readonly fitting: Pick<Fitting, 'forget'>,
  ) {}

  /** Deletes the render at the service (specification, section 10). Its record stays. Rejects with ServiceError. */
  async atService(
    { id, record, generationId = '' }: LibraryEntry,
    client: Pick<CatalogClient, 'delete'>,
  ): Promise<void> {
    await client.delete(generationId);
    if (record) this.ledger.advance(id, () => ({ deleted: true }));
    this.library.forget(generationId);
  }

  /** Forgets the renders with these keys, as `forget`; calls `each` before each one. Rejects with LedgerError. */
  here(keys: readonly string[], each: (record: RenderRecord) => Promise<void>): Promise<number> {
    return forget(this.ledger, this.clock, keys, async (record) => {
      await each(record);
      await this.fitting.forget(record.key);
    });
  }
}
