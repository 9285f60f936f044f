import type { CatalogClient } from '../catalog/client';
import type { Ledger } from './ledger';

/** The account in use: a client, and the name its records carry. */
export interface Connected {
  /** The service's normalized URL, or `sandbox`. */
  readonly place: string;
  readonly client: RenderClient;
  /** Other URLs of the same service: what was ordered there can be read here. Nothing is ever sent for it here. */
  readonly alsoAt?: ReadonlySet<string>;
}

/** The part of the client that renders need. */
export type RenderClient = Pick<
  CatalogClient,
  | 'account'
  | 'bodyOf'
  | 'createGeneration'
  | 'generation'
  | 'generations'
  | 'model'
  | 'content'
  | 'delete'
  | 'serviceTime'
  | 'hearTime'
>;

/** The account in use, with all URLs of its service that the ledger knows. */
export function atAllPlaces(connected: Connected | undefined, ledger: Pick<Ledger, 'placesOf'>): Connected | undefined {
  return connected && { ...connected, alsoAt: ledger.placesOf(connected.place) };
}

/**
 * The name of the service in use now, also while its key is missing or rejected; undefined before there is one, and
 * while its URL can't be used.
 */
export type PlaceInUse = () => string | undefined;

/**
 * The account in use now; undefined without one or while its key is rejected. Paid work then pauses; nothing is
 * dropped.
 */
export type AccountInUse = () => Connected | undefined;
