import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** The focus among the tiles. It goes to the current one when the tile or button it was in is gone. */
export function useFocus(
  scroller: RefObject<HTMLElement | null>,
  current: string | undefined,
): {
  /** The focus is among the tiles or their buttons. */
  readonly isWithin: boolean;
  /** Moves the focus to the tile of this id, and the tile into view. */
  readonly take: (id: string) => void;
  readonly came: () => void;
  readonly went: (event: FocusEvent) => void;
} {
  const [isWithin, setWithin] = useState(false);
  const hadFocus = scroller.current?.contains(document.activeElement) === true;
  const take = (id: string) => {
    const tile = scroller.current?.querySelector<HTMLElement>(`[role=option][data-id="${CSS.escape(id)}"]`);
    tile?.focus({ preventScroll: true });
    tile?.scrollIntoView({ block: 'nearest' });
  };
  useLayoutEffect(() => {
    if (current !== undefined && hadFocus && document.activeElement === document.body) take(current);
  });
  const went = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && scroller.current?.contains(relatedTarget) === true)) setWithin(false);
  };
  return { isWithin, take, came: () => setWithin(true), went };
}
