// The project in the README's images, and what is rendered for it.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decode, encode } from 'fast-png';
import { embedded } from '../../../src/files/embeddedMetadata';
import type { Seed } from '../ledgerSeed';

export const lighthouse = {
  model: 'paperlight/strata/strata-2',
  prompt: 'A lighthouse on a cliff at sunset, calm sea, warm colors',
};

/** The rest of the gallery, oldest first. */
export const others = [
  { model: 'quill-house/verse/haiku-1', prompt: 'rain on the harbor' },
  { model: 'isoworks/blocks/township-2', prompt: 'a village square with a fountain and trees' },
  { model: 'thin-line/contour/contour-1', prompt: 'an old oak on a hill' },
  { model: 'kiln-and-field/poster/signal-1', prompt: 'snowy mountains behind a quiet lake' },
  { model: 'eight-bit-yard/pixel/sprite-1', prompt: 'a green island in a violet evening' },
];

export const passage = 'Once there was an old heron that stood by the river at dawn and waited for the fish to wake.';

/** The line of the guide that a link is inserted after. */
export const guideLine = 5;

const files = {
  'index.html': '<!doctype html>\n<title>Harbor walks</title>\n',
  'docs/guide.md': '# Harbor walks\n\nThe path begins at the old pier.\n\n\n\nIt ends at the lighthouse.\n',
  'docs/birds.md': [
    '# Birds of the harbor',
    '![A gray heron in the reeds at dawn, in ink](images/heron.png)',
    '![Two kingfishers on a willow branch above the water](images/kingfishers.png)',
    '![Gulls over a fishing boat, seen from the pier](images/gulls.png)',
    '![An owl on the beam of an old boathouse at night](images/owl.png)\n',
  ].join('\n\n'),
  'docs/story.md': `# A tale\n\n${passage}\n\nThe end.\n`,
};

export async function writeProject(folder: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/**
 * Writes the lighthouse as a colleague's image with another prompt, so that rendering it again gives a different one.
 */
export async function writeHero(folder: string): Promise<void> {
  const renders = join(folder, 'renders');
  const name = (await readdir(renders)).find((file) => /lighthouse.*\.png$/.test(file)) ?? '';
  const inputs = { prompt: 'A lighthouse on a cliff at night, snow, cold colors' };
  const made = { modelId: lighthouse.model, inputs, service: 'sandbox' };
  // Without its own metadata, which isn't true of the colleague's.
  const pixels = encode(decode(await readFile(join(renders, name))));
  const hero = embedded(pixels, 'image/png', made)!;
  await writeFile(join(renders, 'hero.png'), Buffer.concat(hero.pieces));
}

const site = {
  folder: 'docs/images',
  model: lighthouse.model,
  inputs: { aspect_ratio: '16:9' },
  hero: 'a lighthouse at dusk',
  pier: (season: string) => `the pier in ${season}`,
};

const renderFile = `{
  // The images of the site.
  "folder": "${site.folder}",
  "model": "${site.model}",
  "inputs": { "aspect_ratio": "16:9" },
  "renders": [
    { "file": "hero.png", "inputs": { "prompt": "${site.hero}" } },
    { "file": "map.png", "inputs": { "prompt": "the harbor from above" } },
    {
      "file": "pier-{season}.png",
      "for": { "season": ["spring", "autumn"] },
      "inputs": { "prompt": "${site.pier('{season}')}" },
    },
  ],
}
`;

/** Writes a render file with images that are current, one that is stale, and one that is missing. */
export async function writeRenderFile(folder: string): Promise<void> {
  const images = join(folder, site.folder);
  await mkdir(images, { recursive: true });
  const prompts = {
    'hero.png': 'a lighthouse at noon',
    'pier-spring.png': site.pier('spring'),
    'pier-autumn.png': site.pier('autumn'),
  };
  const pixels = encode({ width: 16, height: 9, channels: 3, data: new Uint8Array(16 * 9 * 3).fill(120) });
  for (const [name, prompt] of Object.entries(prompts)) {
    const made = { modelId: site.model, inputs: { prompt, ...site.inputs }, service: 'sandbox' };
    await writeFile(join(images, name), Buffer.concat(embedded(pixels, 'image/png', made)!.pieces));
  }
  await writeFile(join(folder, 'renders.jsonc'), renderFile);
}

/** A month of renders, for the spending overview. */
export function lastMonth(folder: string): Seed[] {
  const day = 24 * 3_600_000;
  return Array.from({ length: 60 }, (_, index) => {
    const plannedAt = Date.now() - ((index * 7) % 29) * day - day;
    return {
      ...{ prompt: others[index % others.length]!.prompt, modelId: others[index % others.length]!.model },
      ...{ plannedAt, firstSentAt: plannedAt, acceptedAt: plannedAt + 100, endedAt: plannedAt + 2000 },
      ...{ state: index % 9 === 0 ? 'refunded' : 'saved', by: index % 4 === 0 ? 'agent' : 'person' },
      ...{ costCents: 3 + ((index * 5) % 17), file: `file://${folder}/renders/${index}.png` },
    };
  });
}

const asked = (modelId: string, prompt: string, file: string) => ({ modelId, inputs: { prompt }, file });

/** What the agent in the images asks for. */
export const agentCalls = {
  hero: [asked('wet-brush/aquarelle/mist-3', 'a lighthouse at dusk', 'docs/images/hero.png')],
  birds: [
    asked('paperlight/strata/strata-2', 'a heron in the reeds', 'docs/images/heron.png'),
    asked('eight-bit-yard/pixel/sprite-1', 'an owl at night', 'docs/images/owl.png'),
    asked('kiln-and-field/poster/signal-1', 'cranes over a harbor', 'docs/images/cranes.png'),
  ],
};
