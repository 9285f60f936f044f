import * as vscode from 'vscode';
import { UserError } from '../../editor/userError';
import type { ModelSummary } from '../../catalog/types';
import { imagesOf } from '../../files/givenImages';
import { sniff } from '../../files/sniff';
import type { ActionDeps } from './resultActions';
import { pickModel } from '../models/modelPicker';
import { imageSource } from '../../editor/imageSource';

type InputDeps = Pick<ActionDeps, 'list' | 'shelf' | 'session' | 'connection' | 'verbs' | 'context'>;

/** Beyond this, reading the fields of every model would be too much to ask of a service. */
const mostRead = 40;

/**
 * Opens the form of a model that the person chooses, with an image file as an input. Rejects with UserError when the
 * file or the model doesn't fit.
 */
export async function useAsInput(file: vscode.Uri, deps: InputDeps): Promise<void> {
  const source = await imageSource(file);
  const bytes = source.isFolder ? undefined : await source.read();
  if (!bytes || !sniff(bytes).mediaType.startsWith('image/'))
    throw new UserError(vscode.l10n.t('“{0}” isn’t an image.', source.file));
  await deps.connection.start();
  const shown = async () => {
    const models = await deps.list.read();
    return { ...models, listing: { ...models.listing, items: await takingImages(models.listing.items, deps) } };
  };
  const model = await pickModel(shown, deps.shelf);
  if (!model) return;
  if (!(await takesImage(model, deps)))
    throw new UserError(vscode.l10n.t('“{0}” takes no images. Choose another model.', model.title));
  const image = imagesOf(deps.context).keep(bytes, source.file);
  await deps.verbs.openForm(model.id, undefined, { image });
}

/** Of a short list those that take an image; a long one stays whole, and so does one without such a model. */
async function takingImages(models: readonly ModelSummary[], deps: InputDeps): Promise<readonly ModelSummary[]> {
  if (models.length > mostRead) return models;
  const takes = await Promise.all(models.map((model) => takesImage(model, deps).catch(() => true)));
  const taking = models.filter((_, index) => takes[index]);
  return taking.length > 0 ? taking : models;
}

async function takesImage({ id }: ModelSummary, { session }: InputDeps): Promise<boolean> {
  return (await session.model(id)).fields.some(({ kind }) => kind === 'image');
}
