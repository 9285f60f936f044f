import { reasonOf } from '../../base/errors';
import type { Lazy } from '../../base/lazy';
import type { Log } from '../../base/log';
import type { CatalogClient } from '../../catalog/client';
import { ServiceError } from '../../catalog/errors';
import type { Session } from '../../catalog/session';
import type { Listing, ModelSummary } from '../../catalog/types';
import { placeName } from '../../catalog/placeName';
import type { KeptModels, ListOwner } from './keptModels';

/** The models as a view shows them. */
export interface ShownModels {
  readonly listing: Listing<ModelSummary>;
  /** When the service gave this list, ms since 1970. */
  readonly at: number;
  /** The service does not answer now: this is the list it gave before. */
  readonly kept: boolean;
}

/** What is asked of the session. */
export type ListSession = Pick<Session, 'state' | 'models' | 'modelsAt'> & {
  readonly client: Pick<CatalogClient, 'account'> | undefined;
};

/**
 * The list of models for those who show it: the service's own and, while that does not answer, the one it gave last.
 */
export class ModelList {
  private written: Listing<ModelSummary> | undefined;

  constructor(
    private readonly session: ListSession,
    private readonly keeping: Lazy<Pick<KeptModels, 'read' | 'write'>>,
    private readonly log: Log,
  ) {}

  /** Rejects with ServiceError when there is neither. */
  async read(): Promise<ShownModels> {
    const owner = this.owner();
    try {
      const listing = await this.session.models();
      // One that was asked for anew meanwhile has just come.
      const at = this.session.modelsAt ?? Date.now();
      if (owner && listing !== this.written) void this.keep(owner, listing, at);
      return { listing, at, kept: false };
    } catch (error) {
      const kept = owner && isAway(error) ? await this.keptOf(owner) : undefined;
      if (!kept) throw error;
      if (!this.isOf(owner)) throw new ServiceError('cancelled', 'The list is of an earlier connection');
      return { ...kept, kept: true };
    }
  }

  /** Never rejects: without the copy there is only less to show another day. */
  private async keep(owner: ListOwner, listing: Listing<ModelSummary>, at: number): Promise<void> {
    this.written = listing;
    try {
      await (await this.keeping.get()).write(owner, listing, at);
    } catch (error) {
      this.log.warn(`Couldn’t save the list of models: ${reasonOf(error)}`);
    }
  }

  private async keptOf(owner: ListOwner) {
    try {
      return await (await this.keeping.get()).read(owner);
    } catch (error) {
      this.log.warn(`Couldn’t read the saved list of models: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** Undefined for the sandbox, which is always there. */
  private owner(): ListOwner | undefined {
    const { client, state } = this.session;
    if (!client || !state.place || state.place.sandbox) return undefined;
    return { place: placeName(state.place), account: client.account };
  }

  private isOf(owner: ListOwner | undefined): boolean {
    const now = this.owner();
    return now?.place === owner?.place && now?.account === owner?.account;
  }
}

/** True when the service cannot be reached, or cannot answer for a reason of its own. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return error.kind === 'noAnswer' || (error.kind === 'status' && (error.status ?? 0) >= 500);
}
