import * as vscode from 'vscode';
import { type Disposable, Disposables, Emitter, Lazy } from '../../base/disposable';
import type { DraftRequest } from '../../compose/offer';
import { type ProjectStyle, projectStyles, type StyleSource } from '../../compose/projectStyles';
import type { Foundation } from '../../foundation';
import { spanOf } from '../../renderFiles/renderFile';
import { isDue, type StateOf } from '../../renderFiles/states';
import { stateSentence, unreadSentence } from '../../renderFiles/words';
import type { OpenCompare } from '../compare/comparePanels';
import type { DocumentLink } from '../links/documentLinks';
import type { Documents } from '../links/documents';
import type { ImageToAdd } from './newRenderFile';
import { type AllRenderFiles, type FoundFile, type FoundFiles, sharedIn } from './allRenderFiles';
import { diagnosticOf, rangeOf, isOpenText } from './renderFiles';
import type { RenderFilesTree, Row } from './renderFilesTree';

/** The features for showing render files and ordering their images, each loaded on first use. */
export interface OpenedRenderFiles {
  /** The content of a view. `readAgain` makes the view refresh everything. */
  readonly treeIn: (view: vscode.TreeView<Row>, readAgain: () => void) => Promise<RenderFilesTree>;
  readonly renderEntries: (where: unknown, entry: unknown) => Promise<void>;
  readonly renderAllEntries: () => Promise<void>;
  readonly fitEntries: (where: unknown, entry: unknown) => Promise<void>;
  readonly adoptImages: (where: unknown, entry: unknown) => Promise<void>;
  readonly checkRenderFiles: () => Promise<void>;
  readonly newRenderFile: (where: unknown) => Promise<void>;
  readonly addFileEntry: (item: unknown, items: unknown) => Promise<void>;
  readonly addFormEntry: () => Promise<void>;
  readonly addLinkEntry: (missing: DocumentLink) => Promise<void>;
  /** The styles that they define, for renders ordered elsewhere; none before there is a render file. */
  readonly styles: StyleSource;
}

/** Loads each feature on first use. */
export function openRenderFiles(
  own: Disposables,
  foundation: Foundation,
  documents: Lazy<Documents>,
  openCompare: OpenCompare,
  nextInForm: () => DraftRequest | undefined,
): OpenedRenderFiles {
  const styles = own.add(new WorkspaceStyles(foundation.context.workspaceState));
  const files = new Lazy(async () => {
    const [{ RenderFiles }, { helpToWrite }] = await Promise.all([import('./renderFiles'), import('./language')]);
    const made = own.add(new RenderFiles(foundation));
    own.add(helpToWrite(made, foundation));
    return made;
  });
  const all = new Lazy(async () => {
    const [{ AllRenderFiles }, { followMoves }] = await Promise.all([
      import('./allRenderFiles'),
      import('./followMoves'),
    ]);
    const made = own.add(new AllRenderFiles(await files.get(), foundation.log));
    own.add(followMoves(await files.get(), made, foundation.log));
    styles.follow(made);
    return made;
  });
  const checked = new Lazy(async () => {
    return own.add(new CheckedRenderFiles(await all.get()));
  });
  const orders = () => import('./renderEntries');
  const adding = () => import('./newRenderFile');
  const add = async (images: readonly ImageToAdd[]) =>
    (await adding()).addToRenderFile(images, await files.get(), await all.get());
  return {
    treeIn: async (view, readAgain) => {
      const { RenderFilesTree } = await import('./renderFilesTree');
      return own.add(new RenderFilesTree(await all.get(), foundation.session, view, readAgain));
    },
    renderEntries: async (where, entry) =>
      (await orders()).renderEntries(where, entry, await all.get(), await files.get(), foundation, openCompare),
    renderAllEntries: async () =>
      (await orders()).renderAllEntries(await all.get(), await files.get(), foundation, openCompare),
    fitEntries: async (where, entry) => (await orders()).fitEntries(where, entry, await files.get(), foundation),
    adoptImages: async (where, entry) => (await orders()).adoptImages(where, entry, await files.get(), foundation),
    checkRenderFiles: async () => (await checked.get()).check(),
    newRenderFile: async (where) => (await adding()).newRenderFile(where, await all.get(), foundation),
    addFileEntry: async (item, items) => add(await (await adding()).filesToAdd(item, items, foundation)),
    addFormEntry: async () => add(await (await adding()).formToAdd(nextInForm(), await all.get(), foundation)),
    addLinkEntry: async (missing) =>
      add([(await adding()).linkToAdd(missing, await documents.get(), foundation.settings)]),
    styles,
  };
}

const lastKey = 'styles.last';

/** The styles that the workspace's render files define. */
class WorkspaceStyles implements StyleSource, Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private found: readonly ProjectStyle[] = [];
  private shown = '[]';

  constructor(private readonly memory: vscode.Memento) {
    this.own.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.changed.fire()));
  }

  /** From now on there are render files: to be called once. */
  follow(all: AllRenderFiles): void {
    this.own.add(all.onDidChange((files) => this.take(files)));
    void all.get().then((files) => this.take(files));
  }

  /** A folder that isn't trusted adds nothing to what a user sends. */
  get styles(): readonly ProjectStyle[] {
    return vscode.workspace.isTrusted ? this.found : [];
  }

  get last(): string | undefined {
    return this.memory.get<string>(lastKey);
  }

  keep(id: string | undefined): void {
    if (id === this.last) return;
    void this.memory.update(lastKey, id);
    this.changed.fire();
  }

  dispose(): void {
    this.own.dispose();
  }

  private take({ files }: FoundFiles): void {
    const found = projectStyles(
      files.map(({ file }) => file),
      files.map(({ text }) => vscode.workspace.asRelativePath(text.uri)),
    );
    const shown = JSON.stringify(found.map((style) => ({ ...style, inputs: [...style.inputs] })));
    if (shown === this.shown) return;
    this.found = found;
    this.shown = shown;
    this.changed.fire();
  }
}

/** The problems of all render files of the workspace, and the images that aren’t current; from the first check on. */
class CheckedRenderFiles implements Disposable {
  private readonly own = new Disposables();
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
      this.problems.set(file.text.uri, [...(isOpenText(file.text) ? [] : own), ...others, ...images]);
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
  const diagnostic = new vscode.Diagnostic(rangeOf(text, spanOf(file, state.render)), sentence, severity);
  diagnostic.source = 'Model Catalog';
  diagnostic.code = state.state.state;
  return diagnostic;
}
