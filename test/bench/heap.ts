/** What the heap holds when everything that can be let go is, MB. */
export function heapInUse(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}
