import * as vscode from 'vscode';
import { plain } from '../../base/plain';
import { isGivenImage, type GivenImage } from '../../base/givenImage';
import type { JsonObject } from '../../base/json';
import { resolved } from '../../documents/paths';
import type { Images } from '../../renderFiles/givenFiles';

/** Inputs whose images have the paths of their files in a workspace folder. */
export interface RecordedFiles {
  readonly inputs: JsonObject;
  /** What to tell about images whose files aren't as they were recorded. */
  readonly sentences: readonly string[];
}

/** Finds the files of images among recorded inputs, by the paths that were recorded with them. */
export async function recordedFiles(
  inputs: JsonObject,
  folder: vscode.WorkspaceFolder,
  images: Images,
): Promise<RecordedFiles> {
  const found: [string, GivenImage][] = [];
  const sentences: string[] = [];
  for (const [name, image] of Object.entries(inputs)) {
    if (!isGivenImage(image)) continue;
    const path = pathIn(folder, image);
    const there = path === undefined ? undefined : await images.given(path);
    found.push([name, { ...image, file: path ?? '' }]);
    const shown = plain(image.file || name, 80);
    if (!isGivenImage(there)) sentences.push(lostSentence(shown));
    else if (there.sha256 !== image.sha256) sentences.push(changedSentence(shown));
  }
  return { inputs: Object.fromEntries([...Object.entries(inputs), ...found]), sentences };
}

/** A path in a workspace of several folders begins with the name of its folder. */
function pathIn({ name }: vscode.WorkspaceFolder, { file }: GivenImage): string | undefined {
  const isNamed = (vscode.workspace.workspaceFolders ?? []).length > 1 && file.startsWith(`${name}/`);
  const path = isNamed ? file.slice(name.length + 1) : file;
  return path === '' ? undefined : resolved('', path);
}

function lostSentence(file: string): string {
  return vscode.l10n.t(
    '“{0}” isn’t in the workspace folder. Copy it there, then enter its path in the new entry.',
    file,
  );
}

function changedSentence(file: string): string {
  return vscode.l10n.t('“{0}” has changed. The new entry uses the changed image.', file);
}
