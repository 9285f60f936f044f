import type { Field, Model } from '../../../src/catalog/fields';

const prompt: Field = {
  name: 'prompt',
  label: 'Prompt',
  help: 'What the picture shows.',
  kind: 'longText',
  statedType: 'text',
  required: true,
  maxLength: 2000,
};

const ratios = ['1:1', '2:1', '1:2', '3:1', '1:3', '21:9', '16:9', '9:16', '4:3', '3:4'];

const aspectRatio: Field = {
  name: 'aspect_ratio',
  label: 'Aspect ratio',
  kind: 'choice',
  statedType: 'enumeration',
  required: false,
  default: '1:1',
  choices: ratios.map((value) => ({ value, label: value })),
};

const seed: Field = {
  name: 'seed',
  label: 'Seed',
  help: 'The same seed and inputs give the same picture.',
  kind: 'seed',
  statedType: 'integer',
  required: false,
  minimum: 0,
  maximum: 4_294_967_295,
};

/** A typical image model with three fields. */
export const landscape: Model = {
  id: 'aurora/paper/landscape-1',
  provider: 'aurora',
  family: 'paper',
  name: 'landscape-1',
  title: 'Landscape 1',
  description: 'Layered paper landscapes with calm light. Short prompts work well.',
  kind: 'image',
  fields: [prompt, aspectRatio, seed],
};

/** Every kind of field, some of them twice. */
export const everyKind: Model = {
  ...landscape,
  id: 'aurora/paper/every-kind',
  name: 'every-kind',
  title: 'Every Kind',
  fields: [
    prompt,
    { name: 'title', label: 'Title', kind: 'text', statedType: 'string', required: false, default: 'Untitled' },
    aspectRatio,
    {
      name: 'quality',
      label: 'Quality',
      kind: 'choice',
      statedType: 'enumeration',
      required: true,
      choices: named('Draft', 'Standard', 'Fine'),
    },
    {
      name: 'style',
      label: 'Style',
      kind: 'choice',
      statedType: 'enumeration',
      required: false,
      choices: named('Paper cut', 'Watercolour', 'Linocut', 'Charcoal', 'Gouache', 'Etching'),
    },
    {
      name: 'voice',
      label: 'Palette',
      help: 'Forty palettes by name.',
      kind: 'choice',
      statedType: 'enumeration',
      required: false,
      choices: named(
        ...Array.from({ length: 40 }, (_, index) => `${index % 2 === 0 ? 'Warm' : 'Cool'} palette ${index + 1}`),
      ),
    },
    {
      name: 'steps',
      label: 'Steps',
      kind: 'integer',
      statedType: 'integer',
      required: false,
      default: 28,
      minimum: 1,
      maximum: 50,
    },
    {
      name: 'guidance',
      label: 'Guidance',
      kind: 'number',
      statedType: 'number',
      required: false,
      default: 3.5,
      minimum: 0,
      maximum: 10,
      step: 0.5,
    },
    {
      name: 'width',
      label: 'Width',
      help: 'In pixels.',
      kind: 'integer',
      statedType: 'integer',
      required: false,
      minimum: 64,
    },
    {
      name: 'transparent',
      label: 'Transparent background',
      help: 'PNG only.',
      kind: 'boolean',
      statedType: 'boolean',
      required: false,
      default: false,
    },
    { name: 'public', label: 'May be shown to others', kind: 'boolean', statedType: 'boolean', required: true },
    seed,
    {
      name: '__proto__',
      label: 'Extras',
      help: 'Whatever the model understands.',
      kind: 'json',
      statedType: 'object',
      required: false,
    },
  ],
};

function named(...labels: string[]) {
  return labels.map((label) => ({ value: label.toLowerCase().replaceAll(' ', '-'), label }));
}

/** Forty fields, one of them required. */
export const manyFields: Model = {
  ...landscape,
  id: 'boreal/studio/forty-knobs',
  name: 'forty-knobs',
  title: 'Forty Knobs',
  description: undefined,
  fields: [
    prompt,
    ...Array.from({ length: 39 }, (_, index): Field => {
      const shape = everyKind.fields[1 + (index % (everyKind.fields.length - 2))]!;
      return { ...shape, name: `${shape.name}_${index}`, label: `${shape.label} ${index + 1}`, required: false };
    }),
  ],
};

export const haiku: Model = {
  id: 'cirrus/verse/haiku',
  provider: 'cirrus',
  family: 'verse',
  name: 'haiku',
  title: 'Haiku',
  description: 'Answers a subject with three lines.',
  kind: 'text',
  fields: [{ ...prompt, label: 'Subject', help: 'What the poem is about.' }],
};
