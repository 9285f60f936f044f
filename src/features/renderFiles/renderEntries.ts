import * as vscode from 'vscode';
import { systemClock, systemRandom } from '../../base/clock';
import { forEachLimit } from '../../base/concurrency';
import { itemsOf } from '../../base/givenImage';
import { frozenInputs } from '../../base/json';
import { plain } from '../../base/plain';
import { mayMake, type Model, Seeds } from '../../catalog/fields';
import { showDrafts } from '../../compose/pricedBox';
import { draftList } from '../../compose/pricedList';
import { showProblem } from '../../editor/commands';
import { exists } from '../../editor/exists';
import type { Settings } from '../../editor/settings';
import { requireTrust } from '../../editor/trust';
import { UserError } from '../../editor/userError';
import { money, remedyOf, sentenceOf, explainUndelivered, unreadWords } from '../../editor/words';
import { checkSaved, replacing } from '../../editor/workspaceFiles';
import { fileNameOf, folded } from '../../files/names';
import { fileMetadataOf, sidecarEnding, writeProvenance } from '../../files/provenance';
import type { Foundation } from '../../foundation';
import { withNamedSeeds } from '../../renderFiles/modelCheck';
import type { AskedRender } from '../../renderFiles/renderFile';
import { type Images, withImages } from '../../renderFiles/givenFiles';
import {
  isToDo,
  isWaiting,
  type StateOf,
  stateOf,
  isForeign,
  recipeToAdopt,
  sourcesDue,
} from '../../renderFiles/states';
import { baseOf, newImageOf } from '../../renderFiles/targets';
import { entryProblemSentence, listed } from '../../renderFiles/words';
import type { QuestionWords } from '../../renders/consent';
import type { LibraryEntry } from '../../renders/library';
import type { PricedOrder, Target } from '../../renders/record';
import { NotFitted } from '../../renders/results';
import { connectedClient } from '../account/connectedClient';
import { acceptAll, acceptUnchanged, openAllStaged } from '../compare/compareActions';
import type { OpenCompare } from '../compare/comparePanels';
import { readable, fileOrigin, unreadOf } from '../rendering/fileOrigin';
import { canDo } from '../rendering/model/actions';
import { tellPending } from '../rendering/renderNotices';
import { agreedOn, isAgreed, renderTogether } from '../rendering/renderTogether';
import { actionLabel } from '../rendering/renderWords';
import type { Renders } from '../rendering/renders';
import { StillWanted } from '../rendering/stillWanted';
import type { Targets } from '../rendering/targets';
import { type AllRenderFiles, type FoundFile, type FoundFiles, sharedIn } from './allRenderFiles';
import { refitOf } from './model/pendingImages';
import type { ReadFile, RenderFiles } from './renderFiles';
import { isIn, partOf } from './renderFilesTree';
import type { SentInputs } from './sentInputs';
import { endingOf, imageEndings } from '../../documents/paths';
import { embedInFile } from '../../files/xmp';
import { hashed } from '../../files/sameFile';
import { writeNew } from '../../files/replacement';
import type { Hints } from '../../compose/hints';
import { toolName } from '../../editor/toolName';

/** The most images that are listed for one total. */
const mostListed = 2_000;

/** What the user agreed to. */
interface Agreed {
  readonly orders: readonly PricedOrder[];
  /** Stale images that need no render. */
  readonly toFit: readonly Due[];
}

/**
 * Lists the images of a render file (a URI or a row of the view, else the active document) that are missing or stale,
 * of one entry or of all, and renders the selected ones after the user has confirmed the total. A stale image stays
 * until the user accepts the new one, and one that another render file lists too isn't rendered. Those that wait for
 * other images aren't listed: they can be ordered once those are current. If there's nothing else, it lists those
 * others instead. Resolves when the renders have ended or the user cancels. Rejects with UserError or ServiceError when
 * they can't be ordered.
 */
export async function renderEntries(
  where: unknown,
  entry: unknown,
  all: AllRenderFiles,
  files: RenderFiles,
  foundation: Foundation,
  openCompare: OpenCompare,
): Promise<void> {
  const part = partOf(where, entry);
  const document = part && (await vscode.workspace.openTextDocument(part.uri));
  const read = document && (await files.read(document));
  if (!read) throw new UserError(vscode.l10n.t('Open a render file first. Its name ends in “renders.jsonc”.'));
  const name = plain(vscode.workspace.asRelativePath(document.uri));
  const [broken] = read.file.isBroken ? read.file.problems : [];
  if (broken?.code === 'syntax') throw new UserError(vscode.l10n.t('{0} has syntax errors. Fix them first.', name));
  if (broken) throw new UserError(entryProblemSentence(broken, vscode.l10n));
  const others = (await all.look()).files.filter(({ text }) => text.uri.toString() !== document.uri.toString());
  const { unsound } = await sharedIn([read, ...others]);
  const own = read.states.filter(({ render }) => isIn(part, render));
  const waiting = own.some((one) => isToDo(one) || one.pending) ? [] : own.filter(isWaiting);
  const sources = sourcesDue(waiting, read.states);
  const toRender = sources.filter((one) => isToDo(one) && !unsound.has(one.render));
  const found = [{ ...read, states: toRender.length > 0 ? toRender : [...own, ...sources] }];
  const leftOut = sharedSentence(found, unsound);
  const nothing = leftOut ?? vscode.l10n.t('Nothing in {0} is missing or out of date.', name);
  await renderDue(without(unsound, found), files, foundation, openCompare, nothing, leftOut);
}

/**
 * As `renderEntries`, for all render files of the workspace; says which ones can't be read. With one of them in the
 * active editor, its images come first, and are the only ones selected at first.
 */
export async function renderAllEntries(
  all: AllRenderFiles,
  files: RenderFiles,
  foundation: Foundation,
  openCompare: OpenCompare,
): Promise<void> {
  const found = await all.look();
  const { unsound } = await sharedIn(found.files);
  const sound = found.files.filter(({ file }) => !file.isBroken);
  const sentences = [...notReadSentences(found), sharedSentence(sound, unsound)].filter((one) => one !== undefined);
  const leftOut = sentences.length > 0 ? sentences.join(' ') : undefined;
  const nothing =
    leftOut === undefined
      ? vscode.l10n.t('No image in the workspace’s render files is missing or out of date.')
      : `${vscode.l10n.t('No other image is missing or out of date.')} ${leftOut}`;
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  const isActive = ({ text }: FoundFile) => text.uri.toString() === active;
  const own = without(unsound, sound.filter(isActive));
  const others = without(
    unsound,
    sound.filter((file) => !isActive(file)),
  );
  const startsUnticked = own.some(({ states }) => states.some(isToDo));
  const listed = [...own, ...others.map((one) => ({ ...one, startsUnticked }))];
  await renderDue(listed, files, foundation, openCompare, nothing, leftOut);
}

/** Which render files of the workspace aren't read, and why. */
function notReadSentences({ files, unread, isCut }: FoundFiles): string[] {
  const broken = files.filter(({ file }) => file.isBroken).map(({ text }) => text.uri);
  const names = [...broken, ...unread].map((uri) => vscode.workspace.asRelativePath(uri));
  return [
    names.length > 0 && vscode.l10n.t('Left out because of errors: {0}.', plain(names.join(', '), 200)),
    isCut && vscode.l10n.t('Only the first {0} render files were read.', files.length),
  ].filter((sentence) => sentence !== false);
}

/** A file with the images that are to be rendered, or some of them. */
interface Listed extends Pick<ReadFile, 'states' | 'folder'> {
  readonly startsUnticked?: boolean;
}

/** Which images aren't rendered, since each render file that lists them would make its own. */
function sharedSentence(found: readonly Listed[], unsound: ReadonlySet<AskedRender>): string | undefined {
  const images = found.flatMap(({ states, folder }) =>
    states
      .filter((one) => isToDo(one) && unsound.has(one.render))
      .map(({ render }) => vscode.workspace.asRelativePath(vscode.Uri.joinPath(folder, render.target))),
  );
  if (images.length === 0) return undefined;
  return vscode.l10n.t(
    'Left out because several render files list the same image: {0}. Give each entry its own file.',
    plain([...new Set(images)].join(', '), 200),
  );
}

function without(unsound: ReadonlySet<AskedRender>, found: readonly Listed[]): Listed[] {
  return found.map(({ states, folder }) => ({ folder, states: states.filter(({ render }) => !unsound.has(render)) }));
}

/** Renders what is to do in these files, and says what isn't. If there's nothing, says so, or what images wait for. */
async function renderDue(
  found: readonly Listed[],
  files: RenderFiles,
  foundation: Foundation,
  openCompare: OpenCompare,
  nothing: string,
  leftOut?: string,
): Promise<void> {
  requireTrust();
  const due = found.flatMap(({ states, folder, startsUnticked }) =>
    states.filter(isToDo).map((one) => ({ ...one, folder, startsUnticked })),
  );
  const pending = found.flatMap(({ states }) => states.filter((one) => one.pending));
  const waiting = found.flatMap(({ states }) => states.filter(isWaiting));
  if (due.length + pending.length === 0)
    return void vscode.window.showInformationMessage(waiting.length > 0 ? waitingSentence(waiting) : nothing);
  if (leftOut !== undefined) void vscode.window.showWarningMessage(leftOut);
  if (due.length === 0) return tellWaiting(pending, foundation, openCompare);
  const { settings } = foundation;
  const [renders, title] = [await foundation.renders.get(), vscode.l10n.t('Rendering images')];
  const still = new StillWanted(renders);
  const { orders, toFit } = await agreedOf(due.slice(0, mostListed), files.sent, foundation);
  // The orders go on record at once, however long it takes to fit others.
  const rendered = orders.length > 0 ? renderTogether(orders, renders, settings, { title }, still) : [];
  if (toFit.length > 0) await fitAgain(toFit, files, renders, settings);
  const entries = await rendered;
  // A single render has its own notification.
  if (orders.length > 1) offerReview(entries.filter(isToReview), renders, openCompare);
}

function waitingSentence(waiting: readonly StateOf[]): string {
  const sources = listed([...new Set(waiting.flatMap(({ after = [] }) => after))]);
  const [first, ...others] = waiting;
  return first && others.length === 0
    ? vscode.l10n.t(
        '“{0}” can’t be rendered yet. First render what it’s made from: {1}.',
        plain(fileNameOf(first.render.target), 60),
        sources,
      )
    : vscode.l10n.t(
        '{0} images can’t be rendered yet. First render what they’re made from: {1}.',
        waiting.length,
        sources,
      );
}

/** Says what these images wait for, or offers all the new ones for review. */
async function tellWaiting(
  states: readonly StateOf[],
  { renders }: Foundation,
  openCompare: OpenCompare,
): Promise<void> {
  const opened = await renders.get();
  const images = states.flatMap(({ pending, render }) =>
    pending ? [{ name: fileNameOf(render.target), id: pending.id }] : [],
  );
  const staged = images.flatMap(({ id }) => opened.library.get(id) ?? []).filter(isToReview);
  if (staged.length === images.length) offerReview(staged, opened, openCompare);
  else await tellPending(images, opened.library);
}

function isToReview(entry: LibraryEntry): boolean {
  return canDo('reviewStaged', entry);
}

/** What the user selected, at the total they agreed to; a no leads back to the list. */
async function agreedOf(
  due: readonly (Due & Pick<Listed, 'startsUnticked'>)[],
  sent: SentInputs,
  { renders, session, settings, connection }: Foundation,
): Promise<Agreed> {
  await connection.start();
  connectedClient(session);
  const opened = await renders.get();
  const models = await modelsOf(due, (id) => session.model(id));
  const rows = [];
  const misfits = new Map<string, Due>();
  const problems: unknown[] = [];
  for (const one of due) {
    const { render, fitsAgain: isFree, startsUnticked } = one;
    try {
      const model = models.get(render.modelId)?.();
      if (!model) continue;
      // Only the first models of a file are checked when it's read.
      if (!mayMake(model, 'image'))
        throw new UserError(vscode.l10n.t('“{0}” doesn’t generate images. Choose another model.', plain(model.title)));
      const [intent, target] = [systemRandom.uuid(), await entryTarget(one, opened.targets, settings)];
      const asked = await sent.of(render, model.fields, one.folder);
      // Each render without a seed gets its own.
      const inputs = frozenInputs(new Seeds(systemRandom).fill(model.id, withNamedSeeds(model.fields), asked));
      if (isFree) misfits.set(intent, one);
      const title = isFree ? vscode.l10n.t('Refit') : model.title;
      rows.push({ title, isFree, startsUnticked, draft: { intent, modelId: model.id, inputs, target } });
    } catch (error) {
      // The others can be rendered all the same.
      problems.push(error);
    }
  }
  tellLeftOut(problems, due.length);
  const list = draftList(rows, (draft) => opened.orders.price(draft));
  try {
    const words = {
      title: (ticked: number, all: number, sum: string) =>
        vscode.l10n.t('Render Images · {0} of {1} · {2}', ticked, all, sum),
      placeholder: vscode.l10n.t('You’ll confirm the total before anything is sent.'),
    };
    const ask = async (instead: QuestionWords['instead']) => {
      const orders = list.agreed.map(({ priced }) => priced);
      const toFit = list.free.flatMap(({ id }) => misfits.get(id) ?? []);
      const models = plain([...new Set(list.agreed.map(({ item }) => item.title))].join(', '), 200);
      const asked = { question: questionOf(orders), detail: vscode.l10n.t('Models: {0}', models), instead };
      const by = instead ? 'automation' : 'user';
      const isYes = orders.length === 0 || (await isAgreed(() => opened.orders.agreesTo(orders, asked, by)));
      return isYes ? { orders, toFit } : undefined;
    };
    return (await agreedOn(list, () => showDrafts(list, words), ask, opened.orders)) ?? { orders: [], toFit: [] };
  } finally {
    list.dispose();
  }
}

/** Says why images aren't listed. Throws that if none is. */
function tellLeftOut(problems: readonly unknown[], all: number): void {
  if (problems.length === 0) return;
  const [first] = problems;
  if (problems.length === all) throw first;
  const count = vscode.l10n.t('{0} of {1} images aren’t listed.', problems.length, all);
  void showProblem([count, sentenceOf(first)].join(' '), remedyOf(first));
}

/** Each model, or what was thrown in its place. */
async function modelsOf(
  due: readonly StateOf[],
  ask: (id: string) => Promise<Model>,
): Promise<ReadonlyMap<string, () => Model>> {
  const models = new Map<string, () => Model>();
  const ids = [...new Set(due.map(({ render }) => render.modelId))];
  await forEachLimit(ids, 4, async (id) => {
    try {
      const model = await ask(id);
      models.set(id, () => model);
    } catch (error) {
      models.set(id, () => {
        throw error;
      });
    }
  });
  return models;
}

function questionOf(orders: readonly PricedOrder[]): string {
  const sum = money(orders.reduce((cents, { shownCents = 0 }) => cents + shownCents, 0));
  return orders.length === 1
    ? vscode.l10n.t('Render this image for {0}?', sum)
    : vscode.l10n.t('Render {0} images for {1} in total?', orders.length, sum);
}

/** New images for existing files wait for review. */
function offerReview(staged: readonly LibraryEntry[], renders: Renders, openCompare: OpenCompare): void {
  const [first] = staged;
  if (!first) return;
  const name = plain(fileNameOf(first.record?.target.replaces?.uri ?? ''), 60);
  const sentence =
    staged.length === 1
      ? vscode.l10n.t('The new image for “{0}” is ready to review.', name)
      : vscode.l10n.t('{0} new images are ready to review.', staged.length);
  const review = staged.length === 1 ? actionLabel('reviewStaged') : vscode.l10n.t('Review Images');
  const all = vscode.l10n.t('Accept All');
  const ways = staged.length === 1 ? [review] : [review, all];
  void vscode.window.showInformationMessage(sentence, ...ways).then((answer) => {
    const keys = staged.flatMap(({ record }) => record?.key ?? []);
    if (answer === all) void acceptAll(keys, renders);
    else if (answer === review)
      void openAllStaged(
        staged.flatMap(({ id }) => renders.library.get(id) ?? []),
        openCompare,
      ).catch((error: unknown) => showProblem(sentenceOf(error), remedyOf(error)));
  });
}

/**
 * Fits stale images again that need nothing else, of a render file, an entry, or an image (a URI and an entry, or a row
 * of the view). Nothing is ordered or charged.
 */
export async function fitEntries(
  where: unknown,
  entry: unknown,
  files: RenderFiles,
  foundation: Foundation,
): Promise<void> {
  const part = partOf(where, entry);
  const read = part && (await files.read(await vscode.workspace.openTextDocument(part.uri)));
  if (!read) return;
  const { folder } = read;
  const due = read.states.filter(({ render, fitsAgain }) => fitsAgain && isIn(part, render));
  await fitAgain(
    due.map((one) => ({ ...one, folder })),
    files,
    await foundation.renders.get(),
    foundation.settings,
  );
}

/**
 * Fits these images again, one after the other, with progress if there are several. Each earlier file goes to the
 * trash. Reports what was done and what wasn't. Never rejects.
 */
async function fitAgain(due: readonly Due[], files: RenderFiles, renders: Renders, settings: Settings): Promise<void> {
  const fitted: Due[] = [];
  const fit = async (one: Due) => {
    try {
      if (await fitOne(one, files.imagesOf(one.folder), renders, settings)) fitted.push(one);
    } catch (error) {
      // The others can be fitted all the same.
      void showProblem(sentenceOf(error), remedyOf(error));
    }
  };
  const options = { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Fitting images') };
  if (due.length === 1) await Promise.all(due.map(fit));
  else
    await vscode.window.withProgress({ ...options, cancellable: true }, async (progress, token) => {
      for (const [index, one] of due.entries()) {
        if (token.isCancellationRequested) break;
        progress.report({ message: vscode.l10n.t('{0} of {1}', index, due.length) });
        await fit(one);
      }
    });
  tellFitted(fitted, due.length);
}

function tellFitted(fitted: readonly Due[], all: number): void {
  const [first] = fitted;
  if (!first) return;
  const done =
    all === 1
      ? vscode.l10n.t('Fitted “{0}” again, at no charge.', plain(fileNameOf(first.render.target), 60))
      : vscode.l10n.t('Fitted {0} of {1} images again, at no charge.', fitted.length, all);
  const earlier = vscode.l10n.t('Previous images are in the trash, or next to the new ones if there’s no trash.');
  void vscode.window.showInformationMessage(`${done} ${earlier}`);
}

/** False if the new image waits for review, since the current one can't be replaced. Rejects with UserError. */
async function fitOne(due: Due, images: Images, renders: Renders, settings: Settings): Promise<boolean> {
  const { render, state, folder } = due;
  if (state.state !== 'stale') return false;
  const file = vscode.Uri.joinPath(folder, state.file);
  const name = plain(fileNameOf(file.toString()), 60);
  checkSaved(file.toString());
  const read = await readable(file, renders.log);
  const metadata = await fileMetadataOf(read, systemClock);
  const now = await stateOf(render, state.file, metadata, images);
  const record = metadata && (await refitOf({ render, state: now }, metadata, renders, images));
  const target = await entryTarget({ render, state: now, folder }, renders.targets, settings);
  const { replaces } = target;
  if (!record || !read.whole || (replaces && replaces.sha256 !== read.whole.sha256))
    throw new UserError(
      vscode.l10n.t('“{0}” has just changed, so it wasn’t replaced. Check the file, then try again.', name),
    );
  const { key } = record;
  const { bytes } = read.whole;
  await explainUndelivered(() => renders.results.fitAgain(key, target, bytes)).catch((error: unknown) => {
    if (!(error instanceof NotFitted)) throw error;
    throw new UserError(vscode.l10n.t('“{0}” couldn’t be fitted. See the log for details.', name), { cause: error });
  });
  // It shows what was cropped before.
  await renders.results.thumbnails.forget(key);
  return replaces === undefined || (await acceptUnchanged([key], renders)) === 1;
}

/** An image that is missing or stale, in a workspace folder. */
interface Due extends StateOf {
  readonly folder: vscode.Uri;
}

/** Where an entry's new image goes. Rejects with UserError when nothing can be saved there. */
export async function entryTarget(
  { folder, ...one }: Due,
  targets: Targets,
  settings: Pick<Settings, 'provenance'>,
): Promise<Target> {
  const { target: named } = one.render;
  const { replaces, fit } = newImageOf(one, settings.provenance(folder.toString()) !== 'none');
  if (replaces) {
    const uri = vscode.Uri.joinPath(folder, replaces.file);
    const target = await targets.replacing(uri);
    if (target.replaces) return { ...target, fit: replaces.fit };
    if (folded(replaces.file) === folded(named) && (await exists(uri))) throw notReplaced(uri);
  }
  return { ...newFile(vscode.Uri.joinPath(folder, named), targets), fit };
}

/** A name without an image's file extension gets that of the result. */
function newFile(uri: vscode.Uri, targets: Targets): Target {
  if (baseOf(uri.path) !== uri.path) return targets.file(uri);
  const fileName = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  return { ...targets.at(vscode.Uri.joinPath(uri, '..')), fileName };
}

function notReplaced(uri: vscode.Uri): UserError {
  return new UserError(
    vscode.l10n.t(
      '“{0}” can’t be replaced with a new image. Enter another file extension in its entry, such as .png.',
      plain(fileNameOf(uri.toString()), 60),
    ),
  );
}

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
  for (const one of read.states.filter((state) => isForeign(state) && isIn(part, state.render))) {
    // Its record would be of another image than it's made from.
    if (one.after) throw new UserError(vscode.l10n.t('First render what it’s made from: {0}.', listed(one.after)));
    await adopt(one, read.folder, files, foundation);
  }
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
  const given = await withImages(render, await imageInputs(render, files.hints), files.imagesOf(folder));
  const recipe = recipeToAdopt(given, { tool: toolName(), isPromptRecorded: settings.provenancePrompt(root) });
  const disk = await explainUndelivered(() => replacing(file.toString(), root));
  if (whole && settings.provenance(root) === 'embed' && !(await isOurs(file, foundation))) {
    const world = { clock: systemClock, random: systemRandom };
    if (await explainUndelivered(() => embedInFile(disk, file.toString(), whole, recipe, world))) return;
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
      : itemsOf(value).some((item) => typeof item === 'string' && imageEndings.has(endingOf(item)));
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
