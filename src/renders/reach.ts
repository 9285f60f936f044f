import type { CatalogClient } from '../catalog/client';
import { ServiceError } from '../catalog/errors';
import type { Ledger } from './ledger';
import type { RenderRecord } from './record';

/** True when the record's bytes may be sent with the API key in use: the same key and the same URL as in the order. */
export function maySend({ place, account }: RenderRecord, connected: Connected): boolean {
  return place === connected.place && account === connected.client.account;
}

/**
 * True when the API key in use can read the render: it ordered it, or the service's response to it matched the record.
 */
export function mayRead(record: RenderRecord, connected: Connected): boolean {
  const { account } = connected.client;
  return isThere(record, connected) && (record.account === account || record.readBy === account);
}

/**
 * True when the record was ordered from the service in use, at this URL or at another of its own. A key isn't an
 * account: reading is worth a try with any key.
 */
export function isThere({ place }: Pick<RenderRecord, 'place'>, connected: Connected): boolean {
  return place === connected.place || connected.alsoAt?.has(place) === true;
}

/**
 * True when the service denies a render to the key in use. A web page isn't the service's word: it comes from a proxy.
 */
export function isDenied(error: unknown, record: RenderRecord, connected: Connected): boolean {
  if (!(error instanceof ServiceError) || error.html) return false;
  if (error.status === 404 || error.status === 410) return true;
  // For a render that this very key ordered, a rejection is about the key.
  return (error.status === 401 || error.status === 403) && record.account !== connected.client.account;
}

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
export function atAllPlaces(connected: Connected | undefined, ledger: Ledger): Connected | undefined {
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
