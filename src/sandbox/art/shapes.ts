import type { Path, Point } from './canvas';

export function rectangle(x: number, y: number, width: number, height: number): Point[] {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
}

export function circle(x: number, y: number, radius: number): Point[] {
  return ellipse(x, y, radius, radius);
}

export function ellipse(x: number, y: number, width: number, height: number): Point[] {
  const count = Math.max(12, Math.min(160, Math.ceil(Math.max(width, height))));
  return Array.from({ length: count }, (_, i) => {
    const turn = (i / count) * 2 * Math.PI;
    return [x + Math.cos(turn) * width, y + Math.sin(turn) * height] as const;
  });
}

/** A petal or leaf that grows from a point: pointed at the foot, round or pointed at the tip. */
export function petal(x: number, y: number, length: number, width: number, turn: number, pointed = false): Point[] {
  const count = 24;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return Array.from({ length: count }, (_, i) => {
    const side = i < count / 2 ? 1 : -1;
    const t = side === 1 ? i / (count / 2) : 2 - i / (count / 2);
    const v = side * width * (pointed ? Math.sin(Math.PI * t) : Math.sin(Math.PI * t ** 1.7));
    return [x + t * length * cos - v * sin, y + t * length * sin + v * cos] as const;
  });
}

/** A closed line through the corners, rounded at each. */
export function rounded(corners: readonly Point[]): Point[] {
  const steps = 8;
  const at = (i: number): Point => corners[(i + corners.length) % corners.length] ?? [0, 0];
  return corners.flatMap((_, i) => {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    return Array.from({ length: steps }, (_, k): Point => {
      const t = k / steps;
      const along = (axis: 0 | 1) =>
        from[axis] +
        0.5 * t * (to[axis] - before[axis]) +
        t * t * (before[axis] - 2.5 * from[axis] + 2 * to[axis] - 0.5 * after[axis]) +
        0.5 * t * t * t * (3 * (from[axis] - to[axis]) + after[axis] - before[axis]);
      return [along(0), along(1)];
    });
  });
}

/** A thick line through points, with a width for each end. */
export function ribbon(points: readonly Point[], from: number, to = from): Point[] {
  const left: Point[] = [];
  const right: Point[] = [];
  points.forEach(([x, y], i) => {
    const [ax, ay] = points[i - 1] ?? [x, y];
    const [bx, by] = points[i + 1] ?? [x, y];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const half = (from + ((to - from) * i) / Math.max(1, points.length - 1)) / 2;
    const [nx, ny] = [(-(by - ay) / length) * half, ((bx - ax) / length) * half];
    left.push([x + nx, y + ny]);
    right.push([x - nx, y - ny]);
  });
  return turnedRight([...left, ...right.reverse()]);
}

/** The same outline in the direction of the others, so that they can share a path. */
function turnedRight(outline: Point[]): Point[] {
  let area = 0;
  outline.forEach(([x, y], i) => {
    const [u, v] = outline[(i + 1) % outline.length] ?? [x, y];
    area += x * v - u * y;
  });
  return area < 0 ? outline.reverse() : outline;
}

export function path(...outlines: Point[][]): Path {
  return outlines.map(turnedRight);
}
