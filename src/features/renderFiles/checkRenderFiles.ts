import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { placeOf } from '../../renderFiles/renderFile';
import { isDue, type StateOf } from '../../renderFiles/states';
import { stateSentence, unreadSentence } from '../../renderFiles/words';
import { sharedIn, type AllRenderFiles, type FoundFile, type FoundFiles } from './allRenderFiles';
import { diagnosticOf } from './diagnosticOf';
import { rangeOf } from './rangeOf';
import { isOpen } from './renderFiles';

/** The problems of all render files of the workspace, and the images that aren’t current; from the first check on. */
export class CheckedRenderFiles implements Disposable {
  private readonly own = new Owned();
  private readonly problems = this.own.add(vscode.languages.createDiagnosticCollection('Model Catalog: check'));

  constructor(private readonly all: AllRenderFiles) {
    this.own.add(all.onDidChange((found) => void this.show(found)));
  }

  /** Shows them in the Problems view, or that there are none. */
  async check(): Promise<void> {
    const found = await this.all.look();
    const count = await this.show(found);
    if (count > 0) await vscode.commands.executeCommand('workbench.actions.view.problems');
    else if (found.files.length === 0)
      void vscode.window.showInformationMessage(vscode.l10n.t('There are no render files in the workspace.'));
    else
      void vscode.window.showInformationMessage(
        found.isCut
          ? vscode.l10n.t(
              'All images in the first {0} render files are current. The others weren’t read.',
              found.files.length,
            )
          : vscode.l10n.t('All images in the workspace’s render files are current.'),
      );
  }

  dispose(): void {
    this.own.dispose();
  }

  /** How many there are, also those that an open file shows already. */
  private async show({ files, unread }: FoundFiles): Promise<number> {
    const shared = await sharedIn(files);
    this.problems.clear();
    let count = unread.length;
    for (const uri of unread) this.problems.set(uri, [unreadProblem(uri)]);
    for (const file of files) {
      const own = file.problems.map((problem) => diagnosticOf(file.text, problem));
      const others = (shared.problems.get(file.file) ?? []).map((problem) => diagnosticOf(file.text, problem));
      const images = file.states.flatMap((state) => imageProblem(file, state) ?? []);
      this.problems.set(file.text.uri, [...(isOpen(file.text) ? [] : own), ...others, ...images]);
      count += own.length + others.length + images.length;
    }
    return count;
  }
}

function unreadProblem(uri: vscode.Uri): vscode.Diagnostic {
  const sentence = unreadSentence(vscode.workspace.asRelativePath(uri), vscode.l10n);
  const diagnostic = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 0), sentence);
  diagnostic.source = 'Model Catalog';
  return diagnostic;
}

function imageProblem({ file, text }: FoundFile, state: StateOf): vscode.Diagnostic | undefined {
  const sentence = stateSentence(state, vscode.l10n);
  if (sentence === undefined) return undefined;
  const { Warning, Information } = vscode.DiagnosticSeverity;
  const severity = isDue(state) || state.state.state === 'unreadable' ? Warning : Information;
  const diagnostic = new vscode.Diagnostic(rangeOf(text, placeOf(file, state.render)), sentence, severity);
  diagnostic.source = 'Model Catalog';
  diagnostic.code = state.state.state;
  return diagnostic;
}
