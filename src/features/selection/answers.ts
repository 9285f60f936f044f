import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import { escapeForIcons, oneLine, plain } from '../../base/plain';
import { edited, findPassage, insertingBelow, replacedPassage } from '../../documents/passage';
import type { Edit, Span } from '../../documents/scan';
import { showProblem } from '../../editor/commands';
import { answerScheme, type AnswerWay, commands } from '../../editor/ids';
import type { SelectedText } from '../../editor/selected';
import { UserError } from '../../editor/userError';
import { sentenceOf } from '../../editor/words';
import { fileNameOf } from '../../files/names';
import { applyAsRead } from '../links/workspaceEdit';

/** A text model's response about a passage of a document. */
export interface TextAnswer extends SelectedText {
  /** The key of its render. */
  readonly key: string;
  readonly text: string;
  /** The model's name. */
  readonly model: string;
  /** Its charge, with the currency; undefined when the service doesn't say. */
  readonly cost: string | undefined;
}

/** Older ones are only in the Generations view. */
const mostAnswers = 20;

type Way = (answer: TextAnswer) => Promise<unknown>;

/**
 * Responses that a user decides about: each is shown as a diff of its document, and applied to it, inserted below the
 * passage, or opened in a new file on request. Closed or discarded ones stay in the Generations view.
 */
export class Answers implements vscode.TextDocumentContentProvider, Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new vscode.EventEmitter<vscode.Uri>());
  /** By the URI of the document that shows it. A decision can be changed later, from the notification. */
  private readonly answers = new Map<string, TextAnswer>();
  readonly onDidChange = this.changed.event;
  private readonly lenses = this.own.add(new PassageLenses());

  private readonly ways: Readonly<Record<AnswerWay, Way>> = {
    acceptAnswer: (answer) => this.change(answer, replacedPassage),
    insertAnswerBelow: (answer) => this.change(answer, insertingBelow),
    answerInNewFile: (answer) => this.openInNewFile(answer),
    discardAnswer: (answer) => this.settle(answer),
  };

  constructor() {
    this.own.add(vscode.workspace.registerTextDocumentContentProvider(answerScheme, this));
    this.own.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.follow(document)));
  }

  /** Shows at its passage that a response is expected, until it's offered or discarded there. */
  expect(expected: Omit<TextAnswer, 'text' | 'cost'>): void {
    this.lenses.show({ ...expected, page: pageOf(expected) });
  }

  /** The render has ended. False if the user has stopped waiting for it. */
  expectNoMore(expected: Pick<TextAnswer, 'key' | 'document'>): boolean {
    return this.lenses.hide(pageOf(expected));
  }

  /**
   * Shows a response over its passage if the user is still in that document, else a notification that leads there;
   * `always` shows it directly. Never rejects.
   */
  async offer(answer: TextAnswer, always: boolean): Promise<void> {
    this.keep(answer);
    this.lenses.show({ ...answer, page: pageOf(answer), changes: changesOf(answer) });
    try {
      const isHere = vscode.window.activeTextEditor?.document.uri.toString() === answer.document.toString();
      if (isHere || always) await this.show(answer);
      if (!always) await this.tell(answer, isHere);
    } catch (error) {
      void showProblem(sentenceOf(error));
    }
  }

  /** Decides on the response of the given page, or the active one. Rejects with UserError when that shows none. */
  async decide(way: AnswerWay, given: unknown): Promise<void> {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    const page = given instanceof vscode.Uri ? given : input instanceof vscode.TabInputTextDiff && input.modified;
    const answer = page && this.answers.get(page.toString());
    // Expected, but not here yet: the user stops waiting.
    if (page && !answer && way === 'discardAnswer' && this.lenses.hide(page)) return;
    if (!answer) {
      throw new UserError(
        vscode.l10n.t('There’s no response to decide on here. Earlier responses are in the Generations view.'),
      );
    }
    await this.ways[way](answer);
  }

  /** The document as it would be with the response applied. */
  async provideTextDocumentContent(page: vscode.Uri): Promise<string> {
    const answer = this.answers.get(page.toString());
    const text = answer && (await opened(answer.document))?.getText();
    if (!answer || text === undefined) return answer?.text ?? '';
    const place = findPassage(text, answer.passage);
    // If its passage is gone, show only the response.
    return typeof place === 'string' ? answer.text : edited(text, replacedPassage(text, place, answer.text));
  }

  dispose(): void {
    this.own.dispose();
  }

  private keep(answer: TextAnswer): void {
    this.answers.set(pageOf(answer).toString(), answer);
    const [oldest] = this.answers.keys();
    if (this.answers.size <= mostAnswers || oldest === undefined) return;
    this.answers.delete(oldest);
    this.lenses.hide(vscode.Uri.parse(oldest, true));
  }

  private async show(answer: TextAnswer): Promise<void> {
    const { languageId } = answer;
    const page = pageOf(answer);
    const shown = await vscode.workspace.openTextDocument(page);
    if (shown.languageId !== languageId) await vscode.languages.setTextDocumentLanguage(shown, languageId);
    const { command, arguments: shownAs = [] } = changesOf(answer);
    await vscode.commands.executeCommand(command, ...(shownAs as unknown[]));
  }

  private async tell(answer: TextAnswer, isShown: boolean): Promise<void> {
    const accept = vscode.l10n.t('Accept');
    const show = vscode.l10n.t('Show Changes');
    const below = vscode.l10n.t('Insert Below');
    const file = vscode.l10n.t('New File');
    const discard = vscode.l10n.t('Discard');
    const chosen = await vscode.window.showInformationMessage(
      toldWords(answer),
      isShown ? accept : show,
      below,
      file,
      discard,
    );
    if (chosen === accept) await this.ways.acceptAnswer(answer);
    else if (chosen === show) await this.show(answer);
    else if (chosen === below) await this.ways.insertAnswerBelow(answer);
    else if (chosen === file) await this.ways.answerInNewFile(answer);
    else if (chosen === discard) await this.ways.discardAnswer(answer);
  }

  /** One edit, which a single undo reverts. */
  private async change(answer: TextAnswer, editOf: (text: string, place: Span, answer: string) => Edit): Promise<void> {
    const document = await opened(answer.document);
    const text = document?.getText() ?? '';
    const place = findPassage(text, answer.passage);
    if (!document || typeof place === 'string') return this.tellUnfit(answer, noPlaceWords(answer, place));
    const edit = editOf(text, place, answer.text);
    const { version } = document;
    if (!(await applyAsRead([{ document, version, edits: [edit] }])))
      return this.tellUnfit(answer, unchangedWords(answer));
    const viewColumn = await this.settle(answer);
    // Counted from the end: the editor may have normalized line breaks.
    const end = document.positionAt(document.getText().length - (text.length - edit.end));
    await vscode.window.showTextDocument(document, { viewColumn, selection: new vscode.Range(end, end) });
  }

  private async openInNewFile(answer: TextAnswer): Promise<void> {
    const { text: content, languageId: language } = answer;
    const document = await vscode.workspace.openTextDocument({ content, language });
    const viewColumn = await this.settle(answer);
    await vscode.window.showTextDocument(document, { viewColumn, preview: false });
  }

  /** The response stays available: there are other ways to use it. */
  private async tellUnfit(answer: TextAnswer, sentence: string): Promise<void> {
    const file = vscode.l10n.t('New File');
    const copy = vscode.l10n.t('Copy Response');
    const chosen = await vscode.window.showWarningMessage(sentence, file, copy);
    if (chosen === file) await this.openInNewFile(answer);
    else if (chosen === copy) await vscode.env.clipboard.writeText(answer.text);
  }

  /** The decision was made: closes its page. Resolves with the column it was in. */
  private async settle(answer: TextAnswer): Promise<vscode.ViewColumn | undefined> {
    this.lenses.hide(pageOf(answer));
    const page = pageOf(answer).toString();
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
    for (const answer of this.answers.values())
      if (answer.document.toString() === changed) this.changed.fire(pageOf(answer));
  }
}

/** Shows it as a diff of its document. */
function changesOf(answer: TextAnswer): vscode.Command {
  const { document, model } = answer;
  const title = vscode.l10n.t('{0}: response from {1}', nameOf(answer), oneLine(model, 60));
  return {
    command: 'vscode.diff',
    title: vscode.l10n.t('Show Changes'),
    arguments: [document, pageOf(answer), title, { preview: false }],
  };
}

/** Its path ends like the document's, which tells the editor its language. */
function pageOf({ key, document }: Pick<TextAnswer, 'key' | 'document'>): vscode.Uri {
  return vscode.Uri.from({ scheme: answerScheme, path: document.path.replace(/^(?!\/)/, '/'), query: key });
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

function nameOf({ document }: SelectedText): string {
  return plain(fileNameOf(document.toString()), 60);
}

function toldWords(answer: TextAnswer): string {
  const model = plain(answer.model, 60);
  return answer.cost === undefined
    ? vscode.l10n.t('{0} responded to your selection in “{1}”.', model, nameOf(answer))
    : vscode.l10n.t('{0} responded to your selection in “{1}” · {2}', model, nameOf(answer), answer.cost);
}

function noPlaceWords(answer: TextAnswer, place: Span | 'gone' | 'unsure'): string {
  return place === 'unsure'
    ? vscode.l10n.t(
        '“{0}” has changed, so we can’t tell where the response belongs. Open it in a new file, or copy it.',
        nameOf(answer),
      )
    : vscode.l10n.t('“{0}” no longer contains the selected text, so the response can’t be inserted.', nameOf(answer));
}

function unchangedWords(answer: TextAnswer): string {
  return vscode.l10n.t('“{0}” can’t be edited.', nameOf(answer));
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
    way(commands.discardAnswer, vscode.l10n.t('Discard')),
    changes,
  ];
}
