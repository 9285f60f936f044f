import type { Result } from './account';
import {
  aspectRatioOf,
  aspectRatios,
  type BlockOptions,
  collageDetails,
  draw,
  drawDoubleExposure,
  drawPrint,
  drawRetouched,
  type Exposure,
  exposureNames,
  inkNames,
  inputName,
  paletteNames,
  pinImages,
  type DrawingStyle,
  usualBlocks,
} from './art/artist';
import {
  boolean,
  choice,
  choices,
  color,
  type Field,
  image,
  images,
  type Inputs,
  integer,
  longText,
  number,
  optionalImage,
  seed,
  text,
} from './fields';
import { imageIn, pixelsIn } from './givenImage';
import { say } from './problem';
import { altText, haiku, summary } from './writer';

/** A model of the catalog (specification: Model). */
export interface Model {
  /** `<provider>/<family>/<model_name>`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly type: 'image' | 'text';
  readonly fields: readonly Field[];
  /** It's there for trying out what can happen. */
  readonly testing?: boolean;
  /** How long it takes, as a multiple of the sandbox's latency. */
  readonly pace: number;
  /** The price of a render with these complete inputs, whole cents. */
  readonly price: (inputs: Inputs) => number;
  /** Runs it; equal inputs give equal results. Rejects if the render fails, or is no longer wanted. */
  readonly make: (inputs: Inputs, signal?: AbortSignal) => Promise<Result>;
}

type NumberOption = {
  [Name in keyof BlockOptions]: BlockOptions[Name] extends number ? Name : never;
}[keyof BlockOptions];
type NumberRow = readonly [option: NumberOption, label: string, minimum: number, maximum: number, step: number];

const blockNumbers: readonly NumberRow[] = [
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

const blockSwitches = [
  ['ragged', 'Ragged underside'],
  ['disc', 'Sun or moon'],
  ['shadow', 'Shadow below'],
  ['seams', 'Seams between blocks'],
] as const;

/** A field for each option of a block landscape. */
const blockFields: readonly Field[] = [
  ...blockNumbers.map(([option, label, minimum, maximum, step]) => {
    const kind = Number.isInteger(step) ? integer : number;
    return kind(inputName(option), label, { minimum, maximum, step, default: usualBlocks[option] });
  }),
  ...blockSwitches.map(([option, label]) => boolean(inputName(option), label, usualBlocks[option])),
  choice('light_from', 'Light comes from', ['left', 'right'], usualBlocks.lightFrom),
];

/** All models of the sandbox. */
export const models: readonly Model[] = [
  imageModel(
    'paperlight/strata/strata-2',
    'Strata 2',
    'Landscapes in layers of cut paper, with soft shadows.',
    'paper',
    {
      cents: 4,
      fields: [size(), palette(), detail(), seed()],
    },
  ),
  imageModel(
    'paperlight/strata/strata-2-fast',
    'Strata 2 Fast',
    'Cut paper at half the size, for trying out an idea.',
    'paper',
    {
      cents: 2,
      pace: 0.5,
      fixed: { size: 'small', detail: 0.2 },
    },
  ),
  imageModel(
    'kiln-and-field/poster/signal-1',
    'Signal 1',
    'Bold posters of flat shapes, as printed from cut blocks.',
    'poster',
    {
      cents: 6,
      fields: [
        size(),
        palette(),
        number('busy', 'Number of shapes', { minimum: 0, maximum: 1, step: 0.05, default: 0.5 }),
        seed(),
      ],
    },
  ),
  imageModel(
    'kiln-and-field/poster/signal-1-atelier',
    'Signal 1 Atelier',
    'A premium poster model with hand-made proofs. Expensive, for trying out spending limits.',
    'poster',
    {
      cents: 590,
      testing: true,
      pace: 2,
      fields: [
        integer('proofs', 'Proofs', {
          minimum: 1,
          maximum: 5,
          default: 1,
          help: 'Each additional proof adds half the price of the first.',
        }),
        boolean('archival', 'Archival paper', false, 'Adds a fifth to the price.'),
        palette(),
        seed(),
      ],
      factor: ({ proofs, archival }) => (0.5 + Number(proofs) / 2) * (archival === true ? 1.2 : 1),
    },
  ),
  imageModel('wet-brush/aquarelle/mist-3', 'Mist 3', 'Watercolors on rough paper, with a loose hand.', 'watercolor', {
    cents: 5,
    fields: [size(), palette(), wetness(), detail(), seed()],
  }),
  imageModel(
    'wet-brush/aquarelle/mist-3-slow',
    'Mist 3 Slow',
    'The same watercolors, dried between the washes. Takes its time.',
    'watercolor',
    {
      cents: 9,
      testing: true,
      pace: 13,
      fields: [size(), palette(), wetness(), seed()],
    },
  ),
  imageModel(
    'thin-line/contour/contour-1',
    'Contour 1',
    'Line engravings in one ink out of a cabinet of seventy-two.',
    'engraving',
    {
      cents: 5,
      fields: [
        choice('ink', 'Ink', inkNames, 'Iron gall', 'The color of the lines.'),
        number('line_spacing', 'Line spacing', {
          minimum: 4,
          maximum: 12,
          step: 0.5,
          default: 6.5,
          help: 'In thousandths of the image.',
        }),
        size(),
        seed(),
      ],
    },
  ),
  imageModel('isoworks/blocks/township-2', 'Township 2', 'Small worlds of blocks, floating in their sky.', 'blocks', {
    cents: 4,
    fields: [
      size(),
      palette(),
      integer('grid', 'Blocks along a side', { minimum: 8, maximum: 30, default: 18 }),
      seed(),
    ],
    factor: ({ grid }) => Math.max(1, Number(grid) / 18),
  }),
  imageModel(
    'isoworks/blocks/metropolis-40',
    'Metropolis 40',
    'Worlds of blocks, with forty fields to set each thing in them.',
    'blocks',
    {
      cents: 12,
      fields: [
        longText('notes', 'Notes', { maxLength: 4000, help: 'More about the place, in as many words as you like.' }),
        size(),
        palette(),
        seed(),
        ...blockFields,
      ],
      factor: ({ grid }) => Math.max(1, Number(grid) / 18),
    },
  ),
  imageModel('eight-bit-yard/pixel/sprite-1', 'Sprite 1', 'Pixel art with a small palette and dithering.', 'pixels', {
    cents: 2,
    fields: [integer('pixel_size', 'Pixel size', { minimum: 3, maximum: 20, default: 7 }), size(), palette(), seed()],
  }),
  {
    id: 'second-hand/reprint/riso-1',
    name: 'Riso 1',
    description: 'Prints your own image again, in a few inks through a screen of dots.',
    type: 'image',
    fields: [
      image('image', 'Image', 'The image to print.'),
      choice('palette', 'Inks', paletteNames, 'ember sunset'),
      integer('tones', 'Tones', { minimum: 2, maximum: 8, default: 4 }),
      integer('screen', 'Screen', {
        minimum: 2,
        maximum: 24,
        default: 6,
        help: 'The distance of the dots, in pixels.',
      }),
    ],
    pace: 1,
    price: () => 3,
    make: ({ image, palette, tones, screen }, signal) => {
      const print = { palette: String(palette), tones: Number(tones), screen: Number(screen) };
      return drawn(drawPrint(imageIn(image), print, signal));
    },
  },
  {
    id: 'second-hand/reprint/double-exposure-1',
    name: 'Double Exposure 1',
    description: 'Puts two of your images into one, as on a film that was exposed twice.',
    type: 'image',
    fields: [
      image('image', 'First image', 'The result has its size.'),
      image('overlay', 'Second image', 'It fills the first.'),
      choice('exposure', 'Exposure', exposureNames, 'screen'),
      number('amount', 'Amount of the second', { minimum: 0, maximum: 1, step: 0.05, default: 0.5 }),
    ],
    pace: 1,
    price: () => 5,
    make: ({ image, overlay, exposure, amount }, signal) => {
      const exposed = { exposure: exposure as Exposure, amount: Number(amount) };
      return drawn(drawDoubleExposure(imageIn(image), imageIn(overlay), exposed, signal));
    },
  },
  {
    id: 'second-hand/reprint/collage-1',
    name: 'Collage 1',
    description: 'Pins up to six of your images on a scene in cut paper.',
    type: 'image',
    fields: [
      prompt(),
      images('images', 'Images', 'They’re pinned row by row, as numbered here.', 6),
      aspectRatio(),
      choices('details', 'Details', collageDetails, ['frames', 'shadows', 'tilt']),
      color('frame_color', 'Color of the frames', '#f4efe6'),
      seed(),
    ],
    pace: 1,
    price: ({ images }) => 3 + addressesIn(images).length,
    make: async ({ images, details, frame_color: frame, ...scene }, signal) => {
      const drawnScene = await draw('paper', { ...scene, size: 'medium' }, signal);
      const pinned = { frame: String(frame), details: details as readonly string[], seed: Number(scene.seed) };
      return drawn(pinImages(pixelsIn(drawnScene), addressesIn(images).map(imageIn), pinned, signal));
    },
  },
  {
    id: 'second-hand/reprint/retouch-1',
    name: 'Retouch 1',
    description: 'Draws a part of your image again, in cut paper: the part that you paint over.',
    type: 'image',
    fields: [
      prompt(),
      image('image', 'Image', 'The result has its size.'),
      optionalImage(
        'mask',
        'Mask',
        'White areas are changed, black ones stay. It needs the size of the image; without it, everything changes.',
      ),
      seed(),
    ],
    pace: 1,
    price: () => 4,
    make: async ({ image, mask, ...scene }, signal) => {
      const [own, masked] = [imageIn(image), mask === undefined ? undefined : imageIn(mask)];
      if (masked && (masked.width !== own.width || masked.height !== own.height))
        throw new Error(say('The mask must have the size of the image.').english);
      const other = await draw('paper', { ...scene, aspect_ratio: aspectRatioOf(own), size: 'medium' }, signal);
      return drawn(drawRetouched(own, masked, pixelsIn(other), signal));
    },
  },
  {
    id: 'rehearsal/fire-drill/always-fails',
    name: 'Always Fails',
    description: 'Every render fails and is refunded, so you can see what happens.',
    type: 'image',
    testing: true,
    fields: [prompt(), aspectRatio()],
    pace: 1,
    price: () => 3,
    make: () => Promise.reject(new Error(say('This model always fails, so you can see what happens.').english)),
  },
  {
    id: 'quill-house/verse/haiku-1',
    name: 'Haiku 1',
    description: 'Three lines on whatever you name.',
    type: 'text',
    fields: [
      text('prompt', 'Subject', { required: true, maxLength: 300, help: 'For example: the sea at night.' }),
      seed('The same seed with the same subject gives the same poem.'),
    ],
    pace: 0.6,
    price: () => 1,
    make: (inputs) => answer(haiku(String(inputs.prompt), Number(inputs.seed))),
  },
  {
    id: 'quill-house/digest/summary-2',
    name: 'Summary 2',
    description: 'Picks the key sentences from a text.',
    type: 'text',
    fields: [
      longText('text', 'Text', { required: true }),
      text('instructions', 'Instructions', { maxLength: 300, help: 'For example: make it shorter.' }),
      integer('sentences', 'Sentences', { minimum: 1, maximum: 12, default: 3 }),
      choice('form', 'Form', ['paragraph', 'list'], 'paragraph'),
    ],
    pace: 0.8,
    price: (inputs) => 1 + Math.floor(String(inputs.text).length / 2000),
    make: ({ text: given, instructions = '', sentences, form }) =>
      answer(summary(String(given), Number(sentences), form === 'list', String(instructions))),
  },
  {
    id: 'quill-house/plain/alt-text-1',
    name: 'Alt Text 1',
    description: 'Alt text for an image, written from its prompt.',
    type: 'text',
    fields: [
      longText('prompt', 'What the image shows', { required: true, maxLength: 4000 }),
      text('medium', 'Medium', {
        default: 'picture',
        maxLength: 40,
        help: 'For example: photograph, poster, line drawing.',
      }),
      integer('max_length', 'Longest response', {
        minimum: 40,
        maximum: 400,
        default: 125,
        step: 5,
        help: 'In characters.',
      }),
    ],
    pace: 0.5,
    price: (inputs) => 1 + Math.floor(String(inputs.prompt).length / 1000),
    make: (inputs) => answer(altText(String(inputs.prompt), String(inputs.medium), Number(inputs.max_length))),
  },
];

const byId = new Map(models.map((model) => [model.id, model]));

export function modelOf(id: string): Model | undefined {
  return byId.get(id);
}

interface ImageFacts {
  /** The price of a large image. */
  readonly cents: number;
  readonly testing?: boolean;
  readonly pace?: number;
  /** In addition to prompt and aspect ratio. */
  readonly fields?: readonly Field[];
  /** Inputs that the caller can't set. */
  readonly fixed?: Inputs;
  readonly factor?: (inputs: Inputs) => number;
}

function imageModel(id: string, name: string, description: string, style: DrawingStyle, facts: ImageFacts): Model {
  const { cents, testing, pace = 1, fields = [], fixed = {}, factor = () => 1 } = facts;
  return {
    ...{ id, name, description, type: 'image', testing, pace },
    fields: [prompt(), aspectRatio(), ...fields],
    price: (inputs) => Math.ceil(cents * shareOf(inputs.size) * factor(inputs)),
    make: (inputs, signal) => drawn(draw(style, { ...inputs, ...fixed }, signal)),
  };
}

async function drawn(png: Promise<Uint8Array>): Promise<Result> {
  return { content: { type: 'image/png', bytes: await png } };
}

/** The data addresses of several images. */
function addressesIn(images: Inputs[string] | undefined): readonly string[] {
  return typeof images === 'object' ? images : [];
}

function shareOf(size: Inputs[string] | undefined): number {
  return size === 'small' ? 0.5 : size === 'medium' ? 0.75 : 1;
}

function answer(text: string): Promise<Result> {
  return Promise.resolve({ text });
}

function prompt(): Field {
  return text('prompt', 'Prompt', {
    required: true,
    maxLength: 2000,
    help: 'Describe the image: a place or a simple thing, time of day, weather, colors.',
    examples: [
      'A lighthouse on a cliff at sunset',
      'A village in the snow at night',
      'A red boat on a calm lake at dawn',
    ],
  });
}

function aspectRatio(): Field {
  return choice('aspect_ratio', 'Aspect ratio', aspectRatios, '1:1');
}

function size(): Field {
  return choice('size', 'Size', ['small', 'medium', 'large'], 'large', 'Smaller images cost less.');
}

function palette(): Field {
  return choice('palette', 'Palette', ['from the prompt', ...paletteNames], 'from the prompt');
}

function detail(): Field {
  return number('detail', 'Detail', { minimum: 0, maximum: 1, step: 0.05, default: 0.5, help: 'How many layers.' });
}

function wetness(): Field {
  return number('wetness', 'Wetness', {
    minimum: 0,
    maximum: 1,
    step: 0.05,
    default: 0.5,
    help: 'How far the colors run.',
  });
}
