import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { iconless } from '../../base/plain';
import { findPassage } from '../../documents/passage';
import { commands } from '../../editor/ids';
import type { Selected } from '../../editor/selected';

/** A passage that a response is expected for, or one to decide about. */
export interface ShownPassage extends Selected {
  /** The URI of the page that shows the response, which names it to commands. */
  readonly page: vscode.Uri;
  /** The model's name. */
  readonly model: string;
  /** Shows the response as a diff; undefined while it's expected. */
  readonly changes?: vscode.Command;
}

/** The CodeLenses above passages that were sent: what is expected there, and then the ways to use the response. */
export class PassageLenses implements vscode.CodeLensProvider, Disposable {
  private readonly own = new Owned();
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
    const waiting = vscode.l10n.t('Waiting for {0}…', iconless(model, 40));
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
