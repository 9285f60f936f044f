/**
 * The ids of the renders a command is about: of the items it was given with the one it was called on, else of that one,
 * else of the selection. Groups among them have no render and are left out.
 */
export function chosenIds(item: unknown, items: unknown, selection: readonly string[]): string[] {
  const given: readonly unknown[] =
    Array.isArray(items) && items.length > 0 ? (items as unknown[]) : item === undefined ? selection : [item];
  return [...new Set(given.flatMap(idOf))];
}

function idOf(item: unknown): string[] {
  const id = typeof item === 'string' ? item : (item as { readonly id?: unknown } | null)?.id;
  return typeof id === 'string' ? [id] : [];
}
