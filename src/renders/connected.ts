import type { CatalogClient } from '../catalog/client';

/** The account in use: a client, and the name its records go by. */
export interface Connected {
  /** The service's normalised address, or `sandbox`. */
  readonly place: string;
  readonly client: RenderClient;
}

/** What the life of a render needs of the service. */
export type RenderClient = Pick<
  CatalogClient,
  'account' | 'createGeneration' | 'generation' | 'generations' | 'content' | 'delete' | 'serviceTime' | 'hearTime'
>;

/**
 * The account in use now; undefined while there is none, or its key is refused: paid work pauses, nothing is dropped.
 */
export type AccountInUse = () => Connected | undefined;
