import type { Filter, TileView } from './galleryMessages';

/** Narrows nothing down. */
export const noFilter: Filter = { text: '', modelId: '', agent: '', kind: 'all', period: 'all' };

/** True when results may be filtered out. */
export function isNarrow(filter: Filter): boolean {
  const { text, modelId, agent, kind, period } = filter;
  return text.trim() !== '' || modelId !== '' || agent !== '' || kind !== 'all' || period !== 'all';
}

/**
 * The matching tiles, in the given order; `now` is ms since 1970. Every word of the text must be in prompt, model, or
 * file name.
 */
export function narrowed(tiles: readonly TileView[], filter: Filter, now: number): readonly TileView[] {
  if (!isNarrow(filter)) return tiles;
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const since = startOf(filter.period, now);
  return tiles.filter(
    (tile) =>
      tile.at >= since &&
      (filter.kind === 'all' || tile.kind === filter.kind) &&
      (filter.modelId === '' || tile.modelId === filter.modelId) &&
      (filter.agent === '' || tile.agent === filter.agent) &&
      holds(tile, words),
  );
}

function holds({ prompt, modelId, fileName = '', agent = '' }: TileView, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${prompt}\n${modelId}\n${fileName}\n${agent}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The start of the period: `today` begins with this day, the others that many days of 24 hours ago. ms since 1970. */
function startOf(period: Filter['period'], now: number): number {
  const day = 24 * 60 * 60 * 1000;
  switch (period) {
    case 'all':
      return -Infinity;
    case 'today':
      return new Date(now).setHours(0, 0, 0, 0);
    case 'week':
      return now - 7 * day;
    case 'month':
      return now - 30 * day;
  }
}

/** The models of the tiles by name, or by full id where names collide; sorted by name. */
export function modelsOf(tiles: readonly TileView[]): readonly { readonly id: string; readonly label: string }[] {
  const ids = [...new Set(tiles.map(({ modelId }) => modelId).filter(Boolean))];
  const names = ids.map(nameOf);
  const label = (id: string) => (names.filter((name) => name === nameOf(id)).length > 1 ? id : nameOf(id));
  return ids.map((id) => ({ id, label: label(id) })).sort((a, b) => a.label.localeCompare(b.label));
}

/** What the agents of the tiles call themselves, in the order of their names. */
export function agentsOf(tiles: readonly TileView[]): readonly string[] {
  const names = new Set(tiles.flatMap(({ agent = '' }) => (agent === '' ? [] : [agent])));
  return [...names].sort((a, b) => a.localeCompare(b));
}

/** The last segment of a model's id. */
export function nameOf(modelId: string): string {
  return modelId.slice(modelId.lastIndexOf('/') + 1);
}
