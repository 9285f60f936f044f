import { type Color, hex, mix, opposite, tinted } from './color';
import type { Dice } from './random';
import type { Time, PromptContent } from './vocabulary';

const times: readonly Time[] = ['day', 'dawn', 'sunset', 'night'];
/** Moods that change everything. */
const seasons: ReadonlySet<string> = new Set(['autumn', 'winter', 'rain', 'mist', 'abstract']);

/** The colors of an image. */
export interface Palette {
  /** From the top of the sky to the horizon. */
  readonly sky: readonly [Color, Color, Color];
  readonly far: Color;
  readonly near: Color;
  /** Sun, moon, lit windows. */
  readonly light: Color;
  /** The few things that stand out. */
  readonly accent: Color;
  readonly accent2: Color;
}

interface Named {
  readonly moods: string;
  readonly colors: string;
}

/** sky × 3, far, near, light, accent, second accent; `moods` states when each fits. */
const known: Readonly<Record<string, Named>> = {
  'clear day': { moods: 'day', colors: '#3d86c6 #8fcbe8 #f7ecd0 #93b8c9 #1d4a5c #fff4cf #e4572e #f2b134' },
  'ember sunset': { moods: 'sunset', colors: '#3b1d4f #d2544f #ffc670 #b9506a #2a1436 #fff0bd #ff7b54 #ffd27a' },
  'violet sunset': { moods: 'sunset sea', colors: '#2c2a6b #a9509b #ffab8c #86509a #1c1845 #ffe9b8 #ff6f91 #ffc75f' },
  'copper dusk': { moods: 'sunset desert', colors: '#274c63 #d98a5b #ffdf9e #b86b4b #3a1d22 #fff3cc #2f8f8a #f4a259' },
  'rose dawn': { moods: 'dawn', colors: '#7286bd #e9aebb #fde8c8 #b39ebf #3b3f6b #fff8e6 #f07f7f #f6c28b' },
  'cool dawn': { moods: 'dawn mist', colors: '#86a5b8 #dcc9c0 #fbeeda #a5b3bd #34495a #fffaf0 #d98c5f #e8c39e' },
  midnight: { moods: 'night', colors: '#070c28 #16265f #4463a3 #2b4079 #070b20 #f8f2d8 #ffc861 #e26d5c' },
  'green night': { moods: 'night forest', colors: '#04161f #0d3a47 #35867f #1e5a5e #04121a #f1f8e4 #ffb454 #6fc3a5' },
  'city night': { moods: 'night city', colors: '#150f38 #4a2a7d #e0679a #4f3a86 #110d2b #fff0c9 #ffd166 #3ddbd9' },
  'city dusk': { moods: 'city sunset', colors: '#23275f #8a57a3 #ff9e8a #6f5297 #181a40 #fff0c9 #ffd166 #f25f5c' },
  'city day': { moods: 'city day', colors: '#5b9fd0 #b9dbe8 #faeed7 #9db2c2 #2e4057 #fff6db #f26b4f #f4c95d' },
  lagoon: { moods: 'sea day', colors: '#2581b8 #7fd0da #f8f0d8 #63b4c0 #0c3c58 #fff8dd #ff6f59 #ffd166' },
  'sea dawn': { moods: 'sea dawn', colors: '#5d86b5 #f2b8a8 #fff0cc #8fa6c0 #1d4263 #fffbe8 #f5856b #f4cf8c' },
  'deep wood': { moods: 'forest day', colors: '#8fc4b4 #cfe6c8 #f9f5da #8bb59a #14382c #fffce6 #e9a23b #d1603d' },
  'autumn wood': { moods: 'autumn forest', colors: '#b9c3b5 #ecd6ab #fcecc9 #cf9152 #4a2618 #fff5d8 #c8401f #eeb02f' },
  'white winter': { moods: 'winter', colors: '#7f9dbf #c3d5e6 #f7f3ee #a5bad0 #2c4563 #ffffff #c8553d #e9b872' },
  'winter night': { moods: 'winter night', colors: '#0c1638 #2a4479 #8aa6cc #4c679a #0e1a3a #f6f8ff #ffcf70 #d9644a' },
  sahara: { moods: 'desert day', colors: '#3c9fb0 #f2cf94 #fcebca #dda16f #7c3229 #fff6da #1f6f78 #f0b24a' },
  meadow: { moods: 'spring day', colors: '#6fc0e6 #cbe9f0 #fef6de #a6d095 #2a6a4b #fffbdc #ef5b7b #f9c846' },
  'spring dawn': { moods: 'spring dawn', colors: '#93b4de #f6cbd0 #fff3d9 #b5cda5 #3b6557 #fffbe6 #ee6c8a #fcbf5b' },
  fog: { moods: 'mist', colors: '#9fb0b7 #cdd6d4 #efece2 #b2bec0 #36474f #fdfaf0 #d98f5c #9a6d6d' },
  'grey rain': { moods: 'rain', colors: '#3a5063 #71899b #bcc8c8 #748a99 #1a2a36 #edf0ec #f2b544 #d9644a' },
  'rain night': {
    moods: 'rain night city',
    colors: '#0e1428 #2a3a63 #7d7fb0 #3a4a78 #0b1020 #ffe9b0 #ff9f5a #5fd0d6',
  },
  candy: { moods: 'abstract', colors: '#ff9a9e #fad0c4 #fff3e6 #f7a072 #4b3f72 #fffaf0 #ffc857 #119da4' },
  atelier: { moods: 'abstract', colors: '#e9dcc4 #f2e8d5 #faf4e8 #d8a47f #23395b #fffdf5 #d7432e #f2b632' },
  lacquer: { moods: 'abstract night', colors: '#10172f #20305e #3a5a94 #c8553d #0a0f22 #fbeccb #f28f3b #7fc8b2' },
};

/** The names to choose from. */
export const paletteNames: readonly string[] = Object.keys(known);

/**
 * The named palette, else the best match for the wishes, and the time of day it shows. Colors in the prompt override
 * both: those of a thing apply to what stands out, the others to everything.
 */
export function paletteFor(wishes: PromptContent, dice: Dice, name?: string): { palette: Palette; time: Time } {
  const named = known[name ?? ''] ?? fitting(wishes, dice);
  const palette = withAccents(withColors(read(named), wishes.colors), wishes.thingColors);
  return { palette, time: wishes.time ?? times.find((time) => named.moods.split(' ').includes(time)) ?? 'day' };
}

/** The named palette as it is. */
export function readPalette(name: string): Palette {
  return read(known[name] ?? { moods: '', colors: '' });
}

function withColors(palette: Palette, [first, second, third]: readonly Color[]): Palette {
  if (!first) return palette;
  const tint = (color: Color) => tinted(color, first, 0.8);
  return {
    sky: [tint(palette.sky[0]), tint(palette.sky[1]), tinted(palette.sky[2], second ?? first, 0.5)],
    far: tint(palette.far),
    near: tint(palette.near),
    light: tinted(palette.light, second ?? first, 0.3),
    accent: second ?? opposite(first),
    accent2: third ?? first,
  };
}

function withAccents(palette: Palette, [first, second]: readonly Color[]): Palette {
  return first ? { ...palette, accent: first, accent2: second ?? mix(first, palette.light, 0.3) } : palette;
}

function fitting(wishes: PromptContent, dice: Dice): Named {
  const scored = Object.values(known).map((named) => ({ named, score: score(named, wishes) + dice.unit() * 0.9 }));
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).named;
}

/** Adds points for each mood that fits and subtracts for each extra one. The time of day must match. */
function score({ moods }: Named, { moods: wanted, time }: PromptContent): number {
  const own = moods.split(' ');
  const wrongTime = time !== undefined && own.some(isTime) && !own.includes(time);
  const points = (mood: string) =>
    isTime(mood)
      ? mood === time
        ? 1
        : mood === 'night'
          ? -1.5
          : 0
      : wanted.has(mood)
        ? seasons.has(mood)
          ? 2.5
          : 1
        : -0.6;
  return own.reduce((sum, mood) => sum + points(mood), wrongTime ? -4 : 0);
}

function read({ colors }: Named): Palette {
  type Eight = [Color, Color, Color, Color, Color, Color, Color, Color];
  const [top, middle, horizon, far, near, light, accent, accent2] = colors.split(' ').map(hex) as Eight;
  return { sky: [top, middle, horizon], far, near, light, accent, accent2 };
}

function isTime(mood: string): boolean {
  return (times as readonly string[]).includes(mood);
}

/** Drawing inks by name, as labeled in a cabinet; each `#rrggbb`. */
export const inks: Readonly<Record<string, string>> = Object.fromEntries(
  `Alder black 201d1b|Anthracite 2b2d33|Aubergine 3b1f3a|Bayberry 3f5a4a|Beetroot 7a1f3d|Bilberry 2f2f5e|Bistre 4b3621|Blackthorn 23213a
Bog oak 33291f|Bottle green 0f4a3a|Brick 8f3b2e|Burnt umber 5a3220|Cassis 4c1c3b|Cedar 6b3f2a|Chestnut 6a2e22|China blue 24508f
Cobalt 1f3f99|Copper 8a4b22|Cranberry 8e1f2f|Cypress 2a4632|Damson 402344|Deep sea 12355b|Delft 1c4587|Ebony 191919
Elderberry 33204d|Fern 2f6b3c|Fig 47263f|Forge 2f2a2a|Garnet 6e1423|Gentian 27409b|Granite 45484d|Harbour 1f4a5f
Heather 6a4c7d|Hemlock 3a4a2c|Indigo 2a2766|Iris 473a8f|Iron gall 1d2433|Ivy 1f4d33|Juniper 24514f|Kelp 2f4a3a
Lagoon 0f5c66|Lampblack 141414|Larkspur 3b4fa0|Lichen 6b7340|Madder 8c2336|Mahogany 5b2318|Malachite 12694f|Marine 123a63
Moss 4f5d2f|Mulberry 612144|Night heron 1f2a44|Nutmeg 6a4526|Olive 56561f|Oxblood 5f1a1d|Payne grey 33414e|Peat 3a2c22
Petrol 0f4650|Pewter 505a60|Pine 1d4a3c|Plum 4f2350|Prussian 10305a|Rosewood 6b2a35|Rust 8a3f1d|Sapphire 173a8c
Sepia 4d3826|Slate 3c4a56|Spruce 1f4c46|Storm 3a4656|Teal 0f5a5a|Verdigris 1f6b60|Vermilion b0341f|Walnut 4a3524`
    .split(/[|\n]/)
    .map((line) => [line.slice(0, -7), `#${line.slice(-6)}`]),
);

export const inkNames: readonly string[] = Object.keys(inks);
