import { type BlockOptions, usualBlocks } from './art/blocks';
import { boolean, choice, integer, number } from './fieldKinds';
import type { Field, Inputs } from './fields';

type NumberOption = {
  [Name in keyof BlockOptions]: BlockOptions[Name] extends number ? Name : never;
}[keyof BlockOptions];
type Row = readonly [option: NumberOption, label: string, minimum: number, maximum: number, step: number];

const rows: readonly Row[] = [
  ['islands', 'Islands (0: as many as fit)', 0, 3, 1],
  ['grid', 'Blocks along a side', 8, 30, 1],
  ['margin', 'Margin', 0, 0.3, 0.01],
  ['relief', 'Relief', 0.2, 2, 0.05],
  ['roughness', 'Roughness', 0, 1, 0.05],
  ['peaks', 'Summits', 1, 5, 1],
  ['terraces', 'Terraces', 4, 28, 1],
  ['water', 'Water level', 0, 1, 0.05],
  ['waves', 'Waves', 0, 1, 0.05],
  ['beach', 'Beach', 0, 3, 0.25],
  ['snowLine', 'Snow line', 0, 1, 0.02],
  ['trees', 'Trees', 0, 1, 0.05],
  ['treeHeight', 'Height of trees', 0.4, 2, 0.1],
  ['autumnTrees', 'Autumn trees', 0, 1, 0.05],
  ['buildings', 'Buildings', 0, 1, 0.05],
  ['buildingHeight', 'Height of buildings', 0.3, 2, 0.1],
  ['litWindows', 'Lit windows', 0, 1, 0.05],
  ['flowers', 'Flowers', 0, 1, 0.05],
  ['boulders', 'Boulders', 0, 0.3, 0.01],
  ['thickness', 'Thickness of the ground', 1, 12, 1],
  ['clouds', 'Clouds', 0, 10, 1],
  ['stars', 'Stars', 0, 300, 10],
  ['discSize', 'Size of sun or moon', 0.4, 2, 0.1],
  ['contrast', 'Contrast of the faces', 0, 1, 0.05],
  ['warmth', 'Warmth of the light', -1, 1, 0.1],
  ['haze', 'Haze', 0, 1, 0.05],
  ['shadowStrength', 'Strength of the shadow', 0, 1, 0.05],
  ['seamStrength', 'Strength of the seams', 0, 1, 0.05],
  ['grain', 'Grain', 0, 1, 0.05],
];

const switches = [
  ['ragged', 'Ragged underside'],
  ['disc', 'Sun or moon'],
  ['shadow', 'Shadow below'],
  ['seams', 'Seams between blocks'],
] as const;

/** A field for each option of a block landscape. */
export const blockFields: readonly Field[] = [
  ...rows.map(([option, label, minimum, maximum, step]) => {
    const kind = Number.isInteger(step) ? integer : number;
    return kind(snake(option), label, { minimum, maximum, step, default: usualBlocks[option] });
  }),
  ...switches.map(([option, label]) => boolean(snake(option), label, usualBlocks[option])),
  choice('light_from', 'Light comes from', ['left', 'right'], usualBlocks.lightFrom),
];

/** The options from the inputs, with defaults for fields that the model doesn't have. */
export function blockOptions(inputs: Inputs): BlockOptions {
  const asked = Object.keys(usualBlocks).map((option) => [option, inputs[snake(option)]] as const);
  return {
    ...usualBlocks,
    ...(Object.fromEntries(asked.filter(([, value]) => value !== undefined)) as Partial<BlockOptions>),
  };
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
