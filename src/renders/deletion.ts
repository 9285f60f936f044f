import type { Clock } from '../base/clock';
import type { CatalogClient } from '../catalog/client';
import { forget } from './forgetting';
import type { Ledger } from './ledger';
import type { Library, LibraryEntry } from './library';
import type { RenderRecord } from './record';

/** Takes renders away: at the service, or what is known of them on this computer. */
export class Deletion {
  constructor(
    private readonly ledger: Ledger,
    private readonly library: Pick<Library, 'forget'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Deletes the render at the service (specification, section 10). What is on record of it stays. Rejects with
   * ServiceError.
   */
  async atService(
    { id, record, generationId = '' }: LibraryEntry,
    client: Pick<CatalogClient, 'delete'>,
  ): Promise<void> {
    await client.delete(generationId);
    if (record) this.ledger.advance(id, () => ({ deleted: true }));
    this.library.forget(generationId);
  }

  /**
   * As `forget` of forgetting: the renders of these keys, of which `each` is told before they are. Rejects with
   * LedgerError.
   */
  here(keys: readonly string[], each: (record: RenderRecord) => Promise<void>): Promise<number> {
    return forget(this.ledger, this.clock, keys, each);
  }
}
