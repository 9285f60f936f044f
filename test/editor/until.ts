/** Resolves when the condition holds, looked at with every frame the machine has time for. */
export async function until(holds: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`did not come true within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
