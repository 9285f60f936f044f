import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode } from 'fast-png';
import * as vscode from 'vscode';
import { commands } from '../../../src/editor/ids';
import { LinkReader } from '../../../src/features/links/model/linkReader';
import { systemClock } from '../../../src/base/clock';
import { Emitter } from '../../../src/base/disposable';
import { silentLog } from '../../../src/base/log';
import { embedded } from '../../../src/files/embeddedMetadata';
import { DocumentLinks } from '../../../src/features/links/documentLinks';
import { LinkInsertions } from '../../../src/features/links/linkInsertions';
import { linkPlaceAt } from '../../../src/features/links/linkPlace';
import { RenamedResults } from '../../../src/features/links/linkProblems';
import { searchMissing } from '../../../src/features/links/missingSearch';
import { FileRenders } from '../../../src/renders/fileRenders';
import type { LibraryEntry } from '../../../src/renders/library';
import { root as project } from '../root';
import { until } from '../until';

const fox = '# "Foxes"\n\n![A red fox in snow](figures/fox.png)\n';
const heron = '![A grey heron in reeds](heron.png) ![A den of foxes](attachment:den.png)';

/** A notebook with two cells of Markdown, and one between them with code that looks the same. */
function notebookText(first = fox): string {
  const code = {
    cell_type: 'code',
    execution_count: null,
    metadata: {},
    outputs: [],
    source: ['![A barn owl](owl.png)'],
  };
  const lines = first.split(/(?<=\n)/).filter(Boolean);
  const cells = [
    { cell_type: 'markdown', metadata: { tags: ['intro'] }, source: lines },
    code,
    { cell_type: 'markdown', metadata: {}, source: [heron] },
  ];
  return `${JSON.stringify({ cells, metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 2 }, undefined, 1)}\n`;
}

suite('Markdown cells of a notebook', () => {
  const root = () => vscode.workspace.workspaceFolders![0]!.uri;
  /** Of each test, as the editor keeps a notebook for a while after it was closed. */
  const folder = () => vscode.Uri.joinPath(root(), `analysis-${tests}`);
  let tests = 0;
  const file = () => vscode.Uri.joinPath(folder(), 'birds.ipynb');
  const { token } = new vscode.CancellationTokenSource();
  let links: DocumentLinks;

  suiteSetup(async () => {
    await vscode.extensions.getExtension('model-catalog.model-catalog')!.activate();
    await vscode.commands.executeCommand(commands.useSandbox);
  });
  setup(async () => {
    tests++;
    links = new DocumentLinks(new LinkReader(join(project, 'dist', 'documents.js'), systemClock, silentLog), silentLog);
    await write(file(), notebookText());
  });
  teardown(async () => {
    links.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(folder(), { recursive: true });
  });

  async function write(uri: vscode.Uri, content: string | Uint8Array): Promise<void> {
    await vscode.workspace.fs.writeFile(uri, Buffer.from(content));
  }

  /** Opens a cell for writing, as a double click on it does. */
  async function editCell(index: number): Promise<vscode.TextDocument> {
    const notebook = await vscode.workspace.openNotebookDocument(file());
    await vscode.window.showNotebookDocument(notebook, { selections: [new vscode.NotebookRange(index, index + 1)] });
    await vscode.commands.executeCommand('notebook.cell.edit');
    const { document } = notebook.cellAt(index);
    await until(() => Promise.resolve(vscode.window.activeTextEditor?.document === document));
    return document;
  }

  async function change(document: vscode.TextDocument, from: string, to: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    const at = document.getText().indexOf(from);
    edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + from.length)), to);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  /** The missing images, each with the cell and the file that name it. */
  async function missing(where = folder()) {
    const targets = { file: (uri: vscode.Uri) => ({ uri }) as never };
    const found = await searchMissing(where, links, { targets, log: silentLog });
    const inFolder = (uri: string) => uri.slice(folder().toString().length + 1);
    return found!.images.map(({ file: image, cell, documents }) => [
      inFolder(image),
      cell,
      documents.map(inFolder).join(),
    ]);
  }

  test('are searched for missing images, in the file or, if it’s open, in the editor', async () => {
    await write(vscode.Uri.joinPath(folder(), 'conflict.ipynb'), `<<<<<<< HEAD\n${notebookText()}`);
    const saved = [
      ['figures/fox.png', 0, 'birds.ipynb'],
      ['heron.png', 2, 'birds.ipynb'],
    ];
    assert.deepEqual(await missing(), saved);
    assert.deepEqual(await missing(file()), saved);
    await change(await editCell(2), 'heron.png', 'wren.png');
    assert.deepEqual(await missing(), [saved[0], ['wren.png', 2, 'birds.ipynb']]);
    const { notebook } = vscode.window.activeNotebookEditor!;
    assert.deepEqual(await missing(notebook.cellAt(2).document.uri), [['wren.png', 2, 'birds.ipynb']]);
    await write(vscode.Uri.joinPath(folder(), 'figures', 'fox.png'), picture());
    await until(async () => (await missing()).length === 1);
  });

  test('have an offer above the link, and a Quick Fix, until the setting turns it off', async () => {
    const document = await editCell(2);
    const lenses = async () =>
      (
        await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 5)
      ).flatMap(({ command }) => (command?.command.startsWith('modelCatalog.') ? [command] : []));
    await until(async () => (await lenses()).length > 0);
    assert.deepEqual(
      (await lenses()).map(
        ({ command, arguments: [uri, offset] = [] as unknown[] }) => [command, uri, offset] as unknown[],
      ),
      [[commands.renderMissing, document.uri.toString(), heron.indexOf('heron.png')]],
    );
    const at = new vscode.Position(0, 3);
    const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      new vscode.Range(at, at),
      vscode.CodeActionKind.QuickFix.value,
    );
    const offered = fixes.flatMap(({ command }) => command?.command ?? []);
    assert.ok(offered.includes(commands.renderMissing), offered.join());
    const settings = vscode.workspace.getConfiguration('modelCatalog', root());
    await settings.update('missingImages', false, vscode.ConfigurationTarget.Workspace);
    await until(async () => (await lenses()).length === 0);
    await settings.update('missingImages', undefined, vscode.ConfigurationTarget.Workspace);
  });

  test('take a link to a result, relative to the notebook, and cells with code take none', async () => {
    const image = vscode.Uri.joinPath(folder(), 'renders', 'heron.png');
    await write(image, picture());
    const library = { find: () => [] };
    const reader = new LinkReader('', systemClock, silentLog);
    const insertions = new LinkInsertions({ library, log: silentLog } as never, reader, links);
    const pasted = async (document: vscode.TextDocument) => {
      const list = new vscode.DataTransfer();
      list.set('text/uri-list', new vscode.DataTransferItem(image.toString()));
      const start = [new vscode.Range(0, 0, 0, 0)];
      const context = { only: undefined, triggerKind: vscode.DocumentPasteTriggerKind.Automatic };
      const edits = await insertions.provideDocumentPasteEdits(document, start, list, context, token);
      return edits?.map(({ insertText }) => insertText);
    };
    const document = await editCell(2);
    assert.deepEqual(await pasted(document), ['![a heron in reeds](renders/heron.png)']);
    assert.equal(linkPlaceAt(document, new vscode.Position(0, 0))?.name, 'birds.ipynb');
    await vscode.commands.executeCommand(commands.copyFileLink, image);
    assert.equal((await vscode.env.clipboard.readText()).trim(), '![a heron in reeds](renders/heron.png)');
    const code = await editCell(1);
    assert.equal(await pasted(code), undefined);
    assert.equal(linkPlaceAt(code, new vscode.Position(0, 0)), undefined);
    insertions.dispose();
  });

  test('follow an image to its new name in an open notebook, and a closed one stays as it is', async () => {
    const dialogs = vscode.window as unknown as Record<string, unknown>;
    const own = dialogs.showInformationMessage;
    dialogs.showInformationMessage = (_: string, first: string) => Promise.resolve(first);
    const target = { root: root().toString(), folder: `analysis-${tests}/figures`, fileName: 'fox', ending: 'png' };
    const saved = vscode.Uri.joinPath(folder(), 'figures', 'fox "2".webp');
    await write(saved, picture());
    const entry = { id: 'a-fox', state: 'saved', group: 'finished', file: saved.toString(), record: { target } };
    const library = {
      entries: [entry as unknown as LibraryEntry],
      onDidChange: new Emitter<void>().event,
      onDidEnd: new Emitter<LibraryEntry>().event,
    };
    links.follow({ library, fileRenders: new FileRenders(library, silentLog) });
    const renamed = new RenamedResults(library, links, silentLog);
    const closed = vscode.Uri.joinPath(folder(), 'closed.ipynb');
    try {
      await write(closed, notebookText());
      await renamed.ask(library.entries, [closed.toString()]);
      assert.equal(await readFile(closed.fsPath, 'utf8'), notebookText());
      assert.ok(!vscode.workspace.textDocuments.some(({ uri }) => uri.path === closed.path));
      const document = await editCell(0);
      await renamed.ask(library.entries, [file().toString()]);
      const updated = fox.replace('fox.png', 'fox%20%222%22.webp');
      assert.equal(document.getText(), updated);
      // A busy editor may have more to save by the time that it has saved.
      await until(async () => {
        await vscode.window.activeNotebookEditor!.notebook.save();
        return !vscode.window.activeNotebookEditor!.notebook.isDirty;
      });
      assert.deepEqual(JSON.parse(await readFile(file().fsPath, 'utf8')), JSON.parse(notebookText(updated)));
    } finally {
      dialogs.showInformationMessage = own;
      renamed.dispose();
    }
  });
});

/** An image with metadata about how it was made. */
function picture(): Uint8Array {
  const [width, height] = [8, 8];
  const plain = encode({ width, height, channels: 1, data: new Uint8Array(width * height) });
  const made = { modelId: 'paperlight/strata/strata-2', inputs: { prompt: 'a heron in reeds' } };
  return Buffer.concat(embedded(plain, 'image/png', made)!.pieces);
}
