import type { RenderState } from './record';

const uncharged: ReadonlySet<RenderState> = new Set(['planned', 'refused', 'refunded', 'discarded']);

/** Whether it's proven that a render in this state costs nothing, or no longer does. */
export function isUncharged(state: RenderState): boolean {
  return uncharged.has(state);
}
