import type { Clock } from '../base/clock';
import type { CatalogClient } from '../catalog/client';
import { forget } from './forgetting';
import type { Ledger } from './ledger';
import type { Library, LibraryEntry } from './library';
import type { RenderRecord } from './record';

/** Files on this computer that go with the record of a render. */
interface Kept {
  /** Deletes those of the render with this key. Never rejects. */
  forget(key: string): Promise<void>;
}

/** Deletes renders at the service, or what is recorded of them on this computer. */
export class Deletion {
  private readonly kept: readonly Kept[];

  constructor(
    private readonly ledger: Ledger,
    private readonly library: Library,
    private readonly clock: Clock,
    ...kept: readonly Kept[]
  ) {
    this.kept = kept;
  }

  /** Deletes the render at the service (specification, section 10). Its record stays. Rejects with ServiceError. */
  async atService({ id, record, generationId = '' }: LibraryEntry, client: CatalogClient): Promise<void> {
    await client.delete(generationId);
    if (record) this.ledger.advance(id, () => ({ deleted: true }));
    this.library.forget(generationId);
  }

  /** Forgets the renders with these keys, as `forget`; calls `each` before each one. Rejects with LedgerError. */
  here(keys: readonly string[], each: (record: RenderRecord) => Promise<void>): Promise<number> {
    return forget(this.ledger, this.clock, keys, async (record) => {
      await each(record);
      for (const kept of this.kept) await kept.forget(record.key);
    });
  }
}
