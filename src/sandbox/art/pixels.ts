import { type Canvas, type Path, type Point, towards } from './canvas';
import { type Color, gradient, lighter, mix } from './color';
import type { Composition, Cutout } from './composition';
import { Noise } from './random';
import { circle, rectangle } from './shapes';

/** The order in which a second color fills an area: an even weave at every strength. */
const weave = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

/** Few colors on a coarse grid, dithered where they meet; `block` is the displayed size of a pixel. */
export async function drawPixels(canvas: Canvas, plan: Composition, block: number): Promise<void> {
  const small = canvas.blank(Math.ceil(plan.width / block), Math.ceil(plan.height / block));
  const grid = new Grid(small, plan, block);
  await grid.sky();
  for (const cutout of [...plan.cutouts, ...plan.flying, ...plan.props, ...plan.subjects]) await grid.cut(cutout);
  await grid.weather();
  await canvas.repaint((x, y, pixel) => towards(pixel, small.at(Math.floor(x / block), Math.floor(y / block)), 1));
}

class Grid {
  constructor(
    private readonly canvas: Canvas,
    private readonly plan: Composition,
    private readonly block: number,
  ) {}

  async sky(): Promise<void> {
    const { disc, palette, stars, height } = this.plan;
    const bands = 7;
    const run = gradient(palette.sky);
    const rows = (height * 0.68) / this.block;
    await this.canvas.repaint((x, y, pixel) => {
      const place = Math.min(bands - 1, (y / rows) * bands);
      const band = Math.floor(place) + (woven(x, y, place - Math.floor(place)) ? 1 : 0);
      towards(pixel, run(Math.min(1, band / bands)), 1);
    });
    for (const [x, y, radius] of stars)
      await this.fill([square(x, y, this.block * (radius > 2.4 ? 1.4 : 0.8))], palette.light);
    const [x, y] = [disc.x, disc.y];
    await this.weaveIn([circle(x, y, disc.radius * 1.9)], disc.color, () => 0.16);
    await this.weaveIn([circle(x, y, disc.radius * 1.4)], disc.color, () => 0.32);
    await this.fill([circle(x, y, disc.radius)], disc.color);
    if (disc.moon)
      await this.fill(
        [
          circle(x - disc.radius * 0.3, y - disc.radius * 0.2, disc.radius * 0.25),
          circle(x + disc.radius * 0.35, y + disc.radius * 0.3, disc.radius * 0.2),
        ],
        mix(disc.color, palette.sky[2], 0.35),
      );
  }

  async cut({ kind, path, color, edge, depth }: Cutout): Promise<void> {
    if (kind === 'light' && depth < 0.2) return;
    await this.fill(path, color);
    if (!edge)
      return kind === 'cloud' ? this.weaveIn(path, lighter(color, -0.06), (_, y) => y * 0.04 - 0.2) : undefined;
    const { block } = this;
    const noise = new Noise(this.plan.dice.for(`cut ${depth}`).seed);
    const reach = this.plan.height * 0.3;
    const below = (x: number, y: number) => (y * block - edge(x * block)) / reach;
    if (kind === 'water') {
      return this.weaveIn(path, lighter(color, 0.07), (x, y) => (noise.at(x / 7, y * 1.1) > 0.45 ? 1 : 0));
    }
    await this.weaveIn(path, lighter(color, 0.05), (x, y) => 0.55 - below(x, y) * 5 + 0.3 * noise.at(x / 9, y / 5));
    await this.weaveIn(
      path,
      lighter(color, -0.055),
      (x, y) => below(x, y) * 1.2 - 0.35 + 0.3 * noise.at(x / 12, y / 6),
    );
  }

  async weather(): Promise<void> {
    const { weather, width, height, palette } = this.plan;
    const dice = this.plan.dice.for('weather');
    const { block } = this;
    if (weather === 'rain') {
      for (let i = 0; i < 170; i++) {
        const [x, y] = [dice.unit() * width, dice.unit() * height];
        await this.fill(
          [square(x, y, block), square(x - block * 0.1, y + block, block), square(x - block, y + 2 * block, block)],
          mix(palette.light, palette.sky[2], 0.4),
        );
      }
    }
    if (weather === 'snow') {
      for (let i = 0; i < 210; i++)
        await this.fill(
          [square(dice.unit() * width, dice.unit() * height, block * (dice.chance(0.2) ? 2 : 1))],
          [1, 1, 1],
        );
    }
    if (weather === 'mist') {
      const noise = new Noise(dice.seed);
      const rows = height / block;
      await this.weaveIn([rectangle(0, 0, width, height)], mix(palette.sky[2], palette.light, 0.3), (x, y) => {
        return 0.7 * Math.exp(-(((y / rows - 0.66) / 0.14) ** 2)) * (0.6 + 0.6 * noise.layered(x / 30, y / 6, 2));
      });
    }
  }

  /** Whole pixels only. */
  private async fill(path: Path, color: Color): Promise<void> {
    await this.weaveIn(path, color, () => 1);
  }

  /** Sets the given share of the area's pixels to the color; `share` takes grid pixels. */
  private async weaveIn(path: Path, color: Color, share: (x: number, y: number) => number): Promise<void> {
    const { block } = this;
    const mask = this.canvas.mask(path.map((outline) => outline.map(([x, y]) => [x / block, y / block] as const)));
    for (let i = 0; i < mask.cover.length; i++) mask.cover[i] = (mask.cover[i] ?? 0) > 0.45 ? 1 : 0;
    await this.canvas.blend(mask, color, 1, (x, y) => (woven(x, y, share(x, y)) ? 1 : 0));
  }
}

function woven(x: number, y: number, share: number): boolean {
  return share > ((weave[(y & 3) * 4 + (x & 3)] ?? 0) + 0.5) / 16;
}

function square(x: number, y: number, side: number): Point[] {
  return rectangle(x, y, side, side);
}
