import * as vscode from 'vscode';
import { type Disposable, Disposables, Lazy } from '../../base/disposable';
import { givenImagesIn } from '../../base/givenImage';
import type { JsonObject } from '../../base/json';
import { reasonOf } from '../../base/log';
import { oneLine, plain } from '../../base/plain';
import { promptOf } from '../../catalog/fields';
import { placeName, type Session } from '../../catalog/session';
import type { OpenForm } from '../../compose/openForm';
import { showProblem } from '../../editor/commands';
import { initiatorOf, ours } from '../../editor/initiator';
import { commands, originViewType } from '../../editor/ids';
import { PageFiles } from '../../editor/pages';
import { UserError } from '../../editor/userError';
import { remedyOf, sentenceOf, unreadWords } from '../../editor/words';
import { fileOf, folderUriOf, loggedPath, shownFile, watchFiles } from '../../editor/workspaceFiles';
import { fileNameOf } from '../../files/names';
import { namesKeptImage } from '../../files/recordedImages';
import type { Foundation } from '../../foundation';
import { fitAt } from '../../renderFiles/targets';
import { againCentsOf, type LibraryEntry } from '../../renders/library';
import type { Origin } from '../../renders/origin';
import type { RenderRecord, Target } from '../../renders/record';
import type { Connection } from '../account/connection';
import { chosenIds } from '../generations/model/generationGroups';
import { renderAgain } from '../generations/renderAgain';
import type { Documents } from '../links/documents';
import { copyLinks } from '../links/linkInsertions';
import { shownImage } from '../links/shownImage';
import { modelNames } from '../models/model/modelNames';
import { fileOrigin, type FileOrigin } from '../rendering/fileOrigin';
import { type Recipe, recipeIn } from '../rendering/model/recipe';
import { type Relative, relativeFolders, Relatives } from '../rendering/relatives';
import type { Renders } from '../rendering/renders';
import { titleOf } from '../rendering/renderWords';
import { translated } from '../rendering/translated';
import { detailWords } from './detailWords';
import { OriginConversation, originText, originView, type OriginWords, readKeptOrigin } from './model/originView';
import { englishOriginStrings, type OriginAction, type OriginRelatives, type OriginView } from './page/originMessages';

/** What webviews can show as an image. */
const imageEnding = /\.(png|jpe?g|gif|webp|avif|svg|bmp)$/i;

/** What a page is about: a file, or a render (by its ID) without one that is its own. */
type About = { readonly file: vscode.Uri } | { readonly render: string };

interface OriginPanel {
  readonly panel: vscode.WebviewPanel;
  readonly conversation: OriginConversation;
  /** The related images that the page shows: none until they're found, which takes a look through the history. */
  relatives: { readonly of: string; readonly parents: readonly Relative[]; readonly children: readonly Relative[] };
}

interface Seen {
  readonly origin: FileOrigin;
  readonly entry: LibraryEntry | undefined;
}

/** The window's pages about how files and renders were made, at most one for each. */
export class OriginPanels implements vscode.WebviewPanelSerializer, Disposable {
  private readonly own = new Disposables();
  private readonly pages = new Map<string, OriginPanel>();
  private readonly files: PageFiles;
  private readonly relatives = new Lazy(
    async () => new Relatives(await this.foundation.renders.get(), this.foundation.memory),
  );

  constructor(
    private readonly foundation: Foundation,
    private readonly openForm: OpenForm,
  ) {
    this.files = new PageFiles(foundation.context.extensionUri, 'origin');
  }

  /**
   * Opens the page about a file, or about a render (its row, or its ID), or reveals it with what is known now; with
   * `inForm`, the form with what the file was made from, if that's certain.
   */
  async open(item: unknown, inForm?: unknown): Promise<void> {
    const renders = await this.foundation.renders.get();
    const [render] = chosenIds(item, undefined, []);
    const about = render === undefined ? { file: fileOf(item) } : await aboutRender(render, renders);
    if (inForm === true && 'file' in about && (await openProvenInForm(about.file, renders, this.openForm))) return;
    const page = this.pages.get(keyOf(about));
    page?.panel.reveal();
    // There may be more by now.
    if (page) page.relatives = { ...page.relatives, of: '' };
    page?.conversation.refresh();
    if (page) return;
    const { Active } = vscode.ViewColumn;
    const title = tabTitleOf(about, renders);
    this.adopt(vscode.window.createWebviewPanel(originViewType, title, Active, this.optionsOf(about)), about, title);
  }

  /** A panel of an earlier window; closes if it isn't known what it was about. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { file, render } = readKeptOrigin(state) ?? {};
    const about =
      file !== undefined ? { file: vscode.Uri.parse(file, true) } : render !== undefined ? { render } : undefined;
    const renders = await this.foundation.renders.get();
    if (about && !this.pages.has(keyOf(about))) this.adopt(panel, about, tabTitleOf(about, renders));
    else panel.dispose();
  }

  /** The panels stay: the editor restores them when the extension starts again. */
  dispose(): void {
    this.own.dispose();
  }

  private adopt(panel: vscode.WebviewPanel, about: About, title: string): void {
    const { webview } = panel;
    const key = keyOf(about);
    const following = this.own.add(new Disposables());
    const look = 'file' in about ? this.followFile(about.file, following) : this.followRender(about.render, following);
    const conversation = new OriginConversation({
      log: this.foundation.log,
      strings: translated(englishOriginStrings),
      locale: vscode.env.language,
      look: () => this.view(about, webview, look),
      act: (action, isPriced) => this.act(action, isPriced, about, look),
      openRelative: (index) => this.openRelative(key, index),
      post: (message) => void webview.postMessage(message),
    });
    this.pages.set(key, { panel, conversation, relatives: { of: '', parents: [], children: [] } });
    if ('file' in about) following.add(watchFiles([key], () => conversation.refresh()));
    webview.options = this.optionsOf(about);
    panel.title = title;
    panel.iconPath = this.files.icon;
    webview.onDidReceiveMessage((data: unknown) => conversation.receive(data));
    panel.onDidDispose(() => {
      following.dispose();
      this.pages.delete(key);
    });
    webview.html = this.files.html(webview, panel.title);
  }

  /** The render as it is when called; from then on, the page is refreshed when it changes. */
  private followRender(id: string, following: Disposables): () => Promise<Seen> {
    let seen: LibraryEntry | undefined;
    const refresh = ({ library }: Renders) =>
      entryOf(id, library) !== seen && this.pages.get(id)?.conversation.refresh();
    const isFollowing = this.foundation.renders
      .get()
      .then((renders) => following.add(renders.library.onDidChange(() => refresh(renders))));
    return async () => {
      await isFollowing;
      const { library } = await this.foundation.renders.get();
      seen = entryOf(id, library);
      const record = seen?.record;
      return { origin: { ...(record ? { record, change: 'none' } : { change: 'unknown' }), unread: [] }, entry: seen };
    };
  }

  /** Looks at the file when called; from then on, the page is refreshed when the file's render changes. */
  private followFile(file: vscode.Uri, following: Disposables): () => Promise<Seen> {
    let key: string | undefined;
    let seen: LibraryEntry | undefined;
    let isFollowing = false;
    return async () => {
      const renders = await this.foundation.renders.get();
      const { library, resultFolders } = renders;
      const origin = await fileOrigin(file, renders);
      key = origin.record?.key;
      seen = key === undefined ? undefined : library.ofRecord(key);
      // A folder with one result may hold more from colleagues.
      if (origin.record ?? origin.fileRecord) resultFolders.add([file.toString()]);
      if (!isFollowing)
        following.add(
          library.onDidChange(() => {
            if (key !== undefined && library.ofRecord(key) !== seen)
              this.pages.get(file.toString())?.conversation.refresh();
          }),
        );
      isFollowing = true;
      return { origin, entry: seen };
    };
  }

  private async view(about: About, webview: vscode.Webview, look: () => Promise<Seen>): Promise<OriginView | string> {
    try {
      const [{ origin, entry }, modelName] = await Promise.all([look(), modelNames(this.foundation.session)]);
      const path = (uri: string) => loggedPath(vscode.Uri.parse(uri));
      if ('render' in about && !entry) return gone();
      const relatives = this.relativesOf(about, origin, webview);
      if ('render' in about)
        return {
          ...originView(undefined, undefined, origin, entry, { ...originWords([]), modelName, path }, relatives),
          againCents: entry && againCentsOf(entry),
        };
      const { file } = about;
      const image = imageEnding.test(file.path) ? { address: (await shownFile(file, webview)).address } : undefined;
      const words = { ...originWords(unreadWords(file, origin.unread)), modelName, path };
      return {
        ...originView(file.toString(), image, origin, entry, words, relatives),
        againCents: againCentsOfFile(recipeIn(origin), entry, this.foundation.session),
      };
    } catch (error) {
      this.foundation.log.error(`How it was made: ${reasonOf(error)}`);
      return sentenceOf(error);
    }
  }

  /** The images that it came from, and those that came from it, as far as they're found: the rest comes later. */
  private relativesOf(about: About, origin: FileOrigin, webview: vscode.Webview): OriginRelatives[] {
    const page = this.pages.get(keyOf(about));
    if (!page) return [];
    const { sha256 } = origin.record?.spooled ?? {};
    const hashes = [origin.change === 'replaced' ? undefined : sha256, origin.sha256].flatMap((one) => one ?? []);
    const inputs = recipeIn(origin)?.inputs ?? {};
    const of = JSON.stringify([hashes, givenImagesIn(inputs).map((image) => image.sha256)]);
    if (page.relatives.of !== of) {
      page.relatives = { of, parents: [], children: [] };
      void this.findRelatives(page, inputs, new Set(hashes), 'file' in about ? about.file : undefined);
    }
    const { parents, children } = page.relatives;
    const shown = ({ name, picture }: Relative) => ({
      name,
      address: picture && webview.asWebviewUri(picture).toString(),
    });
    return [
      { title: vscode.l10n.t('Made from'), images: parents.map(shown) },
      { title: vscode.l10n.t('Used for'), images: children.map(shown) },
    ];
  }

  private isOpen(page: OriginPanel): boolean {
    return [...this.pages.values()].includes(page);
  }

  /** Never rejects: the rest of the page needs none. */
  private async findRelatives(
    page: OriginPanel,
    inputs: JsonObject,
    hashes: ReadonlySet<string>,
    near: vscode.Uri | undefined,
  ): Promise<void> {
    const { of } = page.relatives;
    try {
      const found = await this.relatives.get();
      const isWanted = () => page.relatives.of === of && this.isOpen(page);
      const show = (parents: readonly Relative[], children: readonly Relative[]) => {
        if (!isWanted() || parents.length + children.length === 0) return;
        page.relatives = { of, parents, children };
        page.conversation.refresh();
      };
      const [parents, children] = await Promise.all([found.parents(inputs), found.children(hashes)]);
      show(parents, children);
      const known = new Set(children.map(({ record }) => record?.file));
      const stated = near ? await found.statedNear(near, hashes, known, isWanted) : [];
      if (stated.length > 0) show(parents, [...children, ...stated]);
    } catch (error) {
      this.foundation.log.warn(`How it was made: ${reasonOf(error)}`);
    }
  }

  /** The page about it, or what was sent of it, if that's all there is. Never rejects: failures are reported. */
  private async openRelative(key: string, index: number): Promise<void> {
    const { parents, children } = this.pages.get(key)?.relatives ?? { parents: [], children: [] };
    const relative = [...parents, ...children][index];
    if (!relative) return;
    try {
      const file = await (await this.relatives.get()).fileOf(relative);
      if (file && vscode.workspace.getWorkspaceFolder(file)) await this.open(file);
      else if (relative.record) await this.open({ id: relative.record.key });
      else if (file) await vscode.commands.executeCommand('vscode.open', file);
      else throw new UserError(vscode.l10n.t('“{0}” is no longer on this computer.', plain(relative.name, 60)));
    } catch (error) {
      this.foundation.log.error(`How it was made: ${reasonOf(error)}`);
      void showProblem(sentenceOf(error), remedyOf(error));
    }
  }

  /** Never rejects: failures are reported. */
  private async act(action: OriginAction, isPriced: boolean, about: About, look: () => Promise<Seen>): Promise<void> {
    try {
      if (action === 'copyAsText') await copyAsText(about, await look());
      else if ('file' in about) await this.carryOut(action, isPriced, about.file);
      else {
        const render = { id: about.render };
        await vscode.commands.executeCommand(commandsOfRender[action], isPriced ? ours(render) : render);
      }
    } catch (error) {
      this.foundation.log.error(`How it was made: ${reasonOf(error)}`);
      void showProblem(sentenceOf(error), remedyOf(error));
    }
  }

  private async carryOut(
    action: Exclude<OriginAction, 'copyAsText'>,
    isPriced: boolean,
    file: vscode.Uri,
  ): Promise<void> {
    // A copy of its own: whoever opened the page has the other.
    const own = vscode.Uri.from(file);
    switch (action) {
      case 'renderAgain':
        return vscode.commands.executeCommand(commands.renderFileAgain, isPriced ? ours(own) : own);
      case 'copyPrompt':
        return vscode.commands.executeCommand(commands.copyFilePrompt, file);
      case 'openInForm':
        return openFileInForm(file, await this.foundation.renders.get(), this.openForm);
      case 'openFile':
        return vscode.commands.executeCommand('vscode.open', file);
    }
  }

  /** The resources the page may load: its own script and style, and the file's folder. */
  private optionsOf(about: About): vscode.WebviewOptions {
    const folders = 'file' in about ? [folderUriOf(about.file.toString())] : [];
    const pictures = relativeFolders(this.foundation.memory);
    return { enableScripts: true, localResourceRoots: [...pictures, ...folders] };
  }
}

const commandsOfRender = {
  openFile: commands.openResult,
  copyPrompt: commands.copyPrompt,
  renderAgain: commands.renderAgain,
  openInForm: commands.openInForm,
} as const;

function keyOf(about: About): string {
  return 'file' in about ? about.file.toString() : about.render;
}

function entryOf(id: string, library: Renders['library']): LibraryEntry | undefined {
  return library.get(id) ?? library.ofRecord(id);
}

/** The page about a render is that of its file, as long as that is the file it was saved as. */
async function aboutRender(id: string, renders: Renders): Promise<About> {
  const entry = entryOf(id, renders.library);
  if (!entry) throw new UserError(gone());
  const { record } = entry;
  if (entry.file === undefined || !record || record.staged) return { render: id };
  const file = vscode.Uri.parse(entry.file, true);
  const origin = await fileOrigin(file, renders);
  return origin.record?.key === record.key && origin.change !== 'replaced' ? { file } : { render: id };
}

function gone(): string {
  return vscode.l10n.t('This render is no longer in the list.');
}

function tabTitleOf(about: About, { library }: Renders): string {
  return 'file' in about
    ? oneLine(fileNameOf(about.file.toString()), 60)
    : titleOfRender(entryOf(about.render, library));
}

function titleOfRender(entry: LibraryEntry | undefined): string {
  return entry ? oneLine(titleOf(entry), 60) : gone();
}

async function copyAsText(about: About, { origin, entry }: Seen): Promise<void> {
  const file = 'file' in about ? about.file : undefined;
  const words = originWords(file ? unreadWords(file, origin.unread) : []);
  await vscode.env.clipboard.writeText(originText(file?.toString(), origin, entry, words));
}

/**
 * Phrases about a file's origin, in the editor's language. `unread` are sentences about the parts that couldn't be
 * read.
 */
export function originWords(unread: readonly string[]): OriginWords {
  return {
    ...detailWords(),
    withoutFile: ({ file, state, record }) =>
      file === undefined || state !== 'saved' || record?.staged
        ? vscode.l10n.t('This render isn’t saved as a file.')
        : vscode.l10n.t('The file of this render was moved, changed, or deleted.'),
    title: titleOfRender,
    introduction: (origin) => [...introduction(origin, unread.length > 0), ...unread].join(' '),
    promptLeftOut: vscode.l10n.t('The prompt was left out.'),
  };
}

function introduction(origin: Origin, isUnread: boolean): string[] {
  if (origin.record) return [recorded(origin)];
  switch (origin.fileRecord?.where) {
    case 'inside':
      return [
        vscode.l10n.t(
          'This file isn’t in your render history. The details below come from the file itself, which anyone can edit.',
        ),
        inside(origin),
      ];
    case 'beside':
      return [
        vscode.l10n.t(
          'This file isn’t in your render history. The details below come from its sidecar file, which anyone can edit.',
        ),
        beside(origin),
      ];
    case undefined:
      if (isUnread) return [vscode.l10n.t('This file isn’t in your render history.')];
      return [
        vscode.l10n.t('There’s no record of how this file was made: not in your history, the file, or a sidecar file.'),
      ];
  }
}

function recorded({ change }: Extract<Origin, { record: RenderRecord }>): string {
  switch (change) {
    case 'none':
      return vscode.l10n.t('Rendered on this computer. The file hasn’t changed since it was saved.');
    case 'metadata':
      return vscode.l10n.t('Rendered on this computer. Only metadata has changed; the image is the same.');
    case 'replaced':
      return vscode.l10n.t('A render was saved under this name. The file has since been changed or replaced.');
    case 'unknown':
      return vscode.l10n.t('A render was saved under this name. We can’t tell whether the file has changed since.');
  }
}

function inside({ change }: Origin): string {
  return change === 'none'
    ? vscode.l10n.t('The image matches this record.')
    : vscode.l10n.t('The file has changed since this was recorded.');
}

function beside({ change }: Origin): string {
  if (change === 'none') return vscode.l10n.t('The file matches this record.');
  return change === 'changed'
    ? vscode.l10n.t('The file has changed since this was recorded.')
    : vscode.l10n.t('We can’t tell whether the file has changed since.');
}

/**
 * The price on the page's button, euro cents, which a press agrees to. Undefined where something else is to be known
 * first: anyone can have written it into the file, or it was made on another service.
 */
function againCentsOfFile(
  recipe: Recipe | undefined,
  entry: LibraryEntry | undefined,
  session: Session,
): number | undefined {
  const isOurs = recipe?.isProven && elsewhere(recipe.service, session) === undefined;
  return isOurs && entry ? againCentsOf(entry) : undefined;
}

/**
 * Renders a file's inputs again, to compare the result with it, after the price was confirmed. Undefined when it
 * wasn't.
 */
export async function renderFileAgain(
  item: unknown,
  renders: Renders,
  session: Session,
  connection: Connection,
  openForm: OpenForm,
): Promise<RenderRecord | undefined> {
  const file = fileOf(item);
  const origin = await fileOrigin(file, renders);
  const recipe = recipeOf(file, origin, renders);
  const { modelId, inputs, service, promptLeftOut } = recipe;
  if (promptLeftOut) {
    await openForm(modelId, inputs);
    void vscode.window.showInformationMessage(
      vscode.l10n.t('This file doesn’t include its prompt. Enter a prompt in the form to render it again.'),
    );
    return undefined;
  }
  const target = { ...(await placeOf(file, renders)), fit: recipe.fit && fitAt(file.path, recipe.fit) };
  if (!recipe.isProven) {
    const way = await askAbout(recipe, file);
    if (way === 'form') await openForm(modelId, inputs, { target });
    if (way !== 'price') return undefined;
  }
  await connection.ready();
  const title = promptOf(undefined, inputs) || modelId;
  const detail = elsewhere(service, session);
  const initiator = initiatorOf(item);
  const entry = origin.record && renders.library.ofRecord(origin.record.key);
  const seenCents = initiator === 'user' ? againCentsOfFile(recipe, entry, session) : undefined;
  return renderAgain({ title, modelId, inputs, target, detail, initiator, seenCents }, renders.orders, connection);
}

/** Opens the form with the inputs that a file was made from. */
async function openFileInForm(file: vscode.Uri, renders: Renders, openForm: OpenForm): Promise<void> {
  const { modelId, inputs } = recipeOf(file, await fileOrigin(file, renders), renders);
  await openForm(modelId, inputs);
}

/**
 * The same for an image that was dropped on a form. False if anyone could have written that into it: a form would send
 * it for its price. Rejects with UserError.
 */
async function openProvenInForm(file: vscode.Uri, renders: Renders, openForm: OpenForm): Promise<boolean> {
  if (!vscode.workspace.getWorkspaceFolder(file))
    throw new UserError(vscode.l10n.t('“{0}” isn’t in an open folder.', fileTitleOf(file)));
  const { modelId, inputs, isProven = false } = recipeOf(file, await fileOrigin(file, renders), renders);
  if (isProven) await openForm(modelId, inputs);
  return isProven;
}

/** Copies the prompt that a file was made from. */
export async function copyFilePrompt(item: unknown, renders: Renders): Promise<void> {
  const file = fileOf(item);
  const { inputs, promptLeftOut } = recipeOf(file, await fileOrigin(file, renders), renders);
  const prompt = promptLeftOut ? '' : promptOf(undefined, inputs);
  if (prompt === '') throw new UserError(vscode.l10n.t('No prompt is recorded for “{0}”.', fileTitleOf(file)));
  await vscode.env.clipboard.writeText(prompt);
}

/** Copies a link to an image, in the active document's syntax. */
export async function copyFileLink(item: unknown, renders: Renders, { links }: Documents): Promise<void> {
  await copyLinks([await shownImage(fileOf(item), renders)], links);
}

/** Metadata from a file is shown before any of it is sent, even for a price. Undefined when the user declines. */
async function askAbout({ modelId, inputs }: Recipe, file: vscode.Uri): Promise<'form' | 'price' | undefined> {
  const [form, price] = [vscode.l10n.t('Open Form'), vscode.l10n.t('Show Price')];
  const prompt = promptOf(undefined, inputs);
  const others = Object.keys(inputs).length - (prompt === '' ? 0 : 1);
  const detail = [
    vscode.l10n.t('Model: {0}', oneLine(modelId, 120)),
    ...(prompt === '' ? [] : [vscode.l10n.t('Prompt: {0}', plain(prompt, 200))]),
    vscode.l10n.t('Other inputs: {0}', others),
    '',
    vscode.l10n.t(
      'Anyone could have written this into the file. Check all of it in the form before you send anything.',
    ),
  ].join('\n');
  const question = vscode.l10n.t('Render again with the inputs stored in “{0}”?', fileTitleOf(file));
  // What the file says of an image may not be what that image shows: the form shows the image itself.
  const buttons = namesKeptImage(inputs) ? [form] : [form, price];
  const response = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...buttons);
  return response === form ? 'form' : response === price ? 'price' : undefined;
}

function recipeOf(file: vscode.Uri, origin: FileOrigin, renders: Renders): Recipe {
  const recipe = recipeIn(origin, (record) => renders.library.inputsOf({ record, inputs: record.inputs }));
  if (recipe) return recipe;
  const [unread] = unreadWords(file, origin.unread);
  throw new UserError(unread ?? vscode.l10n.t('There’s no record of how “{0}” was made.', fileTitleOf(file)));
}

function fileTitleOf(file: vscode.Uri): string {
  return plain(fileNameOf(file.toString()), 60);
}

async function placeOf(file: vscode.Uri, { targets }: Renders): Promise<Target> {
  return vscode.workspace.getWorkspaceFolder(file) ? targets.replacing(file) : targets.default();
}

/** Another service may have another model of that name, or none. */
function elsewhere(service: string | undefined, session: Session): string | undefined {
  const { place } = session.state;
  if (service === undefined || !place || placeName(place) === service) return undefined;
  return vscode.l10n.t(
    'It was made on “{0}”. Now it would be rendered on “{1}”.',
    oneLine(service),
    oneLine(placeName(place)),
  );
}
