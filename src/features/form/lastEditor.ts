import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { LinkPlace } from '../../documents/linkPlace';
import { linkPlaceAt } from '../links/linkPlace';
import { cellOf } from '../../editor/documentFile';

/**
 * The editor the person was last writing in, even while a form or a tree has the focus, or the form's tab hides the
 * document.
 */
export class LastEditor implements Disposable {
  private readonly own = new Owned();
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
