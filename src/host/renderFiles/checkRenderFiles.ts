import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Owned, type Disposable } from '../../base/disposable';
import { placeOf, type Problem } from '../../renderFiles/renderFile';
import { isDue, type StateOf } from '../../renderFiles/states';
import { sharedTargets } from '../../renderFiles/targets';
import { stateSentence } from '../../renderFiles/words';
import type { AllRenderFiles, FoundFile, FoundFiles } from './allRenderFiles';
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
  private async show({ files }: FoundFiles): Promise<number> {
    const shared = await sharedIn(files);
    this.problems.clear();
    let count = 0;
    for (const file of files) {
      const own = file.problems.map((problem) => diagnosticOf(file.text, problem));
      const others = (shared.get(file) ?? []).map((problem) => diagnosticOf(file.text, problem));
      const images = file.states.flatMap((state) => imageProblem(file, state) ?? []);
      this.problems.set(file.text.uri, [...(isOpen(file.text) ? [] : own), ...others, ...images]);
      count += own.length + others.length + images.length;
    }
    return count;
  }
}

/** Images that two files ask for. Paths are those below a workspace folder, so each has its own. */
async function sharedIn(files: readonly FoundFile[]): Promise<ReadonlyMap<FoundFile, readonly Problem[]>> {
  const shared = new Map<FoundFile, readonly Problem[]>();
  for (const folder of new Set(files.map((one) => one.folder.toString()))) {
    const here = files.filter((one) => one.folder.toString() === folder);
    const problems = await sharedTargets(
      here.map(({ file }) => file),
      systemClock,
    );
    for (const one of here) shared.set(one, problems.get(one.file.path) ?? []);
  }
  return shared;
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
