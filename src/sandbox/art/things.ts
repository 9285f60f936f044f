import type { Path, Point } from './canvas';
import type { Dice } from './random';
import { circle, ellipse, path, petal, rectangle, ribbon } from './shapes';

/** A thing in three colors: its body, its bright parts, and what shines. */
interface DrawnThing {
  readonly body: Path;
  readonly bright: Path;
  readonly light: Path;
}

export function cloud([x, y]: Point, size: number, dice: Dice): Path {
  const outlines = [ellipse(x, y, size * 1.7, size * 0.3)];
  for (let i = 0; i < 6; i++) {
    const u = (i / 5 - 0.5) * 2;
    const radius = size * (0.5 - 0.28 * Math.abs(u)) * dice.between(0.8, 1.2);
    outlines.push(circle(x + u * size * 1.25, y - radius * 0.35, radius));
  }
  return path(...outlines);
}

export function birds([x, y]: Point, size: number, dice: Dice): Path {
  const outlines = Array.from({ length: dice.whole(3, 6) }, () => {
    const [u, v] = [x + dice.between(-6, 6) * size, y + dice.between(-2.5, 2.5) * size];
    const s = size * dice.between(0.5, 1);
    const lift = dice.between(0.3, 0.6);
    const wing = (side: number): Point[] =>
      Array.from({ length: 7 }, (_, i) => [u + (side * s * i) / 6, v - Math.sin((i / 6) * 2.4) * s * lift] as const);
    return [ribbon(wing(-1), s * 0.2, s * 0.02), ribbon(wing(1), s * 0.2, s * 0.02)];
  });
  return outlines.flat();
}

/** A stepped fir; its foot is where it stands. */
export function conifer([x, y]: Point, size: number, dice: Dice): Point[][] {
  const width = size * dice.between(0.2, 0.28);
  const tiers = 5;
  const right: Point[] = [];
  const left: Point[] = [];
  for (let i = 0; i < tiers; i++) {
    const top = y - size + (size * 0.9 * i) / tiers;
    const bottom = y - size + (size * 0.9 * (i + 1.18)) / tiers;
    const half = (width * (i + 1)) / tiers;
    right.push([x + half * 0.32 * (i === 0 ? 0 : 1), top], [x + half * dice.between(0.85, 1.1), bottom]);
    left.push([x - half * 0.32 * (i === 0 ? 0 : 1), top], [x - half * dice.between(0.85, 1.1), bottom]);
  }
  return [[...right, ...left.reverse()], rectangle(x - width * 0.09, y - size * 0.12, width * 0.18, size * 0.2)];
}

/** Houses from edge to edge on a line, and their windows. */
export function skyline(
  width: number,
  foot: number,
  tall: number,
  wide: number,
  dice: Dice,
): { walls: Path; windows: Path } {
  const walls: Point[][] = [];
  const windows: Point[][] = [];
  for (let x = -wide * dice.unit(); x < width;) {
    const w = wide * dice.between(0.55, 1.3);
    const h = tall * (0.28 + 0.72 * dice.unit() ** 1.8);
    walls.push(rectangle(x, foot - h, w + 1, h + 4000), ...roof(x, foot - h, w, dice));
    const columns = Math.max(2, Math.round(w / (wide * 0.2)));
    const cell = w / (columns + 0.6);
    for (let row = 0; row * cell * 1.35 < h - cell * 1.2; row++) {
      for (let column = 0; column < columns; column++) {
        if (dice.chance(0.55)) continue;
        windows.push(
          rectangle(x + cell * (0.5 + column), foot - h + cell * (0.7 + row * 1.35), cell * 0.5, cell * 0.72),
        );
      }
    }
    x += w + (dice.chance(0.25) ? wide * 0.25 : 0);
  }
  return { walls: path(...walls), windows: path(...windows) };
}

function roof(x: number, y: number, w: number, dice: Dice): Point[][] {
  const kind = dice.whole(0, 5);
  if (kind === 0)
    return [
      [
        [x, y + 1],
        [x + w / 2, y - w * 0.55],
        [x + w, y + 1],
      ],
    ];
  if (kind === 1)
    return [
      rectangle(x + w * 0.2, y - w * 0.22, w * 0.6, w * 0.25),
      rectangle(x + w * 0.47, y - w * 0.85, w * 0.05, w * 0.7),
    ];
  if (kind === 2)
    return [
      [
        [x, y + 1],
        [x, y - w * 0.35],
        [x + w, y + 1],
      ],
    ];
  if (kind === 3) return [rectangle(x + w * 0.15, y - w * 0.14, w * 0.28, w * 0.16)];
  return [];
}

export function flower([x, y]: Point, size: number, dice: Dice): { stem: Path; petals: Path; heart: Path } {
  const lean = dice.between(-0.25, 0.25);
  const tall = size * dice.between(1.3, 2.4);
  const head: Point = [x + lean * tall, y - tall];
  const stem = Array.from({ length: 9 }, (_, i) => [x + lean * tall * (i / 8) ** 2, y - (tall * i) / 8] as const);
  const side = dice.chance(0.5) ? -0.6 : Math.PI + 0.6;
  const kind = dice.whole(0, 2);
  const count = kind === 1 ? dice.whole(11, 15) : dice.whole(5, 7);
  const turn = dice.between(0, 6);
  const petals = Array.from({ length: count }, (_, i) =>
    petal(
      head[0],
      head[1],
      size * 0.62,
      (size * (kind === 1 ? 0.75 : 1.35)) / count,
      turn + (i / count) * 2 * Math.PI,
      kind === 2,
    ),
  );
  return {
    stem: path(
      ribbon(stem, size * 0.11, size * 0.07),
      petal(x + lean * tall * 0.2, y - tall * 0.4, size * 0.6, size * 0.13, side, true),
    ),
    petals: path(...petals),
    heart: path(circle(head[0], head[1], size * (kind === 1 ? 0.22 : 0.15))),
  };
}

export function boat([x, y]: Point, size: number): DrawnThing {
  const mast = rectangle(x - size * 0.012, y - size * 0.95, size * 0.024, size * 0.8);
  const hull: Point[] = [
    [x - size * 0.4, y - size * 0.16],
    [x + size * 0.44, y - size * 0.19],
    [x + size * 0.3, y],
    [x - size * 0.3, y],
  ];
  const sails: Point[][] = [
    [
      [x + size * 0.03, y - size * 0.92],
      [x + size * 0.2, y - size * 0.5],
      [x + size * 0.37, y - size * 0.25],
      [x + size * 0.03, y - size * 0.22],
    ],
    [
      [x - size * 0.03, y - size * 0.82],
      [x - size * 0.03, y - size * 0.22],
      [x - size * 0.33, y - size * 0.23],
    ],
  ];
  return { body: path(hull, mast), bright: path(sails[1] ?? []), light: path(sails[0] ?? []) };
}

export function house([x, y]: Point, size: number): DrawnThing {
  const gable: Point[] = [
    [x - size * 0.6, y - size * 0.48],
    [x - size * 0.36, y - size * 0.88],
    [x + size * 0.36, y - size * 0.88],
    [x + size * 0.6, y - size * 0.48],
  ];
  const walls = rectangle(x - size * 0.5, y - size * 0.5, size, size * 0.52);
  const chimney = rectangle(x + size * 0.16, y - size * 1.04, size * 0.12, size * 0.3);
  const windows = [
    rectangle(x - size * 0.36, y - size * 0.36, size * 0.18, size * 0.18),
    rectangle(x + size * 0.18, y - size * 0.36, size * 0.18, size * 0.18),
  ];
  return {
    body: path(walls, chimney),
    bright: path(gable),
    light: path(...windows, rectangle(x - size * 0.07, y - size * 0.3, size * 0.15, size * 0.3)),
  };
}

/** A pier, from its near end to its far one: deck, planks, and posts. */
export function pier(near: Point, far: Point, wide: number): { deck: Path; planks: Path; posts: Path } {
  const [planks, posts]: [Point[][], Point[][]] = [[], []];
  const at = (t: number): readonly [x: number, y: number, half: number] => {
    // Equal lengths look shorter in the distance.
    const share = t / (t + (1 - t) * 0.22);
    return [near[0] + (far[0] - near[0]) * share, near[1] + (far[1] - near[1]) * share, wide * (1 - share * 0.84)];
  };
  for (let i = 0; i < 9; i++) {
    const [x, y, half] = at(i / 8);
    const [post, tall] = [half * 0.13, half * 0.62];
    for (const side of [-1, 1])
      posts.push(rectangle(x + side * half * 0.94 - post / 2, y - tall * 0.5, post, tall * (i === 0 ? 2 : 1.25)));
  }
  for (let i = 0; i < 24; i++) {
    const [x, y, half] = at(i / 24);
    planks.push(rectangle(x - half, y, 2 * half, half * 0.035));
  }
  const [[x, y, half], [u, v, end]] = [at(0), at(1)];
  const edge = end * 0.3;
  const deck: Point[] = [
    [x - half, y],
    [u - end, v],
    [u + end, v],
    [x + half, y],
  ];
  return {
    deck: path(deck, rectangle(u - end, v - edge * 0.2, 2 * end, edge)),
    planks: path(...planks),
    posts: path(...posts),
  };
}

export function lighthouse([x, y]: Point, size: number): DrawnThing {
  const half = (t: number) => size * (0.11 - 0.045 * t);
  const band = (from: number, to: number): Point[] => [
    [x - half(from), y - size * 0.8 * from],
    [x - half(to), y - size * 0.8 * to],
    [x + half(to), y - size * 0.8 * to],
    [x + half(from), y - size * 0.8 * from],
  ];
  const steps = [
    [-0.62, 0],
    [-0.46, 0.07],
    [-0.34, 0.06],
    [-0.2, 0.13],
    [0.16, 0.14],
    [0.28, 0.08],
    [0.44, 0.09],
    [0.6, 0],
  ] as const;
  const rock = steps.map(([u, v]) => [x + u * size, y + size * (0.09 - v)] as const);
  const cap: Point[] = [
    [x - size * 0.085, y - size * 0.9],
    [x, y - size],
    [x + size * 0.085, y - size * 0.9],
  ];
  return {
    body: path(rock, cap, rectangle(x - size * 0.1, y - size * 0.82, size * 0.2, size * 0.025)),
    bright: path(band(0, 0.2), band(0.4, 0.6), band(0.8, 1)),
    light: path(band(0.2, 0.4), band(0.6, 0.8), rectangle(x - size * 0.05, y - size * 0.9, size * 0.1, size * 0.085)),
  };
}

export function bigTree([x, y]: Point, size: number, dice: Dice): DrawnThing {
  const trunk = ribbon(
    [
      [x, y + size * 0.1],
      [x + size * 0.01, y - size * 0.3],
      [x - size * 0.01, y - size * 0.6],
    ],
    size * 0.08,
    size * 0.03,
  );
  const crown = Array.from({ length: 11 }, () => {
    const turn = dice.between(0, 2 * Math.PI);
    const far = dice.unit() ** 0.6;
    return circle(
      x + Math.cos(turn) * far * size * 0.24,
      y - size * 0.68 + Math.sin(turn) * far * size * 0.19,
      size * dice.between(0.09, 0.15),
    );
  });
  return { body: path(trunk, ...crown), bright: [], light: [] };
}

export function balloon([x, y]: Point, size: number): { envelope: Path; stripes: Path; basket: Path } {
  const gore = (width: number): Point[] =>
    Array.from({ length: 40 }, (_, i) => {
      const turn = (i / 40) * 2 * Math.PI;
      const v = Math.sin(turn);
      return [x + Math.cos(turn) * width * (v > 0 ? 1 - 0.35 * v * v : 1), y + v * size * (v > 0 ? 1.25 : 1)] as const;
    });
  const ropes = [
    ribbon(
      [
        [x - size * 0.35, y + size * 1.15],
        [x - size * 0.12, y + size * 1.6],
      ],
      size * 0.03,
    ),
    ribbon(
      [
        [x + size * 0.35, y + size * 1.15],
        [x + size * 0.12, y + size * 1.6],
      ],
      size * 0.03,
    ),
  ];
  return {
    envelope: path(gore(size)),
    stripes: path(gore(size * 0.4)),
    basket: path(...ropes, rectangle(x - size * 0.16, y + size * 1.58, size * 0.32, size * 0.24)),
  };
}
