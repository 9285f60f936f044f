import type { Locator } from 'playwright-core';

/** A part of the window, in CSS pixels. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The smallest area around all of these visible parts. */
export async function around(...parts: readonly Locator[]): Promise<Area> {
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  const all = boxes.map((box, at) => box ?? missing(parts[at]!));
  const [x, y] = [Math.min(...all.map((box) => box.x)), Math.min(...all.map((box) => box.y))];
  const right = Math.max(...all.map((box) => box.x + box.width));
  const bottom = Math.max(...all.map((box) => box.y + box.height));
  return whole({ x, y, width: right - x, height: bottom - y });
}

/** The area cut off below this part, with a margin. */
export async function downTo(area: Area, part: Locator, margin = 16): Promise<Area> {
  const { y, height } = await around(part);
  return { ...area, height: Math.min(area.height, y + height + margin - area.y) };
}

/** In whole pixels, and an even number of them, as animations need. */
function whole({ x, y, width, height }: Area): Area {
  const even = (length: number) => Math.floor(length / 2) * 2;
  return { x: Math.ceil(x), y: Math.ceil(y), width: even(width), height: even(height) };
}

function missing(part: Locator): never {
  throw new Error(`${String(part)} isn't in sight.`);
}
