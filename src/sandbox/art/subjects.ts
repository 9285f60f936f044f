import type { Path, Point } from './canvas';
import { type Color, hex, lighter, mix } from './color';
import { path, petal, rectangle, ribbon, rounded } from './shapes';

/** The subjects that an image can have. */
export const subjects = [
  'fox',
  'cat',
  'bird',
  'heron',
  'fish',
  'cup',
  'person',
  'portrait',
  'car',
  'robot',
  'flower',
] as const;
export type Subject = (typeof subjects)[number];

/** One colored piece of a subject; `kind` means the same as for a cutout. */
interface Part {
  readonly kind: 'thing' | 'accent' | 'light';
  readonly color: Color;
  readonly path: Path;
}

/** A subject's colors if the prompt names none. */
export const coats: Readonly<Record<Subject, readonly [Color, ...Color[]]>> = {
  fox: [hex('#dd6b2b'), hex('#c9562a')],
  cat: [hex('#e09a52'), hex('#6f7682'), hex('#3a3b45'), hex('#d9cbb5')],
  bird: [hex('#3d7fc4'), hex('#c8483b'), hex('#e0b03a'), hex('#3f9c8f')],
  heron: [hex('#8fa0b0'), hex('#6d8296'), hex('#b9c3c9')],
  fish: [hex('#ee7b2d'), hex('#e2543f'), hex('#f0b93a')],
  cup: [hex('#e8e2d4'), hex('#c9583f'), hex('#3d7d8f'), hex('#e2ae3f')],
  person: [hex('#c9473f'), hex('#e0a93a'), hex('#2f7d86'), hex('#5b57a6')],
  portrait: [hex('#2f7d86'), hex('#c9473f'), hex('#5b57a6'), hex('#e0a93a')],
  car: [hex('#cf3d34'), hex('#e3b23c'), hex('#2e8fa3'), hex('#eee9dd')],
  robot: [hex('#8fa6b5'), hex('#c7ccd1'), hex('#d98a4a')],
  flower: [hex('#d8483f'), hex('#ef8fb0'), hex('#f0b93a'), hex('#f3ede2')],
};

/** A subject's width for a height of 1. */
export const widths: Readonly<Record<Subject, number>> = {
  ...{ fox: 1.06, cat: 0.75, bird: 1.1, heron: 0.9, fish: 1, cup: 1.05, person: 0.5, portrait: 1 },
  ...{ car: 2.12, robot: 0.8, flower: 0.6 },
};

const [dark, pale] = [hex('#2b2530'), hex('#fbf4e6')];
const skins = [hex('#f0c8a4'), hex('#c98f62'), hex('#8a5a3b')] as const;
const hairs = [hex('#3a2a22'), hex('#7a4a2a'), hex('#23222a')] as const;

/** A subject in a coat, far to near: 1 high, standing on 0, with `y` upward. `choice` (0, 1, 2) decides the rest. */
export function subjectParts(subject: Subject, coat: Color, choice: number): Part[] {
  const draw = { fox, cat, bird, heron, fish, cup, person, portrait, car, robot, flower }[subject];
  return draw(new Colors(coat, choice));
}

/** Names the kinds of a subject's pieces. */
class Colors {
  readonly skin: Color;
  readonly hair: Color;

  constructor(
    readonly coat: Color,
    choice: number,
  ) {
    this.skin = skins[choice % skins.length] ?? skins[0];
    this.hair = hairs[choice % hairs.length] ?? hairs[0];
  }

  main(...outlines: Point[][]): Part {
    return this.accent(this.coat, ...outlines);
  }

  shade(...outlines: Point[][]): Part {
    return this.thing(lighter(this.coat, -0.1), ...outlines);
  }

  dark(...outlines: Point[][]): Part {
    return this.thing(dark, ...outlines);
  }

  pale(...outlines: Point[][]): Part {
    return this.light(pale, ...outlines);
  }

  accent(color: Color, ...outlines: Point[][]): Part {
    return { kind: 'accent', color, path: path(...outlines) };
  }

  thing(color: Color, ...outlines: Point[][]): Part {
    return { kind: 'thing', color, path: path(...outlines) };
  }

  light(color: Color, ...outlines: Point[][]): Part {
    return { kind: 'light', color, path: path(...outlines) };
  }
}

function fox(of: Colors): Part[] {
  const tail = rounded(at('0.12,0.03 0.32,0 0.47,0.1 0.52,0.3 0.43,0.52 0.38,0.36 0.3,0.2'));
  const tip = rounded(at('0.43,0.52 0.505,0.37 0.51,0.25 0.45,0.3 0.37,0.32 0.385,0.42'));
  const body = rounded(even(at('-0.2,0 -0.23,0.16 -0.16,0.4 -0.09,0.58')));
  const head = at('-0.25,1 -0.1,0.87 0.1,0.87 0.25,1 0.3,0.7 0.13,0.56 0,0.49');
  const ear = at('-0.228,0.945 -0.135,0.86 -0.245,0.79');
  const cheek = at('-0.3,0.7 -0.13,0.56 0,0.49 -0.02,0.66 -0.14,0.7');
  const sock = rounded(at('-0.15,0 -0.14,0.09 -0.08,0.14 -0.025,0.09 -0.02,0'));
  return [
    of.shade(tail),
    of.pale(tip),
    of.main(body),
    of.pale(rounded(at('-0.1,0.5 0.1,0.5 0.11,0.36 0,0.18 -0.11,0.36'))),
    of.dark(...pair(sock)),
    of.main([...head, ...at('-0.13,0.56 -0.3,0.7')]),
    of.dark(...pair(ear)),
    of.pale(...pair(cheek)),
    of.dark(...pair(oval(-0.11, 0.735, 0.027, 0.036)), oval(0, 0.515, 0.042, 0.033)),
  ];
}

function cat(of: Colors): Part[] {
  const tail = at('0.12,0.05 0.3,0.05 0.37,0.14 0.36,0.27 0.31,0.38 0.34,0.5');
  const ear = at('-0.235,0.72 -0.225,0.99 -0.05,0.86');
  const inner = at('-0.205,0.78 -0.2,0.92 -0.105,0.85');
  const body = rounded(even(at('-0.19,0 -0.22,0.15 -0.15,0.4 -0.08,0.58')));
  const [pink, eye] = [hex('#e39a94'), hex('#d6c34a')];
  return [
    of.shade(ribbon(tail, 0.09, 0.06)),
    of.main(body),
    of.pale(rounded(at('-0.08,0.5 0.08,0.5 0.07,0.3 0,0.2 -0.07,0.3'))),
    of.pale(...pair(oval(-0.085, 0.035, 0.07, 0.038))),
    of.main(...pair(ear), oval(0, 0.7, 0.25, 0.19)),
    of.light(pink, ...pair(inner)),
    of.shade(ribbon(at('0,0.88 0,0.8'), 0.026), ...pair(ribbon(at('-0.07,0.87 -0.055,0.8'), 0.024))),
    of.light(eye, ...pair(oval(-0.105, 0.72, 0.05, 0.045))),
    of.pale(...pair(oval(-0.045, 0.63, 0.062, 0.046))),
    of.dark(
      ...pair(oval(-0.105, 0.72, 0.017, 0.04)),
      ...pair(ribbon(at('-0.09,0.64 -0.32,0.67'), 0.009)),
      ...pair(ribbon(at('-0.09,0.62 -0.31,0.6'), 0.009)),
    ),
    of.light(lighter(pink, -0.15), at('-0.03,0.675 0.03,0.675 0,0.64')),
  ];
}

function bird(of: Colors): Part[] {
  const foot = (x: number) => [
    ribbon(
      [
        [x, 0.3],
        [x - 0.02, 0.02],
      ],
      0.022,
    ),
    ribbon(
      [
        [x - 0.02, 0.02],
        [x - 0.11, 0.005],
      ],
      0.02,
    ),
    ribbon(
      [
        [x - 0.02, 0.02],
        [x + 0.06, 0.005],
      ],
      0.02,
    ),
  ];
  const body = rounded(
    at('-0.33,0.6 -0.3,0.42 -0.13,0.25 0.12,0.26 0.32,0.42 0.2,0.6 0.02,0.77 -0.1,0.94 -0.27,0.95 -0.38,0.82'),
  );
  const belly = rounded(at('-0.31,0.56 -0.28,0.42 -0.12,0.275 0.06,0.28 0,0.42 -0.14,0.55 -0.25,0.62'));
  const wing = rounded(at('-0.06,0.62 0.12,0.6 0.32,0.44 0.47,0.33 0.22,0.35 0.04,0.39 -0.06,0.48'));
  return [
    of.dark(...foot(-0.08), ...foot(0.08)),
    of.shade(at('0.2,0.44 0.55,0.2 0.61,0.29 0.28,0.54')),
    of.main(body),
    of.pale(belly),
    of.shade(wing),
    of.light(hex('#f0a02e'), at('-0.355,0.87 -0.53,0.79 -0.355,0.755')),
    of.dark(oval(-0.24, 0.845, 0.036)),
    of.pale(oval(-0.25, 0.856, 0.012)),
  ];
}

/** It stands among reeds. */
function heron(of: Colors): Part[] {
  const green = hex('#5f7d45');
  const reeds = (leaves: readonly Reed[]) =>
    leaves.map(([x, lean, top]) => {
      const blade = Array.from({ length: 9 }, (_, i): Point => [x + lean * (i / 8) ** 2, (top * i) / 8]);
      return ribbon(blade, 0.03, 0.006);
    });
  const body = at('-0.19,0.53 -0.12,0.42 0.06,0.37 0.22,0.4 0.4,0.33 0.34,0.47 0.18,0.58 -0.04,0.63 -0.17,0.6');
  const neck = at('-0.13,0.55 -0.21,0.61 -0.19,0.68 -0.11,0.73 -0.06,0.79 -0.07,0.87 -0.15,0.91');
  return [
    of.thing(lighter(green, -0.06), ...reeds(backReeds)),
    of.thing(
      hex('#b98a3c'),
      ribbon(at('0.06,0.4 0.05,0.2 0.06,0'), 0.022),
      ribbon(at('-0.02,0.4 0,0.2 -0.03,0'), 0.022),
    ),
    of.shade(rounded(at('0.1,0.42 0.42,0.29 0.44,0.34 0.2,0.52'))),
    of.main(rounded(body)),
    of.shade(rounded(at('-0.08,0.57 0.12,0.56 0.3,0.43 0.37,0.36 0.12,0.41 -0.04,0.47'))),
    of.main(ribbon(neck, 0.085, 0.055), oval(-0.16, 0.915, 0.065, 0.043)),
    of.pale(ribbon(at('-0.17,0.57 -0.235,0.62 -0.215,0.67'), 0.03, 0.015), oval(-0.185, 0.905, 0.035, 0.025)),
    of.light(hex('#eeb33c'), at('-0.205,0.94 -0.43,0.885 -0.205,0.892')),
    of.dark(ribbon(at('-0.2,0.945 -0.1,0.945 0,0.9 0.05,0.85'), 0.028, 0.004), oval(-0.185, 0.922, 0.012)),
    of.thing(green, ...reeds(frontReeds)),
  ];
}

/** A leaf's foot, how far it leans, and its height. */
type Reed = readonly [foot: number, lean: number, top: number];
const backReeds: readonly Reed[] = [
  [-0.38, -0.05, 0.66],
  [-0.28, 0.07, 0.5],
  [0.26, 0.05, 0.78],
  [0.34, 0.09, 0.6],
  [0.38, -0.06, 0.72],
];
const frontReeds: readonly Reed[] = [
  [-0.32, -0.09, 0.4],
  [-0.2, 0.06, 0.28],
  [0.14, -0.04, 0.26],
  [0.24, 0.1, 0.36],
  [0.31, -0.05, 0.46],
];

/** In a bowl of water. */
function fish(of: Colors): Part[] {
  const arc = (from: number, to: number, wide: number, high: number) =>
    Array.from({ length: 40 }, (_, i): Point => {
      const turn = from + ((to - from) * i) / 39;
      return [Math.cos(turn) * wide, 0.45 + Math.sin(turn) * high];
    });
  const [glass, water] = [hex('#e6f1f3'), hex('#9fd0dd')];
  const full = 0.62;
  return [
    of.light(glass, arc(0.42 * Math.PI, -1.42 * Math.PI, 0.5, 0.45).concat(at('-0.2,0.96 0.2,0.96'))),
    of.pale(oval(0, 0.945, 0.2, 0.03)),
    of.thing(water, arc(full, -Math.PI - full, 0.465, 0.415)),
    of.light(lighter(water, 0.1), oval(0, 0.69, 0.378, 0.028)),
    of.thing(hex('#d9b777'), arc(-0.24 * Math.PI, -0.76 * Math.PI, 0.46, 0.41)),
    of.thing(
      hex('#4d8a55'),
      ...[-0.2, -0.14, 0.24].map((x) =>
        ribbon(
          [
            [x, 0.14],
            [x + 0.03, 0.27],
            [x - 0.01, 0.4],
          ],
          0.035,
          0.008,
        ),
      ),
    ),
    of.shade(
      rounded(at('0.12,0.42 0.27,0.55 0.35,0.56 0.3,0.42 0.35,0.28 0.27,0.3')),
      at('-0.06,0.52 0.08,0.62 0.12,0.5'),
    ),
    of.main(rounded(at('-0.25,0.42 -0.16,0.52 0,0.56 0.13,0.49 0.2,0.42 0.13,0.35 0,0.29 -0.16,0.32'))),
    of.shade(rounded(at('-0.03,0.42 0.08,0.44 0.1,0.36 0.02,0.37'))),
    of.pale(oval(-0.16, 0.46, 0.036), oval(-0.27, 0.56, 0.018), oval(-0.31, 0.62, 0.012)),
    of.dark(oval(-0.167, 0.46, 0.019), ribbon(at('-0.245,0.41 -0.2,0.395'), 0.01)),
    of.pale(ribbon(at('-0.42,0.52 -0.39,0.66 -0.3,0.78'), 0.022, 0.008)),
  ];
}

function cup(of: Colors): Part[] {
  const handle = at('0.3,0.62 0.44,0.62 0.51,0.53 0.49,0.41 0.4,0.32 0.26,0.29');
  const body = at('-0.35,0.74 0.35,0.74 0.33,0.46 0.27,0.22 0.18,0.1 -0.18,0.1 -0.27,0.22');
  const steam = (x: number, top: number) => {
    const wave = Array.from({ length: 13 }, (_, i): Point => {
      return [x + 0.035 * Math.sin((i / 12) * 6.3), 0.78 + ((top - 0.78) * i) / 12];
    });
    return ribbon(wave, 0.035, 0.008);
  };
  const second = mix(of.coat, hex('#2f5f78'), 0.75);
  return [
    of.shade(oval(0, 0.07, 0.53, 0.07)),
    of.pale(oval(0, 0.085, 0.44, 0.05)),
    of.main(ribbon(handle, 0.075, 0.065)),
    of.main([...body, ...at('-0.33,0.46')]),
    of.thing(second, at('-0.334,0.52 0.334,0.52 0.318,0.4 -0.318,0.4')),
    of.pale(oval(0, 0.74, 0.352, 0.075)),
    of.thing(hex('#4a2c1d'), oval(0, 0.733, 0.305, 0.055)),
    of.pale(steam(-0.12, 0.97), steam(0.02, 1.03), steam(0.15, 0.95)),
  ];
}

function person(of: Colors): Part[] {
  const leg = at('-0.115,0.34 -0.105,0.02 -0.02,0.02 -0.005,0.34');
  const coat = rounded(at('-0.14,0.72 0,0.755 0.14,0.72 0.17,0.5 0.21,0.28 0,0.265 -0.21,0.28 -0.17,0.5'));
  const fringe = rounded(at('-0.1,0.84 -0.095,0.95 0,0.995 0.095,0.95 0.1,0.84 0.065,0.915 -0.02,0.93'));
  const scarf = hex('#f2d6a0');
  return [
    of.thing(hex('#39405a'), ...pair(leg)),
    of.dark(...pair(oval(-0.075, 0.02, 0.065, 0.028))),
    of.light(of.skin, ...pair(oval(-0.225, 0.38, 0.037))),
    of.shade(...pair(ribbon(at('-0.13,0.68 -0.215,0.53 -0.225,0.4'), 0.09, 0.065))),
    of.main(coat),
    of.shade(ribbon(at('0,0.7 0,0.27'), 0.012)),
    of.pale(oval(0.035, 0.6, 0.013), oval(0.035, 0.5, 0.013), oval(0.035, 0.4, 0.013)),
    of.thing(of.hair, oval(0, 0.87, 0.105, 0.115)),
    of.light(of.skin, rectangle(-0.035, 0.72, 0.07, 0.08), oval(0, 0.865, 0.084, 0.1)),
    of.thing(of.hair, fringe),
    of.light(scarf, oval(0, 0.745, 0.105, 0.035), at('0.03,0.75 0.09,0.74 0.115,0.57 0.05,0.58')),
    of.dark(...pair(oval(-0.034, 0.865, 0.011, 0.015)), ribbon(at('-0.022,0.81 0.022,0.81'), 0.009)),
  ];
}

function portrait(of: Colors): Part[] {
  const shoulders = at('-0.52,-0.2 -0.5,0.1 -0.4,0.25 -0.14,0.35 0.14,0.35 0.4,0.25 0.5,0.1');
  const fringe = rounded(
    at('-0.23,0.6 -0.24,0.83 -0.12,0.97 0.1,0.98 0.24,0.84 0.23,0.6 0.18,0.77 0.04,0.84 -0.1,0.81 -0.18,0.74'),
  );
  const [lip, shaded] = [mix(of.skin, hex('#b5483f'), 0.6), lighter(of.skin, -0.08)];
  return [
    of.thing(of.hair, oval(0, 0.66, 0.27, 0.31), rounded(at('-0.27,0.66 -0.29,0.36 0,0.3 0.29,0.36 0.27,0.66'))),
    of.main([...shoulders, ...at('0.52,-0.2')]),
    of.light(shaded, at('-0.085,0.52 0.085,0.52 0.1,0.36 0,0.24 -0.1,0.36')),
    of.pale(...pair(at('-0.1,0.375 -0.17,0.33 -0.09,0.2 0,0.24'))),
    of.light(of.skin, oval(0, 0.63, 0.195, 0.245)),
    of.thing(of.hair, fringe),
    of.pale(...pair(oval(-0.082, 0.645, 0.042, 0.025))),
    of.dark(...pair(oval(-0.08, 0.645, 0.02)), ...pair(ribbon(at('-0.13,0.69 -0.08,0.71 -0.04,0.695'), 0.012, 0.018))),
    of.light(shaded, rounded(at('-0.012,0.62 0.012,0.62 0.036,0.535 0,0.522 -0.03,0.535'))),
    of.light(lip, rounded(at('-0.075,0.472 -0.02,0.487 0.02,0.487 0.075,0.472 0.03,0.447 -0.03,0.447'))),
  ];
}

function car(of: Colors): Part[] {
  const body = rounded([
    ...at('-1.02,0.2 -1.05,0.42 -1,0.56 -0.66,0.62 -0.52,0.76 -0.38,0.94 -0.2,1'),
    ...at('0.2,1 0.4,0.93 0.66,0.63 0.96,0.55 1.05,0.4 1.03,0.2'),
  ]);
  const [rear, front] = [
    at('-0.5,0.64 -0.33,0.88 -0.06,0.91 -0.06,0.64'),
    at('0.02,0.64 0.02,0.91 0.3,0.88 0.52,0.64'),
  ];
  const wheels = (radius: number) => [oval(-0.58, 0.2, radius), oval(0.6, 0.2, radius)];
  return [
    of.main(body),
    of.shade(rectangle(-1.02, 0.17, 2.04, 0.1), ribbon(at('-0.02,0.27 -0.02,0.63'), 0.018)),
    of.light(hex('#cfe6ee'), rear, front),
    of.shade(...wheels(0.255)),
    of.dark(...wheels(0.2), ribbon(at('0.08,0.55 0.2,0.55'), 0.03)),
    of.pale(...wheels(0.1)),
    of.light(hex('#ffe9a8'), oval(0.98, 0.44, 0.05, 0.065)),
    of.light(hex('#f0705a'), oval(-1.01, 0.46, 0.035, 0.06)),
  ];
}

function robot(of: Colors): Part[] {
  const [glow, lamp] = [hex('#ffe08a'), hex('#e8604a')];
  return [
    of.shade(...pair(rectangle(-0.17, 0.04, 0.11, 0.14)), rectangle(-0.08, 0.5, 0.16, 0.1)),
    of.dark(...pair(rounded(at('-0.23,0 -0.2,0.08 -0.07,0.08 -0.04,0')))),
    of.shade(...pair(ribbon(at('-0.24,0.46 -0.35,0.4 -0.37,0.26'), 0.07))),
    of.dark(...pair(oval(-0.37, 0.22, 0.055))),
    of.main(box(-0.26, 0.15, 0.52, 0.38, 0.05)),
    of.pale(box(-0.17, 0.24, 0.34, 0.2, 0.02)),
    of.light(lamp, oval(-0.09, 0.34, 0.04)),
    of.light(glow, oval(0.09, 0.34, 0.04)),
    of.dark(oval(0, 0.34, 0.04)),
    of.shade(...pair(rectangle(-0.3, 0.67, 0.08, 0.14)), ribbon(at('0,0.88 0,0.97'), 0.03)),
    of.main(box(-0.25, 0.57, 0.5, 0.33, 0.06)),
    of.light(lamp, oval(0, 0.98, 0.045)),
    of.dark(...pair(oval(-0.11, 0.76, 0.085)), box(-0.13, 0.605, 0.26, 0.05, 0.01)),
    of.light(glow, ...pair(oval(-0.11, 0.76, 0.06))),
    of.dark(...pair(oval(-0.11, 0.76, 0.025))),
  ];
}

function flower(of: Colors): Part[] {
  const [x, y, count] = [0, 0.7, 9];
  const ring = (length: number, shift: number) =>
    Array.from({ length: count }, (_, i) => petal(x, y, length, 0.088, ((i + shift) / count) * 2 * Math.PI));
  const green = hex('#4d8a45');
  return [
    of.thing(green, ribbon(at('0.02,0 -0.015,0.25 0.01,0.5 0,0.7'), 0.04, 0.028)),
    of.thing(lighter(green, 0.06), petal(-0.01, 0.16, 0.3, 0.065, 2.35, true), petal(0, 0.27, 0.27, 0.058, 0.75, true)),
    of.shade(...ring(0.29, 0.5)),
    of.main(...ring(0.27, 0)),
    of.light(hex('#f5c84b'), oval(x, y, 0.1)),
    of.thing(hex('#9c5a24'), oval(x, y, 0.058)),
  ];
}

/** An outline and its mirror image. */
function pair(outline: readonly Point[]): Point[][] {
  return [[...outline], outline.map(([x, y]) => [-x, y] as const)];
}

/** Mirrors the left side of an outline, from the foot up, to close it on the right. */
function even(left: readonly Point[]): Point[] {
  return [...left, ...[...left].reverse().map(([x, y]) => [-x, y] as const)];
}

/** Points as in SVG: `x,y x,y`. */
function at(points: string): Point[] {
  return points.split(' ').map((point) => {
    const [x = 0, y = 0] = point.split(',').map(Number);
    return [x, y] as const;
  });
}

/** Smooth at every size; other outlines have as many points as their pixels need. */
function oval(x: number, y: number, width: number, height = width): Point[] {
  return Array.from({ length: 48 }, (_, i) => {
    const turn = (i / 48) * 2 * Math.PI;
    return [x + Math.cos(turn) * width, y + Math.sin(turn) * height] as const;
  });
}

/** A rectangle with cut corners. */
function box(x: number, y: number, width: number, height: number, cut: number): Point[] {
  const [r, t] = [x + width, y + height];
  return [
    [x + cut, y],
    [r - cut, y],
    [r, y + cut],
    [r, t - cut],
    [r - cut, t],
    [x + cut, t],
    [x, t - cut],
    [x, y + cut],
  ];
}
