import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import { type Log, reasonOf } from '../../base/log';
import { plain } from '../../base/plain';
import { repathed } from '../../documents/edits';
import { editAsRead, type ReadEdits } from '../../documents/link';
import { removal } from '../../documents/removal';
import type { Edit } from '../../documents/scan';
import { isNotebook, languages } from '../../documents/syntax';
import { showProblem } from '../../editor/commands';
import { documentFolder, isRenamed } from '../../editor/workspaceFiles';
import { type ActionId, commands } from '../../editor/ids';
import { fileNameOf } from '../../files/names';
import type { Library, LibraryEntry } from '../../renders/library';
import { canDo } from '../rendering/model/actions';
import { story } from '../rendering/renderWords';
import type { DocumentLink, DocumentLinks } from './documentLinks';
import { applyAsRead, fixCommand } from './workspaceEdit';

/** Diagnostics for links whose image was ordered and is missing, with quick fixes. */
export class LinkProblems implements vscode.CodeActionProvider, Disposable {
  private readonly own = new Disposables();
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
    ['resolve', vscode.l10n.t('Resolve unconfirmed render…')],
    ['compareWithService', vscode.l10n.t('Check with service')],
    ['startTomorrow', vscode.l10n.t('Remind me tomorrow')],
    ['whatFits', vscode.l10n.t('Find cheaper options…')],
    ['renderAgain', vscode.l10n.t('Render again…')],
    ['changeAndTryAgain', vscode.l10n.t('Edit and render again…')],
    ['openInForm', vscode.l10n.t('Edit and render again…')],
    ['howMade', vscode.l10n.t('Show how it was made')],
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

/**
 * Asks whether to update links to a result that couldn't be saved under the linked name, because its format differs or
 * the name was taken.
 */
export class RenamedResults implements Disposable {
  private readonly listening: Disposable;
  private readonly held = new Set<string>();

  constructor(
    library: Pick<Library, 'onDidEnd'>,
    private readonly links: DocumentLinks,
    private readonly log: Log,
  ) {
    this.listening = library.onDidEnd((entry) => {
      if (!this.held.has(entry.id)) void this.ask([entry], []);
    });
  }

  dispose(): void {
    this.listening.dispose();
  }

  /** Leaves it to the caller to `ask` about these renders (keys), until disposed. */
  hold(keys: readonly string[]): Disposable {
    for (const key of keys) this.held.add(key);
    return { dispose: () => keys.forEach((key) => this.held.delete(key)) };
  }

  /** One question for all of them, for every open document and these others (URIs). Never rejects. */
  async ask(entries: readonly LibraryEntry[], others: readonly string[]): Promise<void> {
    const renamed = entries.filter(isRenamed);
    if (renamed.length === 0) return;
    const read = () => this.read(renamed, others);
    const warn = (error: unknown) =>
      this.log.warn(`Couldn’t change links to ${renamed.map(({ id }) => id).join(', ')}: ${reasonOf(error)}`);
    try {
      if ((await read()).length === 0 || !(await agrees(renamed))) return;
    } catch (error) {
      return warn(error);
    }
    // The documents may have changed while the question was open, and may change while they're read.
    const isChanged = await editAsRead(read, applyAsRead).catch(warn);
    if (!isChanged) void showProblem(vscode.l10n.t('The document couldn’t be changed. Use the Quick Fix on the link.'));
  }

  /** The documents with links to update. */
  private async read(
    entries: readonly LibraryEntry[],
    others: readonly string[],
  ): Promise<readonly ReadEdits<vscode.TextDocument>[]> {
    const ids = new Set(entries.map(({ id }) => id));
    const found: ReadEdits<vscode.TextDocument>[] = [];
    for (const document of await documentsWith(others)) {
      const { version } = document;
      const waiting = (await this.links.of(document)).filter(({ entry }) => entry && ids.has(entry.id));
      const renamed = await Promise.all(waiting.map((link) => toRenamed(document, link, this.links)));
      const edits = renamed.flatMap((edit) => edit ?? []);
      // Several links may share an address: that of a Markdown definition.
      const distinct = new Map(edits.map((edit) => [edit.start, edit]));
      if (distinct.size > 0) found.push({ document, version, edits: [...distinct.values()] });
    }
    return found;
  }
}

/** The open documents, with the cells of open notebooks, and these. No other notebooks are opened. */
async function documentsWith(others: readonly string[]): Promise<ReadonlySet<vscode.TextDocument>> {
  const texts = others.map((uri) => vscode.Uri.parse(uri, true)).filter(({ path }) => !isNotebook(path));
  const opened = texts.map((uri) => vscode.workspace.openTextDocument(uri));
  return new Set([...vscode.workspace.textDocuments, ...(await Promise.all(opened))]);
}

async function agrees(renamed: readonly LibraryEntry[]): Promise<boolean> {
  const [name = '', ...more] = renamed.map(({ file }) => plain(fileNameOf(file ?? '')));
  const change = more.length === 0 ? vscode.l10n.t('Update Link') : vscode.l10n.t('Update Links');
  const question =
    more.length === 0
      ? vscode.l10n.t('The image couldn’t be saved under the name or format in the link, so it was saved as {0}.', name)
      : vscode.l10n.t(
          'Some images couldn’t be saved under the name or format in their links, so they were saved as: {0}',
          [name, ...more].join(', '),
        );
  return (await vscode.window.showInformationMessage(question, change)) === change;
}

/**
 * The edit that points a link to the file its render was saved as; undefined when it does already, or that file isn't
 * in its folder.
 */
async function toRenamed(
  document: vscode.TextDocument,
  { link, entry }: DocumentLink,
  links: DocumentLinks,
): Promise<Edit | undefined> {
  const folder = documentFolder(document.uri);
  if (!entry || !isRenamed(entry) || !folder) return undefined;
  const file = vscode.Uri.parse(entry.file ?? '', true);
  if (vscode.workspace.getWorkspaceFolder(file) !== folder) return undefined;
  return repathed(link, await links.pathOf(link, document.uri, file, folder));
}
