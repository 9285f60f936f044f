import * as vscode from 'vscode';
import { type Clock, systemClock } from '../../base/clock';
import { type Disposable, Disposables } from '../../base/disposable';
import { type Log, reasonOf } from '../../base/log';
import { appendLine } from '../../base/plain';
import { Hints } from '../../compose/hints';
import type { StyleSource } from '../../compose/projectStyles';
import { elapsed } from '../../editor/words';
import type { Foundation } from '../../foundation';
import type { LibraryEntry } from '../../renders/library';
import { Drafts } from '../models/model/drafts';
import { LastModel } from '../models/model/lastModel';
import { priceOf, standing } from '../rendering/renderWords';
import type { Renders } from '../rendering/renders';
import { type DocumentLink, DocumentLinks } from './documentLinks';
import { LinkInsertions } from './linkInsertions';
import { LinkProblems, RenamedResults } from './linkProblems';
import { LinkPrices } from './model/linkPrices';
import { LinkReader } from './model/linkReader';
import { offerFixes } from './workspaceEdit';

/**
 * Everything that documents show about missing images, renders in progress for them, and failed ones, and everything
 * that inserts finished images.
 */
export class Documents implements Disposable {
  private readonly own = new Disposables();
  readonly links: DocumentLinks;
  readonly drafts: Drafts;
  readonly lastModel: LastModel;
  readonly prices: LinkPrices;
  /** Set once the renders are loaded. */
  renamed: RenamedResults | undefined;
  private readonly reader: LinkReader;
  private readonly log: Log;

  constructor({ session, quotes, settings, memory, log }: Foundation, styles: () => Promise<StyleSource>) {
    const { globalState, extensionUri } = memory;
    const program = vscode.Uri.joinPath(extensionUri, 'dist', 'documents.js').fsPath;
    this.log = log;
    this.reader = new LinkReader(program, systemClock, log);
    this.links = this.own.add(new DocumentLinks(this.reader, log));
    this.drafts = new Drafts(globalState, globalState);
    this.lastModel = new LastModel(globalState, undefined, () => settings.defaultModel);
    const hints = new Hints(session, quotes, () => vscode.workspace.isTrusted);
    this.prices = this.own.add(new LinkPrices(session, hints, this.drafts, this.lastModel, styles, log));
  }

  /** From now on the renders are known: to be called once. */
  follow(renders: Renders): void {
    this.links.follow(renders);
    this.own.add(new PendingLinks(this.links, systemClock, this.log));
    this.own.add(offerFixes('link', this.log));
    this.own.add(new LinkProblems(this.links, this.log));
    this.renamed = this.own.add(new RenamedResults(renders.library, this.links, this.log));
    this.own.add(new LinkInsertions(renders, this.reader, this.links));
    this.own.add(renders.library.onDidEnd((entry) => this.leave(entry)));
  }

  dispose(): void {
    this.own.dispose();
  }

  /** The next link doesn't default to a model that just failed. */
  private leave({ state, modelId }: LibraryEntry): void {
    if (modelId !== undefined && (state === 'failed' || state === 'refunded')) void this.lastModel.failed(modelId);
  }
}

/** How often the elapsed time next to a link is updated, ms. */
const tickMs = 1000;

/**
 * Shows after a line that the images of its links are in progress: for how long, and at what price. There it doesn't
 * move the text that someone is writing. Hovering over a link shows it too, as the end of a long line may be hidden.
 */
class PendingLinks implements Disposable {
  private readonly own = new Disposables();
  private readonly decoration = this.own.add(
    vscode.window.createTextEditorDecorationType({
      after: {
        margin: '0 0 0 1.5em',
        color: new vscode.ThemeColor('editorCodeLens.foreground'),
        fontStyle: 'italic',
      },
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    }),
  );
  private next: Disposable | undefined;
  private turn = 0;

  constructor(
    private readonly links: DocumentLinks,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    const draw = () => void this.draw();
    this.own.add(links.onDidChange(draw));
    this.own.add(vscode.window.onDidChangeVisibleTextEditors(draw));
    this.own.add(vscode.workspace.onDidChangeTextDocument(draw));
    draw();
  }

  dispose(): void {
    this.next?.dispose();
    this.own.dispose();
  }

  /** Never rejects. A later call supersedes an earlier one. */
  private async draw(): Promise<void> {
    const turn = ++this.turn;
    this.next?.dispose();
    try {
      const editors = vscode.window.visibleTextEditors;
      const pending = await Promise.all(editors.map(({ document }) => this.pendingIn(document)));
      if (turn !== this.turn) return;
      editors.forEach((editor, index) => this.show(editor, pending[index] ?? []));
      if (pending.flat().length > 0) this.next = this.clock.after(tickMs, () => void this.draw());
    } catch (error) {
      this.log.warn(`Couldn’t show links in progress: ${reasonOf(error)}`);
    }
  }

  private async pendingIn(document: vscode.TextDocument): Promise<readonly DocumentLink[]> {
    if (!this.links.isAwaited) return [];
    const links = await this.links.of(document);
    return links.filter(({ isThere, entry }) => !isThere && entry?.group === 'active');
  }

  private show(editor: vscode.TextEditor, pending: readonly DocumentLink[]): void {
    const { document } = editor;
    const lines = new Map<number, string[]>();
    const links = pending.map(({ link, entry }): vscode.DecorationOptions => {
      const { start, end } = link.element;
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      const since = entry?.startedAt === undefined ? undefined : elapsed(this.clock.now() - entry.startedAt);
      const words = entry ? [standing(entry), since, priceOf(entry)].filter(Boolean).join(' · ') : '';
      lines.set(range.end.line, [...(lines.get(range.end.line) ?? []), `◌ ${words}`]);
      return { range, hoverMessage: appendLine(new vscode.MarkdownString(), words) };
    });
    const ends = [...lines].map(([line, words]): vscode.DecorationOptions => {
      const { end } = document.lineAt(line).range;
      return { range: new vscode.Range(end, end), renderOptions: { after: { contentText: words.join('   ') } } };
    });
    editor.setDecorations(this.decoration, [...links, ...ends]);
  }
}
