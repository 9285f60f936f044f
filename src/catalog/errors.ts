/**
 * The kind of response, or lack of one, that an error means. `renders/` decides what it proves about money.
 * `invalidInput` 400 · `keyRefused` 401 · `balanceTooLow` 402 · `dailyCap` 409 API_KEY_DAILY_CAP · `tooManyRequests`
 * 429 · `status` any other status that isn't 2xx, including 3xx · `unreadable` a 2xx whose body isn't what the
 * specification says · `noAnswer` reset, time-out, no connection, TLS · `tooLarge` over the cap · `cancelled` by the
 * caller · `notAllowed` rejected by us before a byte was sent (origin, path, id, key) · `imageGone` the same: an image
 * among the inputs is no longer kept. `inputsTooLarge` the same: the inputs are over the cap together.
 */
export type ServiceErrorKind =
  | 'invalidInput'
  | 'keyRefused'
  | 'balanceTooLow'
  | 'dailyCap'
  | 'tooManyRequests'
  | 'status'
  | 'unreadable'
  | 'noAnswer'
  | 'tooLarge'
  | 'cancelled'
  | 'notAllowed'
  | 'imageGone'
  | 'inputsTooLarge';

/** A problem that the service reports for one field of `inputs`. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** Why the connection through a proxy couldn't be made. */
export interface ProxyFailure {
  /** Host and port, without user name and password. */
  readonly name: string;
  /** False when its address can't be read, or it's of a kind that isn't supported. */
  readonly isUsable: boolean;
  /** The status with which it refused. */
  readonly status: number | undefined;
}

export interface ServiceErrorFacts {
  readonly status?: number;
  /** The service's `code`, unchanged. */
  readonly code?: string;
  /** The service's own sentence, as text. It may be hostile: show it escaped. For `imageGone`, the image's file. */
  readonly serviceMessage?: string;
  readonly fields?: readonly FieldProblem[];
  /** The earliest time for the next try, from Retry-After, ms from now. */
  readonly retryAfterMs?: number;
  /** The service's clock at the response (`Date` header), ms since 1970. */
  readonly serviceTime?: number;
  /** For `noAnswer`: the system's code, such as `ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`, `ETIMEDOUT`. */
  readonly systemCode?: string;
  /** For `noAnswer`: the proxy that is to blame, if any. */
  readonly proxy?: ProxyFailure;
  /** The response was a web page, from something other than the service. */
  readonly html?: boolean;
  /** The rejection also names a render, or says that something was charged: it proves nothing. */
  readonly contradicted?: boolean;
  /** The host that the response redirects to. Foreign text. */
  readonly leadsTo?: string;
  readonly cause?: unknown;
}

/** Every failure of the service client. The message is for the log; the host words what a user reads. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  declare readonly status?: number;
  declare readonly code?: string;
  declare readonly serviceMessage?: string;
  declare readonly fields: readonly FieldProblem[];
  declare readonly retryAfterMs?: number;
  declare readonly serviceTime?: number;
  declare readonly systemCode?: string;
  declare readonly proxy?: ProxyFailure;
  declare readonly html: boolean;
  declare readonly leadsTo?: string;
  declare readonly contradicted: boolean;

  constructor(
    readonly kind: ServiceErrorKind,
    message: string,
    { cause, fields = [], html = false, contradicted = false, ...facts }: ServiceErrorFacts = {},
  ) {
    super(message, { cause });
    Object.assign(this, { ...facts, fields, html, contradicted });
  }
}

/** True when the service responds, and only declines for now, because a limit of the key has been reached. */
export function isLimit({ kind }: ServiceError): boolean {
  return kind === 'tooManyRequests' || kind === 'dailyCap';
}
