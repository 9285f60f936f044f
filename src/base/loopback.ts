/** True when the address never leaves this machine. */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  // Of names below localhost a resolver may say anything.
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
