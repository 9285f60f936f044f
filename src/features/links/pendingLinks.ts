import * as vscode from 'vscode';
import type { Clock } from '../../base/clock';
import { Owned, type Disposable } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import { appendLine } from '../../base/plain';
import { priceOf, standing } from '../rendering/renderWords';
import { elapsed } from '../../editor/durationWords';
import type { DocumentLink, DocumentLinks } from './documentLinks';

/** How often the elapsed time next to a link is updated, ms. */
const tickMs = 1000;

/**
 * Shows after a line that the images of its links are in progress: for how long, and at what price. There it doesn't
 * move the text that someone is writing. Hovering over a link shows it too, as the end of a long line may be hidden.
 */
export class PendingLinks implements Disposable {
  private readonly own = new Owned();
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
