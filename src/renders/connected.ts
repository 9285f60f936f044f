import type { CatalogClient } from '../catalog/client';

/** The account in use: a client, and the name its records carry. */
export interface Connected {
  /** The service's normalized URL, or `sandbox`. */
  readonly place: string;
  readonly client: RenderClient;
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
