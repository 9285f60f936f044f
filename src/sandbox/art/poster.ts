import { type Canvas, scale, towards, type Path, type Point } from './canvas';
import { type Color, lighter, mix } from './color';
import type { Composition } from './composition';
import { type Dice, Noise, clamp } from './random';
import { circle, path, petal, rectangle, ribbon } from './shapes';
import type { Ground } from './vocabulary';

/** Flat shapes in few colors, like a block print; `busy`, from 0 to 1, sets how many. */
export async function drawPoster(canvas: Canvas, plan: Composition, busy: number): Promise<void> {
  const poster = new Poster(canvas, plan, busy);
  if (plan.grounds.includes('abstract')) await poster.tiles();
  else await poster.scene();
  await poster.subjects();
  await poster.print();
}

class Poster {
  private readonly margin: number;
  private readonly left: number;
  private readonly top: number;
  private readonly wide: number;
  private readonly high: number;
  private readonly unit: number;

  constructor(
    private readonly canvas: Canvas,
    private readonly plan: Composition,
    private readonly busy: number,
  ) {
    this.margin = Math.sqrt(plan.width * plan.height) * 0.045;
    this.left = this.margin;
    this.top = this.margin;
    this.wide = plan.width - 2 * this.margin;
    this.high = plan.height - 2 * this.margin;
    this.unit = Math.min(this.high, this.wide * 1.2, Math.sqrt(this.wide * this.high));
  }

  async scene(): Promise<void> {
    const { palette, time, grounds } = this.plan;
    const night = time === 'night';
    const ground = night ? palette.sky[0] : mix(palette.sky[1], palette.sky[2], 0.35);
    await this.canvas.repaint((_x, _y, pixel) => towards(pixel, ground, 1));
    await this.light();
    const sea = grounds.includes('sea');
    const dry = grounds.filter((ground) => ground !== 'sea');
    const horizon = this.top + this.high * (sea ? 0.62 : 0.6);
    if (dry.length === 0) await this.fill([rectangle(0, horizon, this.plan.width, this.plan.height)], palette.near);
    for (const [i, ground] of dry.entries())
      await this.ground(ground, horizon + (sea ? 0 : i * this.high * 0.12), i === dry.length - 1 && !sea);
    if (sea) await this.scallops(horizon);
    for (const { path: outline, color } of [...this.plan.flying, ...this.plan.props]) await this.fill(outline, color);
    if (this.plan.weather === 'rain' || this.plan.weather === 'snow') await this.falling(this.plan.weather);
  }

  async subjects(): Promise<void> {
    for (const { path: outline, color } of this.plan.subjects) await this.fill(outline, color);
  }

  /** A grid of quarter discs, discs, bars, and triangles. */
  async tiles(): Promise<void> {
    const { palette } = this.plan;
    const dice = this.plan.dice.for('tiles');
    const count = Math.round(4 + 3 * this.busy);
    const side =
      Math.min(this.wide, this.high) / Math.max(2, Math.round((count * Math.min(this.wide, this.high)) / this.unit));
    const [columns, rows] = [Math.round(this.wide / side), Math.round(this.high / side)];
    const [w, h] = [this.wide / columns, this.high / rows];
    const inks = [palette.accent, palette.near, palette.accent2, palette.far, palette.sky[0], palette.light] as const;
    const grounds = [palette.sky[2], palette.sky[1], palette.light, palette.near] as const;
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const [x, y] = [this.left + column * w, this.top + row * h];
        const below = dice.pick(grounds);
        await this.fill([rectangle(x, y, w + 0.6, h + 0.6)], below);
        for (const shape of tile(x, y, w, h, dice)) {
          const ink = dice.pick(inks);
          await this.fill([shape], ink === below ? palette.accent : ink);
        }
      }
    }
  }

  /** The blank margin, and the specks of an uneven print. */
  async print(): Promise<void> {
    const { width, height, palette, dice } = this.plan;
    const noise = new Noise(dice.for('print').seed);
    const sheet = mix(palette.light, [0.97, 0.94, 0.88], 0.6);
    await this.canvas.repaint((x, y, pixel) => {
      const inside = Math.min(x, y, width - 1 - x, height - 1 - y) - this.margin;
      const bare = clamp(0.5 - inside);
      const speck = clamp((noise.at(x / 1.3, y / 1.3) * 0.7 + noise.at(x / 37, y / 37) * 0.5 - 0.72) * 3) * 0.55;
      towards(pixel, sheet, Math.max(bare, speck));
      scale(pixel, 1 + 0.02 * noise.at(x / 1.8 + 99, y / 1.8));
    });
  }

  private async light(): Promise<void> {
    const { palette, time, disc, stars } = this.plan;
    const radius = this.unit * (disc.moon ? 0.15 : 0.22);
    const x = clamp(disc.x, this.left + radius * 1.4, this.left + this.wide - radius * 1.4);
    const low = time === 'sunset' || time === 'dawn';
    const y = this.top + this.high * (low ? 0.46 : 0.33);
    for (const [u, v, r] of stars) await this.fill([star(u, v, r * 2.2)], palette.light);
    const rings =
      time === 'night'
        ? [palette.sky[1], mix(palette.sky[1], palette.sky[2], 0.4)]
        : [mix(palette.sky[1], palette.light, 0.4), mix(palette.sky[2], palette.light, 0.5)];
    await this.fill([circle(x, y, radius * 2.1)], rings[0] ?? palette.light);
    await this.fill([circle(x, y, radius * 1.5)], rings[1] ?? palette.light);
    await this.fill(
      [circle(x, y, radius)],
      disc.moon ? disc.color : low ? warmer(palette.accent, palette.accent2) : palette.light,
    );
    if (disc.moon)
      await this.fill([circle(x + radius * 0.42, y - radius * 0.16, radius * 0.86)], rings[1] ?? palette.sky[1]);
    if (!low) return;
    const slits = Array.from({ length: 5 }, (_, i) =>
      rectangle(x - radius * 1.05, y + radius * (0.12 + i * 0.19), radius * 2.1, radius * (0.02 + i * 0.017)),
    );
    await this.fill(slits, rings[1] ?? palette.light);
  }

  private async ground(ground: Ground, horizon: number, last: boolean): Promise<void> {
    const dice = this.plan.dice.for(`poster ${ground}`);
    if (last && ground !== 'mountain' && ground !== 'desert')
      await this.fill([rectangle(0, horizon, this.plan.width, this.plan.height)], this.plan.palette.near);
    switch (ground) {
      case 'mountain':
        return this.mountains(horizon, last, dice);
      case 'desert':
        return this.dunes(horizon, last, dice);
      case 'city':
        return this.city(horizon, dice);
      case 'forest':
        return this.forest(horizon, last, dice);
      case 'flower':
        return this.flowers(dice);
      default:
        return this.stripes(horizon);
    }
  }

  private async mountains(horizon: number, last: boolean, dice: Dice): Promise<void> {
    const { palette } = this.plan;
    const foot = last ? this.plan.height : horizon;
    const rows = last ? 3 : 1;
    for (let row = 0; row < rows; row++) {
      const base = last ? horizon + (this.high * 0.42 * (row + 1)) / rows : foot;
      const count = Math.ceil((this.wide / this.unit) * (2.4 - 0.3 * row));
      const color = mix(palette.far, palette.near, rows === 1 ? 0.35 : row / (rows - 1));
      const places = Array.from({ length: count }, (_, i) => ({
        x: this.left + (this.wide * (i + dice.between(0.1, 0.9))) / count,
        h: this.unit * dice.between(0.3, 0.58) * (1 - 0.14 * row),
      }));
      for (const { x, h } of places.sort((a, b) => b.h - a.h)) {
        const half = h * dice.between(0.75, 0.95);
        await this.fill(
          [
            [
              [x, base - h],
              [x + half, base],
              [x - half, base],
            ],
          ],
          lighter(color, 0.05),
        );
        await this.fill(
          [
            [
              [x, base - h],
              [x + half, base],
              [x + half * 0.12, base],
              [x - h * 0.06, base - h * 0.55],
            ],
          ],
          lighter(color, -0.08),
        );
        if (row < 2)
          await this.fill(
            [
              [
                [x, base - h],
                [x + half * 0.27, base - h * 0.73],
                [x + half * 0.12, base - h * 0.77],
                [x + half * 0.02, base - h * 0.68],
                [x - half * 0.1, base - h * 0.76],
                [x - half * 0.25, base - h * 0.75],
              ],
            ],
            palette.light,
          );
      }
      if (last) await this.fill([rectangle(0, base - 0.5, this.plan.width, this.plan.height)], lighter(color, -0.08));
    }
  }

  private async dunes(horizon: number, last: boolean, dice: Dice): Promise<void> {
    const { palette } = this.plan;
    const rows = last ? 4 : 2;
    for (let row = 0; row < rows; row++) {
      const y = horizon + row * this.high * 0.12 - this.unit * 0.02;
      const color = mix(palette.far, palette.near, row / Math.max(1, rows - 1));
      const x = this.left + this.wide * dice.between(0.1, 0.9);
      const [w, h] = [
        Math.max(this.wide * 0.8, this.unit) * dice.between(0.8, 1.1),
        this.unit * dice.between(0.12, 0.22),
      ];
      const hill = curve(
        [
          [x - w, y + h * 0.9],
          [x - w * 0.4, y],
          [x, y - h],
          [x + w * 0.3, y + h * 0.3],
          [x + w, y + h * 0.9],
        ],
        this.plan.height,
      );
      await this.fill([hill], color);
      const lee = curve(
        [
          [x, y - h],
          [x + w * 0.3, y + h * 0.3],
          [x + w, y + h * 0.9],
        ],
        this.plan.height,
        [
          [x + w * 0.22, y + h * 1.3],
          [x - w * 0.04, y + h * 0.2],
        ],
      );
      await this.fill([lee], lighter(color, -0.09));
    }
  }

  private async city(horizon: number, dice: Dice): Promise<void> {
    const { palette, time } = this.plan;
    const lit = time === 'day' || time === 'dawn' ? palette.sky[2] : palette.light;
    for (let row = 0; row < 3; row++) {
      const colors = [
        mix(palette.far, palette.near, row * 0.42),
        mix(palette.far, palette.near, row * 0.42 + 0.15),
        row === 1 ? palette.accent : mix(palette.sky[0], palette.near, 0.4),
      ] as const;
      const base = horizon + this.high * 0.13 * row;
      for (let x = this.left - this.unit * 0.05 * dice.unit(); x < this.left + this.wide;) {
        const w = this.unit * dice.between(0.07, 0.15);
        const h = this.unit * dice.between(0.14, 0.52) * (1 - 0.12 * row);
        const color = dice.pick(colors);
        await this.fill([rectangle(x, base - h, w, this.plan.height)], color);
        await this.fill([rectangle(x + w * 0.62, base - h, w * 0.38, this.plan.height)], lighter(color, -0.07));
        if (dice.chance(0.3)) await this.fill([half(x + w / 2, base - h + 0.5, w / 2)], color);
        await this.fill(windows(x, base - h, w, h + this.high * 0.13, dice), mix(color, lit, 0.85));
        x += w + (dice.chance(0.2) ? w * 0.3 : 0);
      }
    }
  }

  private async forest(horizon: number, last: boolean, dice: Dice): Promise<void> {
    const { palette } = this.plan;
    const rows = last ? 4 : 2;
    for (let row = 0; row < rows; row++) {
      const t = row / Math.max(1, rows - 1);
      const y = horizon + this.high * 0.13 * row;
      const size = this.unit * (0.16 + 0.2 * t);
      const color = mix(palette.far, palette.near, 0.1 + 0.75 * t);
      if (row > 0) await this.fill([rectangle(0, y, this.plan.width, this.plan.height)], lighter(color, -0.03));
      for (
        let x = this.left - size * dice.unit() * 0.4;
        x < this.left + this.wide + size * 0.3;
        x += size * dice.between(0.36, 0.6)
      ) {
        const h = size * dice.between(0.75, 1.15);
        const round = dice.chance(0.3);
        const leaf = round && dice.chance(0.5) ? mix(palette.accent, color, 0.25) : color;
        await this.fill([rectangle(x - h * 0.025, y - h * 0.4, h * 0.05, h * 0.45)], palette.near);
        if (round) {
          await this.fill([circle(x, y - h * 0.62, h * 0.27)], leaf);
          await this.fill([half(x, y - h * 0.62, h * 0.27, Math.PI / 2)], lighter(leaf, -0.07));
        } else {
          await this.fill(
            [
              [
                [x, y - h],
                [x + h * 0.2, y - h * 0.16],
                [x - h * 0.2, y - h * 0.16],
              ],
            ],
            leaf,
          );
          await this.fill(
            [
              [
                [x, y - h],
                [x + h * 0.2, y - h * 0.16],
                [x, y - h * 0.16],
              ],
            ],
            lighter(leaf, -0.07),
          );
        }
      }
    }
  }

  private async flowers(dice: Dice): Promise<void> {
    const { palette } = this.plan;
    const count = Math.max(3, Math.round((this.wide / this.unit) * (3 + 2 * this.busy)));
    const foot = this.top + this.high;
    const colors = [palette.accent, palette.accent2, palette.accent, mix(palette.accent, palette.near, 0.3)] as const;
    const stalk = mix(palette.far, palette.near, 0.75);
    for (let i = 0; i < count; i++) {
      const x = this.left + (this.wide * (i + 0.5)) / count;
      const size = Math.min(this.unit * dice.between(0.11, 0.17), (this.wide / count) * 0.62);
      const y = foot - this.unit * dice.between(0.28, 0.66);
      await this.fill([rectangle(x - size * 0.05, y, size * 0.1, foot - y)], stalk);
      for (const side of [-1, 1]) {
        const leafAt = foot - (foot - y) * dice.between(0.25, 0.5);
        await this.fill(
          [quarter(x, leafAt, size * 0.8 * side)],
          side === 1 ? lighter(stalk, 0.07) : lighter(stalk, 0.12),
        );
      }
      const color = colors[(i + dice.whole(0, 1)) % colors.length] ?? palette.accent;
      await this.head(x, y, size, color, dice);
    }
  }

  private async head(x: number, y: number, size: number, color: Color, dice: Dice): Promise<void> {
    const { palette } = this.plan;
    const kind = dice.whole(0, 2);
    const count = kind === 0 ? 8 : 12;
    if (kind === 2) {
      await this.fill([half(x, y, size)], color);
      await this.fill([half(x, y, size * 0.62)], mix(color, palette.near, 0.35));
      await this.fill([half(x, y, size * 0.3)], palette.light);
      return;
    }
    for (let i = 0; i < count; i++) {
      const shade = i % 2 === 0 ? color : mix(color, palette.near, 0.16);
      await this.fill([petal(x, y, size, (size * 2.2) / count, (i / count) * 2 * Math.PI, kind === 1)], shade);
    }
    await this.fill([circle(x, y, size * 0.3)], palette.light);
    await this.fill([circle(x, y, size * 0.16)], palette.near);
  }

  /** Furrows that converge on the horizon. */
  private async stripes(horizon: number): Promise<void> {
    const { palette } = this.plan;
    const [x, y] = [this.plan.disc.x, horizon - this.high * 0.06];
    await this.fill(
      [
        curve(
          [
            [0, horizon],
            [this.plan.width * 0.35, horizon - this.unit * 0.06],
            [this.plan.width, horizon + this.unit * 0.02],
          ],
          this.plan.height,
        ),
      ],
      mix(palette.far, palette.near, 0.2),
    );
    const count = 26;
    const bottom = this.plan.height;
    const span = Math.max(this.plan.width, this.high * 2.2) * 2.4;
    for (let i = 0; i < count; i++) {
      const [from, to] = [x - span / 2 + (span * i) / count, x - span / 2 + (span * (i + 1)) / count];
      const t = (horizon - y) / (bottom - y);
      const at = (u: number): Point => [x + (u - x) * t, horizon];
      const color =
        [
          mix(palette.far, palette.near, 0.35),
          mix(palette.far, palette.near, 0.7),
          palette.near,
          mix(palette.near, palette.accent2, 0.4),
        ][i % 4] ?? palette.near;
      await this.fill([[at(from), at(to), [to, bottom], [from, bottom]]], color);
    }
  }

  /** Rows of nested half discs, like waves on old fabric. */
  private async scallops(horizon: number): Promise<void> {
    const { palette } = this.plan;
    const deep = mix(palette.far, palette.near, 0.55);
    await this.fill([rectangle(0, horizon, this.plan.width, this.plan.height)], deep);
    const radius = this.unit * (0.105 - 0.03 * this.busy);
    const rows = Math.ceil((this.plan.height - horizon) / (radius * 0.5)) + 1;
    const rings = [
      deep,
      mix(palette.sky[1], palette.light, 0.35),
      mix(deep, palette.near, 0.55),
      mix(palette.sky[1], palette.far, 0.6),
      palette.near,
    ];
    for (let row = 0; row < rows; row++) {
      const y = horizon + radius + row * radius * 0.5;
      const fade = row / rows;
      const line: number[] = [];
      for (let x = this.left + (row % 2 === 0 ? 0 : radius); x < this.plan.width + radius; x += 2 * radius)
        line.push(x);
      for (const [i, ring] of rings.entries()) {
        const share = 1 - i * 0.2;
        await this.fill(
          line.map((x) => circle(x, y, radius * share)),
          mix(ring, palette.near, fade * 0.45),
        );
      }
    }
  }

  private async falling(weather: 'rain' | 'snow'): Promise<void> {
    const { palette, width, height } = this.plan;
    const dice = this.plan.dice.for('falling');
    const shapes = Array.from({ length: 90 }, () => {
      const [x, y, s] = [dice.unit() * width, dice.unit() * height, this.unit * dice.between(0.5, 1)];
      return weather === 'snow'
        ? circle(x, y, s * 0.008)
        : ribbon(
            [
              [x, y],
              [x - s * 0.012, y + s * 0.055],
            ],
            s * 0.005,
          );
    });
    await this.fill(path(...shapes), palette.light);
  }

  private fill(outline: Path, color: Color): Promise<void> {
    return this.canvas.fill(outline, color);
  }
}

function warmer(one: Color, other: Color): Color {
  return one[0] - one[2] >= other[0] - other[2] ? one : other;
}

/** The lower right half of a disc, optionally turned. */
function half(x: number, y: number, radius: number, turn = 0): Point[] {
  const from = turn === 0 ? Math.PI : -Math.PI / 2;
  return Array.from({ length: 40 }, (_, i) => {
    const a = from + (i / 39) * Math.PI;
    return [x + Math.cos(a) * radius, y + Math.sin(a) * radius] as const;
  });
}

/** A quarter disc that grows upward from a stalk; to the left if the radius is negative. */
function quarter(x: number, y: number, radius: number): Point[] {
  const arc = Array.from({ length: 20 }, (_, i) => {
    const a = ((i / 19) * Math.PI) / 2;
    return [x + Math.sin(a) * radius, y - Math.abs(radius) + Math.cos(a) * Math.abs(radius)] as const;
  });
  return [[x, y - Math.abs(radius)], ...arc];
}

function star(x: number, y: number, radius: number): Point[] {
  return Array.from({ length: 8 }, (_, i) => {
    const far = i % 2 === 0 ? radius : radius * 0.35;
    return [x + Math.cos((i * Math.PI) / 4) * far, y + Math.sin((i * Math.PI) / 4) * far] as const;
  });
}

function windows(x: number, y: number, w: number, h: number, dice: Dice): Path {
  const columns = 3;
  const cell = w / (columns + 0.7);
  const found: Point[][] = [];
  for (let row = 0; cell * (0.8 + row * 1.5) < h - cell; row++) {
    for (let column = 0; column < columns; column++) {
      if (dice.chance(0.5))
        found.push(rectangle(x + cell * (0.6 + column), y + cell * (0.8 + row * 1.5), cell * 0.55, cell * 0.8));
    }
  }
  return found;
}

/** A smooth line through points, closed along the foot or along other points. */
function curve(through: readonly Point[], foot: number, back?: readonly Point[]): Point[] {
  const smooth: Point[] = [];
  through.forEach((to, i) => {
    const from = through[i - 1];
    if (!from) return smooth.push(to);
    for (let k = 1; k <= 24; k++) {
      const t = k / 24;
      const eased = (1 - Math.cos(Math.PI * t)) / 2;
      smooth.push([from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * eased]);
    }
    return undefined;
  });
  const [first, last] = [smooth[0] ?? [0, 0], smooth.at(-1) ?? [0, 0]];
  return [...smooth, [last[0], foot], ...(back ?? [[first[0], foot] as const])];
}

/** The content of one cell in the grid. */
function tile(x: number, y: number, w: number, h: number, dice: Dice): Point[][] {
  const [mx, my] = [x + w / 2, y + h / 2];
  const corners: [Point, ...Point[]] = [
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x, y + h],
  ];
  switch (dice.whole(0, 7)) {
    case 0:
      return [within(circle(...dice.pick(corners), w), x, y, w, h)];
    case 1: {
      const corner = dice.pick(corners);
      return [1, 0.68, 0.36].map((r) => within(circle(...corner, w * r), x, y, w, h));
    }
    case 2:
      return [circle(mx, my, w * 0.42), circle(mx, my, w * 0.2)];
    case 3:
      return [[...corners.filter((corner) => corner !== dice.pick(corners))].slice(0, 3)];
    case 4:
      return [within(circle(x, my, w / 2), x, y, w, h), within(circle(x + w, my, w / 2), x, y, w, h)];
    case 5:
      return [0, 1, 2].map((i) => rectangle(x, y + (h * (i * 2 + 0.5)) / 6, w, h / 6));
    case 6:
      return [
        [
          [mx, y],
          [x + w, my],
          [mx, y + h],
          [x, my],
        ],
        circle(mx, my, w * 0.16),
      ];
    default:
      return [rectangle(x, y, w / 2, h), within(circle(mx, my, w * 0.3), x, y, w, h)];
  }
}

/** An outline scaled to fit a cell. */
function within(outline: readonly Point[], x: number, y: number, w: number, h: number): Point[] {
  return outline.map(([u, v]) => [clamp(u, x, x + w), clamp(v, y, y + h)] as const);
}
