import { clamp } from './random';

/** Red, green, and blue in sRGB, each from 0 to 1. */
export type Color = readonly [number, number, number];

/** A perceptual color (OKLab): lightness from 0 to 1, then green–red and blue–yellow. */
type Seen = readonly [number, number, number];

/** `#rrggbb`. */
export function hex(text: string): Color {
  const n = Number.parseInt(text.slice(1), 16);
  return [(n >> 16) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
}

/** Part of the way between two colors, without the muddy middle of plain RGB. */
export function mix(from: Color, to: Color, t: number): Color {
  const [l, a, b] = seen(from);
  const [m, c, d] = seen(to);
  return shown([l + (m - l) * t, a + (c - a) * t, b + (d - b) * t]);
}

/** Lighter by `by`, or darker if negative; 1 is the distance from black to white. */
export function lighter(color: Color, by: number): Color {
  const [l, a, b] = seen(color);
  return shown([clamp(l + by), a, b]);
}

export function lightness(color: Color): number {
  return seen(color)[0];
}

/** The same lightness with the hue of another color; `strength` 0 leaves the hue, 1 replaces it. */
export function tinted(color: Color, hue: Color, strength: number): Color {
  const [l, a, b] = seen(color);
  const [, c, d] = seen(hue);
  // The darkest and lightest colors can carry little hue.
  const room = 0.35 + 0.65 * Math.sin(Math.PI * clamp(l, 0.08, 0.92));
  return shown([l, a + (c * room - a) * strength, b + (d * room - b) * strength]);
}

/** The opposite hue, vivid enough to stand out. */
export function opposite(color: Color): Color {
  const [l, a, b] = seen(color);
  const chroma = Math.hypot(a, b) || 1;
  return shown([clamp(0.95 - l * 0.4, 0.55, 0.8), (-a / chroma) * 0.13, (-b / chroma) * 0.13]);
}

/** A smooth transition through the colors: 0 is the first, 1 the last. */
export function gradient(colors: readonly Color[]): (t: number) => Color {
  const steps = 512;
  const table = Array.from({ length: steps + 1 }, (_, i) => between(colors, i / steps));
  return (t) => table[Math.round(clamp(t) * steps)] ?? [0, 0, 0];
}

function between(colors: readonly Color[], t: number): Color {
  const place = t * (colors.length - 1);
  const index = Math.min(Math.floor(place), colors.length - 2);
  const from = colors[Math.max(index, 0)] ?? [0, 0, 0];
  return mix(from, colors[index + 1] ?? from, place - index);
}

function seen([r, g, b]: Color): Seen {
  const [lr, lg, lb] = [linear(r), linear(g), linear(b)];
  const l = Math.cbrt(0.4122214708 * lr + 0.5363325363 * lg + 0.0514459929 * lb);
  const m = Math.cbrt(0.2119034982 * lr + 0.6806995451 * lg + 0.1073969566 * lb);
  const s = Math.cbrt(0.0883024619 * lr + 0.2817188376 * lg + 0.6299787005 * lb);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function shown([lightness, a, b]: Seen): Color {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encoded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function linear(c: number): number {
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

function encoded(c: number): number {
  return clamp(c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055);
}
