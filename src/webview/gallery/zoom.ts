/** How both pictures of a comparison are shown: `scale` 1 fits the pane; `x`, `y` move the picture's centre from the pane's, px. */
export interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A point of a pane, px from its centre. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The whole picture in the middle. */
export const fitted: Zoom = { scale: 1, x: 0, y: 0 };

const closest = 16;

/** Zooms by a factor so that what is at the point stays there; within the whole picture and 16 times that. */
export function zoomed(zoom: Zoom, factor: number, pane: Size, at: Point = { x: 0, y: 0 }): Zoom {
  const scale = Math.min(closest, Math.max(1, zoom.scale * factor));
  const ratio = scale / zoom.scale;
  return within({ scale, x: at.x - (at.x - zoom.x) * ratio, y: at.y - (at.y - zoom.y) * ratio }, pane);
}

/** Moves the picture, no further than its own edge. */
export function panned(zoom: Zoom, by: Point, pane: Size): Zoom {
  return within({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y }, pane);
}

function within({ scale, x, y }: Zoom, { width, height }: Size): Zoom {
  return { scale, x: clamped(x, ((scale - 1) * width) / 2), y: clamped(y, ((scale - 1) * height) / 2) };
}

function clamped(value: number, most: number): number {
  // Adding 0 makes the -0 of an empty range a plain 0.
  return Math.min(most, Math.max(-most, value)) + 0;
}
