/** A number from a text; equal texts give equal numbers (FNV-1a with a final mix; 32 bits). */
export function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mixed(h);
}

function mixed(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Repeatable chance: equal seeds give equal numbers (mulberry32). */
export class Dice {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** At least 0, less than 1. */
  unit(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** An integer from `low` to `high`, inclusive. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(things: readonly [T, ...T[]]): T {
    return things[Math.floor(this.unit() * things.length)] ?? things[0];
  }

  /** Separate dice for a part of the image, so that changing one part doesn't move the others. */
  for(part: string): Dice {
    return new Dice(hash(`${this.seed}/${part}`));
  }
}

/** Smooth noise over the plane. */
export class Noise {
  constructor(private readonly seed: number) {}

  /** From -1 to 1, with one hill or hollow per unit. */
  at(x: number, y: number): number {
    const x0 = Math.floor(x);
    const y0 = Math.floor(y);
    const u = smooth(x - x0);
    const v = smooth(y - y0);
    const top = this.corner(x0, y0) * (1 - u) + this.corner(x0 + 1, y0) * u;
    const bottom = this.corner(x0, y0 + 1) * (1 - u) + this.corner(x0 + 1, y0 + 1) * u;
    return top * (1 - v) + bottom * v;
  }

  /** Noise on increasingly fine noise; from -1 to 1. */
  layered(x: number, y: number, layers: number): number {
    let sum = 0;
    let weight = 1;
    let total = 0;
    for (let i = 0; i < layers; i++) {
      sum += weight * this.at(x + 17.3 * i, y - 9.1 * i);
      total += weight;
      weight /= 2;
      x *= 2;
      y *= 2;
    }
    return sum / total;
  }

  private corner(x: number, y: number): number {
    let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ this.seed;
    h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return ((h ^ (h >>> 16)) >>> 0) / 2147483647.5 - 1;
  }
}

function smooth(t: number): number {
  return t * t * t * (t * (t * 6 - 15) + 10);
}

export function clamp(value: number, low = 0, high = 1): number {
  return value < low ? low : value > high ? high : value;
}

export function mixNumbers(from: number, to: number, t: number): number {
  return from + (to - from) * t;
}
