import { readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { edited } from '../../../src/documents/passage';
import type { Edit } from '../../../src/documents/scan';
import { applyAsRead } from '../../../src/features/links/workspaceEdit';
import type { Chance } from '../../faults/simulate/chance';

type Deed = 'type' | 'cut' | 'breakLine' | 'goElsewhere' | 'save' | 'close' | 'lookElsewhere' | 'rename' | 'rewrite';

/**
 * A user working in a document. Every word is unique and so can be found wherever it moves, and the document that
 * results from the user's edits alone is always known.
 */
export class Writer {
  private deeds = 0;
  private last: Promise<void> = Promise.resolve();
  private readonly can: Readonly<Record<Deed, () => Promise<void> | void>> = {
    type: () => this.type(),
    cut: () => this.cut(),
    breakLine: () => this.breakLine(),
    goElsewhere: () => this.goElsewhere(),
    save: () => this.save(),
    close: () => this.close(),
    lookElsewhere: () => this.lookElsewhere(),
    rename: () => this.rename(),
    rewrite: () => this.rewrite(),
  };

  constructor(
    /** The document's current URI. */
    public uri: vscode.Uri,
    /** The document without anyone else's edits. */
    public text: string,
    private readonly chance: Chance,
  ) {}

  /** Randomly types, deletes, moves the cursor, and saves. */
  async write(deeds: number): Promise<void> {
    const ways: readonly Deed[] = ['type', 'type', 'cut', 'breakLine', 'goElsewhere', 'save'];
    for (let deed = 0; deed < deeds; deed++) await this.any(ways);
  }

  /** Does things other than editing: closes the document, shows another, renames it, or rewrites it on disk. */
  async leave(): Promise<void> {
    await this.any(['type', 'close', 'close', 'lookElsewhere', 'rename', 'rewrite']);
  }

  /** The document's current text. */
  async read(): Promise<string> {
    return (await vscode.workspace.openTextDocument(this.uri)).getText();
  }

  /** The user does one thing at a time. */
  private any(ways: readonly Deed[]): Promise<void> {
    this.last = this.last.then(() => this.can[this.chance.pick(`deed.${++this.deeds}`, ways)]());
    return this.last;
  }

  private type(): Promise<void> {
    const [before, word] = [this.someWord(), `w${this.deeds}typed`];
    return this.edit((text) => insertion(text, before, `${word} `));
  }

  private breakLine(): Promise<void> {
    const before = this.someWord();
    return this.edit((text) => insertion(text, before, '\n\n'));
  }

  private cut(): Promise<void> {
    const word = this.someWord();
    return this.edit((text) => {
      const at = placeOf(text, word);
      return at < 0 || text[at + word.length] !== ' ' ? undefined : { start: at, end: at + word.length + 1, text: '' };
    });
  }

  private goElsewhere(): void {
    const editor = vscode.window.visibleTextEditors.find(({ document }) => this.isAt(document));
    const at = editor ? placeOf(editor.document.getText(), this.someWord()) : -1;
    if (!editor || at < 0) return;
    const place = editor.document.positionAt(at);
    editor.selection = new vscode.Selection(place, place);
  }

  private async save(): Promise<void> {
    await (await vscode.workspace.openTextDocument(this.uri)).save();
  }

  private async close(): Promise<void> {
    await this.save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }

  private async lookElsewhere(): Promise<void> {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'another' }));
  }

  private async rename(): Promise<void> {
    await this.save();
    const to = this.uri.with({ path: this.uri.path.replace(/(\.\w+)$/, '-renamed$1') });
    const change = new vscode.WorkspaceEdit();
    change.renameFile(this.uri, to);
    if (await vscode.workspace.applyEdit(change)) this.uri = to;
  }

  /** As another program does, while no editor has the document open, since an editor may already have read it. */
  private rewrite(): void {
    if (vscode.workspace.textDocuments.some((document) => this.isAt(document))) return;
    const lines = `w${this.deeds}above and\n\n`;
    writeFileSync(this.uri.fsPath, lines + readFileSync(this.uri.fsPath, 'utf8'));
    this.text = lines + this.text;
  }

  /** The same edit of the real and the expected document. */
  private async edit(change: (text: string) => Edit | undefined): Promise<void> {
    for (let isDone = false; !isDone;) {
      const document = await vscode.workspace.openTextDocument(this.uri);
      const edit = change(document.getText());
      const alone = edit && change(this.text);
      if (!alone) return;
      const { version } = document;
      isDone = await applyAsRead([{ document, version, edits: [edit] }]);
      if (isDone) this.text = edited(this.text, alone);
    }
  }

  private isAt({ uri }: vscode.TextDocument): boolean {
    return uri.toString() === this.uri.toString();
  }

  private someWord(): string {
    return this.chance.pick(`word.${this.deeds}`, this.text.match(words) ?? ['']);
  }
}

/** `w`, a number, and letters that record its changes. */
const words = /\bw\d+[a-z]*\b/g;

function insertion(text: string, before: string, what: string): Edit | undefined {
  const at = placeOf(text, before);
  return at < 0 ? undefined : { start: at, end: at, text: what };
}

function placeOf(text: string, word: string): number {
  return word === '' ? -1 : text.search(new RegExp(`\\b${word}\\b`));
}
