import type { Clock } from '../../../src/base/clock';
import type { Endpoint } from './endpoints';
import { endpointOf, honestly, truth } from './truth';
import { jsonType, message, type Act, type Request, type Wire } from './wire';

/** A response for the account at an endpoint, given this many times. */
export interface Fate {
  readonly endpoint: Endpoint;
  readonly act: Act;
  readonly times: number;
  /** It was charged, whatever the status says. */
  readonly isCharged?: boolean;
}

/** A service with its own books: it charges once per key, and responds truthfully unless made to do otherwise. */
export class Till {
  /** The charges, by key. */
  readonly charges = new Map<string, { readonly body: string; readonly at: number }>();
  readonly posts: { readonly key: string; readonly body: string }[] = [];
  /** How often it gave the configured response. */
  befell = 0;
  /** Called after each of those. */
  onBefell: () => unknown = () => {};
  private left: number;

  constructor(
    private readonly fate: Fate,
    private readonly clock: Clock,
  ) {
    this.left = fate.times;
  }

  /** Responds truthfully from now on. */
  relent(): void {
    this.left = 0;
  }

  readonly response: Act = (wire, request) => {
    const endpoint = endpointOf(request);
    if (!endpoint) throw new Error(`an address nobody named: ${request.path}`);
    const befalls = endpoint === this.fate.endpoint && this.left-- > 0;
    if (befalls) this.befell += 1;
    if (endpoint === 'create') this.create(wire, request, befalls);
    else if (befalls) this.fate.act(wire, request);
    else if (endpoint === 'list') this.list(wire);
    else honestly(endpoint, this.clock.now())(wire, request);
    if (befalls) this.onBefell();
  };

  private create(wire: Wire, request: Request, befalls: boolean): void {
    const key = request.headers['idempotency-key'] ?? '';
    this.posts.push({ key, body: request.body });
    if (befalls) this.fate.act(wire, request);
    // Statuses that settle the charge are true; for any other the worst case applies.
    if (!befalls || this.fate.isCharged || !refuses(wire.first)) this.charge(key, request.body);
    if (!befalls) honestly('create', this.clock.now())(wire, request);
  }

  private charge(key: string, body: string): void {
    if (!this.charges.has(key)) this.charges.set(key, { body, at: this.clock.now() });
  }

  private list(wire: Wire): void {
    const generations = [...this.charges.values()].map(({ body, at }) => ({
      ...(truth.create as object),
      ...(JSON.parse(body) as object),
      createdAt: new Date(at).toISOString(),
    }));
    const date = `Date: ${new Date(this.clock.now()).toUTCString()}`;
    wire.send(message(200, JSON.stringify({ generations }), [jsonType, date]));
  }
}

/** Whether the rejection proves that nothing was charged, or turns a request away unread. A web page does neither. */
function refuses(response: string): boolean {
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1];
  if (status === '429') return true;
  if (/text\/html|<html|<!doctype/i.test(response)) return false;
  return (
    status === '400' ||
    status === '401' ||
    status === '402' ||
    (status === '409' && response.includes('API_KEY_DAILY_CAP'))
  );
}
