import { useRef } from 'preact/hooks';
import type { CompareProps } from './compareProps';
import type { Point } from './zoom';

/** Zooms and pans the images of a comparison with the wheel, the pointer, and two fingers. */
export function useGestures(dispatch: CompareProps['dispatch']) {
  const down = useRef(new Map<number, Point>());
  const sliding = useRef(false);
  const forget = ({ pointerId }: PointerEvent) => {
    down.current.delete(pointerId);
    sliding.current = false;
  };
  return {
    onWheel: (event: WheelEvent) => {
      const pane = paneAt(event);
      if (!pane) return;
      event.preventDefault();
      // A pinch on a touchpad arrives as small wheel steps with the control key.
      const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002));
      dispatch({ type: 'zoomed', factor, at: placeIn(pane, event) });
    },
    onPointerDown: (event: PointerEvent) => {
      const pane = paneAt(event);
      if (!pane) return;
      pane.setPointerCapture(event.pointerId);
      down.current.set(event.pointerId, placeIn(pane, event));
      sliding.current = down.current.size === 1 && isOnDivider(event, pane);
    },
    onPointerMove: (event: PointerEvent) => {
      const pane = paneAt(event);
      const before = down.current.get(event.pointerId);
      if (!pane || !before) return;
      const now = placeIn(pane, event);
      const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1];
      down.current.set(event.pointerId, now);
      if (sliding.current) dispatch({ type: 'slid', to: now.x + 0.5 });
      else if (other) dispatch({ type: 'zoomed', factor: apart(now, other) / apart(before, other), at: other });
      else dispatch({ type: 'panned', by: { x: now.x - before.x, y: now.y - before.y } });
    },
    onPointerUp: forget,
    onPointerCancel: forget,
    onDblClick: (event: MouseEvent) => paneAt(event) && dispatch({ type: 'fitted' }),
  };
}

/** How close to the divider a press still grabs it, px. */
const reach = 12;

function isOnDivider(event: PointerEvent, pane: Element): boolean {
  const divider = pane.querySelector('.divider')?.getBoundingClientRect();
  return divider !== undefined && Math.abs(event.clientX - divider.left - divider.width / 2) <= reach;
}

function paneAt({ target }: Event): Element | null {
  return target instanceof Element ? target.closest('.pane') : null;
}

function placeIn(pane: Element, event: MouseEvent): Point {
  const { left, top, width, height } = pane.getBoundingClientRect();
  return { x: (event.clientX - left) / width - 0.5, y: (event.clientY - top) / height - 0.5 };
}

/** Never 0, since it's a divisor. */
function apart(one: Point, other: Point): number {
  return Math.max(0.01, Math.hypot(one.x - other.x, one.y - other.y));
}
