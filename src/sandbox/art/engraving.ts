import { type Canvas, scale, towards, type Path } from './canvas';
import { type Color, lightness, mix } from './color';
import type { Composition, Cutout } from './composition';
import { clamp, Noise } from './random';
import { circle } from './shapes';

const sheet: Color = [0.965, 0.945, 0.895];

/**
 * Lines in a single ink, thicker where it's darker, as in a copperplate, with one flat tone of a second color.
 * `spacing` is in thousandths of the size.
 */
export async function drawEngraving(canvas: Canvas, plan: Composition, ink: Color, spacing: number): Promise<void> {
  const plate = new Plate(canvas, plan, ink, spacing);
  await canvas.repaint((_x, _y, pixel) => towards(pixel, sheet, 1));
  await plate.sky();
  for (const cutout of [...plan.cutouts, ...plan.flying, ...plan.props, ...plan.subjects]) await plate.cut(cutout);
  await plate.weather();
  await plate.margin();
}

class Plate {
  private readonly noise: Noise;
  private readonly size: number;
  private readonly gap: number;
  private readonly tone: Color;

  constructor(
    private readonly canvas: Canvas,
    private readonly plan: Composition,
    private readonly ink: Color,
    spacing: number,
  ) {
    this.noise = new Noise(plan.dice.for('plate').seed);
    this.size = Math.sqrt(plan.width * plan.height);
    this.gap = Math.max(3.2, (this.size * spacing) / 1000);
    this.tone = mix(plan.palette.accent, plan.palette.light, 0.35);
  }

  /** Horizontal lines that part around the light; the darker the sky, the thicker. */
  async sky(): Promise<void> {
    const { disc, height, time, stars } = this.plan;
    const { gap, noise, size } = this;
    const dark = time === 'night' ? 0.72 : time === 'day' ? 0.3 : 0.4;
    await this.canvas.fill(
      [circle(disc.x + size * 0.004, disc.y + size * 0.004, disc.radius)],
      this.tone,
      disc.moon ? 0.45 : 1,
    );
    await this.canvas.repaint((x, y, pixel) => {
      const away = Math.hypot(x - disc.x, y - disc.y) - disc.radius;
      const waver = gap * 0.9 * noise.layered(x / (size * 0.16), y / (size * 0.05), 2);
      const glow = clamp(away / (disc.radius * (time === 'night' ? 1.6 : 3.2)));
      const thick = dark * (1 - 0.75 * clamp(y / (height * 0.62))) * (0.25 + 0.75 * glow);
      const rays =
        away > gap * 1.2 && away < disc.radius * 1.6 && !disc.moon ? this.ray(x - disc.x, y - disc.y, away) : 0;
      const lines = away > gap ? this.line(y + waver, gap, thick) : 0;
      const rim = clamp(gap * 0.22 + 0.5 - Math.abs(away));
      towards(pixel, this.ink, Math.max(lines, rays, rim));
    }, this.plan.skyline);
    await this.canvas.fill(
      stars.map(([x, y, radius]) => circle(x, y, radius * 1.5)),
      sheet,
    );
  }

  async cut(cutout: Cutout): Promise<void> {
    const { kind, path, color } = cutout;
    const mask = this.canvas.mask(path);
    if (mask.cover.length === 0) return;
    const broad = mask.width > this.size * 0.45 && cutout.edge !== undefined;
    if (kind === 'light' && cutout.depth < 0.3) return;
    if (kind === 'light') return this.canvas.blend(mask, mix(sheet, this.tone, this.plan.time === 'night' ? 0.55 : 0));
    const rim = mask.softened(Math.max(1, this.gap * 0.32));
    if (!broad) return this.solid(cutout, mask, rim);
    await this.canvas.blend(mask, sheet);
    const dark = clamp(1.08 - lightness(color)) ** 1.15;
    const shade =
      kind === 'water' ? this.ripples(dark) : path.length > 1 ? this.walls(cutout, dark) : this.slopes(cutout, dark);
    await this.canvas.blend(mask, this.ink, 1, (x, y) => Math.max(shade(x, y), outline(rim.at(x, y))));
  }

  async weather(): Promise<void> {
    const { plan, size } = this;
    const dice = plan.dice.for('weather');
    if (plan.weather === 'rain') {
      const drops: Path = Array.from({ length: 240 }, () => {
        const [x, y, long] = [
          dice.between(0, 1.1) * plan.width,
          dice.between(-0.1, 1) * plan.height,
          size * dice.between(0.02, 0.05),
        ];
        const thick = size * 0.0014;
        return [
          [x, y],
          [x + thick, y],
          [x + thick - long * 0.22, y + long],
          [x - long * 0.22, y + long],
        ] as const;
      });
      await this.canvas.fill(drops, sheet, 0.9);
    }
    if (plan.weather === 'snow') {
      const flakes: Path = Array.from({ length: 260 }, () =>
        circle(dice.unit() * plan.width, dice.unit() * plan.height, size * (0.0016 + 0.004 * dice.unit() ** 3)),
      );
      await this.canvas.fill(flakes, sheet);
    }
    if (plan.weather === 'mist') {
      await this.canvas.repaint((x, y, pixel) => {
        const band = Math.exp(-(((y / plan.height - 0.66) / 0.16) ** 2));
        towards(pixel, sheet, clamp(band * (0.6 + 0.5 * this.noise.layered((x / size) * 2, (y / size) * 7, 3))) * 0.85);
      });
    }
  }

  /** The sheet's blank margin, the line around the image, and the grain of the paper. */
  async margin(): Promise<void> {
    const { plan, size, noise } = this;
    const width = size * 0.04;
    await this.canvas.repaint((x, y, pixel) => {
      const inside = Math.min(x, y, plan.width - 1 - x, plan.height - 1 - y) - width;
      const bare = clamp(0.5 - inside);
      const frame = clamp(size * 0.0012 + 0.5 - Math.abs(inside));
      towards(pixel, sheet, bare);
      towards(pixel, this.ink, frame);
      const tooth = 1 + 0.012 * noise.at(x / 1.6, y / 1.6) + 0.01 * noise.at(x / 40, y / 40);
      scale(pixel, tooth);
    });
  }

  /** Small things: dark ones filled with ink, bright ones with tone, pale ones left blank; all outlined. */
  private async solid(
    { kind, color }: Cutout,
    mask: Parameters<Canvas['blend']>[0],
    rim: { at(x: number, y: number): number },
  ): Promise<void> {
    const dark = 1 - lightness(color);
    const lively = kind === 'accent';
    await this.canvas.blend(mask, lively ? this.tone : sheet);
    const fill = (x: number, y: number) => {
      if (kind === 'cloud') return this.line(y, this.gap * 1.2, 0.16 * clamp((y - mask.top) / mask.height + 0.2));
      return dark > 0.58 && !lively
        ? 1
        : this.line(x * 0.7 + y * 0.7, this.gap * 0.8, lively ? dark * 0.5 : dark * 1.2);
    };
    await this.canvas.blend(mask, this.ink, 1, (x, y) => Math.max(fill(x, y), outline(rim.at(x, y))));
  }

  /** Lines that run down the slope and flatten out, crosshatched where it's darkest. */
  private slopes({ edge, depth }: Cutout, dark: number): (x: number, y: number) => number {
    const { gap, noise, size } = this;
    const tilt = 0.55 + 0.5 * depth;
    return (x, y) => {
      const below = y - (edge?.(x) ?? 0);
      const lit = noise.layered(x / (size * 0.11) + depth * 7, y / (size * 0.16), 3);
      const thick = clamp(dark * (0.82 + 0.75 * lit) * (1 - 0.45 * clamp(below / (size * 0.3))));
      const run =
        below * 0.75 + gap * 2.4 * noise.at(x / (size * 0.09), y / (size * 0.07) + depth * 5) + x * tilt * 0.35;
      const crossed = dark > 0.5 ? this.line(y * 0.8 - x * 0.6, gap * 1.15, clamp(thick - 0.28) * 0.8) : 0;
      return Math.max(this.line(run, gap, thick), crossed);
    };
  }

  /** Straight lines, horizontal or vertical. */
  private walls({ depth }: Cutout, dark: number): (x: number, y: number) => number {
    const across = Math.round(depth * 5) % 2 === 0;
    return (x, y) => this.line(across ? y : x, this.gap * 0.8, clamp(dark * 1.05));
  }

  private ripples(dark: number): (x: number, y: number) => number {
    const { gap, noise, size } = this;
    return (x, y) => {
      const swell = gap * 1.5 * noise.layered(x / (size * 0.08), y / (size * 0.03), 2);
      const glint = noise.at(x / (size * 0.05), y / (size * 0.012));
      return this.line(y + swell, gap, clamp(dark * (0.72 + 0.42 * glint)));
    };
  }

  private ray(x: number, y: number, away: number): number {
    const turns = (Math.atan2(y, x) / (2 * Math.PI)) * 48;
    const place = Math.abs(turns - Math.round(turns)) * ((2 * Math.PI) / 48) * Math.hypot(x, y);
    const reach = Math.round(turns) % 2 === 0 ? 1.6 : 0.9;
    const { radius } = this.plan.disc;
    return away < radius * reach ? clamp(this.gap * 0.14 + 0.5 - place) : 0;
  }

  /** The amount of ink at a place, for lines `gap` apart; `thick` is the inked share of the gap. */
  private line(place: number, gap: number, thick: number): number {
    const turns = place / gap;
    const off = Math.abs(turns - Math.round(turns)) * gap;
    return thick < 0.04 ? 0 : clamp((thick * gap) / 2 - off + 0.5);
  }
}

/** Ink at the edge of a mask: a softened mask is close to one half there. */
function outline(soft: number): number {
  return clamp((0.8 - soft) * 5);
}
