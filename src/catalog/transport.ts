import type { Readable } from 'node:stream';
import type { Dispatcher, Handler } from 'undici/lib/dispatcher/dispatcher.js';
import type { Disposable } from '../base/disposable';
import { reasonOf, redact } from '../base/log';
import { isLoopback } from '../base/loopback';
import { type ProxyFailure, ServiceError } from './errors';

/** One request, complete. */
export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Ends the request and its response, at any time. */
  readonly signal: AbortSignal;
  /**
   * Runs once, in the same synchronous step that passes the bytes to the socket. Never runs without a connection; when
   * it throws, nothing is sent.
   */
  readonly beforeSend?: () => void;
}

/** A response whose headers have arrived, with its body in transfer. */
export interface Incoming {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Not decoded. Fails when the transfer is cut, as far as its framing shows. */
  readonly body: Readable;
  /** How many bytes of the body have arrived so far. */
  received(): number;
}

/**
 * The wire. Each request is sent at most once and follows no redirect. `send` rejects, and a body fails, with the
 * signal's reason when that is aborted, with what `beforeSend` threw, and with ServiceError `noAnswer` for any failure
 * in transit. It rejects as soon as the signal is aborted, at any stage; nothing is sent after that.
 */
export interface Transport {
  send(outgoing: Outgoing): Promise<Incoming>;
}

const dispatchers = () => import('./dispatchers');

/**
 * The wire over undici's own dispatchers, loaded with the first request. It changes nothing that other extensions
 * share.
 */
export class HttpTransport implements Transport, Disposable {
  // Not reachable for code that prints or walks objects: undici's queues contain requests, and so the key.
  readonly #direct = new LazyDispatcher(async () => new (await dispatchers()).Agent(noTimeouts));
  /** Through the proxy last used. */
  #proxied: { readonly address: string; readonly lazy: LazyDispatcher<Dispatcher> } | undefined;
  #settings: ProxySettings;

  constructor(settings: ProxySettings = {}) {
    this.#settings = settings;
  }

  /** From the next request on; requests in progress aren't affected. */
  useProxy(settings: ProxySettings): void {
    this.#proxied?.lazy.whenMade((old) => old.close());
    this.#proxied = undefined;
    this.#settings = settings;
  }

  send(outgoing: Outgoing): Promise<Incoming> {
    // Undici notices an abort only once it has a connection, which a silent proxy or a stuck handshake never makes.
    return orAborted(outgoing.signal, this.request(outgoing), ({ body }) => body.destroy());
  }

  dispose(): void {
    for (const lazy of [this.#direct, this.#proxied?.lazy]) lazy?.whenMade((dispatcher) => dispatcher.destroy());
  }

  private async request(outgoing: Outgoing): Promise<Incoming> {
    const { url, method, headers, body, signal } = outgoing;
    const proxy = proxyFor(url, this.#settings, process.env);
    const watch = new Watch(outgoing, proxy);
    try {
      const dispatcher = await (proxy ? this.through(proxy) : this.#direct).get();
      const { request } = await dispatchers();
      signal.throwIfAborted();
      const response = await request.call(
        { dispatch: (options, handler) => dispatcher.dispatch(options, watch.over(handler)) },
        { origin: url.origin, path: url.pathname + url.search, method, headers, body, signal },
      );
      // A reader sees the failure; an unread body mustn't end the process.
      response.body.on('error', () => {});
      return {
        status: response.statusCode,
        headers: response.headers,
        body: response.body,
        received: () => watch.received,
      };
    } catch (error) {
      throw watch.worded(error);
    }
  }

  /** Throws when the proxy can't be used. */
  private through({ url }: Proxy): LazyDispatcher<Dispatcher> {
    if (!url) throw new Error('The address of the proxy can’t be used');
    if (this.#proxied?.address === url.href) return this.#proxied.lazy;
    // The environment may name another one than before.
    this.useProxy(this.#settings);
    const lazy = proxiedBy(url, this.#settings);
    this.#proxied = { address: url.href, lazy };
    return lazy;
  }
}

/** The result of the work, or the signal's reason as soon as that is aborted; `drop` gets a result that comes later. */
function orAborted<T>(signal: AbortSignal, work: Promise<T>, drop: (late: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal.reason as Error);
      work.then(drop, () => {});
    };
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Follows one request. */
class Watch {
  received = 0;
  private handedOver = false;
  /** The error that `beforeSend` threw, wrapped, since it may be undefined. */
  private refusal: { readonly thrown: unknown } | undefined;

  constructor(
    private readonly outgoing: Outgoing,
    private readonly proxy: Proxy | undefined,
  ) {}

  over(handler: Handler): Handler {
    return {
      onConnect: (abort, context) => {
        const reason = this.reasonNotToSend();
        if (reason) abort(reason);
        else handler.onConnect(abort, context);
      },
      onHeaders: (...facts) => handler.onHeaders(...facts),
      onData: (chunk) => {
        this.received += chunk.byteLength;
        return handler.onData(chunk);
      },
      onComplete: (trailers) => handler.onComplete(trailers),
      onError: (error) => handler.onError(this.worded(error)),
    };
  }

  /** The error as `Transport` promises it. */
  worded(error: unknown): unknown {
    if (this.refusal) return this.refusal.thrown;
    if (this.outgoing.signal.aborted) return this.outgoing.signal.reason;
    if (error instanceof ServiceError) return error;
    const reason = redact(reasonOf(error));
    const systemCode = codeOf(error);
    // The original error isn't kept: undici's contain sockets, and may quote the request.
    return new ServiceError('noAnswer', `No response: ${reason}`, {
      systemCode,
      proxy: this.failedProxy(reason, systemCode),
      cause: new Error(reason),
    });
  }

  /** What the proxy did, if the connection through it couldn't be made. Certificates are mostly the service's. */
  private failedProxy(reason: string, systemCode: string | undefined): ProxyFailure | undefined {
    if (!this.proxy || this.handedOver || /CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL/.test(systemCode ?? '')) return undefined;
    const { name, url } = this.proxy;
    const [, status] = /^Proxy response \((\d+)\)/.exec(reason) ?? [];
    return { name, isUsable: url !== undefined, status: status === undefined ? undefined : Number(status) };
  }

  private reasonNotToSend(): Error | undefined {
    if (this.outgoing.signal.aborted) return new Error('canceled before it was sent');
    // Undici may move a request from a dying connection to the next one.
    if (this.handedOver)
      return new ServiceError('noAnswer', 'The connection was lost, and the request isn’t sent again');
    this.handedOver = true;
    try {
      this.outgoing.beforeSend?.();
      return undefined;
    } catch (thrown) {
      this.refusal = { thrown };
      return new Error('stopped before it was sent');
    }
  }
}

/** A value made on first use; a failure to make it isn't kept. */
class LazyDispatcher<T> {
  private made: Promise<T> | undefined;

  constructor(private readonly make: () => Promise<T>) {}

  get(): Promise<T> {
    this.made ??= this.make().catch((error: unknown) => {
      this.made = undefined;
      throw error;
    });
    return this.made;
  }

  /** Calls with the value if there is one. Failures of disposal are ignored. */
  whenMade(call: (thing: T) => unknown): void {
    this.made?.then(call).catch(() => {});
  }
}

// The client sets deadlines, by its own clock.
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };

function proxiedBy(proxy: URL, { strictSSL = true, authorization }: ProxySettings): LazyDispatcher<Dispatcher> {
  // Undici ignores a user name without a password.
  const ofAddress = proxy.username === '' ? undefined : basic(decoded(proxy.username), decoded(proxy.password));
  return new LazyDispatcher(async () => {
    const { ProxyAgent } = await dispatchers();
    return new ProxyAgent({
      ...noTimeouts,
      uri: proxy.href,
      token: authorization ?? ofAddress,
      proxyTls: strictSSL ? undefined : { rejectUnauthorized: false },
    });
  });
}

/** Without its percent-encoding; a text that isn't encoded stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** The system's code, such as `ECONNREFUSED`; that of a cause if the error has none. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return codeOf(inner);
}

/** The way to the internet. Undefined values come from the environment (`HTTPS_PROXY`, `NO_PROXY` …). */
export interface ProxySettings {
  /** Address of the proxy; '' for none, whatever the environment says. */
  readonly httpProxy?: string;
  /** Hosts without the proxy. */
  readonly noProxy?: readonly string[];
  /** False accepts any certificate of the proxy itself. The service's own is always checked. */
  readonly strictSSL?: boolean;
  /** The value of `Proxy-Authorization`, instead of the user name and password in the proxy's address. */
  readonly authorization?: string;
}

/** The proxy that requests go through. */
interface Proxy {
  /** Host and port as they may be shown: without user name and password. */
  readonly name: string;
  /** With user name and password; undefined when the address can't be read, or is of a kind that can't be used. */
  readonly url: URL | undefined;
}

/**
 * The proxy for this URL, which is https unless it's on this machine; undefined without one. Services on this machine
 * are never reached through a proxy. `env` is the environment.
 */
export function proxyFor(url: URL, { httpProxy, noProxy }: ProxySettings, env: NodeJS.ProcessEnv): Proxy | undefined {
  if (isLoopback(url.origin)) return undefined;
  const environment = (env['https_proxy'] ?? env['HTTPS_PROXY']) || (env['http_proxy'] ?? env['HTTP_PROXY']);
  const address = (httpProxy ?? environment)?.trim();
  const excluded = noProxy?.length ? noProxy.join(',') : (env['no_proxy'] ?? env['NO_PROXY'] ?? '');
  return address && !isExcluded(url, excluded) ? parseProxy(address) : undefined;
}

/** Reads an address as browsers do: without a scheme it's http; `socks5h`, `socks5`, and `socks` are one. */
function parseProxy(address: string): Proxy {
  const [, scheme = 'http', rest = address] = /^([^:/]*):\/\/(.*)$/s.exec(address) ?? [];
  const kind = scheme.toLowerCase().replace(/^socks(5h?)?$/, 'socks5');
  // Parsed as http, since URL knows no hosts of other schemes.
  const text = `http://${rest}`;
  if (!URL.canParse(text)) return { name: withoutCredentials(address), url: undefined };
  const { host } = new URL(text);
  const isUsable = kind === 'http' || kind === 'https' || kind === 'socks5';
  return isUsable ? { name: host, url: new URL(`${kind}://${rest}`) } : { name: `${scheme}://${host}`, url: undefined };
}

/** An address that can't be read, without what may be a password. */
function withoutCredentials(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).slice(0, 100);
}

/** True for hosts on the list and those below them, unless the entry has another port, and for all when it's `*`. */
function isExcluded({ hostname, port }: URL, list: string): boolean {
  if (list === '*') return true;
  return list.split(/[,\s]/).some((entry) => {
    const [, host = entry, only] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const name = host.replace(/^\*?\./, '').toLowerCase();
    if (name === '' || (only !== undefined && only !== (port || '443'))) return false;
    return hostname === name || hostname.endsWith(`.${name}`);
  });
}
