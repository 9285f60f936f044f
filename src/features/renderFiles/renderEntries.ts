import * as vscode from 'vscode';
import { forEachLimit } from '../../base/concurrency';
import { frozenInputs } from '../../base/frozen';
import { plain } from '../../base/plain';
import { systemRandom } from '../../base/random';
import { mayMake } from '../../catalog/kinds';
import { Seeds } from '../../catalog/fields';
import type { Model } from '../../catalog/types';
import { canDo } from '../rendering/model/actions';
import { showDrafts } from '../../compose/pricedBox';
import { draftList } from '../../compose/pricedList';
import { UserError } from '../../editor/userError';
import { remedyOf, money, sentenceOf } from '../../editor/words';
import { fileNameOf } from '../../files/names';
import type { LibraryEntry } from '../../renders/library';
import type { PricedOrder } from '../../renders/priced';
import { withNamedSeeds } from '../../renderFiles/modelCheck';
import type { AskedRender } from '../../renderFiles/renderFile';
import { isToDo, type StateOf } from '../../renderFiles/states';
import { entryProblemSentence } from '../../renderFiles/words';
import type { Foundation } from '../../foundation';
import { showProblem } from '../../editor/commands';
import { connectedClient } from '../account/connectedClient';
import type { OpenCompare } from '../compare/comparedPicture';
import { acceptAll, openAllStaged } from '../compare/stagedResults';
import type { Renders } from '../rendering/renders';
import { isAgreed, renderTogether } from '../rendering/renderTogether';
import { actionLabel } from '../rendering/renderWords';
import { StillWanted } from '../rendering/stillWanted';
import { tellPending } from '../rendering/renderNotices';
import { requireTrust } from '../../editor/trust';
import { type AllRenderFiles, type FoundFiles, sharedIn } from './allRenderFiles';
import { type Due, entryTarget, fitAgain } from './fitEntries';
import { isIn, partOf } from './renderFilesTree';
import type { ReadFile, RenderFiles } from './renderFiles';
import type { SentInputs } from './sentInputs';

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
 * until the user accepts the new one, and one that another render file lists too isn't rendered. Resolves when the
 * renders have ended or the user cancels. Rejects with UserError or ServiceError when they can't be ordered.
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
  const found = [{ ...read, states: read.states.filter(({ render }) => isIn(part, render)) }];
  const leftOut = sharedSentence(found, unsound);
  const nothing = leftOut ?? vscode.l10n.t('Nothing in {0} is missing or stale.', name);
  await renderDue(without(unsound, found), files, foundation, openCompare, nothing, leftOut);
}

/** As `renderEntries`, for all render files of the workspace; says which ones can't be read. */
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
      ? vscode.l10n.t('No image in the workspace’s render files is missing or stale.')
      : `${vscode.l10n.t('No other image is missing or stale.')} ${leftOut}`;
  await renderDue(without(unsound, sound), files, foundation, openCompare, nothing, leftOut);
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
type Listed = Pick<ReadFile, 'states' | 'folder'>;

/** Which images aren't rendered, since each render file that lists them would make its own. */
function sharedSentence(found: readonly Listed[], unsound: ReadonlySet<AskedRender>): string | undefined {
  const images = found.flatMap(({ states, folder }) =>
    states
      .filter((one) => isToDo(one) && unsound.has(one.render))
      .map(({ render }) => vscode.workspace.asRelativePath(vscode.Uri.joinPath(folder, render.target))),
  );
  if (images.length === 0) return undefined;
  return vscode.l10n.t(
    'Left out because several render files list the same image: {0}. Give each render its own file.',
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
  const due = found.flatMap(({ states, folder }) => states.filter(isToDo).map((one): Due => ({ ...one, folder })));
  const pending = found.flatMap(({ states }) => states.filter((one) => one.pending));
  if (due.length + pending.length === 0) return void vscode.window.showInformationMessage(nothing);
  if (leftOut !== undefined) void vscode.window.showWarningMessage(leftOut);
  if (due.length === 0) return tellWaiting(pending, foundation, openCompare);
  const { settings } = foundation;
  const [renders, title] = [await foundation.renders.get(), vscode.l10n.t('Rendering images')];
  const still = new StillWanted(renders);
  const { orders, toFit } = await agreedOf(due.slice(0, mostListed), files.sent, foundation);
  // The orders go on record at once, however long it takes to fit others.
  const rendered =
    orders.length > 0 ? renderTogether(orders, renders, settings, { title, compared: false }, still) : [];
  if (toFit.length > 0) await fitAgain(toFit, files, renders, settings);
  const entries = await rendered;
  // A single render has its own notification.
  if (orders.length > 1) offerReview(entries.filter(isToReview), renders, openCompare);
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
  else await tellPending(images, opened);
}

function isToReview(entry: LibraryEntry): boolean {
  return canDo('reviewStaged', entry);
}

/** What the user selected, at the total they agreed to; a no leads back to the list. */
async function agreedOf(
  due: readonly Due[],
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
    const { render, fitsAgain: isFree } = one;
    try {
      const model = models.get(render.modelId)?.();
      if (!model) continue;
      // Only the first models of a file are checked when it's read.
      if (!mayMake(model, 'image'))
        throw new UserError(vscode.l10n.t('“{0}” doesn’t make images. Choose another model.', plain(model.title)));
      const [intent, target] = [systemRandom.uuid(), await entryTarget(one, opened.targets, settings)];
      const asked = await sent.of(render, model.fields, one.folder);
      // Each render without a seed gets its own.
      const inputs = frozenInputs(new Seeds(systemRandom).fill(model.id, withNamedSeeds(model.fields), asked));
      if (isFree) misfits.set(intent, one);
      const title = isFree ? vscode.l10n.t('Fit Again') : model.title;
      rows.push({ title, isFree, draft: { intent, modelId: model.id, inputs, target } });
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
      placeholder: vscode.l10n.t('Select images to render. You’ll confirm the total before anything is sent.'),
    };
    while (await showDrafts(list, words)) {
      const orders = list.agreed.map(({ priced }) => priced);
      const toFit = list.free.flatMap(({ id }) => misfits.get(id) ?? []);
      const isAsked = orders.length > 0;
      if (!isAsked || (await isAgreed(() => opened.orders.agreesTo(orders, { question: questionOf(orders) }))))
        return { orders, toFit };
    }
    return { orders: [], toFit: [] };
  } finally {
    list.dispose();
  }
}

/** Says why images aren't listed. Throws that if none is. */
function tellLeftOut(problems: readonly unknown[], all: number): void {
  if (problems.length === 0) return;
  const [first] = problems;
  if (problems.length === all) throw first;
  const sentence = vscode.l10n.t('Not listed: {0} of {1} images. {2}', problems.length, all, sentenceOf(first));
  void showProblem(sentence, remedyOf(first));
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
  const review = staged.length === 1 ? actionLabel('reviewStaged') : vscode.l10n.t('Review New Images');
  const all = vscode.l10n.t('Accept All');
  const ways = staged.length === 1 ? [review] : [review, all];
  void vscode.window.showInformationMessage(sentence, ...ways).then((answer) => {
    const keys = staged.flatMap(({ record }) => record?.key ?? []);
    if (answer === all) void acceptAll(keys, renders);
    else if (answer === review)
      void openAllStaged(
        staged.flatMap(({ id }) => renders.library.get(id) ?? []),
        openCompare,
      ).catch((error: unknown) => showProblem(sentenceOf(error)));
  });
}
