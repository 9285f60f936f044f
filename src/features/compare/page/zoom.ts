/**
 * The view of all images in a comparison: `scale` 1 fits each into its pane; `x` and `y` offset it from the center, in
 * widths and heights of the pane, so that panes of any size show the same part.
 */
export interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** A point or vector in a pane: from the center, in widths and heights of the pane. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The whole image, centered. */
export const fitted: Zoom = { scale: 1, x: 0, y: 0 };

const closest = 32;

/** Zooms by a factor around the point, between the whole image and 32 times that. */
export function zoomed(zoom: Zoom, factor: number, at: Point = { x: 0, y: 0 }): Zoom {
  const scale = Math.min(closest, Math.max(1, zoom.scale * factor));
  const ratio = scale / zoom.scale;
  return within({ scale, x: at.x - (at.x - zoom.x) * ratio, y: at.y - (at.y - zoom.y) * ratio });
}

/** Pans the image, no further than its edge. */
export function panned(zoom: Zoom, by: Point): Zoom {
  return within({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y });
}

function within({ scale, x, y }: Zoom): Zoom {
  const most = (scale - 1) / 2;
  return { scale, x: clamped(x, most), y: clamped(y, most) };
}

function clamped(value: number, most: number): number {
  // Adding 0 makes the -0 of an empty range a plain 0.
  return Math.min(most, Math.max(-most, value)) + 0;
}
