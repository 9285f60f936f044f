// Fits one image on its own thread; see `fitter.ts`.
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { Codecs, type Pixels } from './codecs';
import type { FitFormat, FitPlan } from './fit';

/** What the thread gets. */
export interface FitTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly from: FitFormat;
  readonly to: FitFormat;
  readonly plan: FitPlan;
}

async function fitted({ bytes, from, to, plan }: FitTask): Promise<Uint8Array> {
  const codecs = new Codecs(join(import.meta.dirname, 'fit'));
  const { part, scaled, canvas, at } = plan;
  const image = copied(await codecs.decode(bytes, from), part, { x: 0, y: 0 }, part, 'clear');
  const isScaled = part.width !== scaled.width || part.height !== scaled.height;
  const result = isScaled ? codecs.scale(image, scaled.width, scaled.height) : image;
  const ground = to === 'jpeg' ? 'white' : 'clear';
  return codecs.encode(copied(result, { ...scaled, x: 0, y: 0 }, at, canvas, ground), to);
}

/** A part of an image, put on a new canvas. A JPEG has no opacity, so what shines through becomes white. */
function copied(
  image: Pixels,
  part: FitPlan['part'],
  at: FitPlan['at'],
  { width, height }: FitPlan['canvas'],
  ground: 'white' | 'clear',
): Pixels {
  if (image.width < part.x + part.width || image.height < part.y + part.height)
    throw new Error('its size isn’t the one that it states');
  const data = new Uint8ClampedArray(width * height * 4);
  if (ground === 'white') data.fill(255);
  for (let row = 0; row < part.height; row++) {
    const from = ((part.y + row) * image.width + part.x) * 4;
    data.set(image.data.subarray(from, from + part.width * 4), ((at.y + row) * width + at.x) * 4);
  }
  if (ground === 'white') flatten(data);
  return { width, height, data };
}

function flatten(data: Uint8ClampedArray): void {
  for (let at = 0; at < data.length; at += 4) {
    const opacity = (data[at + 3] ?? 255) / 255;
    if (opacity === 1) continue;
    for (let color = at; color < at + 3; color++) data[color] = 255 + ((data[color] ?? 0) - 255) * opacity;
    data[at + 3] = 255;
  }
}

void fitted(workerData as FitTask).then((bytes) => parentPort?.postMessage(bytes));
