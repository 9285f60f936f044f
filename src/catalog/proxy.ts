import { isLoopback } from '../base/loopback';
import type { ProxySettings } from './transport';

/**
 * The address of the proxy that `HttpTransport` uses for this URL, which is https unless it's on this machine;
 * undefined without one. `env` is the environment. Undici's proxy agent has these rules, and doesn't say what it does.
 */
export function proxyFor(url: URL, { httpProxy, noProxy }: ProxySettings, env: NodeJS.ProcessEnv): string | undefined {
  if (isLoopback(url.origin)) return undefined;
  const environment = (env['https_proxy'] ?? env['HTTPS_PROXY']) || (env['http_proxy'] ?? env['HTTP_PROXY']);
  const proxy = httpProxy ?? environment;
  const excluded = noProxy?.length ? noProxy.join(',') : (env['no_proxy'] ?? env['NO_PROXY'] ?? '');
  return proxy && !isExcluded(url, excluded) ? proxy : undefined;
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
