import * as vscode from 'vscode';
import { localPicture } from '../../editor/hoverPicture';
import type { DefaultPrices } from './model/defaultPrices';
import { placeName } from '../../catalog/placeName';
import { isPreviewable } from '../../editor/isPreviewable';
import type { Foundation } from '../../foundation';
import type { ModelExperience } from './modelTooltip';

/** The newest results of a model that are looked for on the disk. */
const mostPictures = 3;

/**
 * What this window knows of a model without any request: its price, and from the render history, if that is loaded, a
 * sample and how long it takes. Never rejects.
 */
export async function experienceOf(
  modelId: string,
  prices: DefaultPrices,
  { renders: { ready: renders }, session }: Pick<Foundation, 'renders' | 'session'>,
): Promise<ModelExperience> {
  const costCents = prices.of(modelId);
  const { place } = session.state;
  if (!renders || !place) return { costCents };
  const here = placeName(place);
  // Another service may have another model of that name.
  const own = renders.library.entries.filter(
    (entry) => entry.modelId === modelId && (entry.record?.place ?? here) === here,
  );
  const pictures = own.flatMap((entry) => (entry.record?.staged ? [] : (localPicture(entry) ?? [])));
  const uris = pictures.slice(0, mostPictures).map((uri) => vscode.Uri.parse(uri));
  const there = await Promise.all(uris.map(isPreviewable));
  const [{ record } = {}] = own;
  const usualMs = renders.usualMs(record ?? { place: here, modelId, inputs: {} });
  return { picture: uris.find((_, index) => there[index])?.toString(), usualMs, costCents };
}
