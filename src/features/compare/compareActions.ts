import * as vscode from 'vscode';
import { escapeForIcons, plain } from '../../base/plain';
import { type Field, promptOf } from '../../catalog/fields';
import { mostCompared } from '../../compose/varying';
import { showProblem } from '../../editor/commands';
import { exists } from '../../editor/exists';
import { nextColumn, openBeside } from '../../editor/openBeside';
import { UserError } from '../../editor/userError';
import { remedyOf, sentenceOf, explainUndelivered, unreadWords } from '../../editor/words';
import { checkSaved, fileOf } from '../../editor/workspaceFiles';
import { fileNameOf } from '../../files/names';
import { endingFor } from '../../files/sniff';
import type { LoadedFoundation } from '../../foundation';
import type { Initiator } from '../../renders/consent';
import type { Library, LibraryEntry } from '../../renders/library';
import { previousOf } from '../../renders/origin';
import type { PricedOrder, RenderRecord } from '../../renders/record';
import type { Results } from '../../renders/results';
import type { Look, Staging } from '../../renders/staging';
import type { Connection } from '../account/connection';
import { fileOrigin } from '../rendering/fileOrigin';
import { renderTogether } from '../rendering/renderTogether';
import { recipeIn } from '../rendering/model/recipe';
import { type Relative, Relatives } from '../rendering/relatives';
import { priceOf, titleOf, totalPriceOf } from '../rendering/renderWords';
import type { Memory, Renders } from '../rendering/renders';
import type { StillWanted } from '../rendering/stillWanted';
import { inGitHead, type ComparedImage, type CompareWhere, type OpenCompare, imageOf } from './comparePanels';
import { variantCaptions } from './model/comparison';
import type { CompareDecision, CompareMode } from './page/compareMessages';

/** Compares the images selected in the Explorer. Rejects with UserError for fewer than two. */
export async function compareFiles(items: unknown, openCompare: OpenCompare): Promise<void> {
  const files = Array.isArray(items) ? items.filter((item) => item instanceof vscode.Uri) : [];
  await openCompare(several(files.map((uri) => imageOf(uri))));
}

/** Compares the images of renders. Rejects with UserError when fewer than two of them have one. */
export async function compareEntries(
  entries: readonly LibraryEntry[],
  openCompare: OpenCompare,
  where?: CompareWhere,
): Promise<void> {
  const images = entries.flatMap((entry) => imageOfEntry(entry) ?? []);
  await openCompare(several(images), undefined, undefined, where);
}

/**
 * Compares a file with an earlier image: the previous render, which was saved to the same file or is another try of the
 * same prompt, or one of the images that it was made from. Of several, the user chooses.
 */
export async function compareEarlier(
  item: unknown,
  renders: Renders,
  connection: Connection,
  memory: Memory,
  openCompare: OpenCompare,
): Promise<void> {
  const file = fileOf(item);
  const origin = await fileOrigin(file, renders);
  const { record, change, unread } = origin;
  const isAt = (uri: string) => vscode.Uri.parse(uri, true).toString() === file.toString();
  const own = change === 'replaced' ? undefined : record;
  const previous = await previousIn(renders.library, own, isAt);
  const relatives = new Relatives(renders, memory);
  const ancestors = (await relatives.ancestors(recipeIn(origin)?.inputs ?? {})).filter(
    ({ image }) => image?.sha256 !== origin.sha256,
  );
  const isAncestor = ancestors.some(({ record: other }) => other && other.key === previous?.key);
  const entry = previous && !isAncestor ? renders.library.ofRecord(previous.key) : undefined;
  const earlier: readonly Earlier[] = [
    ...(entry
      ? [
          {
            label: escapeForIcons(titleOf(entry), 80),
            description: vscode.l10n.t('previous render'),
            image: () => earlierImage(entry, isAt, renders, connection),
          },
        ]
      : []),
    ...ancestors.map((one) => ({
      label: escapeForIcons(one.name, 80),
      description: [one.record && promptWords(one.record), vscode.l10n.t('made from this')].filter(Boolean).join(' · '),
      image: () => ancestorImage(one, relatives, renders.library),
    })),
  ];
  const [first, second] = earlier;
  if (!first) {
    const [why] = unreadWords(file, unread);
    const name = plain(fileNameOf(file.toString()), 60);
    throw new UserError(why ?? vscode.l10n.t('No earlier render of “{0}” was found.', name));
  }
  const title = vscode.l10n.t('Compare “{0}” With', plain(fileNameOf(file.toString()), 60));
  const chosen = second ? await vscode.window.showQuickPick(earlier, { title }) : first;
  if (!chosen) return;
  const now = own && renders.library.ofRecord(own.key);
  await openCompare([await chosen.image(), imageOf(file, now)], 'slider');
}

function promptWords({ inputs }: RenderRecord): string {
  return escapeForIcons(promptOf(undefined, inputs), 60);
}

/** An image to compare a file with. */
interface Earlier extends vscode.QuickPickItem {
  readonly image: () => Promise<ComparedImage>;
}

/** Rejects with UserError when it isn't on this computer any more. */
async function ancestorImage(ancestor: Relative, relatives: Relatives, library: Library): Promise<ComparedImage> {
  const uri = await relatives.fileOf(ancestor);
  if (!uri) throw new UserError(vscode.l10n.t('“{0}” is no longer on this computer.', plain(ancestor.name, 60)));
  return { ...imageOf(uri, ancestor.record && library.ofRecord(ancestor.record.key)), title: ancestor.name };
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
async function earlierImage(
  entry: LibraryEntry,
  isAt: (uri: string) => boolean,
  { results: { deliver } }: Renders,
  connection: Connection,
): Promise<ComparedImage> {
  const saved = imageOfEntry(entry);
  if (saved && !isAt(saved.uri.toString()) && (await exists(saved.uri))) return saved;
  await connection.ready();
  const copy = (await explainUndelivered(() => deliver.copy(entry.id)))?.uri;
  const before = imageOf(vscode.Uri.parse(entry.record?.claimed ?? copy ?? '', true), entry);
  return { ...before, title: vscode.l10n.t('{0} (before)', before.title), uri: vscode.Uri.parse(copy ?? '', true) };
}

/** Compares a file with its version in the last commit. */
export async function compareHead(item: unknown, openCompare: OpenCompare): Promise<void> {
  const file = fileOf(item);
  const head = await inGitHead(file);
  const { title: name } = imageOf(file);
  const images = [
    { title: vscode.l10n.t('{0} (HEAD)', name), uri: head },
    { title: vscode.l10n.t('{0} (now)', name), uri: file },
  ];
  await openCompare(images, 'slider');
}

/** A render's saved image for a comparison; undefined without one. */
function imageOfEntry(entry: LibraryEntry): ComparedImage | undefined {
  const { file, mediaType } = entry;
  if (file === undefined || !mediaType?.startsWith('image/')) return undefined;
  return imageOf(vscode.Uri.parse(file, true), entry);
}

function several(images: readonly ComparedImage[]): readonly ComparedImage[] {
  if (images.length < 2) throw new UserError(vscode.l10n.t('Select two or more images to compare.'));
  if (images.length <= mostCompared) return images;
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
    const [image, key] = [imageOfEntry(entry), entry.record?.key];
    return image && key !== undefined ? [{ entry, image, key }] : [];
  });
  const [first, second] = shown;
  if (first && !second) return openBeside(first.entry);
  if (!first) return;
  const where = { viewColumn: nextColumn(), preserveFocus: true };
  const captions = variantCaptions(
    shown.map(({ entry }) => entry.inputs),
    fields,
    captionWords,
  );
  const images = shown.map(({ image }, index) => ({
    ...image,
    title: captions[index] ?? image.title,
    detail: [image.title, image.detail].filter(Boolean).join(' · '),
  }));
  await openCompare(images, 'sideBySide', { variants: shown.map(({ key }) => key) }, where);
}

const captionWords = {
  seed: (seed: number) => vscode.l10n.t('seed {0}', String(seed)),
  option: (label: string, isOn: boolean) =>
    vscode.l10n.t('{0}: {1}', label, isOn ? vscode.l10n.t('Yes') : vscode.l10n.t('No')),
};

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
      : vscode.l10n.t('Kept {0} of {1} images. The others are still in Generations.', kept, kept + keys.length);
  void vscode.window.showInformationMessage(sentence);
  return true;
}

/** The keys of those for which there's no trash, and the names of files that were changed. */
async function removed(
  keys: readonly string[],
  how: 'trashed' | 'deleted',
  { results: { staging }, library }: Renders,
): Promise<[homeless: string[], changed: string[]]> {
  const [homeless, changed]: [string[], string[]] = [[], []];
  for (const key of keys) {
    const { file = '' } = library.ofRecord(key) ?? {};
    const removal = await explainUndelivered(() => staging.remove(key, how));
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
 * Renders the variants that one press ordered at their sum, and shows their images together once they have ended;
 * without `openCompare`, the caller does. Calls `started` for each that is sent; the rest isn't when the service
 * rejects one. False when the user declined: nothing was sent. Resolves before they have ended. Rejects as
 * `Orders.together`.
 */
export async function renderVariants(
  orders: readonly PricedOrder[],
  initiator: Initiator,
  { renders, settings, session }: LoadedFoundation,
  openCompare: OpenCompare | undefined,
  still?: StillWanted,
  started?: (record: RenderRecord) => void,
): Promise<boolean> {
  const agreed = await renders.orders.together(orders, initiator);
  if (!agreed) return false;
  const title = vscode.l10n.t('Rendering {0} images', agreed.length);
  const words = openCompare ? { title, shown: true } : { title, comparison: 'offered' as const };
  void renderTogether(agreed, renders, settings, words, still, started)
    .then(async (entries) => {
      if (!openCompare) return;
      const model = await session.model(agreed[0]?.modelId ?? '').catch(() => undefined);
      const started = agreed.flatMap(({ intent }) => entries.find(({ id }) => id === intent) ?? []);
      return openVariants(started, openCompare, model?.fields ?? []);
    })
    .catch((error: unknown) => showProblem(sentenceOf(error), remedyOf(error)));
  return true;
}

const mode: CompareMode = 'slider';

/**
 * Compares a staged result with the file it is to replace, for the user to decide. Rejects with UserError when it no
 * longer waits.
 */
export async function openStaged(entry: LibraryEntry | undefined, openCompare: OpenCompare): Promise<void> {
  const images = entry ? imagesOf(entry) : [];
  if (!entry || images.length === 0)
    throw new UserError(vscode.l10n.t('You already accepted or discarded this image.'));
  await openCompare(images, mode, { staged: entry.record?.key });
}

/**
 * The same for several, in pairs on one page, which accepts all it shows; more than fit there are left for later.
 * Rejects with UserError when none waits any longer.
 */
export async function openAllStaged(entries: readonly LibraryEntry[], openCompare: OpenCompare): Promise<void> {
  const waiting = entries.filter((entry) => imagesOf(entry).length > 0).slice(0, mostCompared / 2);
  const [first, ...others] = waiting;
  if (!first || others.length === 0) return openStaged(first ?? entries[0], openCompare);
  const keys = waiting.flatMap(({ record }) => record?.key ?? []);
  await openCompare(waiting.flatMap(imagesOf), 'sideBySide', { stagedPairs: keys });
}

/** The current image and the staged one; none when it no longer waits. */
function imagesOf(entry: LibraryEntry): readonly ComparedImage[] {
  const { record, file } = entry;
  const old = replacedBy(entry);
  if (file === undefined || !old || record?.staged !== true) return [];
  const name = imageOf(old).title;
  return [
    { title: vscode.l10n.t('{0} (now)', name), uri: old },
    { ...imageOf(vscode.Uri.parse(file, true), entry), title: vscode.l10n.t('{0} (new)', name) },
  ];
}

/** The file that a result is to replace, at its current location. */
export function replacedBy({ record }: LibraryEntry): vscode.Uri | undefined {
  const { replaces } = record?.target ?? {};
  return replaces && vscode.Uri.parse(replaces.uri, true);
}

/**
 * Carries out the decision on one staged result, after a confirmation where something would be lost. Rejects with
 * UserError.
 */
export async function decide(
  key: string,
  decision: Exclude<CompareDecision, 'acceptAll' | 'discardAll' | 'keepSelected'>,
  renders: Renders,
): Promise<void> {
  const entry = renders.library.ofRecord(key);
  const record = entry?.record;
  if (!entry || record?.staged !== true) return;
  await explainUndelivered(() => {
    if (decision === 'accept') return accept(record, renders);
    return decision === 'keepBoth' ? keepBoth(record, renders.results) : discard(entry, renders.results);
  });
}

/** Accepts staged results as `acceptUnchanged`, and reports them together. Never rejects. */
export async function acceptAll(keys: readonly string[], renders: Renders): Promise<void> {
  const count = await acceptUnchanged(keys, renders);
  if (count === 0) return;
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      '{0} of {1} new images accepted. The previous ones are in the trash, or next to the new ones if there’s no trash.',
      count,
      keys.length,
    ),
  );
}

/**
 * Accepts staged results one after the other; resolves with their number. Those whose current image was changed since,
 * or is read-only, stay for a decision of their own, which the user learns. Never rejects.
 */
export async function acceptUnchanged(keys: readonly string[], renders: Renders): Promise<number> {
  let count = 0;
  const left: string[] = [];
  for (const key of keys) {
    const record = renders.library.ofRecord(key)?.record;
    if (record?.staged !== true) continue;
    try {
      if (await explainUndelivered(() => replace(record, renders, () => Promise.resolve(false)))) count += 1;
      else left.push(plain(imageNameOf(record.target.replaces?.uri), 60));
    } catch (error) {
      // The others can be accepted all the same.
      void showProblem(sentenceOf(error), remedyOf(error));
    }
  }
  if (left.length > 0)
    void vscode.window.showWarningMessage(
      vscode.l10n.t('Not accepted, since the current image was changed or is read-only: {0}', left.join(', ')),
    );
  return count;
}

async function accept(record: RenderRecord, renders: Renders): Promise<void> {
  const name = imageNameOf(record.target.replaces?.uri);
  const accepted = await replace(record, renders);
  if (!accepted) return;
  void vscode.window.showInformationMessage(
    accepted.kept === undefined
      ? vscode.l10n.t('“{0}” now contains the new image.', plain(name, 60))
      : vscode.l10n.t(
          '“{0}” now contains the new image. There’s no trash here, so the previous image is kept as “{1}”.',
          plain(name, 60),
          plain(imageNameOf(accepted.kept), 80),
        ),
  );
}

/** Puts the new image in place, after a question if the current one changed. Undefined if the answer is no. */
async function replace(
  record: RenderRecord,
  { results: { staging } }: Renders,
  agrees = agreesToReplace,
): ReturnType<Staging['accept']> {
  const name = imageNameOf(record.target.replaces?.uri);
  const ending = /\.([^.]+)$/.exec(name)?.[1];
  const own = record.spooled?.extension ?? '';
  if (endingFor(own, ending) !== ending) {
    throw new UserError(
      vscode.l10n.t(
        'The new image is in {0} format, which doesn’t match the name “{1}”, so some programs may not open it. Keep both instead.',
        own.toUpperCase(),
        plain(name, 60),
      ),
    );
  }
  checkSaved(record.target.replaces?.uri ?? '');
  const look = await staging.look(record);
  if ((look.isChanged || look.isReadOnly) && !(await agrees(name, look))) return undefined;
  // The question may have been open for long.
  checkSaved(record.target.replaces?.uri ?? '');
  return staging.accept(record.key, look);
}

async function agreesToReplace(name: string, { isChanged, isReadOnly }: Look): Promise<boolean> {
  const yes = vscode.l10n.t('Replace');
  const changed =
    isChanged &&
    vscode.l10n.t('“{0}” was changed or removed after you started this render. Replace it anyway?', plain(name, 60));
  const readOnly = isReadOnly && vscode.l10n.t('“{0}” is read-only. Replace it with the new image?', plain(name, 60));
  const question = [changed, readOnly].filter((sentence) => sentence !== false).join(' ');
  const detail = vscode.l10n.t(
    'The current file is moved to the trash. If there’s no trash, it’s kept next to the new one.',
  );
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

async function keepBoth({ key }: RenderRecord, { staging }: Results): Promise<void> {
  const saved = await staging.keepBoth(key);
  if (saved?.file === undefined) return;
  const open = vscode.l10n.t('Open');
  const file = vscode.Uri.parse(saved.file, true);
  const sentence = vscode.l10n.t('Saved {0}.', plain(vscode.workspace.asRelativePath(file)));
  void vscode.window
    .showInformationMessage(sentence, open)
    .then((answer) => answer === open && vscode.commands.executeCommand('vscode.open', file));
}

async function discard(entry: LibraryEntry, { staging }: Results): Promise<void> {
  if (await agreesToDiscard([entry])) await staging.discard(entry.id);
}

/** Discards staged results after one confirmation. Rejects with UserError. */
export async function discardAll(keys: readonly string[], { library, results: { staging } }: Renders): Promise<void> {
  const waiting = keys.flatMap((key) => library.ofRecord(key) ?? []).filter(({ record }) => record?.staged === true);
  if (waiting.length === 0 || !(await agreesToDiscard(waiting))) return;
  await explainUndelivered(async () => {
    for (const { id } of waiting) await staging.discard(id);
  });
}

async function agreesToDiscard(entries: readonly LibraryEntry[]): Promise<boolean> {
  const [only, ...others] = entries;
  const isOne = others.length === 0;
  const yes = isOne ? vscode.l10n.t('Discard Image') : vscode.l10n.t('Discard Images');
  const price = isOne && only ? priceOf(only) : totalPriceOf(entries);
  const kept = isOne
    ? vscode.l10n.t(
        'You can get it back with “Download Again” in the Generations view, as long as the service still has it.',
      )
    : vscode.l10n.t(
        'You can get them back with “Download Again” in the Generations view, as long as the service still has them.',
      );
  const paid = price === undefined ? undefined : vscode.l10n.t('Rendering cost: {0}.', price);
  const detail = [paid, kept].filter(Boolean).join(' ');
  const question = isOne
    ? vscode.l10n.t('Discard the new image?')
    : vscode.l10n.t('Discard {0} new images?', entries.length);
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

function imageNameOf(uri = ''): string {
  return fileNameOf(uri);
}
