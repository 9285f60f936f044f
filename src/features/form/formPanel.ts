import * as vscode from 'vscode';
import type { Clock } from '../../base/clock';
import { Owned, type Disposable } from '../../base/disposable';
import type { GivenImage } from '../../base/givenImage';
import type { JsonObject } from '../../base/json';
import type { Log } from '../../base/log';
import { systemRandom } from '../../base/random';
import type { LiveQuote } from '../../catalog/liveQuote';
import type { Session } from '../../catalog/session';
import { readKeptForm, type KeptForm } from '../../editor/formRequests';
import { englishFormStrings } from './page/formStrings';
import type { Library, LibraryEntry } from '../../renders/library';
import type { Target } from '../../renders/record';
import type { Connection } from '../account/connection';
import { ours } from '../../editor/gesture';
import { commands } from '../../editor/ids';
import type { Drafts } from '../models/model/drafts';
import { foldersOf } from '../../files/foldersOf';
import { isInside } from '../../files/sameFile';
import type { PriceWish } from '../../compose/priceWish';
import type { PriceOf } from '../../compose/variantOffer';
import { blockerOf } from '../rendering/renderWords';
import type { Renders } from '../rendering/renders';
import { folderWords } from '../rendering/targets';
import { remedyOf } from '../../editor/userError';
import { translated, translatedActions } from '../rendering/translated';
import { sentenceOf } from '../../editor/words';
import { FormConversation, type FormWorld } from './model/formConversation';
import type { ImagePort } from './model/formImages';
import type { FormPort } from './model/formPort';
import type { LinkTarget } from './model/formTarget';
import type { StyleShelf } from '../../compose/projectStyles';
import type { Occasion } from '../../compose/openForm';
import { titleOf, type FormPage, type FormPages } from './formPages';

/** The parts that the form's panels share. */
export interface FormParts {
  readonly pages: FormPages;
  readonly session: Session;
  readonly connection: Pick<Connection, 'start'>;
  readonly library: Library;
  readonly viewers: Renders['viewers'];
  /** How long a render like the entry usually takes, ms; undefined when unknown. */
  readonly usualMs: (entry: LibraryEntry) => number | undefined;
  /** A live price for one form. */
  readonly newQuote: () => LiveQuote;
  /** The price of one variant. */
  readonly priceOf: PriceOf;
  readonly earlierPrompts: FormWorld['earlierPrompts'];
  readonly drafts: Drafts;
  readonly styles: StyleShelf;
  readonly port: FormPort;
  readonly images: ImagePort & { pathOf(image: GivenImage): string };
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
export class FormPanels implements vscode.WebviewPanelSerializer, Disposable {
  private readonly own = new Owned();
  private readonly forms = new Map<string, Form>();
  /** The models whose forms were open in the previous window. */
  private readonly openBefore: readonly string[];

  constructor(private readonly parts: FormParts) {
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
  get wish(): PriceWish | undefined {
    return this.active?.wish;
  }

  /** The same for its next result alone, which may be for a link. */
  get next(): PriceWish | undefined {
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
    return this.openBefore.find((id) => titleOf(id) === title && !this.forms.has(id));
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
    const pictures = results.map((id) => library.get(id)).filter((entry) => entry?.mediaType?.startsWith('image/'));
    const files = pictures.flatMap((entry) => entry?.file ?? []);
    const elsewhere = files.filter((file) => !pages.everywhere.some((root) => isInside(file, root.toString())));
    return pages.options(foldersOf(elsewhere).map((folder) => vscode.Uri.parse(folder, true)));
  }

  private adopt(modelId: string, page: FormPage, kept?: KeptForm): Form {
    const { panel } = page;
    const conversation = new FormConversation(modelId, this.worldOf(panel.webview), kept);
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
    void this.parts.drafts.keepOpen([...this.forms.keys()]);
  }

  private worldOf(webview: vscode.Webview): FormWorld {
    const {
      session,
      connection,
      library,
      usualMs,
      newQuote,
      priceOf,
      earlierPrompts,
      drafts,
      styles,
      port,
      images,
      clock,
      log,
    } = this.parts;
    return {
      ...{ session, library, usualMs, priceOf, earlierPrompts, drafts, styles, port, images, clock, log },
      random: systemRandom,
      quote: newQuote(),
      strings: translated(englishFormStrings),
      locale: vscode.env.language,
      start: () => connection.start(),
      sentence: sentenceOf,
      remedy: remedyOf,
      blocker: blockerOf,
      folder: folderWords,
      imageUrl: (image) => webview.asWebviewUri(vscode.Uri.file(images.pathOf(image))).toString(),
      picture: (entry) => this.pictureOf(entry, webview),
      actions: translatedActions('form'),
      act: async (action, id) => vscode.commands.executeCommand(commands[action], ours({ id })),
      post: (message) => void webview.postMessage(message),
    };
  }

  /** Only images, and only our files: saved, or waiting in the spool. */
  private pictureOf(entry: LibraryEntry, webview: vscode.Webview): string | undefined {
    const spooled = entry.record?.spooled;
    if (!entry.mediaType?.startsWith('image/')) return undefined;
    const file = entry.file === undefined ? undefined : vscode.Uri.parse(entry.file, true);
    const waiting = spooled && vscode.Uri.joinPath(this.parts.pages.spool, spooled.name);
    const uri = file ?? waiting;
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
