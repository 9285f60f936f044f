import * as vscode from 'vscode';
import { plain } from '../../base/plain';
import type { Field } from '../../catalog/types';
import { mostCompared } from '../../compose/varying';
import { showProblem } from '../../editor/commands';
import { exists } from '../../editor/exists';
import { nextColumn, openBeside } from '../../editor/openBeside';
import { UserError } from '../../editor/userError';
import { sentenceOf, told, unreadWords } from '../../editor/words';
import { fileOf } from '../../editor/workspaceFiles';
import { fileNameOf } from '../../files/names';
import type { LoadedFoundation } from '../../foundation';
import type { Library, LibraryEntry } from '../../renders/library';
import { previousOf } from '../../renders/origin';
import type { PricedOrder } from '../../renders/priced';
import type { RenderRecord } from '../../renders/record';
import type { Initiator } from '../../renders/consent';
import type { Connection } from '../account/connection';
import { fileOrigin } from '../rendering/fileOrigin';
import { renderTogether } from '../rendering/renderTogether';
import type { Renders } from '../rendering/renders';
import type { StillWanted } from '../rendering/stillWanted';
import { inGitHead } from './comparePanels';
import { type ComparedPicture, type OpenCompare, pictureOf } from './comparedPicture';
import { type Difference, differencesOf } from './model/comparison';

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
  library: Library,
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
function pictureOfEntry(entry: LibraryEntry): ComparedPicture | undefined {
  const { file, mediaType } = entry;
  if (file === undefined || !mediaType?.startsWith('image/')) return undefined;
  return pictureOf(vscode.Uri.parse(file, true), entry);
}

function several(pictures: readonly ComparedPicture[]): readonly ComparedPicture[] {
  if (pictures.length < 2) throw new UserError(vscode.l10n.t('Select two or more images to compare.'));
  if (pictures.length <= mostCompared) return pictures;
  throw new UserError(vscode.l10n.t('Select at most {0} images to compare.', mostCompared));
}

/**
 * Shows the images of one press next to the active editor, which keeps the focus, to keep some of them; with the
 * options in which they differ, by the fields of their model. One alone is opened, and none is nothing to show.
 */
async function openVariants(
  entries: readonly LibraryEntry[],
  openCompare: OpenCompare,
  fields: readonly Field[],
): Promise<void> {
  const shown = entries.flatMap((entry) => {
    const [picture, key] = [pictureOfEntry(entry), entry.record?.key];
    return picture && key !== undefined ? [{ entry, picture, key }] : [];
  });
  const [first, second] = shown;
  if (first && !second) return openBeside(first.entry);
  if (!first) return;
  const where = { viewColumn: nextColumn(), preserveFocus: true };
  const differences = differencesOf(
    shown.map(({ entry }) => entry.inputs),
    fields,
  );
  const pictures = shown.map(({ picture }, index) => ({
    ...picture,
    detail: [...(differences[index] ?? []).map(differenceWords), picture.detail].filter(Boolean).join(' · '),
  }));
  await openCompare(pictures, 'sideBySide', { variants: shown.map(({ key }) => key) }, where);
}

function differenceWords({ label, value }: Difference): string {
  if (typeof value === 'string') return value;
  return vscode.l10n.t('{0}: {1}', label, value ? vscode.l10n.t('Yes') : vscode.l10n.t('No'));
}

/**
 * Removes the results of these renders, next to so many that are kept: into the trash, or for good after a question
 * where there is none. False when the user declined. Rejects with UserError.
 */
export async function removeOthers(keys: readonly string[], kept: number, renders: Renders): Promise<boolean> {
  const [homeless, changed] = await removed(keys, 'trashed', renders);
  if (homeless.length > 0 && !(await agreesToDelete(homeless.length))) return false;
  changed.push(...(await removed(homeless, 'deleted', renders))[1]);
  const sentence =
    changed.length > 0
      ? vscode.l10n.t('Not removed, because the file was changed: {0}', changed.join(', '))
      : vscode.l10n.t(
          'Kept {0} of {1} images. The renders of the others stay in Generations.',
          kept,
          kept + keys.length,
        );
  void vscode.window.showInformationMessage(sentence);
  return true;
}

/** The keys of those for which there's no trash, and the names of files that were changed. */
async function removed(
  keys: readonly string[],
  how: 'trashed' | 'deleted',
  { staging, library }: Renders,
): Promise<[homeless: string[], changed: string[]]> {
  const [homeless, changed]: [string[], string[]] = [[], []];
  for (const key of keys) {
    const { file = '' } = library.ofRecord(key) ?? {};
    const removal = await told(() => staging.remove(key, how));
    if (removal === 'noTrash') homeless.push(key);
    else if (removal === 'changed') changed.push(plain(fileNameOf(file), 60));
  }
  return [homeless, changed];
}

async function agreesToDelete(count: number): Promise<boolean> {
  const yes = vscode.l10n.t('Delete');
  const question = vscode.l10n.t('There’s no trash here. Delete the other images ({0}) permanently?', count);
  const detail = vscode.l10n.t(
    'They aren’t deleted from the service. To get one again while the service has it, use “Download Again” in the Generations view.',
  );
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

/**
 * Renders the variants that one press ordered at their sum, and shows their images together once they have ended. Calls
 * `started` for each that is sent; the rest isn't when the service rejects one. False when the user declined:
 * nothing was sent. Resolves before they have ended. Rejects as `Orders.together`.
 */
export async function renderVariants(
  orders: readonly PricedOrder[],
  initiator: Initiator,
  { renders, settings, session }: LoadedFoundation,
  openCompare: OpenCompare,
  still?: StillWanted,
  started?: (record: RenderRecord) => void,
): Promise<boolean> {
  const agreed = await renders.orders.together(orders, initiator);
  if (!agreed) return false;
  const title = vscode.l10n.t('Rendering {0} images', agreed.length);
  void renderTogether(agreed, renders, settings, { title, compared: false }, still, started)
    .then(async (entries) => {
      const model = await session.model(agreed[0]?.modelId ?? '').catch(() => undefined);
      return openVariants(entries, openCompare, model?.fields ?? []);
    })
    .catch((error: unknown) => showProblem(sentenceOf(error)));
  return true;
}
