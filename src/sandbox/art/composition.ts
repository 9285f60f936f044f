import type { Path, Point } from './canvas';
import { type Color, hex, lighter, lightness, mix } from './color';
import { type Palette, paletteFor } from './palette';
import { clamp, type Dice, mixNumbers, Noise } from './random';
import { balloon, bigTree, birds, boat, cloud, conifer, flower, house, lighthouse, pier, skyline } from './things';
import { circle, ellipse, path, ribbon } from './shapes';
import { coats, type Subject, subjectParts, widths } from './subjects';
import { type Ground, type Thing, type Time, type Weather, type PromptContent, readPrompt } from './vocabulary';

/** One piece of an image, as if cut from a sheet. Styles decide what the sheet is made of. */
export interface Cutout {
  readonly kind: 'ground' | 'water' | 'thing' | 'accent' | 'light' | 'cloud';
  readonly path: Path;
  readonly color: Color;
  /** 0 far, 1 near. */
  readonly depth: number;
  /** The upper edge of a ground at x, for styles that follow it. */
  readonly edge?: (x: number) => number;
}

interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly color: Color;
  readonly moon: boolean;
}

/** The plan of an image: what is where and in which color, whatever the style. Lengths in pixels. */
export interface Composition {
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
  readonly time: Time;
  readonly weather?: Weather;
  readonly grounds: readonly Ground[];
  readonly disc: Disc;
  readonly stars: readonly (readonly [x: number, y: number, radius: number])[];
  /** The lowest point of the sky, pixels from the top. */
  readonly skyline: number;
  /** Sky and land, far to near. */
  readonly cutouts: readonly Cutout[];
  /** Flying objects: birds, a balloon. */
  readonly flying: readonly Cutout[];
  /** Boats, houses, and the like, in front of the land. */
  readonly props: readonly Cutout[];
  /** The subjects of the image, in front of the props. */
  readonly subjects: readonly Cutout[];
  readonly things: ReadonlySet<Thing>;
  /** The color that the prompt gives to everything. */
  readonly tint?: Color;
  readonly dice: Dice;
}

interface Order {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  readonly dice: Dice;
  /** The name of a palette; by default, the prompt decides. */
  readonly palette?: string;
  /** How many layers of ground: 0 few, 1 many. */
  readonly detail: number;
}

/** Plans an image; equal orders give equal plans. */
export function compose({ prompt, width, height, dice, palette: name, detail }: Order): Composition {
  const wishes = readPrompt(prompt);
  const chosen = wishes.grounds.length > 0 ? wishes.grounds : [groundByChance(wishes, dice.for('ground'))];
  const { palette, time } = paletteFor(wishes, dice.for('palette'), name);
  const plan = new Plan(width, height, palette, dice, time, detail);
  const disc = plan.disc(wishes.things.has('moon') || time === 'night', chosen.includes('abstract'));
  const abstract = chosen.includes('abstract');
  const cutouts = [...(abstract ? [] : plan.clouds(wishes)), ...plan.trimmed(plan.land(chosen, disc))];
  const { shadows, subjects } = plan.subjects(wishes);
  const props = [...(abstract ? [] : plan.props(wishes, chosen)), ...shadows];
  const flying = abstract ? [] : plan.flying(wishes);
  return {
    ...{ width, height, palette, time, disc, cutouts, flying, props, subjects, dice },
    weather: wishes.weather,
    grounds: chosen,
    stars: plan.stars(),
    skyline: plan.skyline(cutouts),
    things: wishes.things,
    tint: wishes.colors[0],
  };
}

function groundByChance({ things, weather, subjects }: PromptContent, dice: Dice): Ground {
  if (subjects.length > 0) return dice.pick(['field', 'field', 'forest', 'mountain'] as const);
  if (things.has('moon') || things.has('stars')) return 'mountain';
  if (weather === 'rain') return dice.pick(['city', 'sea', 'forest'] as const);
  return dice.pick(['mountain', 'sea', 'forest', 'field', 'desert', 'city', 'abstract'] as const);
}

/** Lays out one image, with one method for each kind of thing in it. */
class Plan {
  /** A unit of size that suits both wide and tall images. */
  private readonly unit: number;

  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly palette: Palette,
    private readonly dice: Dice,
    private readonly time: Time,
    private readonly detail: number,
  ) {
    this.unit = Math.min(Math.sqrt(width * height), height * 1.25, width * 1.5) / 100;
  }

  disc(moon: boolean, abstract: boolean): Disc {
    const dice = this.dice.for('disc');
    const low = this.time === 'sunset' || this.time === 'dawn';
    const y = abstract ? dice.between(0.25, 0.45) : low ? dice.between(0.4, 0.5) : dice.between(0.17, 0.28);
    const side = dice.chance(0.5) ? dice.between(0.22, 0.4) : dice.between(0.6, 0.78);
    const radius = this.unit * (moon ? dice.between(6, 8) : low ? dice.between(8, 12) : dice.between(6, 8.5));
    return { x: this.width * side, y: this.height * y, radius, color: this.palette.light, moon };
  }

  stars(): (readonly [number, number, number])[] {
    if (this.time !== 'night') return [];
    const dice = this.dice.for('stars');
    return Array.from({ length: 140 }, () => {
      const size = dice.unit() ** 4;
      return [
        dice.unit() * this.width,
        dice.unit() ** 1.3 * this.height * 0.7,
        this.unit * (0.12 + 0.3 * size),
      ] as const;
    });
  }

  clouds({ weather }: PromptContent): Cutout[] {
    const dice = this.dice.for('clouds');
    const found: Cutout[] = [];
    const many = weather === 'cloud' || weather === 'rain';
    const count = many ? dice.whole(6, 8) : weather === undefined ? dice.whole(1, 3) : 3;
    for (let i = 0; i < (this.time === 'night' && !many ? 1 : count); i++) {
      const size = this.unit * dice.between(4, 8);
      const at: Point = [dice.unit() * this.width, this.height * dice.between(0.08, many ? 0.4 : 0.34)];
      const color = mix(
        this.palette.sky[2],
        this.time === 'night' ? this.palette.sky[0] : this.palette.light,
        this.time === 'night' ? 0.55 : 0.5,
      );
      found.push({ kind: 'cloud', path: cloud(at, size, dice), color, depth: 0 });
    }
    return found;
  }

  /** The grounds, far to near, each with what stands on it. */
  land(chosen: readonly Ground[], disc: Disc): Cutout[] {
    if (chosen.includes('abstract')) return this.ribbons();
    const sea = chosen.includes('sea');
    const dry = chosen.filter((ground) => ground !== 'sea');
    const found: Cutout[] = [];
    const backdrop: readonly Ground[] = dry.length > 0 ? dry : ['mountain'];
    const horizon = horizonOf(sea);
    const per = dry.length === 0 ? 1 : Math.max(2, Math.round((sea ? 2 : 4 + 2 * this.detail) / backdrop.length));
    const total = backdrop.length * per;
    backdrop.forEach((ground, g) => {
      for (let i = 0; i < per; i++) {
        const place = (g * per + i) / Math.max(1, total - 1 + (sea ? 1 : 0));
        const base = sea
          ? mixNumbers(horizon - 0.02, horizon + 0.015, place)
          : mixNumbers(horizon, 1.02, place ** 1.15);
        found.push(...this.ground(ground, base, sea ? place * 0.5 : place, g * 10 + i, sea, dry.length === 0));
      }
    });
    if (sea) found.push(...this.sea(horizon, disc));
    return found;
  }

  private ground(ground: Ground, base: number, depth: number, index: number, flat: boolean, faint: boolean): Cutout[] {
    const dice = this.dice.for(`${ground} ${index}`);
    const color = this.tone(depth);
    const edge = this.table(this.edgeOf(ground, base, depth, dice, flat ? (faint ? 0.45 : 0.85) : 1));
    const cut: Cutout = { kind: 'ground', path: this.below(edge), color, depth, edge };
    if (ground === 'forest') return [cut, { kind: 'thing', path: this.trees(edge, depth, dice), color, depth }];
    if (ground === 'city') return this.city(edge, depth, dice, cut);
    if (ground === 'flower') return [cut, ...this.flowers(edge, depth, dice)];
    if (ground === 'field' && depth > 0.3) return [cut, ...this.furrows(edge, depth, dice)];
    if (ground === 'mountain' && depth < 0.75 && !faint) return [cut, ...this.snowCaps(edge, color, dice)];
    return [cut];
  }

  private edgeOf(ground: Ground, base: number, depth: number, dice: Dice, scale: number): (x: number) => number {
    const noise = new Noise(dice.seed);
    const { height } = this;
    const span = this.unit * 100;
    const shift = dice.between(0, 500);
    const rise = scale * Math.min(height, span * 1.2);
    switch (ground) {
      case 'mountain': {
        const range = summits(this.width / span, dice);
        return (x) => base * height - rise * (0.46 - 0.22 * depth) * ridge(range, noise, x / span + shift, shift);
      }
      case 'desert':
        return (x) => base * height - rise * (0.1 + 0.05 * depth) * dunes(noise, (x / span) * 1.5 + shift);
      case 'city':
        return () => base * height;
      default:
        return (x) =>
          base * height - rise * (0.05 + 0.1 * (1 - depth)) * (1 + noise.layered((x / span) * 1.6 + shift, 0, 2));
    }
  }

  private trees(edge: (x: number) => number, depth: number, dice: Dice): Path {
    const size = this.unit * mixNumbers(5, 21, depth ** 1.4);
    const outlines: Point[][] = [];
    for (let x = -size * 0.3; x < this.width + size * 0.3; x += size * dice.between(0.17, 0.42)) {
      outlines.push(...conifer([x, edge(x) + size * 0.12], size * dice.between(0.55, 1.1), dice));
    }
    return path(...outlines);
  }

  private city(edge: (x: number) => number, depth: number, dice: Dice, ground: Cutout): Cutout[] {
    const size = this.unit * mixNumbers(26, 34, depth);
    const { walls, windows } = skyline(this.width, edge(0), size, this.unit * mixNumbers(5, 10, depth), dice);
    const lit =
      this.time === 'day' || this.time === 'dawn'
        ? lighter(ground.color, 0.16)
        : mix(this.palette.light, this.palette.accent, 0.4);
    return [
      { ...ground, path: walls },
      { kind: 'light', path: windows, color: mix(ground.color, lit, mixNumbers(0.35, 0.95, depth)), depth },
    ];
  }

  private flowers(edge: (x: number) => number, depth: number, dice: Dice): Cutout[] {
    if (depth < 0.25) return [];
    const found: Cutout[] = [];
    const size = this.unit * mixNumbers(1.6, 9, depth ** 1.6);
    const { accent, accent2, light } = this.palette;
    const colors = [accent, accent, accent2, mix(accent, light, 0.45)] as const;
    for (let x = dice.between(0, size); x < this.width; x += size * dice.between(1.1, 2.3)) {
      const foot: Point = [x, edge(x) + size * dice.between(0.2, 1.2)];
      const bloom = flower(foot, size * dice.between(0.75, 1.2), dice);
      const color = mix(this.tone(depth), dice.pick(colors), mixNumbers(0.6, 1, depth));
      found.push({ kind: 'thing', path: bloom.stem, color: lighter(this.tone(depth), 0.09), depth });
      found.push({ kind: 'accent', path: bloom.petals, color, depth });
      found.push({
        kind: 'light',
        path: bloom.heart,
        color: lightness(color) > 0.8 ? mix(accent, this.palette.near, 0.3) : light,
        depth,
      });
    }
    return found;
  }

  private furrows(edge: (x: number) => number, depth: number, dice: Dice): Cutout[] {
    const lean = dice.between(-0.5, 0.5);
    const count = 9;
    const lines = Array.from({ length: count }, (_, i) => {
      const x = (this.width * (i + dice.between(0.2, 0.8))) / count;
      const reach = this.unit * 30;
      const points = Array.from({ length: 8 }, (_, k) => {
        const t = k / 7;
        const u = x + (lean + (x / this.width - 0.5) * 1.6) * reach * t;
        return [u, edge(x) + this.unit + t * reach] as const;
      });
      return ribbon(points, this.unit * 0.12, this.unit * 1.1);
    });
    return [{ kind: 'thing', path: lines, color: lighter(this.tone(depth), 0.05), depth }];
  }

  /** Snow where the ridge is high, with tongues down the slopes. */
  private snowCaps(edge: (x: number) => number, color: Color, dice: Dice): Cutout[] {
    const noise = new Noise(dice.seed + 5);
    const places = this.across(this.unit * 0.35);
    const heights = places.map(edge);
    const line = Math.min(...heights) + this.unit * 7;
    const outlines: Point[][] = [];
    let top: Point[] = [];
    places.forEach((x, i) => {
      const y = heights[i] ?? line;
      if (y < line) top.push([x, y]);
      if (top.length > 0 && (y >= line || i === places.length - 1)) {
        const tongue = (u: number, v: number) =>
          v + (line - v) * (0.55 + 0.45 * Math.abs(noise.at(u / this.unit / 1.3, 3)));
        if (top.length > 3) outlines.push([...top, ...top.map(([u, v]) => [u, tongue(u, v)] as const).reverse()]);
        top = [];
      }
    });
    return [{ kind: 'thing', path: path(...outlines), color: mix(color, this.palette.light, 0.6), depth: 0.2 }];
  }

  private sea(horizon: number, disc: Disc): Cutout[] {
    const { height, palette } = this;
    const dice = this.dice.for('sea');
    const noise = new Noise(dice.seed);
    const count = 5 + Math.round(3 * this.detail);
    const found: Cutout[] = [];
    for (let i = 0; i < count; i++) {
      const t = i / (count - 1);
      const base = height * mixNumbers(horizon, 0.97, t ** 1.5);
      const length = this.unit * mixNumbers(6, 34, t);
      const swell = i === 0 ? 0 : this.unit * mixNumbers(0.1, 3.4, t);
      const edge = this.table(
        (x) => base - swell * (0.75 * crest(x / length + i * 1.7) + 0.7 * noise.at(x / length / 2.2, i * 5)),
      );
      const surface = mix(
        mix(palette.sky[1], palette.far, 0.5),
        palette.near,
        mixNumbers(0.08, 0.92, t ** 0.9) + (i % 2 === 0 ? 0 : 0.06),
      );
      found.push({
        kind: 'water',
        path: this.below(edge),
        color: surface,
        depth: mixNumbers(0.35, 1, t),
        edge,
      });
      if (i < count - 1)
        found.push(
          this.glitter(
            disc,
            base,
            height * mixNumbers(horizon, 0.97, ((i + 1) / (count - 1)) ** 1.5),
            t,
            surface,
            dice,
          ),
        );
    }
    return found;
  }

  /** The light of the sun or moon on the water between two waves. */
  private glitter(disc: Disc, from: number, to: number, t: number, water: Color, dice: Dice): Cutout {
    const dashes: Point[][] = [];
    for (let k = 0; k < 9; k++) {
      const y = mixNumbers(from, to, (k + 0.5) / 9);
      const spread = disc.radius * mixNumbers(0.7, 1.5, t);
      const x = disc.x + (dice.unit() - 0.5) * spread;
      const half = disc.radius * dice.between(0.1, 0.65) * (1 - 0.4 * t);
      const thick = this.unit * mixNumbers(0.16, 0.55, t);
      dashes.push([
        [x - half, y],
        [x, y - thick],
        [x + half, y],
        [x, y + thick],
      ]);
    }
    return {
      kind: 'light',
      path: path(...dashes),
      color: mix(water, disc.color, mixNumbers(0.8, 0.35, t)),
      depth: 0.5,
    };
  }

  flying({ things }: PromptContent): Cutout[] {
    const dice = this.dice.for('flying');
    const found: Cutout[] = things.has('balloon') ? this.balloon(dice) : [];
    if (things.has('birds') || (this.time !== 'night' && dice.chance(0.35))) {
      const at: Point = [this.width * dice.between(0.3, 0.65), this.height * dice.between(0.16, 0.3)];
      found.push({
        kind: 'thing',
        path: birds(at, this.unit * 2.2, dice),
        color: mix(this.palette.near, this.palette.far, 0.15),
        depth: 0.9,
      });
    }
    return found;
  }

  props({ things, subjects, weather }: PromptContent, chosen: readonly Ground[]): Cutout[] {
    const dice = this.dice.for('things');
    const sea = chosen.includes('sea');
    const horizon = horizonOf(sea);
    const found: Cutout[] = [];
    const at = (x: number, y: number): Point => [this.width * x, this.height * y];
    const dark = mix(this.palette.near, this.palette.sky[0], 0.1);
    const side = dice.chance(0.5) ? 0.3 : 0.68;
    if (things.has('lighthouse'))
      found.push(...this.parts(lighthouse(at(1 - side, horizon + 0.03), this.unit * 30), dark, 0.8));
    if (things.has('village')) found.push(...this.village(sea, weather, this.dice.for('village')));
    if (things.has('boat') || (sea && things.size === 0 && dice.chance(0.5))) {
      found.push(...this.parts(boat(at(side, horizon + 0.11), this.unit * (things.has('boat') ? 15 : 8)), dark, 0.75));
    }
    if (sea && things.has('pier')) found.push(...this.pier(at(1 - side, 1.02), at(1 - side * 0.86, horizon + 0.07)));
    if (sea && (things.has('house') || things.has('tree') || subjects.length > 0)) found.push(this.bank(dice));
    if (things.has('house')) found.push(...this.parts(house(at(side, sea ? 0.9 : 0.86), this.unit * 13), dark, 0.95));
    if (things.has('tree')) found.push(...this.parts(bigTree(at(1 - side, 0.97), this.unit * 46, dice), dark, 1));
    return found;
  }

  /** Rows of houses, the nearer the larger, and a church; by the sea, one row along the water. */
  private village(sea: boolean, weather: Weather | undefined, dice: Dice): Cutout[] {
    const { palette, unit, width } = this;
    const found: Cutout[] = [];
    const rows = sea
      ? [[0.6, 7]]
      : [
          [0.63, 6.5],
          [0.71, 9],
          [0.81, 12],
        ];
    for (const [i, [row = 0, size = 0]] of rows.entries()) {
      const depth = 0.5 + 0.15 * i;
      const wall = this.inTheLight(
        mix(palette.light, mix(palette.far, palette.near, 0.4), this.time === 'night' ? 0.6 : 0.35),
      );
      const roof = weather === 'snow' ? mix(palette.light, [1, 1, 1], 0.5) : palette.accent;
      const lit =
        this.time === 'night' || this.time === 'sunset' ? palette.light : mix(palette.near, palette.sky[0], 0.4);
      const steeple = i === 0 ? width * dice.between(0.35, 0.65) : -1;
      for (
        let x = unit * size * dice.between(-0.4, 0.6);
        x < width;
        x += unit * size * dice.between(1.05, sea ? 1.35 : 1.9)
      ) {
        const tall = unit * size * dice.between(0.85, 1.15);
        const y = this.height * row + (sea ? 0 : unit * dice.between(-1.2, 1.2));
        const { body, bright, light } = house([x, y], tall);
        const shade = dice.between(-0.06, 0.04);
        found.push(
          { kind: 'thing', path: body, color: lighter(wall, shade), depth },
          {
            kind: 'accent',
            path: bright,
            color: lighter(mix(roof, palette.accent2, dice.chance(0.25) ? 0.5 : 0), shade),
            depth,
          },
          { kind: 'light', path: light, color: lit, depth },
        );
      }
      if (steeple > 0) found.push(...this.church([steeple, this.height * row + unit], unit * size * 2, wall, roof));
    }
    return found;
  }

  private church([x, y]: Point, tall: number, wall: Color, roof: Color): Cutout[] {
    const [half, eaves] = [tall * 0.13, y - tall * 0.66];
    const spire: Point[] = [
      [x - half * 1.2, eaves],
      [x, y - tall * 1.15],
      [x + half * 1.2, eaves],
    ];
    const door = path(circle(x, eaves + half * 1.1, half * 0.4));
    return [
      {
        kind: 'thing',
        path: path([
          [x - half, y],
          [x - half, eaves],
          [x + half, eaves],
          [x + half, y],
        ]),
        color: wall,
        depth: 0.55,
      },
      { kind: 'accent', path: path(spire), color: roof, depth: 0.55 },
      { kind: 'light', path: door, color: mix(this.palette.near, this.palette.sky[0], 0.3), depth: 0.55 },
    ];
  }

  private pier(near: Point, far: Point): Cutout[] {
    const { near: dark, light } = this.palette;
    const wood = this.inTheLight(mix(hex('#8a6a4c'), mix(dark, light, 0.35), 0.45));
    const { deck, planks, posts } = pier(near, far, this.unit * 17);
    return [
      { kind: 'thing', path: deck, color: wood, depth: 0.9 },
      { kind: 'thing', path: planks, color: lighter(wood, -0.1), depth: 0.9 },
      { kind: 'thing', path: posts, color: lighter(wood, -0.2), depth: 0.95 },
    ];
  }

  /** Side by side in the foreground, as large as fits. */
  subjects({ subjects }: PromptContent): { shadows: Cutout[]; subjects: Cutout[] } {
    const dice = this.dice.for('subjects');
    const gap = 0.12;
    const wide = subjects.reduce((sum, { subject }) => sum + widths[subject] + gap, -gap);
    const size = Math.min(this.height * 0.62, this.unit * 66, (this.width * 0.84) / wide);
    let left = (this.width - size * wide) / 2;
    const placed = subjects.map(({ subject, color }, i) => {
      // The edge of the image cuts a portrait off.
      const foot: Point = [left + (size * widths[subject]) / 2, this.height * (subject === 'portrait' ? 1 : 0.915)];
      left += size * (widths[subject] + gap);
      return { subject, color, foot, size: size * (i === 1 ? 0.88 : 1) };
    });
    return {
      shadows: placed.map(({ subject, foot: [x, y], size: tall }) => ({
        ...{ kind: 'thing', color: lighter(this.palette.near, -0.07), depth: 1 },
        path: [ellipse(x, y, tall * widths[subject] * 0.52, tall * 0.035)],
      })),
      subjects: placed.flatMap(({ subject, color, foot, size: tall }) =>
        this.subject(subject, color ?? this.coatOf(subject, dice), foot, tall, dice),
      ),
    };
  }

  private subject(subject: Subject, coat: Color, [x, y]: Point, size: number, dice: Dice): Cutout[] {
    return subjectParts(subject, coat, dice.whole(0, 2)).map(({ kind, color, path: outlines }) => {
      const placed = outlines.map((outline) => outline.map(([u, v]) => [x + u * size, y - v * size] as const));
      return { kind, path: placed, color: this.inTheLight(color), depth: 1 };
    });
  }

  /** A coat that contrasts with the ground behind it, if any. */
  private coatOf(subject: Subject, dice: Dice): Color {
    const ground = lightness(mix(this.palette.near, this.palette.far, 0.3));
    const clear = coats[subject].filter((coat) => Math.abs(lightness(coat) - ground) > 0.18);
    const [first = coats[subject][0], ...others] = clear;
    return dice.pick([first, ...others]);
  }

  private inTheLight(color: Color): Color {
    if (this.time === 'night') return mix(color, this.palette.sky[1], 0.22);
    return this.time === 'day' ? color : mix(color, this.palette.sky[1], 0.1);
  }

  /** Dry ground in front of the water. */
  private bank(dice: Dice): Cutout {
    const noise = new Noise(dice.seed);
    const edge = this.table((x) => this.height * 0.9 - this.unit * 4 * (1 + noise.layered(x / (this.unit * 60), 2, 2)));
    return { kind: 'ground', path: this.below(edge), color: this.palette.near, depth: 1, edge };
  }

  private parts(
    { body, bright, light }: { body: Path; bright: Path; light: Path },
    dark: Color,
    depth: number,
  ): Cutout[] {
    return [
      { kind: 'thing', path: body, color: dark, depth },
      { kind: 'accent', path: bright, color: this.palette.accent, depth },
      { kind: 'light', path: light, color: this.palette.light, depth },
    ];
  }

  private balloon(dice: Dice): Cutout[] {
    const at: Point = [this.width * dice.between(0.3, 0.7), this.height * dice.between(0.2, 0.3)];
    const { envelope, stripes, basket } = balloon(at, this.unit * 9);
    return [
      { kind: 'accent', path: envelope, color: this.palette.accent, depth: 0.8 },
      { kind: 'accent', path: stripes, color: this.palette.accent2, depth: 0.8 },
      { kind: 'thing', path: basket, color: this.palette.near, depth: 0.8 },
    ];
  }

  /** Broad waves over the entire sheet, with a few discs among them. */
  private ribbons(): Cutout[] {
    const { palette, height, width } = this;
    const dice = this.dice.for('ribbons');
    const noise = new Noise(dice.seed);
    const colors = [palette.far, palette.accent, palette.sky[0], palette.accent2, palette.near, palette.sky[1]];
    const count = 7 + Math.round(4 * this.detail);
    const lean = dice.between(-0.25, 0.25);
    return Array.from({ length: count }, (_, i) => {
      const t = i / (count - 1);
      const edge = this.table(
        (x) =>
          height * (0.16 + 0.84 * t) +
          (x - width / 2) * lean +
          this.unit * 15 * noise.layered(x / (this.unit * 55) + t * 1.3, t * 2.2, 2),
      );
      const near = mix(colors[i % colors.length] ?? palette.far, palette.near, 0.12 * t);
      const sheet: Cutout = { kind: 'ground', path: this.below(edge), color: near, depth: t, edge };
      if (i % 3 !== 1) return [sheet];
      const x = width * dice.between(0.15, 0.85);
      const ball = circle(x, edge(x) - this.unit * 2, this.unit * dice.between(3, 8));
      return [
        {
          kind: 'accent',
          path: [ball],
          color: colors[(i + 2) % colors.length] ?? palette.light,
          depth: t,
        } satisfies Cutout,
        sheet,
      ];
    }).flat();
  }

  /** The ground's color at a depth: distant ones fade into the sky. */
  private tone(depth: number): Color {
    return mix(
      mix(this.palette.far, this.palette.sky[2], 0.28 * (1 - depth) ** 2),
      this.palette.near,
      clamp(depth) ** 0.85,
    );
  }

  private below(edge: (x: number) => number, bottom = this.height + 2): Path {
    const { width } = this;
    const top = this.across(Math.max(1.5, this.unit * 0.3)).map((x) => [x, Math.min(bottom, edge(x))] as const);
    return [[...top, [width + 2, bottom], [-2, bottom]]];
  }

  /** Where the first ground covers everything behind it. */
  skyline(cutouts: readonly Cutout[]): number {
    const first = cutouts.find(({ edge, path: outlines }) => edge !== undefined && outlines.length === 1);
    return first?.edge ? Math.ceil(this.lowest(first.edge)) : this.height;
  }

  /** The same sheets without the parts hidden completely by nearer ones, which needn't be painted. */
  trimmed(sheets: readonly Cutout[]): Cutout[] {
    let hidden = this.height + 2;
    const kept: Cutout[] = [];
    for (const sheet of [...sheets].reverse()) {
      const { edge, path: outlines } = sheet;
      // A city has gaps between its houses.
      const whole = edge && outlines.length === 1 ? edge : undefined;
      kept.push(whole ? { ...sheet, path: this.below(whole, hidden) } : sheet);
      if (whole) hidden = Math.min(hidden, this.lowest(whole) + this.unit);
    }
    return kept.reverse();
  }

  private lowest(edge: (x: number) => number): number {
    return this.across(1).reduce((low, x) => Math.max(low, edge(x)), 0);
  }

  /** Computed once for each column, since styles request the edge at every pixel. */
  private table(edge: (x: number) => number): (x: number) => number {
    const heights = Float64Array.from({ length: this.width + 1 }, (_, x) => edge(x));
    return (x) => heights[Math.min(this.width, Math.max(0, Math.round(x)))] ?? 0;
  }

  private across(step: number): number[] {
    return Array.from({ length: Math.ceil((this.width + 4) / step) + 1 }, (_, i) => -2 + i * step);
  }
}

function horizonOf(sea: boolean): number {
  return sea ? 0.6 : 0.56;
}

interface Summit {
  readonly at: number;
  readonly tall: number;
  /** How far its foot extends to each side. */
  readonly reach: number;
}

/** Summits along a range of a given length, one of them the highest. */
function summits(length: number, dice: Dice): Summit[] {
  const count = Math.max(3, Math.round(length * 4.5));
  const highest = dice.whole(1, count - 2);
  return Array.from({ length: count }, (_, i) => {
    const tall = i === highest ? 1 : dice.between(0.42, 0.82);
    return { at: ((i + dice.between(0.25, 0.75)) / count) * length, tall, reach: tall * dice.between(0.34, 0.46) };
  });
}

/** Straight slopes from sharp summits, roughened; from about 0 to 1. */
function ridge(range: readonly Summit[], noise: Noise, x: number, shift: number): number {
  const bent = x - shift + 0.02 * noise.at(x * 9, 3.5);
  const slope = range.reduce(
    (top, { at, tall, reach }) => Math.max(top, tall * (1 - Math.abs(bent - at) / reach)),
    0.08,
  );
  return slope + 0.05 * noise.at(x * 14, 7.5) + 0.03 * noise.at(x * 33, 2.5) + 0.012 * noise.at(x * 80, 4.5);
}

/** A long windward slope and a short leeward one. */
function dunes(noise: Noise, x: number): number {
  const swell = x + 0.35 * noise.at(x * 0.7, 1.5);
  const t = swell - Math.floor(swell);
  const slope =
    t < 0.68 ? Math.sin((t / 0.68) * (Math.PI / 2)) ** 1.6 : Math.cos(((t - 0.68) / 0.32) * (Math.PI / 2)) ** 0.9;
  return slope * (0.8 + 0.5 * noise.at(Math.floor(swell) * 1.7, 9.5)) + 0.4 * noise.at(x * 0.5, 3.5);
}

/** Waves with pointed crests, from 0 to 1. */
function crest(x: number): number {
  return 1 - Math.abs(Math.sin(x * Math.PI)) ** 0.75;
}
