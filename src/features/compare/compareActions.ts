import * as vscode from 'vscode';
import { mostCompared } from '../../compose/mostCompared';
import type { Library, LibraryEntry } from '../../renders/library';
import { previousOf } from '../../renders/previous';
import type { RenderRecord } from '../../renders/record';
import { exists } from '../../editor/exists';
import { fileNameOf } from '../../files/fileName';
import { fileOf } from '../../editor/fileOfItem';
import { fileOrigin } from '../rendering/fileOrigin';
import { plain } from '../../base/plain';
import type { Renders } from '../rendering/renders';
import { told } from '../../editor/problemWords';
import { UserError } from '../../editor/userError';
import { unreadWords } from '../../editor/unreadWords';
import { pictureOf, type ComparedPicture, type OpenCompare } from './comparedPicture';
import { inGitHead } from './gitHead';
import type { Connection } from '../account/connection';

/** Compares the images selected in the Explorer. Rejects with UserError for fewer than two. */
export async function compareFiles(items: unknown, openCompare: OpenCompare): Promise<void> {
  const files = Array.isArray(items) ? items.filter((item) => item instanceof vscode.Uri) : [];
  await openCompare(several(files.map((uri) => pictureOf(uri))));
}

/** Compares the images of renders. Rejects with UserError when fewer than two of them have one. */
export async function compareEntries(entries: readonly LibraryEntry[], openCompare: OpenCompare): Promise<void> {
  const pictures = entries.flatMap((entry) => pictureOfEntry(entry) ?? []);
  await openCompare(several(pictures));
}

/** Compares a file with the previous render: one saved to the same file, or another try of the same prompt. */
export async function comparePrevious(
  item: unknown,
  renders: Renders,
  connection: Connection,
  openCompare: OpenCompare,
): Promise<void> {
  const file = fileOf(item);
  const { record, change, unread } = await fileOrigin(file, renders);
  const isAt = (uri: string) => vscode.Uri.parse(uri, true).toString() === file.toString();
  const own = change === 'replaced' ? undefined : record;
  const previous = await previousIn(renders.library, own, isAt);
  const entry = previous && renders.library.ofRecord(previous.key);
  if (!entry) {
    const [why] = unreadWords(file, unread);
    const name = plain(fileNameOf(file.toString()), 60);
    throw new UserError(why ?? vscode.l10n.t('No earlier render of “{0}” was found.', name));
  }
  const now = own && renders.library.ofRecord(own.key);
  await openCompare([await earlierPicture(entry, isAt, renders, connection), pictureOf(file, now)], 'slider');
}

/** As `previousOf`, for a history that may be long. */
async function previousIn(
  library: Pick<Library, 'slices'>,
  record: RenderRecord | undefined,
  isAt: (uri: string) => boolean,
): Promise<RenderRecord | undefined> {
  const found: RenderRecord[] = [];
  for await (const records of library.slices()) found.push(...[previousOf(record, isAt, records) ?? []].flat());
  return previousOf(record, isAt, found);
}

/**
 * If another file has its name now, or it was deleted, downloads it from the service. Rejects with UserError when that
 * isn't possible.
 */
async function earlierPicture(
  entry: LibraryEntry,
  isAt: (uri: string) => boolean,
  { deliver }: Renders,
  connection: Connection,
): Promise<ComparedPicture> {
  const saved = pictureOfEntry(entry);
  if (saved && !isAt(saved.uri.toString()) && (await exists(saved.uri))) return saved;
  await connection.ready();
  const copy = (await told(() => deliver.copy(entry.id)))?.uri;
  const { title, detail } = pictureOf(vscode.Uri.parse(entry.record?.claimed ?? copy ?? '', true), entry);
  return { title: vscode.l10n.t('{0} (before)', title), detail, uri: vscode.Uri.parse(copy ?? '', true) };
}

/** Compares a file with its version in the last commit. */
export async function compareHead(item: unknown, openCompare: OpenCompare): Promise<void> {
  const file = fileOf(item);
  const head = await inGitHead(file);
  const { title: name } = pictureOf(file);
  const pictures = [
    { title: vscode.l10n.t('{0} (HEAD)', name), uri: head },
    { title: vscode.l10n.t('{0} (now)', name), uri: file },
  ];
  await openCompare(pictures, 'slider');
}

/** A render's saved image for a comparison; undefined without one. */
export function pictureOfEntry(entry: LibraryEntry): ComparedPicture | undefined {
  const { file, mediaType } = entry;
  if (file === undefined || !mediaType?.startsWith('image/')) return undefined;
  return pictureOf(vscode.Uri.parse(file, true), entry);
}

function several(pictures: readonly ComparedPicture[]): readonly ComparedPicture[] {
  if (pictures.length < 2) throw new UserError(vscode.l10n.t('Select two or more images to compare.'));
  if (pictures.length <= mostCompared) return pictures;
  throw new UserError(vscode.l10n.t('Select at most {0} images to compare.', mostCompared));
}
