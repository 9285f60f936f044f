import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { symlink, truncate } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { decode, encode } from 'fast-png';
import * as vscode from 'vscode';
import { commands } from '../../../src/editor/ids';
import { LastFolder } from '../../../src/features/rendering/model/lastFolder';
import { Emitter } from '../../../src/base/disposable';
import { silentLog } from '../../../src/base/log';
import { sidecarEnding, writeProvenance } from '../../../src/files/provenance';
import { targetFile } from '../../../src/editor/workspaceFiles';
import { entryTarget } from '../../../src/features/renderFiles/renderEntries';
import type { Renders } from '../../../src/features/rendering/renders';
import { StillWanted } from '../../../src/features/rendering/stillWanted';
import { Targets } from '../../../src/features/rendering/targets';
import { Settings } from '../../../src/editor/settings';
import type { AskedRender } from '../../../src/renderFiles/renderFile';
import { FileRenders } from '../../../src/renders/fileRenders';
import type { LibraryEntry } from '../../../src/renders/library';
import type { RenderRecord } from '../../../src/renders/record';
import { record } from '../../unit/renders/records';
import { until } from '../until';

const text = `{
  "model": "paperlight/strata/strata-2",
  "style": "flat",
  "styles": { "flat": { "after": "Flat." }, "icon": { "extends": "flat" } },
  "renders": [
    { "file": "hero.png", "inputs": { "prompt": "a harbor", "size": "smal", "" } },
  ]
}
`;

/** Markdown as displayed: decodes characters written as numeric entities. */
function read(markdown: string): string {
  return markdown.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

suite('a half-typed render file', () => {
  const folder = () => vscode.workspace.workspaceFolders![0]!.uri;
  let document: vscode.TextDocument;

  suiteSetup(async () => {
    await vscode.extensions.getExtension('model-catalog.model-catalog')!.activate();
    await vscode.commands.executeCommand(commands.useSandbox);
    const uri = vscode.Uri.joinPath(folder(), 'written', 'renders.jsonc');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
  });

  suiteTeardown(async () => {
    // A file with unsaved changes may be written again once it's gone.
    await document.save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), 'written'), { recursive: true });
  });

  /** The position in the document, `offset` characters into a text. */
  const at = (part: string, offset = 1) => document.positionAt(document.getText().indexOf(part) + offset);

  async function completed(position: vscode.Position): Promise<readonly string[]> {
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      position,
    );
    return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
  }

  test('completes models, inputs, their values, and styles', async () => {
    // Its code loads with the first render file.
    await until(async () => (await completed(at('"paperlight', 1))).includes('paperlight/strata/strata-2-fast'));
    assert.ok((await completed(at('"" }', 1))).includes('size'));
    assert.ok((await completed(at('"smal"', 2))).includes('small'));
    const styles = await completed(at('"flat",', 1));
    assert.ok(styles.includes('flat') && styles.includes('icon'));
  });

  test('shows an entry’s state on hover', async () => {
    const edit = new vscode.WorkspaceEdit();
    const half = document.getText().indexOf(', "" }');
    edit.delete(document.uri, new vscode.Range(document.positionAt(half), document.positionAt(half + 4)));
    const wrong = document.getText().indexOf('smal"');
    edit.replace(document.uri, new vscode.Range(document.positionAt(wrong), document.positionAt(wrong + 4)), 'small');
    await vscode.workspace.applyEdit(edit);
    const said = async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        at('hero.png'),
      );
      return hovers.flatMap(({ contents }) => contents.map((one) => (one as vscode.MarkdownString).value));
    };
    await until(async () => (await said()).some((words) => /Missing · .*€0\.\d\d/.test(read(words))));
  });

  test('goes to a style, and renames it everywhere', async () => {
    const uses = at('"flat"', 2);
    const places = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      uses,
    );
    const [place] = places.map((one) => ('range' in one ? one.range : one.targetRange));
    assert.equal(document.offsetAt(place!.start), document.getText().indexOf('"flat": {') + 1);
    const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      document.uri,
      uses,
      'paper "cut"',
    );
    assert.equal(edit.get(document.uri).length, 3);
    await vscode.workspace.applyEdit(edit);
    assert.equal(document.getText().split('"paper \\"cut\\""').length, 4);
  });

  /** Replaces a text of the document. */
  async function replace(from: string, to: string): Promise<void> {
    const start = document.getText().indexOf(from);
    assert.ok(start >= 0, document.getText());
    const edit = new vscode.WorkspaceEdit();
    const range = new vscode.Range(document.positionAt(start), document.positionAt(start + from.length));
    edit.replace(document.uri, range, to);
    await vscode.workspace.applyEdit(edit);
  }

  /** The fix with this title at a text of the document, once it's offered. */
  async function fixAt(part: string, title: string): Promise<vscode.Command> {
    let found: vscode.Command | undefined;
    await until(async () => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        new vscode.Range(at(part, 0), at(part, part.length)),
      );
      found = actions.find((one) => one.title === title)?.command;
      return found !== undefined;
    });
    return found!;
  }

  /** The warnings and errors shown meanwhile. */
  async function toldBy(act: () => Thenable<unknown>): Promise<readonly unknown[]> {
    const dialogs = vscode.window as unknown as Record<string, unknown>;
    const own = Object.entries(dialogs).filter(([name]) => /^show(Error|Warning)Message$/.test(name));
    const told: unknown[] = [];
    for (const [name] of own) dialogs[name] = (sentence: string) => Promise.resolve(void told.push(sentence));
    try {
      await act();
    } finally {
      Object.assign(dialogs, Object.fromEntries(own));
    }
    return told;
  }

  test('offers the closest value for one that the model doesn’t accept', async () => {
    await replace('small"', 'smal"');
    const { command, arguments: of = [] } = await fixAt('"smal"', 'Change to “small”');
    await vscode.commands.executeCommand(command, ...(of as unknown[]));
    assert.ok(document.getText().includes('"size": "small"'), document.getText());
  });

  test('stays as it is when it has changed since a fix was offered, and the user is told', async () => {
    await replace('small"', 'smal"');
    const { command, arguments: of = [] } = await fixAt('"smal"', 'Change to “small”');
    await replace('a harbor', 'a harbor with seven boats');
    const changed = document.getText();
    const told = await toldBy(() => vscode.commands.executeCommand(command, ...(of as unknown[])));
    assert.equal(document.getText(), changed);
    assert.deepEqual(told, ['The render file couldn’t be changed. Use the Quick Fix again.']);
  });

  test('marks a model that makes no images, completes none, and offers no render', async () => {
    const problems = () => vscode.languages.getDiagnostics(document.uri).map(({ message }) => message);
    const [before, verse] = ['paperlight/strata/strata-2', 'quill-house/verse/haiku-1'];
    await replace(`"${before}"`, `"${verse}"`);
    await until(() =>
      Promise.resolve(problems().includes(`“${verse}” doesn’t generate images. Choose another model.`)),
    );
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      50,
    );
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      [],
    );
    const offered = await completed(at(`"${verse}`, 1));
    assert.ok(offered.includes(before) && !offered.includes(verse), offered.join());
    await replace(`"${verse}"`, `"${before}"`);
    await until(() => Promise.resolve(!problems().some((message) => message.includes('doesn’t make images'))));
  });

  test('orders nothing from a model that makes no images, however many models its file names before', async () => {
    const others = Array.from({ length: 20 }, (_, index) => `nobody/none/model-${index}`);
    const entries = [...others, 'quill-house/verse/haiku-1'].map((model, index) => ({
      ...{ file: `verse-${index}`, model, inputs: { prompt: 'a kite' } },
    }));
    const uri = vscode.Uri.joinPath(folder(), 'written', 'many.renders.jsonc');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(JSON.stringify({ renders: entries })));
    const told = await toldBy(() => vscode.commands.executeCommand(commands.renderEntries, uri, others.length));
    assert.deepEqual(told, ['“Haiku 1” doesn’t generate images. Choose another model.']);
  });

  test('adopts an image that wasn’t rendered in its own file, and leaves its pixels unchanged', async () => {
    const file = vscode.Uri.joinPath(folder(), 'written', 'hero.png');
    const bytes = encode({ width: 1, height: 1, data: new Uint8Array([200, 0, 0]), channels: 3 });
    await vscode.workspace.fs.writeFile(file, bytes);
    const edit = new vscode.WorkspaceEdit();
    const wrong = at('"smal"', 0);
    edit.replace(document.uri, new vscode.Range(wrong, wrong.translate(0, 6)), '"small"');
    await vscode.workspace.applyEdit(edit);
    const place = at('hero.png');
    const offered = async () => {
      const range = new vscode.Range(place, place);
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        range,
      );
      return actions.find(({ title }) => title === 'Mark as up to date')?.command;
    };
    await until(async () => (await offered()) !== undefined);
    const { command, arguments: of = [] } = (await offered())!;
    await vscode.commands.executeCommand(command, ...(of as unknown[]));
    const written = await vscode.workspace.fs.readFile(file);
    assert.match(new TextDecoder().decode(written), /"?adopted"?(?:&quot;)?:true/);
    assert.deepEqual(decode(written).data, decode(bytes).data);
    const names = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(folder(), 'written'));
    assert.deepEqual(
      names.map(([name]) => name).filter((name) => name.startsWith('hero')),
      ['hero.png'],
    );
    await until(async () => (await offered()) === undefined);
  });
});

suite('a render file for existing images', () => {
  const folder = () => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'made');
  const file = (name: string) => vscode.Uri.joinPath(folder(), name);
  const text = async (name: string) => Buffer.from(await vscode.workspace.fs.readFile(file(name))).toString();
  const opened = () => vscode.workspace.openTextDocument(file('renders.jsonc'));
  const modelId = 'paperlight/strata/strata-2';

  suiteSetup(async () => {
    await vscode.extensions.getExtension('model-catalog.model-catalog')!.activate();
    await vscode.commands.executeCommand(commands.useSandbox);
  });

  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(folder(), { recursive: true });
  });

  /** An image as if a colleague had rendered it: its sidecar file has what it was made from. */
  async function make(name: string, prompt?: string): Promise<void> {
    const bytes = encode({ width: 1, height: 1, data: new Uint8Array([0, 0, name.length]), channels: 3 });
    await vscode.workspace.fs.writeFile(file(name), bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const told = writeProvenance({ modelId, inputs: { prompt: prompt ?? '', size: 'small', seed: 7 }, sha256 });
    if (prompt !== undefined) await vscode.workspace.fs.writeFile(file(name + sidecarEnding), Buffer.from(told));
  }

  /** The states above the entries of the file in the editor. */
  async function states(): Promise<readonly string[]> {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      (await opened()).uri,
      50,
    );
    const titles = lenses.map(({ command }) => command?.title ?? '');
    // The one for the whole file is somewhere among them.
    return titles.filter((title) => !/missing or out of date/.test(title)).map((title) => title.replace(/ · .*/, ''));
  }

  test('lists the images that have a record, each of them current', async () => {
    await make('hero.png', 'a lighthouse at dusk');
    await make('icons/save.png', 'a disk');
    await make('old.png');
    await vscode.commands.executeCommand(commands.newRenderFile, folder());
    assert.equal(
      await text('renders.jsonc'),
      `// Not listed, without a complete record of how it was made: made/old.png
{
  "model": "${modelId}",
  "inputs": { "size": "small", "seed": 7 },
  "renders": [
    { "file": "hero.png", "inputs": { "prompt": "a lighthouse at dusk" } },
    { "file": "icons/save.png", "inputs": { "prompt": "a disk" } }
  ]
}
`,
    );
    assert.equal(vscode.window.activeTextEditor?.document.uri.path, file('renders.jsonc').path);
    await until(async () => (await states()).join() === 'Up to date,Up to date');
  });

  test('shows a second one for review, with only the images that no file lists', async () => {
    await make('fox.png', 'a fox');
    await vscode.commands.executeCommand(commands.newRenderFile, folder());
    const { document } = vscode.window.activeTextEditor!;
    assert.deepEqual([document.isUntitled, document.languageId], [true, 'jsonc']);
    assert.deepEqual(document.getText().match(/"file": ".*"/g), ['"file": "fox.png"']);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    assert.ok((await text('renders.jsonc')).includes('hero.png'));
  });

  test('gets an image as a current entry, and nothing else changes', async () => {
    const before = (await opened()).getText();
    await vscode.commands.executeCommand(commands.addFileEntry, file('fox.png'));
    const entry = ',\n    { "file": "fox.png", "inputs": { "prompt": "a fox" } }';
    const after = (await opened()).getText();
    assert.equal(after, before.replace('"a disk" } }', `"a disk" } }${entry}`));
    const { document, selection } = vscode.window.activeTextEditor!;
    assert.equal(document.getText(selection), 'fox.png');
    await until(async () => (await states()).join() === 'Up to date,Up to date,Up to date');
    await vscode.commands.executeCommand(commands.addFileEntry, file('fox.png'));
    assert.equal((await opened()).getText(), after);
  });

  test('gets the missing image of a link with its words as the prompt', async () => {
    const page = file('page.md');
    await vscode.workspace.fs.writeFile(page, Buffer.from('![A red barn in snow](barn.png)\n'));
    await vscode.workspace.openTextDocument(page);
    await vscode.commands.executeCommand(commands.addLinkEntry, page.toString(), 25);
    const entry = '{ "file": "barn.png", "inputs": { "prompt": "A red barn in snow" } }';
    assert.ok((await opened()).getText().includes(entry));
    await until(async () => (await states()).at(-1) === 'Missing');
  });

  test('follows an image that is renamed, and back', async () => {
    await (await opened()).save();
    const rename = async (from: string, to: string) => {
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(file(from), file(to));
      await vscode.workspace.applyEdit(edit);
    };
    const before = await text('renders.jsonc');
    await rename('fox.png', 'foxes/red fox.png');
    const after = before.replace('"file": "fox.png"', '"file": "foxes/red fox.png"');
    await until(async () => (await text('renders.jsonc')) === after);
    await rename('foxes/red fox.png', 'fox.png');
    await until(async () => (await text('renders.jsonc')) === before);
    await until(async () => (await states()).join() === 'Up to date,Up to date,Up to date,Missing');
  });
});

suite('a render file with a given image', () => {
  const root = () => vscode.workspace.workspaceFolders![0]!.uri;
  const file = (name: string) => vscode.Uri.joinPath(root(), 'given', name);
  const opened = () => vscode.workspace.openTextDocument(file('renders.jsonc'));
  const photo = (blue: number) =>
    Buffer.from(encode({ width: 1, height: 1, data: new Uint8Array([0, 0, blue]), channels: 3 }));
  const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  const modelId = 'second-hand/reprint/riso-1';
  const entry = '{ "file": "print.png", "inputs": { "image": "../given/photos/" } }';

  suiteSetup(async () => {
    await vscode.extensions.getExtension('model-catalog.model-catalog')!.activate();
    await vscode.commands.executeCommand(commands.useSandbox);
    await vscode.workspace.fs.writeFile(file('photos/a.png'), photo(1));
    await vscode.workspace.fs.writeFile(file('photos/small/b.JPG'), Buffer.from([0xff, 0xd8, 0xff]));
    await vscode.workspace.fs.writeFile(file('photos/note.txt'), Buffer.from('not an image'));
    const text = `{ "model": "${modelId}", "renders": [\n  ${entry}\n] }\n`;
    await vscode.workspace.fs.writeFile(file('renders.jsonc'), Buffer.from(text));
    await vscode.window.showTextDocument(await opened());
  });

  suiteTeardown(async () => {
    await (await opened()).save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(file(''), { recursive: true });
  });

  /** The position behind a text of the file. */
  async function behind(text: string): Promise<vscode.Position> {
    const document = await opened();
    return document.positionAt(document.getText().indexOf(text) + text.length);
  }

  async function change(from: string, to: string): Promise<void> {
    const document = await opened();
    const start = document.getText().indexOf(from);
    assert.ok(start >= 0, document.getText());
    const edit = new vscode.WorkspaceEdit();
    const range = new vscode.Range(document.positionAt(start), document.positionAt(start + from.length));
    edit.replace(document.uri, range, to);
    await vscode.workspace.applyEdit(edit);
  }

  /** What is completed there, as it would be written. */
  async function completed(text: string): Promise<readonly string[]> {
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      file('renders.jsonc'),
      await behind(text),
    );
    return items.map(({ insertText = '' }) => (typeof insertText === 'string' ? insertText : insertText.value));
  }

  /** The files that a text of the file leads to. */
  async function placesAt(text: string): Promise<readonly vscode.Uri[]> {
    const places = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>(
      'vscode.executeDefinitionProvider',
      file('renders.jsonc'),
      await behind(text),
    );
    return places.map((place) => ('uri' in place ? place.uri : place.targetUri));
  }

  /** Waits until these are the file’s only problems. */
  const problems = (...expected: readonly string[]) =>
    until(() => {
      const messages = vscode.languages.getDiagnostics(file('renders.jsonc')).map(({ message }) => message);
      return Promise.resolve(messages.join() === expected.join());
    });

  test('completes its path folder by folder, with images only', async () => {
    await until(async () => (await completed('../given/photos/')).includes('"../given/photos/a.png"'));
    const items = await completed('../given/photos/');
    assert.deepEqual(items, ['"../given/photos/a.png"', '"../given/photos/small/$0"']);
    assert.ok((await completed('"image": "')).includes('"photos/$0"'));
  });

  test('marks a path that leads to no image, says what to do, and goes to one that does', async () => {
    await change('"../given/photos/"', '"photos/none.png"');
    await problems('“photos/none.png” doesn’t exist. Enter the path from this render file’s folder.');
    await change('"photos/none.png"', '"photos/note.txt"');
    await problems('“photos/note.txt” isn’t an image. Choose another file.');
    await change('"photos/note.txt"', '"photos/a.png"');
    await problems();
    assert.equal((await placesAt('"photos/a'))[0]?.path, file('photos/a.png').path);
  });

  test('sees an image that appears, and follows one that is renamed', async () => {
    await change('"photos/a.png"', '"photos/late.png"');
    await problems('“photos/late.png” doesn’t exist. Enter the path from this render file’s folder.');
    await vscode.workspace.fs.writeFile(file('photos/late.png'), photo(2));
    await problems();
    await (await opened()).save();
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(file('photos/late.png'), file('photos/early.png'));
    await vscode.workspace.applyEdit(edit);
    // Saved, too: the next test begins with what is on disk.
    await until(async () => {
      const document = await opened();
      return !document.isDirty && document.getText().includes('"photos/early.png"');
    });
  });

  test('completes the names of other entries, marks one that none has or that makes no image, and follows a rename', async () => {
    const before = (await opened()).getText();
    const renders = [
      { file: 'fox.png', model: 'paperlight/strata/strata-2', inputs: { prompt: 'a fox', size: 'small' } },
      { file: 'poem', model: 'quill-house/verse/haiku-1', inputs: { prompt: 'a fox' } },
      { file: 'print.png', model: modelId, inputs: { image: '[fax]' } },
    ];
    await change(before, JSON.stringify({ renders }, null, 1));
    await problems(
      'No entry has the file “fax”. Files that you can name: fox, poem.',
      '“quill-house/verse/haiku-1” doesn’t generate images. Choose another model.',
    );
    const items = await completed('"image": "[f');
    assert.ok(items.includes('"[fox]"') && !items.includes('"[print]"'), items.join());
    await change('"[fax]"', '"[poem]"');
    await problems(
      'The model of “poem” doesn’t generate images. Name another entry.',
      '“quill-house/verse/haiku-1” doesn’t generate images. Choose another model.',
    );
    await change('"[poem]"', '"[fox]"');
    await change('quill-house/verse/haiku-1', 'paperlight/strata/strata-2');
    await problems();
    await vscode.workspace.fs.writeFile(file('fox.png'), photo(4));
    await until(async () => (await placesAt('"[f')).some(({ path }) => path === file('fox.png').path));
    await (await opened()).save();
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(file('fox.png'), file('wood/owl.png'));
    await vscode.workspace.applyEdit(edit);
    await until(async () => {
      const text = (await opened()).getText();
      return text.includes('"file": "wood/owl.png"') && text.includes('"image": "[wood/owl]"');
    });
    await until(async () => !(await opened()).isDirty);
    await change((await opened()).getText(), before);
    await (await opened()).save();
  });

  test('gets a result by the path of its image, which is stale once that is another', async () => {
    const bytes = photo(3);
    await vscode.workspace.fs.writeFile(file('made.png'), bytes);
    const image = { file: 'given/photos/a.png', sha256: sha256Of(photo(1)), type: 'image/png', bytes: photo(1).length };
    const told = writeProvenance({ modelId, inputs: { image, tones: 3 }, sha256: sha256Of(bytes) });
    await vscode.workspace.fs.writeFile(file(`made.png${sidecarEnding}`), Buffer.from(told));
    await vscode.commands.executeCommand(commands.addFileEntry, file('made.png'));
    const added = '{ "file": "made.png", "inputs": { "image": "photos/a.png", "tones": 3 } }';
    assert.ok((await opened()).getText().includes(added), (await opened()).getText());
    const states = async () => {
      const id = 'vscode.executeCodeLensProvider';
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(id, file('renders.jsonc'), 50);
      return lenses.map(({ command }) => command?.title.replace(/ · .*/, ''));
    };
    await until(async () => (await states()).includes('Up to date'));
    await vscode.workspace.fs.writeFile(file('photos/a.png'), photo(200));
    await until(async () => (await states()).includes('Out of date: image'));
  });
});

suite('all render files of the workspace', () => {
  const folder = () => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'all');
  const file = (name: string) => vscode.Uri.joinPath(folder(), name);
  const write = (name: string, text: string) => vscode.workspace.fs.writeFile(file(name), Buffer.from(text));
  /** A render file with these images. */
  const listing = (...images: readonly string[]) =>
    JSON.stringify({
      ...{ model: 'paperlight/strata/strata-2', inputs: { size: 'small' } },
      renders: images.map((image) => ({ file: image, inputs: { prompt: image } })),
    });

  suiteSetup(async () => {
    await vscode.extensions.getExtension('model-catalog.model-catalog')!.activate();
    await vscode.commands.executeCommand(commands.useSandbox);
  });

  teardown(() => vscode.workspace.fs.delete(folder(), { recursive: true }));

  /** What a command says, and the images that it lists, until that list is closed. */
  async function seen(command: string, where?: vscode.Uri) {
    const dialogs = vscode.window as unknown as Record<string, unknown>;
    const replaced = Object.keys(dialogs).filter((name) => /^show.+Message$|^createQuickPick$/.test(name));
    const own = Object.fromEntries(replaced.map((name) => [name, dialogs[name]]));
    const told: string[] = [];
    const pickers: vscode.QuickPick<vscode.QuickPickItem>[] = [];
    let isDone = false;
    for (const name of replaced) dialogs[name] = (sentence: string) => Promise.resolve(void told.push(sentence));
    dialogs.createQuickPick = () => {
      const picker = (own.createQuickPick as typeof vscode.window.createQuickPick)();
      pickers.push(picker);
      return picker;
    };
    try {
      const done = vscode.commands.executeCommand(command, where).then(() => (isDone = true));
      await until(() => Promise.resolve(isDone || pickers.some(({ items }) => items.length > 0)));
      const listed = pickers.flatMap(({ items }) => items.map(({ label }) => label));
      for (const picker of pickers) picker.hide();
      await done;
      return { told, listed };
    } finally {
      Object.assign(dialogs, own);
    }
  }

  /** Waits until a command comes to this: files that appear or go are noticed a little later. */
  async function comesTo(expected: Awaited<ReturnType<typeof seen>>, command: string, where?: vscode.Uri) {
    let last: unknown;
    const isSo = async () => isDeepStrictEqual((last = await seen(command, where)), expected);
    await until(isSo, 20_000).catch(() => assert.deepEqual(last, expected));
  }

  test('order no image that two of them list, and say which it is', async () => {
    const twice = 'Give each entry its own file.';
    const left = `Left out because several render files list the same image: all/hero.png. ${twice}`;
    await write('renders.jsonc', listing('hero.png'));
    await write('copy.renders.jsonc', listing('hero.png'));
    const nothing = { told: [`No other image is missing or out of date. ${left}`], listed: [] };
    await comesTo(nothing, commands.renderAllEntries);
    await comesTo({ told: [left], listed: [] }, commands.renderEntries, file('renders.jsonc'));
    await write('copy.renders.jsonc', listing('hero.png', 'fox.png'));
    const rest = { told: [left], listed: ['all/fox.png'] };
    await comesTo(rest, commands.renderAllEntries);
    await comesTo(rest, commands.renderEntries, file('copy.renders.jsonc'));
  });

  test('are named where they have errors or can’t be read, whether or not others have something to render', async () => {
    await write('broken.renders.jsonc', '{ "renders": [');
    await write('vast.renders.jsonc', '');
    await truncate(file('vast.renders.jsonc').fsPath, 30_000_000);
    const left = 'Left out because of errors: all/broken.renders.jsonc, all/vast.renders.jsonc.';
    const nothing = { told: [`No other image is missing or out of date. ${left}`], listed: [] };
    await comesTo(nothing, commands.renderAllEntries);
    await write('renders.jsonc', listing('hero.png'));
    await comesTo({ told: [left], listed: ['all/hero.png'] }, commands.renderAllEntries);
    await comesTo({ told: [], listed: [] }, commands.checkRenderFiles);
    const problems = ['broken', 'vast'].map((name) => vscode.languages.getDiagnostics(file(`${name}.renders.jsonc`)));
    assert.deepEqual(
      problems.map(([first]) => first?.message),
      ['This isn’t valid JSON, or it isn’t complete.', 'all/vast.renders.jsonc can’t be read.'],
    );
  });

  test('are checked also if the folder of an image is a file, or can’t be listed', async () => {
    await write('text', 'not a folder');
    await symlink('circle', file('circle').fsPath);
    await write('renders.jsonc', listing('text/hero.png', 'circle/hero.png'));
    await comesTo({ told: [], listed: ['all/text/hero.png'] }, commands.renderAllEntries);
    await comesTo({ told: [], listed: [] }, commands.checkRenderFiles);
    assert.deepEqual(
      vscode.languages.getDiagnostics(file('renders.jsonc')).map(({ message }) => message),
      ['all/text/hero.png is missing.', 'all/circle/hero.png can’t be read.'],
    );
  });

  test('aren’t called current where there are too many to read', async () => {
    for (let index = 0; index < 201; index++) await write(`${index}.renders.jsonc`, '{ "renders": [] }');
    const current = 'All images in the first 200 render files are current. The others weren’t read.';
    await comesTo({ told: [current], listed: [] }, commands.checkRenderFiles);
    const nothing = 'No other image is missing or out of date. Only the first 200 render files were read.';
    await comesTo({ told: [nothing], listed: [] }, commands.renderAllEntries);
  });
});

suite('the new image of a stale one', () => {
  const root = () => vscode.workspace.workspaceFolders![0]!.uri;
  const file = (name: string) => vscode.Uri.joinPath(root(), 'stale', name);
  const memory = { get: () => undefined, update: () => Promise.resolve() };
  let settings: Settings;

  suiteSetup(async () => {
    settings = new Settings();
    for (const name of ['hero.png', 'hero.jfif', 'logo.tif'])
      await vscode.workspace.fs.writeFile(file(name), Buffer.from('as if it were an image'));
  });

  suiteTeardown(async () => {
    settings.dispose();
    await vscode.workspace.fs.delete(file(''), { recursive: true });
  });

  /** A render of the library. */
  function entryOf(change: Partial<RenderRecord>, group: LibraryEntry['group']): LibraryEntry {
    const made = record(change);
    return { id: made.key, group, state: made.state, modelId: made.modelId, inputs: made.inputs, record: made };
  }

  /** Where it goes, for an entry with that file and an image with that name. */
  async function place(entry: string, image: string, told: Pick<Settings, 'provenance'> = settings) {
    const targets = new Targets(settings, silentLog, new LastFolder(memory), () => Promise.resolve());
    const render = { renderFile: 'renders.jsonc', entry: 0, values: new Map(), target: `stale/${entry}` };
    const asked: AskedRender = { ...render, modelId: 'a/b/c', inputs: {} };
    const state = { state: 'stale', file: `stale/${image}`, changes: [], isEdited: false } as const;
    const target = await entryTarget({ render: asked, state, folder: root() }, targets, told);
    return { file: targetFile(target)?.path, replaced: target.replaces?.uri, name: target.fileName, fit: target.fit };
  }

  test('replaces it, or is saved as the entry’s file if it can’t be replaced or was deleted', async () => {
    const { replaced, fit } = await place('hero.png', 'hero.png');
    assert.equal(replaced, file('hero.png').toString());
    assert.equal(fit?.format, 'png');
    assert.deepEqual(await place('logo.png', 'logo.tif'), {
      file: file('logo.png').path,
      replaced: undefined,
      name: 'logo',
      fit: undefined,
    });
    const ofItsOwn = { file: undefined, replaced: undefined, name: 'logo', fit: undefined };
    assert.deepEqual(await place('logo', 'logo.tif'), ofItsOwn);
    assert.equal((await place('gone.png', 'gone.png')).file, file('gone.png').path);
    const unrecorded = await place('hero.png', 'hero.jpg', { provenance: () => 'none' });
    assert.deepEqual([unrecorded.file, unrecorded.fit?.format], [file('hero.png').path, 'png']);
  });

  test('isn’t ordered once the stale one was changed, replaced, or is being rendered, and the user is told', async () => {
    const targets = new Targets(settings, silentLog, new LastFolder(memory), () => Promise.resolve());
    const names = ['kept.png', 'drawn.png', 'busy.png', 'made.png'];
    for (const name of names) await vscode.workspace.fs.writeFile(file(name), Buffer.from('as it was'));
    const orders = await Promise.all(names.map(async (name) => ({ target: await targets.replacing(file(name)) })));
    // A result is saved in the folder that has the name, in either Unicode form.
    const late = ['new.png', 'pulled.png', 'caf\u00e9/pulled.png'];
    orders.push(...late.map((name) => ({ target: targets.file(file(name)) })));
    for (const name of ['drawn.png', 'pulled.png', 'cafe\u0301/pulled.png'])
      await vscode.workspace.fs.writeFile(file(name), Buffer.from('now'));
    const [busy, made] = ['active' as const, 'finished' as const].map((group, index) =>
      entryOf(
        { key: `now-${index}`, state: group === 'active' ? 'sent' : 'saved', target: orders[2 + index]!.target },
        group,
      ),
    );
    const changed = new Emitter<void>();
    const library = { entries: [] as LibraryEntry[], onDidChange: changed.event };
    const renders = { fileRenders: new FileRenders(library, silentLog), targets, library: { get: () => busy } };
    const window = vscode.window as { showInformationMessage: unknown };
    const own = window.showInformationMessage;
    const told: string[] = [];
    window.showInformationMessage = (sentence: string) => Promise.resolve(void told.push(sentence));
    try {
      const still = new StillWanted(renders as unknown as Renders);
      library.entries = [busy!, made!];
      changed.fire();
      assert.deepEqual(await still.among(orders), [orders[0], orders[4]]);
      still.tell();
    } finally {
      window.showInformationMessage = own;
    }
    assert.deepEqual(told, [
      '“busy.png” is already in progress.',
      'Not sent, nothing charged: 4 images that were saved or changed in the meantime.',
    ]);
  });

  test('isn’t rendered if the entry’s own file can’t be replaced', async () => {
    await assert.rejects(place('hero.jfif', 'hero.jfif'), {
      message:
        '“hero.jfif” can’t be replaced with a new image. Enter another file extension in its entry, such as .png.',
    });
  });
});
