import { type Canvas, type Pixel, scale, towards, type Path } from './canvas';
import { type Color, gradient, lighter, lightness } from './color';
import type { Composition, Cutout } from './composition';
import { clamp, Noise } from './random';
import { circle } from './shapes';

const sheet: Color = [0.985, 0.975, 0.95];

/**
 * Thin washes of pigment on rough paper: darker at the edge of a wash, cloudy where it was wet; `wetness` from 0 to 1.
 */
export async function drawWatercolor(canvas: Canvas, plan: Composition, wetness: number): Promise<void> {
  const washes = new Washes(canvas, plan, wetness);
  await canvas.repaint((_x, _y, pixel) => towards(pixel, sheet, 1));
  await washes.sky();
  for (const cutout of [...plan.cutouts, ...plan.flying, ...plan.props, ...plan.subjects]) await washes.lay(cutout);
  await washes.weather();
  await washes.splashes();
  await washes.paper();
}

class Washes {
  private readonly noise: Noise;
  private readonly size: number;

  constructor(
    private readonly canvas: Canvas,
    private readonly plan: Composition,
    private readonly wetness: number,
  ) {
    this.noise = new Noise(plan.dice.for('water').seed);
    this.size = Math.sqrt(plan.width * plan.height);
  }

  async sky(): Promise<void> {
    const { disc, palette, height, stars } = this.plan;
    const run = gradient(palette.sky);
    const { size, noise } = this;
    const stretch = size * (0.1 + 0.12 * this.wetness);
    await this.canvas.repaint((x, y, pixel) => {
      const bloom = noise.layered(x / stretch, (y / stretch) * 1.5, 4);
      const away = Math.hypot(x - disc.x, y - disc.y) - disc.radius * (1 + 0.05 * noise.at(x / 14, y / 14));
      const color = run(y / (height * 0.7) + 0.16 * bloom);
      const strength = clamp(0.82 + 0.42 * bloom) * clamp(away / 3) * (0.6 + 0.4 * clamp(away / (disc.radius * 3)));
      dye(pixel, color, strength);
    }, this.plan.skyline);
    const face = this.canvas.mask([circle(disc.x, disc.y, disc.radius)]);
    await this.canvas.glaze(
      face,
      disc.color,
      (x, y, cover) => cover * clamp(0.85 + 0.5 * noise.layered(x / 22, y / 22, 2)),
    );
    const dots: Path = stars.map(([x, y, radius]) => circle(x, y, radius * 1.15));
    await this.canvas.fill(dots, sheet, 0.9);
  }

  async lay({ kind, path, color, depth, edge }: Cutout): Promise<void> {
    const mask = this.canvas.mask(kind === 'light' ? path : this.trembling(path, kind));
    if (mask.cover.length === 0) return;
    const broad = mask.width > this.size * 0.4;
    const rim = mask.softened(this.size * (broad ? 0.006 : 0.0035));
    const { noise, size } = this;
    await this.canvas.blend(mask, sheet, kind === 'cloud' ? 0.35 : broad ? 1 : 0.96);
    if (kind === 'cloud') return;
    const pigment = kind === 'light' ? lighter(color, 0.04) : lighter(color, 0.05);
    const reach = size * 0.34;
    // A dark wash that dries unevenly looks dirty.
    const cloudy = 0.16 + 0.22 * lightness(color);
    await this.canvas.glaze(mask, pigment, (x, y, cover) => {
      const pool = noise.layered(x / (size * 0.07) + depth * 9, y / (size * 0.05), 3);
      const fade = broad && edge ? 1 - 0.42 * clamp((y - edge(x)) / reach) : 1;
      const ends = 1 - rim.at(x, y);
      const ripple = kind === 'water' ? 0.16 * noise.at(x / (size * 0.05), (y / size) * 70 * (1.4 - depth)) : 0;
      return clamp(cover * fade * (0.88 + cloudy * pool + ripple + 0.75 * ends * ends));
    });
  }

  async weather(): Promise<void> {
    const { plan, noise, size } = this;
    const dice = plan.dice.for('weather');
    if (plan.weather === 'rain') {
      await this.canvas.repaint((x, y, pixel) => {
        const streak = noise.at((x + y * 0.22) / 2.6, (y - x * 0.1) / (size * 0.09));
        towards(pixel, sheet, clamp((streak - 0.42) * 0.7));
      });
    }
    if (plan.weather === 'snow') {
      const flakes: Path = Array.from({ length: 260 }, () => {
        return circle(dice.unit() * plan.width, dice.unit() * plan.height, size * (0.0014 + 0.005 * dice.unit() ** 3));
      });
      await this.canvas.fill(this.trembling(flakes, 'thing'), sheet, 0.92);
    }
    if (plan.weather === 'mist') {
      await this.canvas.repaint((x, y, pixel) => {
        const band = Math.exp(-(((y / plan.height - 0.68) / 0.2) ** 2));
        towards(pixel, sheet, clamp(band * (0.55 + 0.6 * noise.layered((x / size) * 2, (y / size) * 6, 3))) * 0.8);
      });
    }
  }

  /** A few drops from the brush. */
  async splashes(): Promise<void> {
    const { plan, size } = this;
    const dice = plan.dice.for('splashes');
    for (const color of [plan.palette.accent, plan.palette.near, plan.palette.sky[0]]) {
      const drops: Path = Array.from({ length: 9 }, () => {
        return circle(dice.unit() * plan.width, dice.unit() * plan.height, size * (0.0008 + 0.0035 * dice.unit() ** 3));
      });
      await this.canvas.glaze(this.canvas.mask(drops), color, (_x, _y, cover) => cover * 0.5);
    }
  }

  /** The grain of the paper, and its margin, which the brush reaches unevenly. */
  async paper(): Promise<void> {
    const { plan, noise, size } = this;
    const margin = size * 0.035;
    await this.canvas.repaint((x, y, pixel) => {
      const inside = Math.min(x, y, plan.width - x, plan.height - y) - margin;
      const reach = clamp((inside + size * 0.013 * noise.layered(x / (size * 0.03), y / (size * 0.03), 3)) / 2.5 + 0.5);
      const tooth = 1 + 0.034 * noise.layered(x / 3.3, y / 3.3, 2);
      towards(pixel, sheet, 1 - reach);
      scale(pixel, tooth);
    });
  }

  /** No hand paints a straight edge. */
  private trembling(path: Path, kind: Cutout['kind']): Path {
    const { noise, size } = this;
    const far = size * (kind === 'thing' ? 0.0016 : 0.004) * (0.6 + this.wetness);
    const scale = size * (kind === 'thing' ? 0.008 : 0.016);
    return path.map((outline) =>
      outline.map(
        ([x, y]) =>
          [x + far * noise.at(x / scale, y / scale), y + far * noise.at(x / scale + 40, y / scale - 40)] as const,
      ),
    );
  }
}

/** Removes from white what the color lacks. */
function dye(pixel: Pixel, [r, g, b]: Color, strength: number): void {
  pixel[0] *= 1 - strength + r * strength;
  pixel[1] *= 1 - strength + g * strength;
  pixel[2] *= 1 - strength + b * strength;
}
