import { errors } from 'playwright-core';

/**
 * Resolves when the condition holds, looked at with every frame the machine has time for; rejects with a TimeoutError
 * when it does not in time.
 */
export async function until(holds: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new errors.TimeoutError(`did not come true within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Tries again, with more time each time: the palette lists what was there when it opened, and extensions join late;
 * a webview that is still loading swallows the key that opens it; and a list of quick fixes knows only what was known
 * of the line by then.
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
