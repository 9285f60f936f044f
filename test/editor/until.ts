import { errors } from 'playwright-core';

/**
 * Resolves once the condition holds, which is checked with every frame that the machine has time for. Rejects with a
 * TimeoutError if it doesn't hold in time.
 */
export async function until(holds: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new errors.TimeoutError(`did not come true within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Tries again, with more time each time. The palette lists only what existed when it opened, and extensions join late;
 * a webview that is still loading swallows the key that opens it; and a list of quick fixes includes only what was
 * known about the line by then.
 */
export async function patiently(
  attempt: (timeout: number) => Promise<void>,
  between: () => Promise<void>,
  otherwise: string,
  firstMs = 1000,
): Promise<void> {
  for (let timeout = firstMs; ; timeout *= 2) {
    try {
      return await attempt(timeout);
    } catch (error) {
      if (timeout > 60_000 || !(error instanceof errors.TimeoutError)) throw new Error(otherwise, { cause: error });
      await between();
    }
  }
}
