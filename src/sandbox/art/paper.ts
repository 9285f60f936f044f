import { type Canvas, scale, towards, type Mask, type Path } from './canvas';
import { type Color, gradient, lighter, mix } from './color';
import type { Composition, Cutout } from './composition';
import { clamp, Noise } from './random';
import { circle } from './shapes';

const white: Color = [1, 1, 1];

/** Sheets of colored paper, cut and stacked, each with a soft shadow on those below. */
export async function drawPaper(canvas: Canvas, plan: Composition): Promise<void> {
  const size = Math.sqrt(plan.width * plan.height);
  await sky(canvas, plan, size);
  for (const cutout of [...plan.cutouts, ...plan.flying, ...plan.props, ...plan.subjects])
    await lay(canvas, cutout, size);
  await weather(canvas, plan, size);
  await grain(canvas, plan);
}

async function sky(canvas: Canvas, plan: Composition, size: number): Promise<void> {
  const { disc, palette } = plan;
  const run = gradient(palette.sky);
  await canvas.repaint((_, y, pixel) => towards(pixel, run(y / (plan.height * 0.72)), 1), plan.skyline);
  for (const [x, y, radius] of plan.stars) await canvas.fill([circle(x, y, radius)], palette.light, 0.85);
  // Rings of increasingly light paper around the light.
  const rings = disc.moon ? [5.2, 3.6, 2.3] : [4.6, 3.3, 2.2, 1.5];
  for (const ring of rings) {
    const mask = canvas.mask([circle(disc.x, disc.y, disc.radius * ring)]);
    await canvas.blend(mask, disc.color, disc.moon ? 0.07 : 0.11);
  }
  await shadow(canvas, canvas.mask([circle(disc.x, disc.y, disc.radius)]), size * 0.008, 0.12);
  await canvas.fill([circle(disc.x, disc.y, disc.radius)], disc.color);
  if (disc.moon) await craters(canvas, plan);
}

async function craters(canvas: Canvas, { disc, palette }: Composition): Promise<void> {
  const { x, y, radius } = disc;
  const spots = [
    [-0.3, -0.25, 0.22],
    [0.28, 0.1, 0.3],
    [-0.15, 0.42, 0.14],
    [0.35, -0.45, 0.12],
  ] as const;
  const path: Path = spots.map(([u, v, r]) => circle(x + u * radius, y + v * radius, r * radius));
  await canvas.fill(path, mix(disc.color, palette.sky[2], 0.3), 0.55);
}

async function lay(canvas: Canvas, { kind, path, color, depth, edge }: Cutout, size: number): Promise<void> {
  const mask = canvas.mask(path);
  if (mask.cover.length === 0) return;
  if (kind === 'light') return canvas.blend(mask, color);
  if ((kind === 'thing' || kind === 'accent') && !large(mask, size)) {
    await shadow(canvas, mask, size * 0.003, 0.16);
    return canvas.blend(mask, color);
  }
  await shadow(canvas, mask, size * (kind === 'cloud' ? 0.009 : 0.006 + 0.014 * depth), kind === 'cloud' ? 0.1 : 0.3);
  const [high, low] = [lighter(color, 0.045), lighter(color, kind === 'cloud' ? -0.02 : -0.045)];
  const run = gradient([high, color, low]);
  const reach = size * 0.3;
  await canvas.blend(mask, (x, y) => run((y - (edge?.(x) ?? mask.top)) / reach), kind === 'cloud' ? 0.92 : 1);
}

function large(mask: Mask, size: number): boolean {
  return mask.width > size * 0.5;
}

/** Falls slightly downward, as in light from above. */
async function shadow(canvas: Canvas, mask: Mask, radius: number, strength: number): Promise<void> {
  await canvas.shade(mask.softened(radius), strength, radius * 0.35, mask);
}

/** Rain and snow in front of everything, mist in between. */
async function weather(canvas: Canvas, plan: Composition, size: number): Promise<void> {
  const dice = plan.dice.for('weather');
  const { width, height, palette } = plan;
  if (plan.weather === 'rain') {
    const drops: Path = Array.from({ length: 260 }, () => {
      const [x, y] = [dice.between(-0.1, 1.1) * width, dice.between(-0.1, 1) * height];
      const [long, thick] = [size * dice.between(0.02, 0.055), size * dice.between(0.0007, 0.0016)];
      return [
        [x, y],
        [x + thick, y],
        [x + thick - long * 0.22, y + long],
        [x - long * 0.22, y + long],
      ] as const;
    });
    await canvas.fill(drops, palette.light, 0.42);
  }
  if (plan.weather === 'snow') {
    const flakes: Path = Array.from({ length: 320 }, () =>
      circle(dice.unit() * width, dice.unit() * height, size * (0.0012 + 0.0055 * dice.unit() ** 3)),
    );
    await canvas.fill(flakes, [1, 1, 1], 0.85);
  }
  if (plan.weather === 'mist') {
    const noise = new Noise(dice.seed);
    const veil = mix(palette.sky[2], palette.light, 0.3);
    await canvas.repaint((x, y, pixel) => {
      const band = Math.exp(-(((y / height - 0.66) / 0.2) ** 2));
      towards(pixel, veil, clamp(band * (0.5 + 0.5 * noise.layered((x / size) * 2.2, (y / size) * 9, 3))) * 0.75);
    });
  }
}

/** The paper's fibers, and a slight darkening toward the corners. */
async function grain(canvas: Canvas, plan: Composition): Promise<void> {
  const noise = new Noise(plan.dice.for('grain').seed);
  const { width, height } = plan;
  await canvas.repaint((x, y, pixel) => {
    const fibre = 0.012 * noise.at(x / 1.7, y / 1.7) + 0.01 * noise.at(x / 9, y / 2.3);
    const corner = ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2) * 2;
    scale(pixel, 1 - 0.13 * corner * Math.sqrt(corner));
    towards(pixel, white, fibre);
  });
}
