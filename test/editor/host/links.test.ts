import assert from 'node:assert/strict';
import { encode } from 'fast-png';
import * as vscode from 'vscode';
import { systemClock, systemRandom } from '../../../src/base/clock';
import { silentLog } from '../../../src/base/log';
import { embedded } from '../../../src/files/embeddedMetadata';
import { commands } from '../../../src/editor/ids';
import { LinkReader } from '../../../src/features/links/model/linkReader';
import { DocumentLinks } from '../../../src/features/links/documentLinks';
import { documentsWithLinks, LinkInsertions } from '../../../src/features/links/linkInsertions';
import { Ledger } from '../../../src/renders/ledger';
import { Library } from '../../../src/renders/library';
import { WindowLease } from '../../../src/renders/windowLease';
import { MemoryFiles } from './memoryFiles';

interface Language {
  readonly file: string;
  /** VS Code's own language ID, without an extension for the language. */
  readonly languageId: string;
  /** `|` marks the place of the link. */
  readonly text: string;
  readonly link: string;
  /** 'unknown' where only the site's builder decides what such a path is, and there's none here. */
  readonly servedFrom?: 'unknown';
}

const tag = '<img src="renders/heron.png" alt="a heron in reeds" width="512" height="512">';
// Bundlers take a path without the dot for a package or a root path.
const imported = tag.replace('renders', './renders');
const component = '<img src="./renders/heron.png" alt="a heron in reeds" width={512} height={512} />';
const macro = 'image::renders/heron.png["a heron in reeds",512,512]';
const directive = '.. image:: renders/heron.png\n   :alt: a heron in reeds\n   :width: 512px\n   :height: 512px';
const languages: readonly Language[] = [
  { file: 'a.md', languageId: 'markdown', text: 'It is | here.\n', link: '![a heron in reeds](renders/heron.png)' },
  { file: 'a.mdx', languageId: 'plaintext', text: '# Birds\n\n|\n', link: '![a heron in reeds](renders/heron.png)' },
  { file: 'a.html', languageId: 'html', text: '<main>|</main>\n', link: tag },
  {
    file: 'a.jsx',
    languageId: 'javascriptreact',
    text: 'export const A = () => <p>|</p>;\n',
    link: component,
    servedFrom: 'unknown',
  },
  {
    file: 'a.tsx',
    languageId: 'typescriptreact',
    text: 'export const A = () => <p>|</p>;\n',
    link: component,
    servedFrom: 'unknown',
  },
  { file: 'a.vue', languageId: 'plaintext', text: '<template>\n  |\n</template>\n', link: imported },
  { file: 'a.svelte', languageId: 'plaintext', text: '{#if shown}|{/if}\n', link: imported },
  { file: 'a.astro', languageId: 'plaintext', text: '---\nlet a;\n---\n<p>|</p>\n', link: imported },
  { file: 'a.css', languageId: 'css', text: 'main { background: |; }\n', link: 'url("renders/heron.png")' },
  { file: 'a.scss', languageId: 'scss', text: 'main { p { background: | } }\n', link: 'url("renders/heron.png")' },
  { file: 'a.less', languageId: 'less', text: 'main { p { background: | } }\n', link: 'url("renders/heron.png")' },
  {
    file: 'a.tex',
    languageId: 'latex',
    text: 'It is | here.\n',
    link: '\\includegraphics[width=\\linewidth,alt={a heron in reeds}]{renders/heron.png}',
  },
  {
    file: 'a.typ',
    languageId: 'plaintext',
    text: 'It is | here.\n',
    link: '#image("renders/heron.png", alt: "a heron in reeds")',
  },
  { file: 'a.rst', languageId: 'restructuredtext', text: 'Birds\n\n|\n', link: directive },
  { file: 'a.adoc', languageId: 'plaintext', text: 'Birds\n\n|\n', link: macro },
];

suite('a result becomes a link in every language', () => {
  const folder = () => vscode.workspace.workspaceFolders![0]!.uri;
  const documents = () => vscode.Uri.joinPath(folder(), 'documents');
  let picture: vscode.Uri;
  let ledger: Ledger;
  let library: Library;
  let paths: DocumentLinks;
  let insertions: LinkInsertions;
  /** The texts that were searched for links. */
  const searched: string[] = [];
  const context = { only: undefined, triggerKind: vscode.DocumentPasteTriggerKind.Automatic };
  const { token } = new vscode.CancellationTokenSource();

  suiteSetup(async () => {
    const extension = vscode.extensions.getExtension('model-catalog.model-catalog')!;
    await extension.activate();
    await vscode.commands.executeCommand(commands.useSandbox);
    picture = vscode.Uri.joinPath(documents(), 'renders', 'heron.png');
    await vscode.workspace.fs.writeFile(picture, heron());
    // The image isn't recorded here, as on a colleague's machine, so only its metadata identifies it.
    ledger = await Ledger.open(':memory:');
    const window = new WindowLease(ledger, systemClock, systemRandom);
    library = new Library(
      ledger,
      () => undefined,
      () => undefined,
      window,
      systemClock,
    );
    const program = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'documents.js').fsPath;
    const links = new LinkReader(program, systemClock, silentLog);
    const reader: Pick<LinkReader, 'read'> = {
      read: (text, syntax, name) => {
        searched.push(text);
        return links.read(text, syntax, name);
      },
    };
    paths = new DocumentLinks(reader, silentLog);
    insertions = new LinkInsertions({ library, log: silentLog }, reader, paths);
  });

  suiteTeardown(async () => {
    insertions.dispose();
    paths.dispose();
    library.dispose();
    ledger.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(documents(), { recursive: true });
  });

  test('an image on another file system or machine is left to the editor, and isn’t examined', async () => {
    const elsewhere = new MemoryFiles(vscode.Uri.parse('elsewhere://host/shared'));
    let looks = 0;
    const stat = elsewhere.stat.bind(elsewhere);
    elsewhere.stat = (uri) => (looks++, stat(uri));
    const provider = vscode.workspace.registerFileSystemProvider('elsewhere', elsewhere);
    const uri = vscode.Uri.joinPath(documents(), 'elsewhere.md');
    await vscode.workspace.fs.writeFile(uri, Buffer.from(''));
    const document = await vscode.workspace.openTextDocument(uri);
    const place = new vscode.Position(0, 0);
    for (const address of ['elsewhere://host/shared/heron.png', 'file://server/share/heron.png']) {
      const list = carrying('text/uri-list', address);
      assert.equal(await insertions.provideDocumentDropEdits(document, place, list, token), undefined);
      const range = new vscode.Range(place, place);
      for (const pasted of [
        list,
        carrying('text/plain', address),
        carrying('text/plain', '\\\\server\\share\\heron.png'),
      ])
        assert.equal(await insertions.provideDocumentPasteEdits(document, [range], pasted, context, token), undefined);
    }
    assert.equal(looks, 0);
    provider.dispose();
  });

  test('a large document is searched once for all cursors, and none if that isn’t possible', async () => {
    const uri = vscode.Uri.joinPath(documents(), 'large.md');
    await vscode.workspace.fs.writeFile(uri, Buffer.from('word '.repeat(100).concat('\n\n').repeat(200)));
    const document = await vscode.workspace.openTextDocument(uri);
    const ranges = [0, 2, 4, 6, 8].map((line) => new vscode.Range(line, 5, line, 5));
    const paste = async (by: LinkInsertions) => {
      const list = carrying('text/uri-list', picture.toString());
      const [edit] = (await by.provideDocumentPasteEdits(document, ranges, list, context, token)) ?? [];
      return edit?.insertText;
    };
    searched.length = 0;
    assert.equal(await paste(insertions), '![a heron in reeds](renders/heron.png)');
    assert.equal(searched.length, 1);
    const unable = new LinkInsertions({ library, log: silentLog }, new LinkReader('', systemClock, silentLog), paths);
    assert.equal(await paste(unable), undefined);
    unable.dispose();
  });

  for (const { file, languageId, text, link, servedFrom } of languages) {
    suite(`${file} (${languageId})`, () => {
      let editor: vscode.TextEditor;
      let place: vscode.Position;

      suiteSetup(async () => {
        const uri = vscode.Uri.joinPath(documents(), file);
        await vscode.workspace.fs.writeFile(uri, Buffer.from(text.replace('|', '')));
        editor = await vscode.window.showTextDocument(uri);
        place = editor.document.positionAt(text.indexOf('|'));
      });

      async function insert(what: string): Promise<void> {
        const change = new vscode.WorkspaceEdit();
        change.insert(editor.document.uri, place, what);
        assert.ok(await vscode.workspace.applyEdit(change));
      }

      /** What the editor could paste. */
      async function pasted(type: string, value: string) {
        const range = new vscode.Range(place, place);
        const edits = await insertions.provideDocumentPasteEdits(
          editor.document,
          [range],
          carrying(type, value),
          context,
          token,
        );
        return edits?.map(({ insertText }) => insertText);
      }

      test('the editor offers it for such a document', () => {
        assert.equal(editor.document.languageId, languageId);
        assert.ok(vscode.languages.match(documentsWithLinks, editor.document) > 0);
      });

      test('dropped, or pasted as a file or as its path', async () => {
        const list = carrying('text/uri-list', picture.toString());
        const dropped = await insertions.provideDocumentDropEdits(editor.document, place, list, token);
        assert.ok(typeof dropped?.insertText === 'string');
        await insert(dropped.insertText);
        assert.equal(editor.document.getText().replace(/\n+$/, '\n'), text.replace('|', link));
        await vscode.commands.executeCommand('undo');
        assert.equal(editor.document.getText(), text.replace('|', ''));
        assert.deepEqual(await pasted('text/uri-list', picture.toString()), [dropped.insertText]);
        assert.deepEqual(await pasted('text/plain', picture.fsPath), [dropped.insertText]);
      });

      test('copied as a link', async () => {
        await vscode.commands.executeCommand(commands.copyLink, picture);
        assert.equal((await vscode.env.clipboard.readText()).trimEnd(), link);
      });

      const offered = servedFrom === 'unknown' ? [] : [commands.renderMissing];
      test(`offers the image again when it no longer exists: ${offered.length} times`, async () => {
        await insert(link.replace('heron.png', 'gone.png'));
        const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          'vscode.executeCodeLensProvider',
          editor.document.uri,
          1,
        );
        assert.deepEqual(
          lenses.map(({ command }) => command?.command),
          offered,
        );
        await editor.document.save();
      });
    });
  }
});

function carrying(type: string, value: string): vscode.DataTransfer {
  const transfer = new vscode.DataTransfer();
  transfer.set(type, new vscode.DataTransferItem(value));
  return transfer;
}

/** An image with metadata about how it was made. */
function heron(): Uint8Array {
  const [width, height] = [512, 512];
  const image = encode({ width, height, channels: 1, data: new Uint8Array(width * height) });
  const made = { modelId: 'paperlight/strata/strata-2', inputs: { prompt: 'a heron in reeds', size: 'small' } };
  return Buffer.concat(embedded(image, 'image/png', made)!.pieces);
}
