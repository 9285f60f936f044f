import { isLoopback } from '../base/loopback';

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
export interface Proxy {
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
  if (!URL.canParse(text)) return { name: nameOf(address), url: undefined };
  const { host } = new URL(text);
  const isUsable = kind === 'http' || kind === 'https' || kind === 'socks5';
  return isUsable ? { name: host, url: new URL(`${kind}://${rest}`) } : { name: `${scheme}://${host}`, url: undefined };
}

/** An address that can't be read, without what may be a password. */
function nameOf(address: string): string {
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
