import * as vscode from 'vscode';
import { type Clock, systemClock, systemRandom } from '../../base/clock';
import { Rhythm } from '../../base/concurrency';
import { type Disposable, Disposables, Emitter, type Lazy } from '../../base/disposable';
import type { GivenImage } from '../../base/givenImage';
import { type JsonObject, frozenInputs } from '../../base/json';
import type { Log } from '../../base/log';
import { oneLine } from '../../base/plain';
import { mayMake, seedVariants } from '../../catalog/fields';
import type { Quotes } from '../../catalog/quotes';
import type { Session } from '../../catalog/session';
import { type DraftRequest, Offer } from '../../compose/offer';
import type { Occasion, OpenForm } from '../../compose/openForm';
import type { StyleSource } from '../../compose/projectStyles';
import { pickPrompt, promptsBefore } from '../../compose/promptsBefore';
import type { LinkPlace } from '../../documents/link';
import { type KeptForm, readKeptForm } from '../../editor/formRequests';
import { commands, formViewType } from '../../editor/ids';
import { ours } from '../../editor/initiator';
import { PageFiles } from '../../editor/pages';
import { remedyOf, sentenceOf } from '../../editor/words';
import { cellOf, documentFile, documentFolder, openFolders, targetFile } from '../../editor/workspaceFiles';
import { foldersOf } from '../../files/folder';
import { imagesOf } from '../../files/givenImages';
import { fileNameOf } from '../../files/names';
import { isInside } from '../../files/sameFile';
import type { LoadedFoundation, Verbs } from '../../foundation';
import { type Library, type LibraryEntry, seenCentsOf } from '../../renders/library';
import { stagedFolder } from '../../renders/placement';
import { besides, type RenderRecord, type Target } from '../../renders/record';
import { type Thumbnails, thumbnailsFolder } from '../../renders/thumbnails';
import type { Connection } from '../account/connection';
import { removeOthers, renderVariants } from '../compare/compareActions';
import type { DocumentLinks } from '../links/documentLinks';
import { linkPlaceAt } from '../links/linkPlace';
import { renderAndInsert } from '../links/renderAndInsert';
import { keptModelsIn, UsedModels } from '../models/model/keptModels';
import { Drafts, type OpenedForm } from '../models/model/drafts';
import { LastModel } from '../models/model/lastModel';
import { blockerOf } from '../rendering/renderWords';
import type { Renders } from '../rendering/renders';
import { folderWords, isOpenTarget, type Targets } from '../rendering/targets';
import { thumbnailOf } from '../rendering/thumbnailsOf';
import { translated, translatedActions } from '../rendering/translated';
import { imagePort } from './imagePort';
import { earlierImages } from './model/examples';
import { FormConversation, type FormDeps } from './model/formConversation';
import type { FormHost } from './model/formHost';
import type { FormImageFiles } from './model/formImages';
import type { LinkTarget } from './model/formTarget';
import { englishFormStrings } from './page/formMessages';

/** The forms of this window. */
export function openForms(foundation: LoadedFoundation, links: DocumentLinks, verbs: Verbs): FormPanels {
  const { context, session, quotes, connection, renders, styles, log } = foundation;
  const { workspaceState, globalState } = foundation.memory;
  const lastEditor = new LastEditor();
  const panels: FormPanels = new FormPanels({
    pages: new FormPages(context),
    session,
    connection,
    library: renders.library,
    viewers: renders.viewers,
    postponed: renders.tomorrow,
    usualMs: ({ record }) => record && renders.usualMs(record),
    newOffer: () => offerAtRest(session, quotes),
    earlierPrompts: (kind) => promptsBefore(renders.library, kind),
    thumbnails: renders.results.thumbnails,
    drafts: new Drafts(workspaceState, globalState),
    styles,
    port: portOf(
      foundation,
      links,
      lastEditor,
      (key) => panels.isShowing(key),
      async (modelId, inputs, target) => {
        const fit = await verbs.whatFits(modelId, inputs);
        if (!fit || fit.model.id === modelId) return fit?.inputs;
        await panels.open(fit.model.id, fit.inputs, { target });
        return undefined;
      },
    ),
    usedModels: new UsedModels(keptModelsIn(context.globalStorageUri.fsPath), session, versionOf(context), log),
    images: imagePort(imagesOf(context)),
    linkTarget: (ordered) => linkTarget(ordered, renders.targets, links),
    lastEditor,
    clock: systemClock,
    log,
  });
  return panels;
}

function versionOf({ extension }: vscode.ExtensionContext): string {
  const { version } = extension.packageJSON as { readonly version?: unknown };
  return String(version);
}

/** If ordered again it would go to that file, so an edited order goes there too. */
async function linkTarget(ordered: Target, targets: Targets, links: DocumentLinks): Promise<LinkTarget | undefined> {
  const target = await targets.again(ordered);
  const file = targetFile(target);
  // A document here can't name a file of another project.
  if (!file || !vscode.workspace.getWorkspaceFolder(file)) return undefined;
  const document = await links.documentWith(file);
  return {
    target,
    path: oneLine(vscode.workspace.asRelativePath(file), 200),
    document: document && oneLine(fileNameOf(documentFile(document.uri).toString()), 60),
  };
}

/** An offer that is priced when the user pauses, by the rhythm of their edits. */
function offerAtRest(session: Session, quotes: Quotes): Offer {
  const rhythm = new Rhythm(systemClock);
  const debounceMs = () => {
    rhythm.beat();
    return rhythm.restMs;
  };
  return new Offer(quotes, () => session.client, systemClock, systemRandom, debounceMs);
}

function portOf(
  foundation: LoadedFoundation,
  links: DocumentLinks,
  lastEditor: LastEditor,
  isShowing: (key: string) => boolean,
  whatFits: FormHost['whatFits'],
): FormHost {
  const { renders, session, memory } = foundation;
  const { targets } = renders;
  const lastModel = new LastModel(memory.globalState);
  /** Links and quick renders, which are for images, start with the model. */
  const keepLast = async (modelId: string) => {
    const model = await session.readModel(modelId);
    if (model && mayMake(model, 'image')) await lastModel.keep(modelId);
  };
  return {
    whatFits,
    openRecipe: async (uri) => vscode.commands.executeCommand(commands.howMade, vscode.Uri.parse(uri, true), true),
    render: async (orders, place, typedInputs, recorded) => {
      const [order, ...others] = orders;
      if (!order) return;
      const placed = (record: RenderRecord) => {
        void keepLast(record.modelId);
        recorded(record);
      };
      if (others.length > 0) {
        await renderVariants(orders, 'user', foundation, undefined, undefined, placed);
        return;
      }
      // The price was on the button that was pressed.
      const record = await (place
        ? renderAndInsert(order, place, renders, links, 'user', typedInputs)
        : renders.orders.render(order, 'user'));
      // The form shows the result, so no notification covers it, and no editor opens next to it.
      if (record && !record.target.replaces) renders.shows.set(record.key, () => isShowing(record.key));
      if (record) placed(record);
    },
    renderMore: async (id, count, seenCents, placed) => {
      const entry = renders.library.get(id);
      const { modelId, record } = entry ?? {};
      if (!entry || modelId === undefined) return;
      const { fields } = await session.model(modelId);
      const [, ...others] = seedVariants(fields, renders.library.inputsOf(entry), count + 1, systemRandom);
      const target = record?.target.root === undefined ? targets.default() : besides(record.target);
      const drafts = others.map((inputs) => {
        return { intent: systemRandom.uuid(), modelId, inputs: frozenInputs(inputs), target };
      });
      const together = drafts.map(({ intent }) => intent);
      const seen = Math.min(seenCents, seenCentsOf(entry) ?? 0);
      const orders = renders.orders.atSeenPrice(drafts, seen);
      await renderVariants(orders, 'user', foundation, undefined, undefined, (started) => {
        void keepLast(modelId);
        placed(started, together);
      });
    },
    pickPrompt,
    removeOthers: (keys, kept) => removeOthers(keys, kept, renders),
    linkPlace: ({ root }) => {
      const { place } = lastEditor;
      const folder = place && documentFolder(vscode.Uri.parse(place.uri, true));
      return root === undefined || root === folder?.uri.toString() ? place : undefined;
    },
    onDidChangeLinkPlace: lastEditor.onDidChange,
    defaultTarget: () => targets.shown(),
    isOpen: isOpenTarget,
    isRestricted: () => !vscode.workspace.isTrusted,
    chooseTarget: (current) => targets.choose(current),
    previewName: (target, model, inputs) => targets.freeName(target, model, inputs),
    onDidChangeNames: targets.onDidChangeNames,
  };
}

/**
 * The editor the user was last writing in, even while a form or a tree has the focus, or the form's tab hides the
 * document.
 */
class LastEditor implements Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new Emitter<void>());
  private last: { readonly document: vscode.TextDocument; readonly cursor: number } | undefined;

  /** `place` may have changed. */
  readonly onDidChange = this.changed.event;

  constructor() {
    const { window, workspace } = vscode;
    this.own.add(window.onDidChangeActiveTextEditor((editor) => this.take(editor)));
    this.own.add(
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === window.activeTextEditor || textEditor.document === this.last?.document)
          this.take(textEditor);
      }),
    );
    this.own.add(workspace.onDidChangeTextDocument((change) => this.follow(change)));
    this.own.add(
      workspace.onDidCloseTextDocument((document) => {
        if (document === this.last?.document) this.put(undefined);
      }),
    );
    this.take(window.activeTextEditor);
  }

  /** The place for a link there; undefined when none is possible. */
  get place(): LinkPlace | undefined {
    return this.last && linkPlaceAt(this.last.document, this.last.document.positionAt(this.last.cursor));
  }

  dispose(): void {
    this.own.dispose();
  }

  /** Output and similar documents are shown in editors too, but without a column, as a notebook's cells are. */
  private take(editor: vscode.TextEditor | undefined): void {
    if (!editor || (editor.viewColumn === undefined && !cellOf(editor.document.uri))) return;
    const { document, selection } = editor;
    this.put({ document, cursor: document.offsetAt(selection.end) });
  }

  /** The cursor of a hidden document moves with edits before it. */
  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (document !== this.last?.document) return;
    let { cursor } = this.last;
    for (const { rangeOffset, rangeLength, text } of contentChanges)
      if (rangeOffset <= cursor) cursor = Math.max(rangeOffset, cursor - rangeLength) + text.length;
    this.put({ document, cursor });
  }

  private put(last: typeof this.last): void {
    this.last = last;
    this.changed.fire();
  }
}

/** The parts that the form's panels share. */
export interface FormPanelDeps {
  readonly pages: FormPages;
  readonly session: Session;
  readonly connection: Connection;
  readonly library: Library;
  readonly viewers: Renders['viewers'];
  readonly postponed: FormDeps['postponed'];
  /** How long a render like the entry usually takes, ms; undefined when unknown. */
  readonly usualMs: (entry: LibraryEntry) => number | undefined;
  /** What one form orders. */
  readonly newOffer: () => Offer;
  readonly earlierPrompts: FormDeps['earlierPrompts'];
  readonly thumbnails: Thumbnails;
  readonly drafts: Drafts;
  readonly usedModels: UsedModels;
  readonly styles: StyleSource;
  readonly port: FormHost;
  readonly images: FormImageFiles & { pathOf(image: GivenImage): string };
  /** The target's file, if a document may name it and it's missing; undefined for any other target. */
  linkTarget(target: Target): Promise<LinkTarget | undefined>;
  /** Tracks insertion places for the port; disposed with the forms. */
  readonly lastEditor: Disposable;
  readonly clock: Clock;
  readonly log: Log;
}

interface Form {
  readonly panel: vscode.WebviewPanel;
  readonly conversation: FormConversation;
}

/** The forms of this window, one for each model. They are restored when the window reloads. */
class FormPanels implements vscode.WebviewPanelSerializer, Disposable {
  private readonly own = new Disposables();
  private readonly forms = new Map<string, Form>();
  /** The forms that were open in the previous window. */
  private readonly openBefore: readonly OpenedForm[];

  constructor(private readonly parts: FormPanelDeps) {
    this.openBefore = parts.drafts.open();
    this.own.add(parts.lastEditor);
    this.own.add(
      parts.library.onDidMove(({ now: { state, target } }) => {
        if (state === 'sent') for (const { conversation } of this.forms.values()) conversation.leave(target);
      }),
    );
    // A result may have been saved outside the open folders.
    this.own.add(parts.library.onDidChange(() => this.renewOptions()));
    const shows = ({ id }: LibraryEntry) => this.isShowing(id);
    parts.viewers.add(shows);
    this.own.add({ dispose: () => parts.viewers.delete(shows) });
    this.own.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.retarget()));
    this.own.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.retarget()));
    this.own.add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('modelCatalog.output')) this.retarget();
      }),
    );
  }

  /** As `OpenForm` says, in `begun` unless the model's form is open already. */
  async open(
    modelId: string,
    inputs?: JsonObject,
    { refused, target, image, style }: Occasion = {},
    begun?: FormPage,
  ): Promise<void> {
    const link = target && (await this.parts.linkTarget(target));
    const open = this.forms.get(modelId);
    if (open) begun?.panel.dispose();
    else if (begun?.isClosed) return;
    const { conversation } = open ?? this.adopt(modelId, begun ?? this.parts.pages.begin(modelId));
    if (inputs) conversation.show(inputs, refused, style);
    if (image) conversation.fill(image);
    // New inputs are no longer about the earlier link.
    if (inputs || link) conversation.forLink(link);
    if (open) open.panel.reveal();
  }

  /** The render that the active form would order; undefined without one. */
  get request(): DraftRequest | undefined {
    return this.active?.request;
  }

  /** The same for its next result alone, which may be for a link. */
  get next(): DraftRequest | undefined {
    return this.active?.next;
  }

  private get active(): FormConversation | undefined {
    return [...this.forms.values()].find(({ panel }) => panel.active)?.conversation;
  }

  /** Empties the model's form if it has that text: see `FormConversation.forget`. */
  forget(modelId: string, text: string): void {
    this.forms.get(modelId)?.conversation.forget(text);
  }

  /** Renders were forgotten: their prompts can't be brought back. */
  renewPrompts(): void {
    for (const { conversation } of this.forms.values()) conversation.postPrompts();
  }

  /** True while a form that is visible shows this render. */
  isShowing(key: string): boolean {
    return [...this.forms.values()].some(
      ({ panel, conversation }) => panel.visible && conversation.resultIds.includes(key),
    );
  }

  /** A panel of an earlier window; closes if its model is unknown or already has a form. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const kept = readKeptForm(state);
    const modelId = kept?.modelId ?? this.modelOf(panel);
    if (modelId === undefined || this.forms.has(modelId)) panel.dispose();
    else this.adopt(modelId, this.parts.pages.restore(panel, modelId), kept);
    return Promise.resolve();
  }

  /** After a crash the editor restores panels, but not their state. */
  private modelOf({ title }: vscode.WebviewPanel): string | undefined {
    return this.openBefore.find((form) => form.title === title && !this.forms.has(form.modelId))?.modelId;
  }

  /** The panels stay: the editor restores them when the extension starts again. */
  dispose(): void {
    for (const { conversation } of this.forms.values()) conversation.dispose();
    this.forms.clear();
    this.own.dispose();
  }

  /** What a form with these results may load: also the folders that they were saved to. */
  private options(results: readonly string[]): vscode.WebviewOptions {
    const { pages, library } = this.parts;
    const images = results.map((id) => library.get(id)).filter((entry) => entry?.mediaType?.startsWith('image/'));
    const files = images.flatMap((entry) => entry?.file ?? []);
    const elsewhere = files.filter((file) => !pages.everywhere.some((root) => isInside(file, root.toString())));
    return pages.options(foldersOf(elsewhere).map((folder) => vscode.Uri.parse(folder, true)));
  }

  private adopt(modelId: string, page: FormPage, kept?: KeptForm): Form {
    const { panel } = page;
    const conversation = new FormConversation(modelId, this.depsOf(panel), kept);
    const form = { panel, conversation };
    this.forms.set(modelId, form);
    this.keepOpen();
    panel.webview.options = this.options(conversation.resultIds);
    panel.onDidDispose(() => {
      conversation.dispose();
      if (this.forms.delete(modelId)) this.keepOpen();
    });
    page.listen((message) => conversation.receive(message));
    return form;
  }

  private keepOpen(): void {
    void this.parts.drafts.keepOpen([...this.forms].map(([modelId, { panel }]) => ({ modelId, title: panel.title })));
  }

  /** The tab has the model's name once that was read. */
  private entitle(panel: vscode.WebviewPanel, modelTitle: string): void {
    const title = oneLine(modelTitle, 60);
    if (panel.title === title) return;
    panel.title = title;
    this.keepOpen();
  }

  private depsOf(panel: vscode.WebviewPanel): FormDeps {
    const { webview } = panel;
    const {
      session,
      connection,
      library,
      postponed,
      usualMs,
      newOffer,
      earlierPrompts,
      drafts,
      usedModels,
      styles,
      port,
      images,
      clock,
      log,
    } = this.parts;
    return {
      ...{
        session,
        library,
        postponed,
        usualMs,
        earlierPrompts,
        drafts,
        usedModels,
        styles,
        host: port,
        images,
        clock,
        log,
      },
      random: systemRandom,
      offer: newOffer(),
      strings: translated(englishFormStrings),
      locale: vscode.env.language,
      start: () => connection.start(),
      sentence: sentenceOf,
      remedy: remedyOf,
      blocker: blockerOf,
      folder: folderWords,
      imageUrl: (image) => webview.asWebviewUri(vscode.Uri.file(images.pathOf(image))).toString(),
      image: (entry) => this.imageOf(entry, webview),
      earlierImages: (id) => earlierImages(library.entries, openFolders(), id),
      thumbnail: (entry) => this.thumbnailOf(entry, webview) ?? this.imageOf(entry, webview),
      actions: translatedActions('form'),
      act: async (action, id) => vscode.commands.executeCommand(commands[action], ours({ id })),
      entitle: (title) => this.entitle(panel, title),
      post: (message) => void webview.postMessage(message),
    };
  }

  /** Only images, and only our files: saved, or waiting in the spool. */
  private imageOf(entry: LibraryEntry, webview: vscode.Webview): string | undefined {
    const spooled = entry.record?.spooled;
    if (!entry.mediaType?.startsWith('image/')) return undefined;
    const file = entry.file === undefined ? undefined : vscode.Uri.parse(entry.file, true);
    const waiting = spooled && vscode.Uri.joinPath(this.parts.pages.spool, spooled.name);
    const uri = file ?? waiting;
    return uri && webview.asWebviewUri(uri).toString();
  }

  private thumbnailOf(entry: LibraryEntry, webview: vscode.Webview): string | undefined {
    const uri = thumbnailOf(entry, this.parts.thumbnails);
    return uri && webview.asWebviewUri(uri).toString();
  }

  private retarget(): void {
    this.renewOptions();
    for (const { conversation } of this.forms.values()) conversation.retarget();
  }

  /** A page whose options change begins again; with the same ones it stays as it is. */
  private renewOptions(): void {
    for (const { panel, conversation } of this.forms.values())
      panel.webview.options = this.options(conversation.resultIds);
  }
}

/** The page of a form. What it says waits until its host's side is there to hear it. */
class FormPage {
  private readonly waiting: unknown[] = [];
  private hear = (message: unknown): void => void this.waiting.push(message);
  private closed = false;

  constructor(readonly panel: vscode.WebviewPanel) {
    panel.webview.onDidReceiveMessage((message: unknown) => this.hear(message));
    panel.onDidDispose(() => (this.closed = true));
  }

  /** The user closed it. */
  get isClosed(): boolean {
    return this.closed;
  }

  /** Calls back with every message, also with those until now. To be called once. */
  listen(hear: (message: unknown) => void): void {
    this.hear = hear;
    for (const message of this.waiting.splice(0)) hear(message);
  }
}

/** Begins the pages of forms, which load while the code for the host's side does. */
class FormPages {
  private readonly files: PageFiles;
  /** The folder that holds results until they are saved. */
  readonly spool: vscode.Uri;
  private readonly roots: readonly vscode.Uri[];

  constructor(context: vscode.ExtensionContext) {
    const { extensionUri, globalStorageUri } = context;
    this.files = new PageFiles(extensionUri, 'form');
    this.spool = vscode.Uri.joinPath(globalStorageUri, 'spool');
    const staged = vscode.Uri.joinPath(globalStorageUri, stagedFolder);
    const thumbnails = vscode.Uri.joinPath(globalStorageUri, thumbnailsFolder);
    this.roots = [this.spool, staged, thumbnails, vscode.Uri.file(imagesOf(context).folder)];
  }

  /** A page in the editor, for this model. */
  begin(modelId: string): FormPage {
    const { Active } = vscode.ViewColumn;
    const panel = vscode.window.createWebviewPanel(formViewType, titleOf(modelId), Active, this.options());
    return this.fill(panel, modelId);
  }

  /** The page of an earlier window. */
  restore(panel: vscode.WebviewPanel, modelId: string): FormPage {
    panel.webview.options = this.options();
    return this.fill(panel, modelId);
  }

  /**
   * What a form may load: its own script and style, results in the open folders, results waiting to be saved,
   * thumbnails, images given as inputs, and what is in the folders of these other files (URIs).
   */
  options(others: readonly vscode.Uri[] = []): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [...this.everywhere, ...others] };
  }

  /** The folders that every form may load from. */
  get everywhere(): readonly vscode.Uri[] {
    return [...this.roots, ...(vscode.workspace.workspaceFolders?.map((folder) => folder.uri) ?? [])];
  }

  private fill(panel: vscode.WebviewPanel, modelId: string): FormPage {
    const page = new FormPage(panel);
    panel.title = titleOf(modelId);
    panel.iconPath = this.files.icon;
    panel.webview.html = this.files.html(panel.webview, panel.title);
    return page;
  }
}

/**
 * As `OpenForm`. While the code for the window's first form loads, its page does too. Rejects when the ledger can't be
 * read.
 */
export async function openForm(
  forms: Lazy<FormPanels>,
  context: vscode.ExtensionContext,
  ...[modelId, inputs, occasion]: Parameters<OpenForm>
): Promise<void> {
  const begun = forms.ready ? undefined : new FormPages(context).begin(modelId);
  try {
    await (await forms.get()).open(modelId, inputs, occasion, begun);
  } catch (error) {
    begun?.panel.dispose();
    throw error;
  }
}

/** Until the model's name was read: the last segment of its id. */
function titleOf(modelId: string): string {
  return oneLine(modelId.slice(modelId.lastIndexOf('/') + 1), 60) || oneLine(modelId, 60);
}
