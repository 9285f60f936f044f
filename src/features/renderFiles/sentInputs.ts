import * as vscode from 'vscode';
import { type GivenImage, itemsOf, replacedItems } from '../../base/givenImage';
import type { Json, JsonObject } from '../../base/json';
import type { Field } from '../../catalog/fields';
import type { FormImages, FormImageFiles } from '../form/model/formImages';
import { UserError } from '../../editor/userError';
import { namesKeptImage } from '../../files/recordedImages';
import type { GivenImages } from '../../files/givenImages';
import { type AskedRender } from '../../renderFiles/renderFile';
import { givenBy, givenPath, givenProblemOf, isPath } from '../../renderFiles/givenFiles';
import type { ProjectImages } from '../../renderFiles/states';
import { entryProblemSentence } from '../../renderFiles/words';
import { givenIn, imagePort } from '../form/imagePort';
import { imageSource } from '../../editor/workspaceFiles';
import { keptImageSentence } from '../../editor/words';

/** The inputs of renders as they're sent: with the images of their paths, as a form has them. */
export class SentInputs {
  private readonly port: FormImageFiles;
  private readonly images: FormImages;

  constructor(
    private readonly imagesOf: (folder: vscode.Uri) => ProjectImages,
    images: GivenImages,
  ) {
    this.port = imagePort(images);
    this.images = givenIn(this.port);
  }

  /**
   * Inputs that can be priced and ordered: the bytes of their images are kept from now on, so what is priced is what is
   * ordered. An image is read again only after its file has changed. Rejects with UserError when one can't be given.
   */
  async of(render: AskedRender, fields: readonly Field[], folder: vscode.Uri): Promise<JsonObject> {
    if (namesKeptImage(render.inputs)) throw new UserError(keptImageSentence());
    const given: [string, Json][] = [];
    for (const field of fields) {
      const input = Object.hasOwn(render.inputs, field.name) ? render.inputs[field.name] : undefined;
      if (field.kind !== 'image' || input === undefined || !itemsOf(input).some(isPath)) continue;
      const items: Json[] = [];
      for (const item of itemsOf(input))
        items.push(isPath(item) ? await this.given(render, field, item, folder) : item);
      given.push([field.name, replacedItems(input, items)]);
    }
    return Object.fromEntries([...Object.entries(render.inputs), ...given]);
  }

  private async given(render: AskedRender, field: Field, text: string, folder: vscode.Uri): Promise<GivenImage> {
    const known = await givenBy(render, text, this.imagesOf(folder));
    if ('why' in known) {
      const problem = givenProblemOf(field.name, text, known, field.image?.maxBytes);
      throw new UserError(entryProblemSentence({ ...problem, severity: 'error', start: 0, end: 0 }, vscode.l10n));
    }
    const uri = vscode.Uri.joinPath(folder, givenPath(render, text) ?? '');
    const taken = this.port.has(known.image)
      ? this.images.kept(field, known.image)
      : await this.images.of(field, await imageSource(uri));
    if ('problem' in taken) throw new UserError(taken.problem);
    return taken.image;
  }
}
