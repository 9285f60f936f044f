import { ServiceError } from '../catalog/errors';
import type { Connected } from './connected';
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
