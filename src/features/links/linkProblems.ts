import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import { removal } from '../../documents/removal';
import type { Edit } from '../../documents/span';
import { languages } from '../../documents/syntax';
import { fileNameOf } from '../../files/fileName';
import { canDo } from '../rendering/model/actions';
import { type ActionId, commands } from '../../editor/ids';
import { plain } from '../../base/plain';
import { story } from '../rendering/renderWords';
import type { DocumentLink, DocumentLinks } from './documentLinks';
import { isRenamed } from '../../editor/isRenamed';
import { fixCommand } from './fixCommand';
import { toRenamed } from './renamedResults';

/** Diagnostics for links whose image was ordered and is missing, with quick fixes. */
export class LinkProblems implements vscode.CodeActionProvider, Disposable {
  private readonly own = new Owned();
  private readonly diagnostics = this.own.add(vscode.languages.createDiagnosticCollection('Model Catalog'));
  private turn = 0;

  constructor(
    private readonly links: DocumentLinks,
    private readonly log: Log,
  ) {
    const look = () => void this.look();
    this.own.add(links.onDidChange(look));
    this.own.add(vscode.window.onDidChangeVisibleTextEditors(look));
    this.own.add(vscode.workspace.onDidChangeTextDocument(look));
    this.own.add(
      vscode.languages.registerCodeActionsProvider([...languages, 'plaintext'], this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
    look();
  }

  async provideCodeActions(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
    const { version } = document;
    const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    const problems = await this.problemsIn(document);
    const [problem] = problems.filter(({ link: { element } }) => element.start <= end && start <= element.end);
    const renamed = problem && (await toRenamed(document, problem, this.links));
    // The editor asks again for the new version.
    if (!problem || document.version !== version) return [];
    return fixesOf(document, problem, renamed);
  }

  dispose(): void {
    this.own.dispose();
  }

  /** Never rejects. A later call supersedes an earlier one. */
  private async look(): Promise<void> {
    const turn = ++this.turn;
    try {
      const documents = new Set(vscode.window.visibleTextEditors.map(({ document }) => document));
      const found = await Promise.all(
        [...documents].map(async (document) => [document, await this.problemsIn(document)] as const),
      );
      if (turn !== this.turn) return;
      this.diagnostics.clear();
      for (const [document, problems] of found)
        if (problems.length > 0)
          this.diagnostics.set(
            document.uri,
            problems.map((problem) => diagnosticOf(document, problem)),
          );
    } catch (error) {
      this.log.warn(`Couldn’t check links: ${reasonOf(error)}`);
    }
  }

  private async problemsIn(document: vscode.TextDocument): Promise<readonly DocumentLink[]> {
    if (!this.links.isAwaited) return [];
    return (await this.links.of(document)).filter((link) => !link.isThere && reasonFor(link) !== undefined);
  }
}

/**
 * Why the image is missing; undefined while it's in progress, or when it was saved under that name and deleted since.
 */
function reasonFor({ file, entry }: DocumentLink): string | undefined {
  if (!entry || entry.group === 'active') return undefined;
  if (entry.state !== 'saved') return story(entry);
  const [saved, named] = [entry.file ?? '', file.toString()].map((uri) => plain(fileNameOf(uri)));
  return isRenamed(entry)
    ? vscode.l10n.t('The image was saved as {0}, but this link points to {1}.', saved ?? '', named ?? '')
    : undefined;
}

function diagnosticOf(document: vscode.TextDocument, problem: DocumentLink): vscode.Diagnostic {
  const { Information, Warning } = vscode.DiagnosticSeverity;
  const severity = problem.entry?.state === 'saved' ? Information : Warning;
  const diagnostic = new vscode.Diagnostic(rangeOf(document, problem), reasonFor(problem) ?? '', severity);
  diagnostic.source = 'Model Catalog';
  return diagnostic;
}

/** The URL in the document: it has to change, or its file has to be made. */
function rangeOf(document: vscode.TextDocument, { link: { address } }: DocumentLink): vscode.Range {
  return new vscode.Range(document.positionAt(address.start), document.positionAt(address.end));
}

/** `renamed` points the link to the file that its render was saved as. */
function fixesOf(document: vscode.TextDocument, problem: DocumentLink, renamed?: Edit): vscode.CodeAction[] {
  const { link, entry } = problem;
  if (!entry) return [];
  if (renamed) {
    const fix = changeFix(vscode.l10n.t('Update link to {0}', plain(fileNameOf(entry.file ?? ''))), document, renamed);
    fix.isPreferred = true;
    return [fix];
  }
  // Only one action for the form: with the service's field messages if there are any.
  const isOffered = (action: ActionId) =>
    canDo(action, entry) && !(action === 'openInForm' && canDo('changeAndTryAgain', entry));
  const ways = waysOn().flatMap(([action, title]) => (isOffered(action) ? [commandFix(title, action, entry.id)] : []));
  // Quick fixes for the cause come first; removing the link comes last, after those of other extensions.
  for (const way of ways) way.diagnostics = [diagnosticOf(document, problem)];
  const removed = removal(document.getText(), link);
  return removed ? [...ways, changeFix(vscode.l10n.t('Remove link'), document, removed)] : ways;
}

/** The actions on a render from the line that waits for it, most likely first. */
function waysOn(): readonly (readonly [ActionId, string])[] {
  return [
    ['sendPlanned', vscode.l10n.t('Send render now')],
    ['downloadAgain', vscode.l10n.t('Download image again')],
    ['saveAs', vscode.l10n.t('Save image as…')],
    ['compareWithService', vscode.l10n.t('Check with service')],
    ['startTomorrow', vscode.l10n.t('Remind me tomorrow')],
    ['whatFits', vscode.l10n.t('Find cheaper options…')],
    ['renderAgain', vscode.l10n.t('Render again…')],
    ['changeAndTryAgain', vscode.l10n.t('Edit and render again…')],
    ['openInForm', vscode.l10n.t('Edit and render again…')],
    ['showDetails', vscode.l10n.t('Show render details')],
  ];
}

function changeFix(title: string, document: vscode.TextDocument, edit: Edit): vscode.CodeAction {
  const fix = quickFix(title);
  fix.command = fixCommand('link', title, document, edit);
  return fix;
}

function commandFix(title: string, action: ActionId, id: string): vscode.CodeAction {
  const fix = quickFix(title);
  fix.command = { command: commands[action], title, arguments: [id] };
  return fix;
}

function quickFix(title: string): vscode.CodeAction {
  return new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
}
