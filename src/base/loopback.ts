/** True when requests to the URL never leave this machine. */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  // A resolver may resolve names below localhost to anything.
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
