import type { Endpoint } from './endpoints';
import type { Act } from './wire';

/** A hostile response to an endpoint. */
export interface HostileResponse {
  /** The kind of fault, for the statistics. */
  readonly kind: string;
  readonly what: string;
  readonly endpoint: Endpoint;
  readonly act: Act;
  /** The response is slow or never arrives: the client's clock runs faster. */
  readonly slow?: boolean;
  /** It was charged, whatever the status says. */
  readonly isCharged?: boolean;
}

/** The same response for each of the endpoints. */
export function toEach(
  endpoints: readonly Endpoint[],
  kind: string,
  what: string,
  act: Act,
  slow?: boolean,
): HostileResponse[] {
  return endpoints.map((endpoint) => ({ kind, what, endpoint, act, slow }));
}
