/** The heap in use after garbage collection, MB. */
export function heapInUse(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}
