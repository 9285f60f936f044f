import { reasonOf } from '../../../base/errors';
import type { Lazy } from '../../../base/lazy';
import type { Log } from '../../../base/log';
import type { CatalogClient } from '../../../catalog/client';
import { isLimit, ServiceError } from '../../../catalog/errors';
import type { Session } from '../../../catalog/session';
import type { Listing, ModelSummary } from '../../../catalog/types';
import { placeName } from '../../../catalog/placeName';
import type { KeptModels, ListOwner } from './keptModels';

/** The models as views show them. */
export interface ShownModels {
  readonly listing: Listing<ModelSummary>;
  /** When the service returned this list, ms since 1970. */
  readonly at: number;
  /** The service isn't returning its list: this is an earlier one. */
  readonly kept: boolean;
}

/** The part of the session that is used. */
export type ListSession = Pick<Session, 'state' | 'models' | 'modelsAt'> & {
  readonly client: Pick<CatalogClient, 'account' | 'language'> | undefined;
};

/** The list of models for views: the service's own or, while it isn't returning that, its last one. */
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
      // A list requested meanwhile may have just arrived.
      const at = this.session.modelsAt ?? Date.now();
      if (owner && listing !== this.written) void this.keep(owner, listing, at);
      return { listing, at, kept: false };
    } catch (error) {
      const kept = owner && isAway(error) ? await this.keptOf(owner) : undefined;
      if (!kept) throw error;
      if (!this.isOf(owner)) throw new ServiceError('cancelled', 'The list is from an earlier connection');
      return { ...kept, kept: true };
    }
  }

  /** Never rejects: without the copy there's only less to show another day. */
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

  /** Undefined for the sandbox, which is always available. */
  private owner(): ListOwner | undefined {
    const { client, state } = this.session;
    if (!client || !state.place || state.place.sandbox) return undefined;
    return { place: placeName(state.place), account: client.account, language: client.language };
  }

  private isOf(owner: ListOwner | undefined): boolean {
    const now = this.owner();
    return now?.place === owner?.place && now?.account === owner?.account;
  }
}

/** True when the service can't be reached, has an outage, or declines for now. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return error.kind === 'noAnswer' || isLimit(error) || (error.kind === 'status' && (error.status ?? 0) >= 500);
}
