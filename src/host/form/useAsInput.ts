import * as vscode from 'vscode';
import { UserError } from '../../app/userError';
import type { ModelSummary } from '../../catalog/types';
import { imagesOf } from '../../files/givenImages';
import { sniff } from '../../files/sniff';
import type { ResultServices } from '../../services';
import { pickModel } from '../models/modelPicker';
import type { Memory } from '../renders/renders';
import { imageSource } from './imagePort';

type Parts = Pick<ResultServices, 'list' | 'shelf' | 'session' | 'connection' | 'openForm'> & {
  readonly context: Pick<Memory, 'globalStorageUri' | 'storageUri'>;
};

/** Beyond this, reading the fields of every model would be too much to ask of a service. */
const mostRead = 40;

/**
 * Opens the form of a model that the person chooses, with an image file as an input. Rejects with UserError when the
 * file or the model doesn't fit.
 */
export async function useAsInput(file: vscode.Uri, services: Parts): Promise<void> {
  const source = await imageSource(file);
  const bytes = source.isFolder ? undefined : await source.read();
  if (!bytes || !sniff(bytes).mediaType.startsWith('image/'))
    throw new UserError(vscode.l10n.t('“{0}” isn’t an image.', source.file));
  await services.connection.start();
  const shown = async () => {
    const models = await services.list.read();
    return { ...models, listing: { ...models.listing, items: await takingImages(models.listing.items, services) } };
  };
  const model = await pickModel(shown, services.shelf);
  if (!model) return;
  if (!(await takesImage(model, services)))
    throw new UserError(vscode.l10n.t('“{0}” takes no images. Choose another model.', model.title));
  const image = imagesOf(services.context).keep(bytes, source.file);
  await services.openForm(model.id, undefined, { image });
}

/** Of a short list those that take an image; a long one stays whole, and so does one without such a model. */
async function takingImages(models: readonly ModelSummary[], services: Parts): Promise<readonly ModelSummary[]> {
  if (models.length > mostRead) return models;
  const takes = await Promise.all(models.map((model) => takesImage(model, services).catch(() => true)));
  const taking = models.filter((_, index) => takes[index]);
  return taking.length > 0 ? taking : models;
}

async function takesImage({ id }: ModelSummary, { session }: Parts): Promise<boolean> {
  return (await session.model(id)).fields.some(({ kind }) => kind === 'image');
}
