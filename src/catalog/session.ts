import type { Event } from '../base/event';
import type { CatalogClient } from './client';
import type { Listing, Model, ModelSummary } from './types';

/** Which service, and whether it is the built-in sandbox. */
export interface Place {
  /** Normalised address, for instance `https://models.example`; the sandbox's loopback address. */
  readonly base: string;
  readonly sandbox: boolean;
}

/**
 * Where we stand with the service. One value, replaced whole.
 * `starting` before the first answer · `noKey` an address but no key · `connected` · `offline` the service does not answer ·
 * `keyRefused` 401: paid work pauses until the key changes · `unusable` the address, the secret store or the sandbox fails.
 */
export interface SessionState {
  readonly status: 'starting' | 'noKey' | 'connected' | 'offline' | 'keyRefused' | 'unusable';
  readonly place?: Place;
  /** Why, for a person; already worded in the editor's language. */
  readonly problem?: string;
  readonly balance?: Balance;
}

export interface Balance {
  readonly cents: number;
  /** When the service said so, ms since 1970. */
  readonly at: number;
}

/** The one owner of client, balance and models. Views read it; `host/connection` feeds it. */
export interface Session {
  readonly state: SessionState;
  readonly onDidChange: Event<SessionState>;
  /** Present while there is an address and a key, also when offline or refused. */
  readonly client: CatalogClient | undefined;
  /** Asks GET /me; joins one under way. Never rejects: a failure becomes the state. */
  refreshBalance(): Promise<void>;
  /** The model list; asked once, then from memory until `refreshModels`. Rejects with ServiceError. */
  models(): Promise<Listing<ModelSummary>>;
  /** One model with its fields; from memory when read before. Rejects with ServiceError. */
  model(id: string): Promise<Model>;
  /** Forgets the models read and says so through `onDidChangeModels`. */
  refreshModels(): void;
  readonly onDidChangeModels: Event<void>;
}
