import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { plain } from '../../base/plain';
import { systemRandom } from '../../base/random';
import { UserError } from '../../editor/userError';
import { endingOf, imageEndings } from '../../documents/paths';
import { embedInFile } from '../../files/xmp';
import { hashed } from '../../files/sameFile';
import { sidecarEnding, writeProvenance } from '../../files/provenance';
import { writeNew } from '../../files/replacement';
import { withImages } from '../../renderFiles/givenFiles';
import type { AskedRender } from '../../renderFiles/renderFile';
import { isForeign, recipeToAdopt, type StateOf } from '../../renderFiles/states';
import type { Hints } from '../../compose/hints';
import type { Foundation } from '../../foundation';
import { fileOrigin, readable, unreadOf } from '../rendering/fileOrigin';
import { replacing } from '../../editor/workspaceFiles';
import { told, unreadWords } from '../../editor/words';
import { toolName } from '../../editor/toolName';
import { isIn, partOf } from './renderFilesTree';
import type { RenderFiles } from './renderFiles';

/**
 * Records images without a record as what their entries ask for: in the file if the settings and its format allow it,
 * else in a sidecar file. No image changes. Takes a URI and an entry, or a row of the view. Rejects with UserError when
 * a record can't be written.
 */
export async function adoptImages(
  where: unknown,
  entry: unknown,
  files: RenderFiles,
  foundation: Foundation,
): Promise<void> {
  const part = partOf(where, entry);
  const read = part && (await files.read(await vscode.workspace.openTextDocument(part.uri)));
  if (!read) return;
  for (const one of read.states.filter((state) => isForeign(state) && isIn(part, state.render)))
    await adopt(one, read.folder, files, foundation);
}

async function adopt(
  { render, state }: StateOf,
  folder: vscode.Uri,
  files: RenderFiles,
  foundation: Foundation,
): Promise<void> {
  if (state.state !== 'foreign') return;
  const { settings, log } = foundation;
  const root = folder.toString();
  const file = vscode.Uri.joinPath(folder, state.file);
  const read = await readable(file, log);
  const [unread] = unreadWords(file, await unreadOf(file, read));
  if (unread !== undefined) throw new UserError(unread);
  const { whole, beside } = read;
  const given = await withImages(render, await imageInputs(render, files.hints), files.picturesOf(folder));
  const recipe = recipeToAdopt(given, { tool: toolName(), isPromptRecorded: settings.provenancePrompt(root) });
  const disk = await told(() => replacing(file.toString(), root));
  if (whole && settings.provenance(root) === 'embed' && !(await isOurs(file, foundation))) {
    const world = { clock: systemClock, random: systemRandom };
    if (await told(() => embedInFile(disk, file.toString(), whole, recipe, world))) return;
  }
  const text = writeProvenance({ ...recipe, sha256: whole?.sha256 }, 2);
  const uri = file.with({ path: file.path + sidecarEnding }).toString();
  const content = await hashed(new TextEncoder().encode(text), systemClock);
  const isWritten = whole !== undefined && beside === undefined && (await writeNew(disk, uri, content, systemRandom));
  if (!isWritten)
    throw new UserError(
      vscode.l10n.t('Couldn’t write the sidecar file of {0}. See the log for details.', plain(state.file)),
    );
}

/** Which inputs are images, by the fields of the model or, where that isn’t known, by their file extensions. */
async function imageInputs({ modelId, inputs }: AskedRender, hints: Hints) {
  const fields = await hints.model(modelId).then(
    (model) => model.fields,
    () => undefined,
  );
  return (input: string): boolean => {
    const value = inputs[input];
    return fields
      ? fields.some(({ name, kind }) => name === input && kind === 'image')
      : typeof value === 'string' && imageEndings.has(endingOf(value));
  };
}

/** A result that was saved without a record is known by its bytes, so they must stay. True if that can't be known. */
async function isOurs(file: vscode.Uri, { renders }: Foundation): Promise<boolean> {
  try {
    const { record, change } = await fileOrigin(file, await renders.get());
    return record !== undefined && change === 'none';
  } catch {
    return true;
  }
}
