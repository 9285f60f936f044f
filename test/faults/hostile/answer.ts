import type { Endpoint } from './endpoints';
import type { Act } from './wire';

/** One hostile answer to one endpoint. */
export interface HostileAnswer {
  /** The kind of fault it is of, as the figures count them. */
  readonly kind: string;
  readonly what: string;
  readonly endpoint: Endpoint;
  readonly act: Act;
  /** The answer takes its time or never comes: the client's clock runs faster. */
  readonly slow?: boolean;
}

/** The same answer to each of the endpoints. */
export function toEach(
  endpoints: readonly Endpoint[],
  kind: string,
  what: string,
  act: Act,
  slow?: boolean,
): HostileAnswer[] {
  return endpoints.map((endpoint) => ({ kind, what, endpoint, act, slow }));
}
