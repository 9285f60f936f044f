import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import { escapeForIcons, oneLine, plain } from '../../base/plain';
import { edited, findPassage, insertingBelow, replacedPassage } from '../../documents/passage';
import type { Edit, Span } from '../../documents/scan';
import { showProblem } from '../../editor/commands';
import { responseScheme, type ResponseWay, commands } from '../../editor/ids';
import type { SelectedText } from '../../editor/selected';
import type { Notifications } from '../../editor/settings';
import { UserError } from '../../editor/userError';
import { remedyOf, sentenceOf } from '../../editor/words';
import { fileNameOf } from '../../files/names';
import { applyAsRead } from '../links/workspaceEdit';

/** A response that isn't here yet, to a text that was selected. */
export interface ExpectedResponse extends SelectedText {
  /** The key of its render. */
  readonly key: string;
  /** The model's name. */
  readonly model: string;
}

/** A text model's response about a passage of a document. */
export interface TextResponse extends ExpectedResponse {
  readonly text: string;
  /** Its charge, with the currency; undefined when the service doesn't say. */
  readonly cost: string | undefined;
}

/** Older ones are only in the Generations view. */
const mostResponses = 20;

type Way = (response: TextResponse) => Promise<unknown>;

/**
 * Responses that a user decides about: each is shown as a diff of its document, and applied to it, inserted below the
 * passage, or opened in a new file on request. Closed or discarded ones stay in the Generations view.
 */
export class Responses implements vscode.TextDocumentContentProvider, Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new vscode.EventEmitter<vscode.Uri>());
  /** By the URI of the document that shows it. A decision can be changed later, from the notification. */
  private readonly responses = new Map<string, TextResponse>();
  readonly onDidChange = this.changed.event;
  private readonly lenses = this.own.add(new PassageLenses());

  private readonly ways: Readonly<Record<ResponseWay, Way>> = {
    acceptAnswer: (response) => this.change(response, replacedPassage),
    insertAnswerBelow: (response) => this.change(response, insertingBelow),
    answerInNewFile: (response) => this.openInNewFile(response),
    discardAnswer: (response) => this.settle(response),
  };

  constructor() {
    this.own.add(vscode.workspace.registerTextDocumentContentProvider(responseScheme, this));
    this.own.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.follow(document)));
  }

  /** Shows at its passage that a response is expected, until it's offered or discarded there. */
  expect(expected: ExpectedResponse): void {
    this.lenses.show({ ...expected, page: pageOf(expected) });
  }

  /** The render has ended. False if the user has stopped waiting for it. */
  expectNoMore(expected: ExpectedResponse): boolean {
    return this.lenses.hide(pageOf(expected));
  }

  /**
   * Shows a response over its passage if the user is still in that document, else a notification that leads there, as
   * far as the setting has any. Never rejects.
   */
  async offer(response: TextResponse, notifications: Notifications): Promise<void> {
    this.keep(response);
    this.lenses.show({ ...response, page: pageOf(response), changes: changesOf(response) });
    try {
      const isHere = vscode.window.activeTextEditor?.document.uri.toString() === response.document.toString();
      const isTold = notifications === 'always' || (notifications === 'unseen' && !isHere);
      if (isHere || !isTold) await this.show(response);
      if (isTold) await this.tell(response, isHere);
    } catch (error) {
      void showProblem(sentenceOf(error), remedyOf(error));
    }
  }

  /** Decides on the response of the given page, or the active one. Rejects with UserError when that shows none. */
  async decide(way: ResponseWay, given: unknown): Promise<void> {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    const page = given instanceof vscode.Uri ? given : input instanceof vscode.TabInputTextDiff && input.modified;
    const response = page && this.responses.get(page.toString());
    // Expected, but not here yet: the user stops waiting.
    if (page && !response && way === 'discardAnswer' && this.lenses.hide(page)) return;
    if (!response) {
      throw new UserError(
        vscode.l10n.t('There’s no response to review here. Earlier responses are in the Generations view.'),
      );
    }
    await this.ways[way](response);
  }

  /** The document as it would be with the response applied. */
  async provideTextDocumentContent(page: vscode.Uri): Promise<string> {
    const response = this.responses.get(page.toString());
    const text = response && (await opened(response.document))?.getText();
    if (!response || text === undefined) return response?.text ?? '';
    const place = findPassage(text, response.passage);
    // If its passage is gone, show only the response.
    return typeof place === 'string' ? response.text : edited(text, replacedPassage(text, place, response.text));
  }

  dispose(): void {
    this.own.dispose();
  }

  private keep(response: TextResponse): void {
    this.responses.set(pageOf(response).toString(), response);
    const [oldest] = this.responses.keys();
    if (this.responses.size <= mostResponses || oldest === undefined) return;
    this.responses.delete(oldest);
    this.lenses.hide(vscode.Uri.parse(oldest, true));
  }

  private async show(response: TextResponse): Promise<void> {
    const { languageId } = response;
    const page = pageOf(response);
    const shown = await vscode.workspace.openTextDocument(page);
    if (shown.languageId !== languageId) await vscode.languages.setTextDocumentLanguage(shown, languageId);
    const { command, arguments: shownAs = [] } = changesOf(response);
    await vscode.commands.executeCommand(command, ...(shownAs as unknown[]));
  }

  private async tell(response: TextResponse, isShown: boolean): Promise<void> {
    const accept = vscode.l10n.t('Accept');
    const show = vscode.l10n.t('Show Changes');
    const below = vscode.l10n.t('Insert Below');
    const file = vscode.l10n.t('New File');
    const discard = vscode.l10n.t('Discard Response');
    const chosen = await vscode.window.showInformationMessage(
      toldWords(response),
      isShown ? accept : show,
      below,
      file,
      discard,
    );
    if (chosen === accept) await this.ways.acceptAnswer(response);
    else if (chosen === show) await this.show(response);
    else if (chosen === below) await this.ways.insertAnswerBelow(response);
    else if (chosen === file) await this.ways.answerInNewFile(response);
    else if (chosen === discard) await this.ways.discardAnswer(response);
  }

  /** One edit, which a single undo reverts. */
  private async change(
    response: TextResponse,
    editOf: (text: string, place: Span, response: string) => Edit,
  ): Promise<void> {
    const document = await opened(response.document);
    const text = document?.getText() ?? '';
    const place = findPassage(text, response.passage);
    if (!document || typeof place === 'string') return this.tellUnfit(response, noPlaceWords(response, place));
    const edit = editOf(text, place, response.text);
    const { version } = document;
    if (!(await applyAsRead([{ document, version, edits: [edit] }])))
      return this.tellUnfit(response, unchangedWords(response));
    const viewColumn = await this.settle(response);
    // Counted from the end: the editor may have normalized line breaks.
    const end = document.positionAt(document.getText().length - (text.length - edit.end));
    await vscode.window.showTextDocument(document, { viewColumn, selection: new vscode.Range(end, end) });
  }

  private async openInNewFile(response: TextResponse): Promise<void> {
    const { text: content, languageId: language } = response;
    const document = await vscode.workspace.openTextDocument({ content, language });
    const viewColumn = await this.settle(response);
    await vscode.window.showTextDocument(document, { viewColumn, preview: false });
  }

  /** The response stays available: there are other ways to use it. */
  private async tellUnfit(response: TextResponse, sentence: string): Promise<void> {
    const file = vscode.l10n.t('New File');
    const copy = vscode.l10n.t('Copy Response');
    const chosen = await vscode.window.showWarningMessage(sentence, file, copy);
    if (chosen === file) await this.openInNewFile(response);
    else if (chosen === copy) await vscode.env.clipboard.writeText(response.text);
  }

  /** The decision was made: closes its page. Resolves with the column it was in. */
  private async settle(response: TextResponse): Promise<vscode.ViewColumn | undefined> {
    this.lenses.hide(pageOf(response));
    const page = pageOf(response).toString();
    const tabs = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
      tabs.filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === page),
    );
    const [first] = tabs;
    const viewColumn = first?.group.viewColumn;
    await vscode.window.tabGroups.close(tabs);
    return viewColumn;
  }

  private follow({ uri }: vscode.TextDocument): void {
    const changed = uri.toString();
    for (const response of this.responses.values())
      if (response.document.toString() === changed) this.changed.fire(pageOf(response));
  }
}

/** Shows it as a diff of its document. */
function changesOf(response: TextResponse): vscode.Command {
  const { document, model } = response;
  const title = vscode.l10n.t('{0}: response from {1}', documentNameOf(response), oneLine(model, 60));
  return {
    command: 'vscode.diff',
    title: vscode.l10n.t('Show Changes'),
    arguments: [document, pageOf(response), title, { preview: false }],
  };
}

/** Its path ends like the document's, which tells the editor its language. */
function pageOf({ key, document }: ExpectedResponse): vscode.Uri {
  return vscode.Uri.from({ scheme: responseScheme, path: document.path.replace(/^(?!\/)/, '/'), query: key });
}

/** Undefined when it no longer exists. */
async function opened(document: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(document);
  } catch {
    // Deleted meanwhile, or in an unreachable folder.
    return undefined;
  }
}

function documentNameOf({ document }: SelectedText): string {
  return plain(fileNameOf(document.toString()), 60);
}

function toldWords(response: TextResponse): string {
  const model = plain(response.model, 60);
  return response.cost === undefined
    ? vscode.l10n.t('{0} responded to your selection in “{1}”.', model, documentNameOf(response))
    : vscode.l10n.t('{0} responded to your selection in “{1}” · {2}', model, documentNameOf(response), response.cost);
}

function noPlaceWords(response: TextResponse, place: Span | 'gone' | 'unsure'): string {
  return place === 'unsure'
    ? vscode.l10n.t(
        '“{0}” has changed, so we can’t tell where the response belongs. Open it in a new file, or copy it.',
        documentNameOf(response),
      )
    : vscode.l10n.t(
        '“{0}” no longer contains the selected text, so the response can’t be inserted.',
        documentNameOf(response),
      );
}

function unchangedWords(response: TextResponse): string {
  return vscode.l10n.t('“{0}” can’t be edited.', documentNameOf(response));
}

/** A passage that a response is expected for, or one to decide about. */
export interface ShownPassage extends SelectedText {
  /** The URI of the page that shows the response, which names it to commands. */
  readonly page: vscode.Uri;
  /** The model's name. */
  readonly model: string;
  /** Shows the response as a diff; undefined while it's expected. */
  readonly changes?: vscode.Command;
}

/** The CodeLenses above passages that were sent: what is expected there, and then the ways to use the response. */
class PassageLenses implements vscode.CodeLensProvider, Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new vscode.EventEmitter<void>());
  private readonly shown = new Map<string, ShownPassage>();
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor() {
    this.own.add(vscode.languages.registerCodeLensProvider('*', this));
  }

  show(passage: ShownPassage): void {
    this.shown.set(passage.page.toString(), passage);
    this.changed.fire();
  }

  /** False if nothing was shown for that page. */
  hide(page: vscode.Uri): boolean {
    const isShown = this.shown.delete(page.toString());
    if (isShown) this.changed.fire();
    return isShown;
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const here = [...this.shown.values()].filter((passage) => passage.document.toString() === document.uri.toString());
    return here.flatMap((shown) => {
      const place = findPassage(document.getText(), shown.passage);
      if (typeof place === 'string') return [];
      const range = new vscode.Range(document.positionAt(place.start), document.positionAt(place.end));
      return commandsOf(shown).map((command) => new vscode.CodeLens(range, command));
    });
  }

  dispose(): void {
    this.own.dispose();
  }
}

function commandsOf({ page, model, changes }: ShownPassage): vscode.Command[] {
  const way = (command: string, title: string) => ({ command, title, arguments: [page] });
  if (!changes) {
    const waiting = vscode.l10n.t('Waiting for {0}…', escapeForIcons(model, 40));
    // A render in progress can't be canceled: it's saved and listed like any other.
    const stop = way(commands.discardAnswer, vscode.l10n.t('Stop Waiting'));
    return [{ command: '', title: `$(loading~spin) ${waiting}` }, stop];
  }
  return [
    way(commands.acceptAnswer, vscode.l10n.t('Accept')),
    way(commands.insertAnswerBelow, vscode.l10n.t('Insert Below')),
    way(commands.answerInNewFile, vscode.l10n.t('New File')),
    way(commands.discardAnswer, vscode.l10n.t('Discard Response')),
    changes,
  ];
}
