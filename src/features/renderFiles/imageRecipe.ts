import type * as vscode from 'vscode';
import { recipeIn, type Recipe } from '../rendering/model/recipe';
import type { Telling } from '../../files/telling';
import type { Foundation } from '../../foundation';
import { fileOrigin } from '../rendering/fileOrigin';

/**
 * Everything an image was made from: by its metadata, from which its state is read, else by our own records. Undefined
 * if neither is complete. Rejects when the records can't be read.
 */
export async function imageRecipe(
  file: vscode.Uri,
  telling: Telling | undefined,
  { renders }: Pick<Foundation, 'renders'>,
): Promise<Recipe | undefined> {
  const told = telling?.told.provenance;
  if (told && !told.promptLeftOut) return told;
  const opened = await renders.get();
  const origin = await fileOrigin(file, opened);
  const recipe = recipeIn(origin, (record) => opened.library.inputsOf({ record, inputs: record.inputs }));
  return recipe?.promptLeftOut ? undefined : recipe;
}
