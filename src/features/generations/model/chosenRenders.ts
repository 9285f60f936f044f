/**
 * The ids of the renders that a command applies to: the given items if they include the one it was called on, else that
 * item, else the selection. Groups among them have no render and are skipped.
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
