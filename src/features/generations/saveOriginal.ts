import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { plain } from '../../base/plain';
import { systemRandom } from '../../base/random';
import { homeFolder } from '../../editor/homeFolder';
import { UserError } from '../../editor/userError';
import { fileNameOf } from '../../files/fileName';
import { hashed } from '../../files/hashed';
import { writeNew } from '../../files/replacement';
import type { LibraryEntry } from '../../renders/library';
import { replacing } from '../../editor/replacing';
import { told } from '../../editor/problemWords';
import type { Renders } from '../rendering/renders';

/** Saves an image as it came, before it was fitted, where the person chooses. Replaces nothing. */
export async function saveOriginal({ record, file }: LibraryEntry, { originals }: Renders): Promise<void> {
  const original = record?.spooled?.original;
  if (!original) return;
  const { extension } = original;
  const saved = file === undefined ? undefined : vscode.Uri.parse(file, true);
  const folder = saved ? vscode.Uri.joinPath(saved, '..') : vscode.Uri.file(homeFolder(process));
  const base = saved ? fileNameOf(saved.path).replace(/\.[^.]*$/, '') : 'render';
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Original'),
    defaultUri: vscode.Uri.joinPath(folder, `${base}.original.${extension}`),
    filters: { [extension.toUpperCase()]: [extension] },
  });
  if (!uri) return;
  const isSaved = await told(async () => {
    const whole = await hashed(await originals.original(original), systemClock);
    const files = await replacing(uri.toString(), vscode.Uri.joinPath(uri, '..').toString());
    return writeNew(files, uri.toString(), whole, systemRandom);
  });
  if (!isSaved)
    throw new UserError(
      vscode.l10n.t('“{0}” already exists. Choose another name.', plain(fileNameOf(uri.toString()), 60)),
    );
}
