import { type Canvas, scale, towards, type Path, type Point } from './canvas';
import { type Color, gradient, hex, lighter, mix, tinted } from './color';
import type { Composition } from './composition';
import { clamp, type Dice, mixNumbers, Noise } from './random';
import { circle, rectangle } from './shapes';
import { cloud } from './things';
import type { Ground, Thing } from './vocabulary';
import { Statue } from './statue';

/** How to build a block landscape. Shares and strengths range from 0 to 1. */
export interface BlockOptions {
  readonly islands: number;
  readonly grid: number;
  readonly margin: number;
  readonly relief: number;
  readonly roughness: number;
  readonly peaks: number;
  readonly terraces: number;
  readonly water: number;
  readonly waves: number;
  readonly beach: number;
  readonly snowLine: number;
  readonly trees: number;
  readonly treeHeight: number;
  readonly autumnTrees: number;
  readonly buildings: number;
  readonly buildingHeight: number;
  readonly litWindows: number;
  readonly flowers: number;
  readonly boulders: number;
  readonly thickness: number;
  readonly ragged: boolean;
  readonly clouds: number;
  readonly stars: number;
  readonly disc: boolean;
  readonly discSize: number;
  readonly lightFrom: 'left' | 'right';
  readonly contrast: number;
  readonly warmth: number;
  readonly haze: number;
  readonly shadow: boolean;
  readonly shadowStrength: number;
  readonly seams: boolean;
  readonly seamStrength: number;
  readonly grain: number;
}

export const usualBlocks: BlockOptions = {
  islands: 0,
  grid: 18,
  margin: 0.05,
  relief: 1,
  roughness: 0.4,
  peaks: 2,
  terraces: 14,
  water: 0.35,
  waves: 0.4,
  beach: 1,
  snowLine: 0.62,
  trees: 0.3,
  treeHeight: 1,
  autumnTrees: 0,
  buildings: 0.7,
  buildingHeight: 1,
  litWindows: 0.5,
  flowers: 0.2,
  boulders: 0.03,
  thickness: 5,
  ragged: true,
  clouds: 4,
  stars: 120,
  disc: true,
  discSize: 1,
  lightFrom: 'left',
  contrast: 0.5,
  warmth: 0,
  haze: 0.2,
  shadow: true,
  shadowStrength: 0.5,
  seams: true,
  seamStrength: 0.3,
  grain: 0.3,
};

/** The name of an option among a model's inputs. */
export function inputName(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The options from a model's inputs, with defaults for those that the model doesn't have. */
export function blockOptions(inputs: Readonly<Record<string, unknown>>): BlockOptions {
  const asked = Object.keys(usualBlocks).map((option) => [option, inputs[inputName(option)]] as const);
  return {
    ...usualBlocks,
    ...(Object.fromEntries(asked.filter(([, value]) => value !== undefined)) as Partial<BlockOptions>),
  };
}

/** A block landscape that floats in its sky. */
export async function drawBlocks(canvas: Canvas, plan: Composition, options: BlockOptions): Promise<void> {
  await sky(canvas, plan, options);
  for (const place of places(plan, options)) await new Island(canvas, plan, options, place).draw();
  for (const { path, color } of plan.flying) await canvas.fill(path, color);
  await finish(canvas, plan, options);
}

interface Place {
  readonly x: number;
  readonly y: number;
  /** Half the width of a block's top. */
  readonly half: number;
  readonly index: number;
}

/** One island fills a square image; elongated ones get several in a row. */
function places({ width, height }: Composition, { islands, grid, margin }: BlockOptions): Place[] {
  const ratio = width / height;
  const count = islands > 0 ? islands : ratio > 2.4 ? 3 : ratio > 1.45 || ratio < 0.7 ? (ratio < 0.45 ? 3 : 2) : 1;
  const along = ratio >= 1;
  const [w, h] = along ? [width / count, height] : [width, height / count];
  const room = Math.min(w * (1 - 2 * margin), h * 1.32 * (1 - 2 * margin)) * (count > 1 ? 1.04 : 1);
  return Array.from({ length: count }, (_, index) => {
    const lift = count > 1 && along ? (index % 2 === 0 ? -0.045 : 0.06) : 0.03;
    const size = count > 1 && index % 2 === 1 ? 0.84 : 1;
    const x = along ? w * (index + 0.5) : width * (count > 1 ? 0.5 + (index % 2 === 0 ? -0.04 : 0.06) : 0.5);
    return { x, y: (along ? h * 0.56 : h * (index + 0.56)) + h * lift, half: (room / (2 * grid)) * size, index };
  });
}

async function sky(
  canvas: Canvas,
  plan: Composition,
  { disc, discSize, stars, clouds, warmth }: BlockOptions,
): Promise<void> {
  const { palette, width, height, time } = plan;
  const warm = (color: Color) => mix(color, warmth > 0 ? hex('#ffb067') : hex('#6aa5ff'), Math.abs(warmth) * 0.35);
  const run = gradient([warm(palette.sky[0]), warm(palette.sky[1]), warm(palette.sky[2])]);
  await canvas.repaint((x, y, pixel) => towards(pixel, run(y / height + 0.06 * (x / width - 0.5)), 1));
  const dice = plan.dice.for('block sky');
  if (time === 'night') {
    const dots = Array.from({ length: stars }, () =>
      circle(dice.unit() * width, dice.unit() * height * 0.8, height * (0.0006 + 0.0016 * dice.unit() ** 3)),
    );
    await canvas.fill(dots, palette.light, 0.9);
  }
  if (disc) {
    const radius = plan.disc.radius * 1.15 * discSize;
    for (const ring of [2.6, 1.7])
      await canvas.fill([circle(plan.disc.x, plan.disc.y * 0.85, radius * ring)], palette.light, 0.09);
    await canvas.fill([circle(plan.disc.x, plan.disc.y * 0.85, radius)], palette.light, 0.95);
  }
  const unit = Math.min(width, height);
  for (let i = 0; i < clouds; i++) {
    const at: Point = [dice.unit() * width, height * dice.between(0.08, 0.92)];
    await canvas.fill(
      cloud(at, unit * dice.between(0.035, 0.075), dice),
      mix(palette.sky[2], palette.light, 0.5),
      time === 'night' ? 0.12 : 0.6,
    );
  }
}

async function finish(canvas: Canvas, plan: Composition, { haze, grain }: BlockOptions): Promise<void> {
  const noise = new Noise(plan.dice.for('grain').seed);
  const veil = plan.palette.sky[2];
  const thick = plan.weather === 'mist' ? Math.max(haze, 0.7) : haze;
  const falls = plan.dice.for('falls');
  if (plan.weather === 'snow' || plan.weather === 'rain') {
    const unit = Math.min(plan.width, plan.height);
    const drops: Path = Array.from({ length: 220 }, () => {
      const [x, y] = [falls.unit() * plan.width, falls.unit() * plan.height];
      return plan.weather === 'snow'
        ? circle(x, y, unit * (0.0012 + 0.004 * falls.unit() ** 2))
        : rectangle(x, y, unit * 0.0016, unit * falls.between(0.02, 0.045));
    });
    await canvas.fill(drops, plan.palette.light, plan.weather === 'snow' ? 0.9 : 0.5);
  }
  await canvas.repaint((x, y, pixel) => {
    const low = clamp(y / plan.height - 0.45);
    if (low > 0) towards(pixel, veil, thick * 0.5 * low * (1 + 0.5 * noise.layered(x / 160, y / 60, 2)));
    scale(pixel, 1 + 0.06 * grain * noise.at(x / 1.5, y / 1.5));
  });
}

type Soil = 'water' | 'sand' | 'grass' | 'rock' | 'snow' | 'street' | 'tile';

class Island {
  private readonly dice: Dice;
  private readonly noise: Noise;
  private readonly n: number;
  private readonly half: number;
  private readonly step: number;
  private readonly landmarks: ReadonlyMap<string, Thing>;
  /** The subject of the image. */
  private readonly statue: Statue | undefined;
  private readonly summits: readonly (readonly [number, number, number])[];

  constructor(
    private readonly canvas: Canvas,
    private readonly plan: Composition,
    private readonly options: BlockOptions,
    private readonly place: Place,
  ) {
    this.dice = plan.dice.for(`island ${place.index}`);
    this.noise = new Noise(this.dice.seed);
    this.n = options.grid;
    this.half = place.half;
    this.step = place.half * 0.62;
    const spread = this.dice.for('summits');
    this.summits = Array.from(
      { length: options.peaks },
      (_, i) =>
        [spread.between(0.2, 0.75), spread.between(0.2, 0.75), i === 0 ? 1 : spread.between(0.5, 0.85)] as const,
    );
    const largest = places(plan, options).reduce((best, each) => (each.half > best.half ? each : best));
    if (place.index === largest.index) this.statue = Statue.of(plan.subjects, this.n, this.step / this.half);
    this.landmarks = this.placed(place.index === 0 ? plan.things : new Set());
  }

  async draw(): Promise<void> {
    if (this.options.shadow) await this.shadow();
    for (let sum = 0; sum <= 2 * (this.n - 1); sum++) {
      for (let i = Math.max(0, sum - this.n + 1); i <= Math.min(sum, this.n - 1); i++) await this.column(i, sum - i);
    }
  }

  private async shadow(): Promise<void> {
    const { half, n, place, options } = this;
    const [w, y] = [half * n * 0.8, place.y + half * n * 0.62 + this.step * options.thickness];
    const flat: Point[] = Array.from({ length: 60 }, (_, i) => [
      place.x + Math.cos((i / 30) * Math.PI) * w,
      y + Math.sin((i / 30) * Math.PI) * w * 0.2,
    ]);
    await this.canvas.shade(this.canvas.mask([flat]).softened(half * 1.6), options.shadowStrength * 0.45, 0);
  }

  /** One column: its ground down to the underside, where visible, then what stands on it. */
  private async column(i: number, j: number): Promise<void> {
    const dice = this.dice.for(`${i} ${j}`);
    const height = this.height(i, j);
    const soil = this.soil(i, j, height);
    const top =
      soil === 'water' ? this.waterLevel - this.options.waves * 0.5 * (1 + this.noise.at(i * 0.8, j * 0.8)) : height;
    const color = this.colorOf(soil, dice, height);
    const bottom = this.bottom(i, j, dice);
    const rim = i === this.n - 1 || j === this.n - 1;
    const foot = rim ? bottom : Math.min(this.surface(i + 1, j), this.surface(i, j + 1), top) - 1;
    await this.box(i, j, foot, rim ? Math.min(top, Math.max(foot, top - 1.6)) : foot, this.earth, 1);
    await this.box(i, j, rim ? Math.max(foot, top - 1.6) : foot, top, color, 1);
    if (await this.landmark(i, j, top)) return;
    if (this.statue?.covers(i, j)) return this.carve(this.statue, i, j, top);
    if (soil === 'grass' || soil === 'street' || soil === 'sand') await this.stand(i, j, top, soil, dice);
  }

  /** The statue's part on this column, from the ground up. */
  private async carve(statue: Statue, i: number, j: number, top: number): Promise<void> {
    if (j !== statue.row) return;
    for (const { along, up, color } of statue.cellsOn(i)) {
      const [left, low] = [statue.left + along * statue.side, top + up * statue.tall];
      const depth: readonly [number, number] = [j + 0.5 - statue.thick / 2, j + 0.5 + statue.thick / 2];
      await this.brick([left, left + statue.side], depth, [low, low + statue.tall], color, false);
    }
  }

  private async stand(i: number, j: number, top: number, soil: Soil, dice: Dice): Promise<void> {
    const { options } = this;
    const roll = dice.unit();
    if (soil === 'street') {
      if (roll < options.buildings && i % 3 !== 2 && j % 4 !== 3) return this.building(i, j, top, dice);
      return roll > 0.93 ? this.tree(i, j, top, dice) : undefined;
    }
    if (soil === 'sand')
      return roll < 0.05 * options.trees && this.has('desert') ? this.cactus(i, j, top, dice) : undefined;
    const wood = this.has('forest')
      ? Math.min(1, options.trees * 2)
      : this.has('flower') || this.has('field')
        ? options.trees * 0.2
        : options.trees * 0.7;
    if (roll < wood) return this.tree(i, j, top, dice);
    const blooms = this.has('flower') ? Math.min(1, options.flowers * 3.5) : options.flowers * 0.5;
    if (roll < wood + blooms * (1 - wood)) return this.bloom(i, j, top, dice);
    if (roll > 1 - options.boulders) return this.box(i, j, top, top + 0.6, this.lit(hex('#8d9099')), 0.5);
    return undefined;
  }

  /** The requested house, lighthouse, pier, or boat; true if it stands here. */
  private async landmark(i: number, j: number, top: number): Promise<boolean> {
    const thing = this.landmarks.get(`${i} ${j}`);
    const { palette } = this.plan;
    if (thing === 'lighthouse') {
      for (let ring = 0; ring < 4; ring++)
        await this.box(
          i,
          j,
          top + ring * 1.5,
          top + ring * 1.5 + 1.5,
          this.lit(ring % 2 === 0 ? palette.light : palette.accent),
          0.9 - ring * 0.09,
        );
      await this.box(i, j, top + 6, top + 6.9, palette.light, 0.42);
      await this.box(i, j, top + 6.9, top + 7.4, this.lit(palette.near), 0.56);
    }
    if (thing === 'house') {
      const wall = this.lit(mix(palette.light, palette.far, 0.15));
      await this.box(i, j, top, top + 2, wall, 1);
      await this.canvas.fill(
        [
          this.pane(i, j, 1, true, 0.3, 0.65, top + 0.6, top + 1.5),
          this.pane(i, j, 1, false, 0.3, 0.65, top + 0.1, top + 1.5),
        ],
        mix(palette.light, hex('#ffc95e'), 0.6),
      );
      for (const [from, wide] of [
        [2, 1.25],
        [2.6, 0.85],
        [3.2, 0.45],
      ] as const)
        await this.box(i, j, top + from, top + from + 0.6, this.lit(palette.accent), wide);
    }
    if (thing === 'pier') {
      await this.box(i, j, top, top + 0.7, this.lit(hex('#5d4330')), 0.3);
      await this.box(i, j, top + 0.7, top + 1, this.lit(hex('#a5794f')), 1);
    }
    if (thing === 'boat') {
      await this.box(i, j, top, top + 0.6, this.lit(hex('#7a4a2c')), 0.95);
      await this.box(i, j, top + 0.6, top + 3.4, this.lit(palette.light), 0.34);
      await this.box(i, j, top + 3.4, top + 3.8, this.lit(palette.accent), 0.2);
    }
    return thing !== undefined;
  }

  private async tree(i: number, j: number, top: number, dice: Dice): Promise<void> {
    const { options, plan } = this;
    const tall = dice.between(0.8, 1.3) * options.treeHeight;
    const autumn = dice.chance(
      Math.max(
        options.autumnTrees,
        this.plan.palette.accent[0] > 0.75 && this.has('forest') && this.plan.time !== 'night' ? 0.15 : 0,
      ),
    );
    const natural = autumn
      ? mix(plan.palette.accent, plan.palette.accent2, dice.unit())
      : mix(hex('#2f7d4f'), hex('#69a84a'), dice.unit());
    const leaf = plan.weather === 'snow' ? mix(this.lit(natural), [0.95, 0.97, 1], 0.35) : this.lit(natural);
    await this.box(i, j, top, top + 0.9 * tall, this.lit(hex('#6b4a32')), 0.24);
    await this.box(i, j, top + 0.8 * tall, top + 1.9 * tall, lighter(leaf, -0.04), 0.86);
    await this.box(i, j, top + 1.9 * tall, top + 2.8 * tall, leaf, 0.62);
    await this.box(
      i,
      j,
      top + 2.8 * tall,
      top + 3.5 * tall,
      plan.weather === 'snow' ? this.lit([0.96, 0.97, 1]) : lighter(leaf, 0.05),
      0.34,
    );
  }

  private async cactus(i: number, j: number, top: number, dice: Dice): Promise<void> {
    const color = this.lit(hex('#4f8f55'));
    const tall = dice.between(1.6, 3);
    await this.box(i, j, top, top + tall, color, 0.3);
    await this.box(i, j, top + tall, top + tall + 0.25, this.lit(this.plan.palette.accent), 0.2);
  }

  private async bloom(i: number, j: number, top: number, dice: Dice): Promise<void> {
    const { accent, accent2, light } = this.plan.palette;
    const tall = dice.between(0.5, 1.1);
    const color = dice.pick([accent, accent, accent2, mix(accent, light, 0.5)] as const);
    await this.box(i, j, top, top + tall, this.lit(hex('#4f9a52')), 0.14);
    await this.box(i, j, top + tall, top + tall + 0.55, this.lit(color), 0.5);
    await this.box(i, j, top + tall + 0.55, top + tall + 0.75, this.lit(light), 0.2);
  }

  private async building(i: number, j: number, top: number, dice: Dice): Promise<void> {
    const { options, plan, n } = this;
    const middle = 1 - Math.hypot(i / n - 0.42, j / n - 0.42) * 1.25;
    const tall = Math.max(
      1.5,
      Math.round((1.5 + 13 * clamp(middle) ** 1.6 * dice.between(0.35, 1.1)) * options.buildingHeight),
    );
    const walls = [
      plan.palette.far,
      mix(plan.palette.far, plan.palette.light, 0.45),
      mix(plan.palette.near, plan.palette.far, 0.5),
      mix(plan.palette.accent, plan.palette.light, 0.35),
      plan.palette.accent2,
    ] as const;
    const wall = this.lit(dice.pick(walls));
    const wide = dice.between(0.78, 0.94);
    await this.box(i, j, top, top + tall, wall, wide);
    await this.windows(i, j, top, tall, wall, wide, dice);
    if (dice.chance(0.5))
      await this.box(i, j, top + tall, top + tall + dice.between(0.4, 1.2), lighter(wall, -0.05), wide * 0.5);
  }

  private async windows(
    i: number,
    j: number,
    top: number,
    tall: number,
    wall: Color,
    wide: number,
    dice: Dice,
  ): Promise<void> {
    const night = this.plan.time === 'night' || this.plan.time === 'sunset';
    const lit = night ? mix(this.plan.palette.light, hex('#ffc95e'), 0.45) : mix(wall, this.plan.palette.sky[0], 0.6);
    const dark = lighter(wall, -0.13);
    const [on, off]: [Point[][], Point[][]] = [[], []];
    for (let floor = 0; floor < tall; floor++) {
      for (const side of [0, 1]) {
        for (const slot of [0.18, 0.58]) {
          const pane = this.pane(i, j, wide, side === 0, slot, slot + 0.24, top + floor + 0.3, top + floor + 0.78);
          (dice.chance(this.options.litWindows) ? on : off).push(pane);
        }
      }
    }
    await this.canvas.fill(off, dark, 0.8);
    await this.canvas.fill(on, lit, night ? 1 : 0.85);
  }

  /** A window on the left or right face, placed by its share of the width and height. */
  private pane(
    i: number,
    j: number,
    wide: number,
    left: boolean,
    from: number,
    to: number,
    low: number,
    high: number,
  ): Point[] {
    const near = 0.5 + wide / 2;
    const far = 0.5 - wide / 2;
    const at = (t: number, z: number) =>
      left
        ? this.point(i + mixNumbers(far, near, t), j + near, z)
        : this.point(i + near, j + mixNumbers(near, far, t), z);
    return [at(from, high), at(to, high), at(to, low), at(from, low)];
  }

  /** A box on a column between two heights; `wide` is its share of the column's width. */
  private box(i: number, j: number, from: number, to: number, color: Color, wide: number): Promise<void> {
    const [a, b] = [0.5 - wide / 2, 0.5 + wide / 2];
    return this.brick([i + a, i + b], [j + a, j + b], [from, to], color, wide > 0.7);
  }

  /** A box anywhere, by its extent along each axis. */
  private async brick(
    [left, right]: readonly [number, number],
    [back, front]: readonly [number, number],
    [from, to]: readonly [number, number],
    color: Color,
    seamed: boolean,
  ): Promise<void> {
    if (to - from < 0.01) return;
    const { contrast, lightFrom, seams, seamStrength } = this.options;
    const at = (u: number, v: number, z: number) => this.point(u, v, z);
    const dark = 0.05 + 0.2 * contrast;
    const [onLeft, onRight] = lightFrom === 'left' ? [-dark * 0.35, -dark] : [-dark, -dark * 0.35];
    const [p, q, r] = [at(left, front, to), at(right, front, to), at(right, back, to)];
    await this.face([p, q, at(right, front, from), at(left, front, from)], lighter(color, onLeft));
    await this.face([q, r, at(right, back, from), at(right, front, from)], lighter(color, onRight));
    await this.face([at(left, back, to), r, q, p], lighter(color, 0.035));
    if (seams && seamed) {
      const t = this.half * 0.05;
      const lines: Path = [
        [p, q, [q[0], q[1] + t], [p[0], p[1] + t]],
        [q, r, [r[0], r[1] + t], [q[0], q[1] + t]],
      ];
      await this.canvas.fill(lines, lighter(color, 0.14), seamStrength);
    }
  }

  /** Slightly enlarged, so that no background shows between neighbors. */
  private face(outline: readonly Point[], color: Color): Promise<void> {
    const [x, y] = [
      outline.reduce((sum, p) => sum + p[0], 0) / outline.length,
      outline.reduce((sum, p) => sum + p[1], 0) / outline.length,
    ];
    const grown = outline.map(([u, v]) => [u + Math.sign(u - x) * 0.35, v + Math.sign(v - y) * 0.35] as const);
    return this.canvas.fill([grown], color);
  }

  private point(i: number, j: number, z: number): Point {
    const { x, y } = this.place;
    return [x + (i - j) * this.half, y + (i + j - this.n) * this.half * 0.5 - z * this.step];
  }

  /** Where each landmark stands: the suitable column closest to its intended place. */
  private placed(things: ReadonlySet<Thing>): Map<string, Thing> {
    const found = new Map<string, Thing>();
    const wanted = [
      ['lighthouse', 'lighthouse', 0.45, 0.6, false],
      ['house', 'house', 0.62, 0.42, false],
      ...[0.1, 0.25, 0.42, 0.6, 0.78, 0.9].flatMap((u, i) =>
        [0.3, 0.55, 0.8].map((v) => ['village', 'house', u + 0.05 * v, v - 0.08 * (i % 2), false] as const),
      ),
      ...[0.6, 0.68, 0.76, 0.84, 0.92, 1].map((u) => ['pier', 'pier', u, 0.8, true] as const),
      ['boat', 'boat', 0.82, 0.6, true],
    ] as const;
    for (const [asked, thing, u, v, afloat] of wanted) {
      if (!things.has(asked)) continue;
      const fitting = this.columns().filter(
        ([i, j]) => (this.soil(i, j, this.height(i, j)) === 'water') === afloat && !found.has(`${i} ${j}`),
      );
      const away = ([i, j]: readonly [number, number]) => Math.hypot(i / this.n - u, j / this.n - v);
      const nearest = fitting.reduce<readonly [number, number] | undefined>(
        (best, each) => (best && away(best) <= away(each) ? best : each),
        undefined,
      );
      if (nearest) found.set(`${nearest[0]} ${nearest[1]}`, thing);
    }
    return found;
  }

  private has(ground: Ground): boolean {
    return this.plan.grounds.includes(ground);
  }

  private columns(): (readonly [number, number])[] {
    return Array.from({ length: this.n * this.n }, (_, k) => [Math.floor(k / this.n), k % this.n] as const);
  }

  private get waterLevel(): number {
    return this.has('sea') ? this.options.water * 8 : this.options.water * 2;
  }

  private get earth(): Color {
    return this.lit(mix(hex('#6d5240'), this.plan.palette.near, 0.35));
  }

  private surface(i: number, j: number): number {
    const height = this.height(i, j);
    return this.soil(i, j, height) === 'water' ? this.waterLevel - this.options.waves : height;
  }

  /** The height of the ground in blocks. A statue stands on even, dry ground. */
  private height(i: number, j: number): number {
    if (!this.statue?.covers(i, j)) return this.natural(i, j);
    const { left, row, long } = this.statue;
    return Math.max(this.natural(Math.floor(left + long / 2), row), Math.ceil(this.waterLevel) + 0.5);
  }

  private natural(i: number, j: number): number {
    const { options, plan, n, noise } = this;
    const [u, v] = [i / (n - 1), j / (n - 1)];
    const rough = noise.layered(u * 4.2, v * 4.2, 3);
    // Only sea: puts an island in the middle.
    if (plan.grounds.length === 1 && this.has('sea'))
      return this.stepped(6.2 * clamp(1.05 - Math.hypot(u - 0.45, v - 0.45) * 2.1) + 1.6 * options.roughness * rough);
    let height = 1.4 + options.roughness * 2.6 * rough;
    if (this.has('mountain')) height = 1.2 + this.mountain(u, v) * 13 + options.roughness * 2.5 * rough;
    else if (this.has('desert')) height = 2 + 2.6 * Math.sin(u * 7 + 2.4 * noise.at(u * 2, v * 2)) ** 2 + rough;
    else if (this.has('city')) height = 1.5;
    else if (this.has('abstract'))
      height = 5 + 4.5 * Math.sin(u * 6.3 + this.dice.seed) * Math.cos(v * 6.3) + 1.5 * rough;
    else if (this.has('forest')) height = 2 + 2.2 * (1 + rough) * (0.6 + options.roughness);
    // The land rises at the back and sinks into the water toward the front.
    if (this.has('sea'))
      height = (height + this.waterLevel * 0.7) * clamp(1.75 - (u + v) * 0.98 + 0.45 * rough, -0.25, 1) - 0.4;
    return this.stepped(height);
  }

  private stepped(height: number): number {
    const steps = this.options.terraces / 14;
    return Math.max(0.2, Math.round(height * this.options.relief * steps * 2) / (2 * steps));
  }

  private mountain(u: number, v: number): number {
    return Math.max(...this.summits.map(([x, y, tall]) => tall * clamp(1 - Math.hypot(u - x, v - y) * 1.9) ** 1.5));
  }

  private soil(i: number, j: number, height: number): Soil {
    const { options } = this;
    if (this.has('abstract')) return 'tile';
    if (height < this.waterLevel && (this.has('sea') || (!this.has('city') && !this.has('desert')))) return 'water';
    if (this.has('sea') && !this.has('city') && height < this.waterLevel + 0.6 * options.beach) return 'sand';
    if (this.has('desert')) return 'sand';
    if (this.has('mountain')) {
      const share = height / (14 * options.relief);
      if (share > options.snowLine * 0.85 + 0.05 * this.noise.at(i, j)) return 'snow';
      if (share > options.snowLine * 0.42) return 'rock';
    }
    return this.has('city') ? 'street' : 'grass';
  }

  private colorOf(soil: Soil, dice: Dice, height: number): Color {
    const { palette, weather } = this.plan;
    const vary = dice.between(-0.018, 0.018);
    switch (soil) {
      case 'water':
        return lighter(this.lit(mix(hex('#3aa6cc'), palette.sky[1], 0.25)), vary * 1.6);
      case 'sand':
        return lighter(this.lit(mix(hex('#ecd6a2'), palette.far, this.has('desert') ? 0.35 : 0.05)), vary);
      case 'grass':
        return weather === 'snow'
          ? lighter(this.lit(hex('#eef2f7')), vary)
          : lighter(this.lit(mix(hex('#7fbf57'), hex('#4f9f55'), clamp(height / 8))), vary);
      case 'rock':
        return lighter(this.lit(mix(hex('#8f929b'), palette.far, 0.3)), vary * 1.5);
      case 'snow':
        return lighter(this.lit(hex('#f4f7fb')), vary * 0.5);
      case 'street':
        return lighter(this.lit(mix(hex('#9aa1aa'), palette.far, 0.4)), vary * 0.6);
      case 'tile':
        return lighter(
          this.lit(
            gradient([palette.near, palette.sky[0], palette.accent, palette.accent2, palette.light])(
              clamp(height / 10.5),
            ),
          ),
          vary,
        );
    }
  }

  /** The color in the light of the hour and the image's tint. */
  private lit(color: Color): Color {
    const { time, palette, tint } = this.plan;
    const { warmth } = this.options;
    const own = tint ? tinted(color, tint, 0.6) : color;
    const warm = mix(own, warmth > 0 ? hex('#ff9d4d') : hex('#4d8dff'), Math.abs(warmth) * 0.3);
    if (time === 'night') return lighter(mix(warm, palette.sky[1], 0.5), -0.1);
    if (time === 'sunset') return mix(mix(warm, palette.sky[1], 0.2), palette.light, 0.06);
    return time === 'dawn' ? mix(warm, palette.sky[2], 0.16) : warm;
  }

  /** The underside: ragged, and deepest in the middle. */
  private bottom(i: number, j: number, dice: Dice): number {
    const { thickness, ragged } = this.options;
    if (!ragged) return -thickness;
    const along = i === this.n - 1 ? j : i;
    const middle = 1 - Math.abs(along / (this.n - 1) - 0.5) * 0.5;
    return -thickness * (0.55 + 0.5 * middle) + 1.6 * this.noise.at(along * 0.5, 40) + dice.between(-0.9, 0.5);
  }
}
