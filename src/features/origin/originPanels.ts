import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import { oneLine, plain } from '../../base/plain';
import { promptOf } from '../../catalog/fields';
import { placeName } from '../../catalog/placeName';
import type { Session } from '../../catalog/session';
import type { OpenForm } from '../../compose/openForm';
import { showProblem } from '../../editor/commands';
import { initiatorOf } from '../../editor/initiator';
import { commands, originViewType } from '../../editor/ids';
import { PageFiles } from '../../editor/pages';
import { UserError } from '../../editor/userError';
import { remedyOf, sentenceOf, unreadWords } from '../../editor/words';
import { fileOf, folderUriOf, loggedPath, shownFile, watchFiles } from '../../editor/workspaceFiles';
import { fileNameOf } from '../../files/names';
import { namesKeptImage } from '../../files/recordedImages';
import type { Foundation } from '../../foundation';
import { fitAt } from '../../renderFiles/targets';
import type { LibraryEntry } from '../../renders/library';
import type { Origin } from '../../renders/origin';
import type { RenderRecord, Target } from '../../renders/record';
import type { Connection } from '../account/connection';
import { detailWords } from '../generations/detailWords';
import { renderAgain } from '../generations/renderAgain';
import type { Documents } from '../links/documents';
import { copyLinks } from '../links/linkInsertions';
import { shownPicture } from '../links/shownPicture';
import { modelNames } from '../models/model/modelNames';
import { fileOrigin, type FileOrigin } from '../rendering/fileOrigin';
import { type Recipe, recipeIn } from '../rendering/model/recipe';
import type { Renders } from '../rendering/renders';
import { translated } from '../rendering/translated';
import { OriginConversation, originText, originView, type OriginWords, readKeptOrigin } from './model/originView';
import { englishOriginStrings, type OriginAction, type OriginView } from './page/originMessages';

/** What webviews can show as an image. */
const pictureEnding = /\.(png|jpe?g|gif|webp|avif|svg|bmp)$/i;

interface OriginPanel {
  readonly file: vscode.Uri;
  readonly panel: vscode.WebviewPanel;
  readonly conversation: OriginConversation;
}

interface Seen {
  readonly origin: FileOrigin;
  readonly entry: LibraryEntry | undefined;
}

/** The window's pages about how files were made, at most one for each file. */
export class OriginPanels implements vscode.WebviewPanelSerializer, Disposable {
  private readonly own = new Disposables();
  private readonly pages = new Map<string, OriginPanel>();
  private readonly files: PageFiles;

  constructor(
    private readonly foundation: Foundation,
    private readonly openForm: OpenForm,
  ) {
    this.files = new PageFiles(foundation.context.extensionUri, 'origin');
  }

  /**
   * Opens the page about a file, or reveals it with what is known now; with `inForm`, the form with what it was made
   * from, if that's certain.
   */
  async open(item: unknown, inForm?: unknown): Promise<void> {
    const file = fileOf(item);
    if (inForm === true && (await openProvenInForm(file, await this.foundation.renders.get(), this.openForm))) return;
    const page = this.pages.get(file.toString());
    page?.panel.reveal();
    page?.conversation.refresh();
    if (page) return;
    const { Active } = vscode.ViewColumn;
    this.adopt(vscode.window.createWebviewPanel(originViewType, titleOf(file), Active, this.optionsOf(file)), file);
  }

  /** A panel of an earlier window; closes if it isn't known which file it was about. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const kept = readKeptOrigin(state);
    if (kept && !this.pages.has(kept.file)) this.adopt(panel, vscode.Uri.parse(kept.file, true));
    else panel.dispose();
    return Promise.resolve();
  }

  /** The panels stay: the editor restores them when the extension starts again. */
  dispose(): void {
    this.own.dispose();
  }

  private adopt(panel: vscode.WebviewPanel, file: vscode.Uri): void {
    const { webview } = panel;
    const id = file.toString();
    const following = this.own.add(new Disposables());
    const look = this.follow(file, following);
    const conversation = new OriginConversation({
      log: this.foundation.log,
      strings: translated(englishOriginStrings),
      locale: vscode.env.language,
      look: () => this.view(file, webview, look),
      act: (action) => this.act(action, file, look),
      post: (message) => void webview.postMessage(message),
    });
    this.pages.set(id, { file, panel, conversation });
    following.add(watchFiles([id], () => conversation.refresh()));
    webview.options = this.optionsOf(file);
    panel.title = titleOf(file);
    panel.iconPath = this.files.icon;
    webview.onDidReceiveMessage((data: unknown) => conversation.receive(data));
    panel.onDidDispose(() => {
      following.dispose();
      this.pages.delete(id);
    });
    webview.html = this.files.html(webview, panel.title);
  }

  /** Looks at the file when called; from then on, the page is refreshed when the file's render changes. */
  private follow(file: vscode.Uri, following: Disposables): () => Promise<Seen> {
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
      if (origin.record ?? origin.told) resultFolders.add([file.toString()]);
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

  private async view(
    file: vscode.Uri,
    webview: vscode.Webview,
    look: () => Promise<Seen>,
  ): Promise<OriginView | string> {
    try {
      const [{ origin, entry }, modelName] = await Promise.all([look(), modelNames(this.foundation.session)]);
      const picture = pictureEnding.test(file.path) ? { address: (await shownFile(file, webview)).address } : undefined;
      const path = (uri: string) => loggedPath(vscode.Uri.parse(uri));
      const words = { ...originWords(unreadWords(file, origin.unread)), modelName, path };
      return originView(file.toString(), picture, origin, entry, words);
    } catch (error) {
      this.foundation.log.error(`How it was made: ${reasonOf(error)}`);
      return sentenceOf(error);
    }
  }

  /** Never rejects: failures are reported. */
  private async act(action: OriginAction, file: vscode.Uri, look: () => Promise<Seen>): Promise<void> {
    try {
      await this.carryOut(action, file, look);
    } catch (error) {
      this.foundation.log.error(`How it was made: ${reasonOf(error)}`);
      void showProblem(sentenceOf(error), remedyOf(error));
    }
  }

  private async carryOut(action: OriginAction, file: vscode.Uri, look: () => Promise<Seen>): Promise<void> {
    switch (action) {
      case 'renderAgain':
        return vscode.commands.executeCommand(commands.renderFileAgain, file);
      case 'copyPrompt':
        return vscode.commands.executeCommand(commands.copyFilePrompt, file);
      case 'openInForm':
        return openFileInForm(file, await this.foundation.renders.get(), this.openForm);
      case 'openFile':
        return vscode.commands.executeCommand('vscode.open', file);
      case 'copyAsText': {
        const { origin, entry } = await look();
        const words = originWords(unreadWords(file, origin.unread));
        return vscode.env.clipboard.writeText(originText(file.toString(), origin, entry, words));
      }
    }
  }

  /** The resources the page may load: its own script and style, and the file's folder. */
  private optionsOf(file: vscode.Uri): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [this.files.folder, folderUriOf(file.toString())] };
  }
}

function titleOf(file: vscode.Uri): string {
  return vscode.l10n.t('{0} (how it was made)', oneLine(fileNameOf(file.toString()), 60));
}

/**
 * Phrases about a file's origin, in the editor's language. `unread` are sentences about the parts that couldn't be
 * read.
 */
export function originWords(unread: readonly string[]): OriginWords {
  return {
    ...detailWords(),
    introduction: (origin) => [...introduction(origin, unread.length > 0), ...unread].join(' '),
    promptLeftOut: vscode.l10n.t('The prompt was left out.'),
  };
}

function introduction(origin: Origin, isUnread: boolean): string[] {
  if (origin.record) return [ours(origin)];
  switch (origin.told?.where) {
    case 'inside':
      return [
        vscode.l10n.t(
          'This file isn’t in this editor’s render history. The details below come from the file itself, which anyone can edit.',
        ),
        inside(origin),
      ];
    case 'beside':
      return [
        vscode.l10n.t(
          'This file isn’t in this editor’s render history. The details below come from its sidecar file, which anyone can edit.',
        ),
        beside(origin),
      ];
    case undefined:
      if (isUnread) return [vscode.l10n.t('This file isn’t in this editor’s render history.')];
      return [
        vscode.l10n.t(
          'There’s no record of how this file was made. It isn’t in this editor’s render history, and neither the file nor a sidecar file says.',
        ),
      ];
  }
}

function ours({ change }: Extract<Origin, { record: RenderRecord }>): string {
  switch (change) {
    case 'none':
      return vscode.l10n.t('Rendered in this editor. The file hasn’t changed since it was saved.');
    case 'metadata':
      return vscode.l10n.t('Rendered in this editor. Only metadata has changed; the image is the same.');
    case 'replaced':
      return vscode.l10n.t('This editor saved a render under this name. The file has since been changed or replaced.');
    case 'unknown':
      return vscode.l10n.t(
        'This editor saved a render under this name. We can’t tell whether the file has changed since.',
      );
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
  const recipe = await recipeOf(file, renders);
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
  return renderAgain({ title, modelId, inputs, target, detail, initiator: initiatorOf(item) }, renders, connection);
}

/** Opens the form with the inputs that a file was made from. */
async function openFileInForm(file: vscode.Uri, renders: Renders, openForm: OpenForm): Promise<void> {
  const { modelId, inputs } = await recipeOf(file, renders);
  await openForm(modelId, inputs);
}

/**
 * The same for an image that was dropped on a form. False if anyone could have written that into it: a form would send
 * it for its price. Rejects with UserError.
 */
async function openProvenInForm(file: vscode.Uri, renders: Renders, openForm: OpenForm): Promise<boolean> {
  if (!vscode.workspace.getWorkspaceFolder(file))
    throw new UserError(vscode.l10n.t('“{0}” isn’t in an open folder.', nameOf(file)));
  const { modelId, inputs, isProven = false } = await recipeOf(file, renders);
  if (isProven) await openForm(modelId, inputs);
  return isProven;
}

/** Copies the prompt that a file was made from. */
export async function copyFilePrompt(item: unknown, renders: Renders): Promise<void> {
  const file = fileOf(item);
  const { inputs, promptLeftOut } = await recipeOf(file, renders);
  const prompt = promptLeftOut ? '' : promptOf(undefined, inputs);
  if (prompt === '') throw new UserError(vscode.l10n.t('No prompt is recorded for “{0}”.', nameOf(file)));
  await vscode.env.clipboard.writeText(prompt);
}

/** Copies a link to an image, in the active document's syntax. */
export async function copyFileLink(item: unknown, renders: Renders, { links }: Documents): Promise<void> {
  await copyLinks([await shownPicture(fileOf(item), renders)], links);
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
  const question = vscode.l10n.t('Render again with the inputs stored in “{0}”?', nameOf(file));
  // What the file says of an image may not be what that image shows: the form shows the image itself.
  const buttons = namesKeptImage(inputs) ? [form] : [form, price];
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...buttons);
  return answer === form ? 'form' : answer === price ? 'price' : undefined;
}

async function recipeOf(file: vscode.Uri, renders: Renders): Promise<Recipe> {
  const origin = await fileOrigin(file, renders);
  const recipe = recipeIn(origin, (record) => renders.library.inputsOf({ record, inputs: record.inputs }));
  if (recipe) return recipe;
  const [unread] = unreadWords(file, origin.unread);
  throw new UserError(unread ?? vscode.l10n.t('There’s no record of how “{0}” was made.', nameOf(file)));
}

function nameOf(file: vscode.Uri): string {
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
