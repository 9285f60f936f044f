import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../../src/base/clock';
import { Emitter } from '../../../src/base/disposable';
import { silentLog } from '../../../src/base/log';
import { DocumentLinks } from '../../../src/features/links/documentLinks';
import { LinkReader } from '../../../src/features/links/model/linkReader';
import { missingAt, MissingImages } from '../../../src/features/links/missingImages';
import { searchMissing } from '../../../src/features/links/missingSearch';
import { FileRenders } from '../../../src/renders/fileRenders';
import type { LibraryEntry } from '../../../src/renders/library';
import { removeFolder } from '../../removeFolder';
import { root as project } from '../root';
import { until } from '../until';

suite('the search for missing images', () => {
  const root = () => vscode.workspace.workspaceFolders![0]!.uri;
  const folder = () => vscode.Uri.joinPath(root(), 'searched');
  let links: DocumentLinks;
  const lines: string[] = [];
  const log = { ...silentLog, warn: (line: string) => void lines.push(line) };
  const noPrices = { of: () => Promise.resolve(undefined), onDidChange: new Emitter<void>().event } as never;

  /** The missing images found below a folder, or everywhere if it's undefined; relative to the test's folder. */
  async function missing(where: vscode.Uri | undefined): Promise<string[]> {
    const found = await searchMissing(where, links, { targets: { file: (file) => ({ uri: file }) as never }, log });
    const below = `${folder().toString()}/`;
    const files = (found?.images ?? []).filter(({ file, doubt }) => file.startsWith(below) && !doubt);
    return files.map(({ file }) => file.slice(below.length)).sort();
  }

  /** From now on, these are the renders of the library. */
  function followRenders(entries: readonly LibraryEntry[]): void {
    const library = { entries, onDidChange: new Emitter<void>().event, onDidEnd: new Emitter<LibraryEntry>().event };
    const fileRenders = new FileRenders(library, silentLog);
    links.follow({ library, fileRenders });
  }

  async function write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder().fsPath, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }

  async function set(id: string, value: unknown): Promise<void> {
    await vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Workspace);
  }

  suiteSetup(() => {
    links = new DocumentLinks(new LinkReader(join(project, 'dist', 'documents.js'), systemClock, log), log);
  });
  teardown(async () => {
    for (const id of ['files.exclude', 'search.exclude', 'search.useIgnoreFiles']) await set(id, undefined);
    await removeFolder(folder().fsPath);
  });
  suiteTeardown(() => links.dispose());

  test('skips what is generated, vendored, ignored, hidden, or excluded from search', async () => {
    const text = '![A fox](gone.png)\n';
    const left = [
      'node_modules/a',
      'packages/b/vendor/c',
      'dist',
      'docs/_site',
      'test/__snapshots__',
      'e2e/a.ts-snapshots',
    ];
    const settings = ['hidden', 'skipped', 'docs/hidden', 'docs/skipped', 'docs/secret', 'docs/left'];
    const ignored = ['ignored', 'docs/deep/ignored', 'docs/own'];
    const kept = ['here', 'docs/guide', 'docs/own/kept'];
    for (const path of [...left, ...settings, ...ignored.slice(0, 2), ...kept.slice(0, 2)])
      await write({ [`${path}/a.md`]: text });
    await write({ 'docs/own/a.md': text, 'docs/own/kept.md': text, '.gitignore': 'ignored/\n' });
    await write({ 'docs/own/.gitignore': '*.md\n!kept.md\n' });
    await set('files.exclude', { '**/hidden': true, 'searched/docs/secret': true });
    await set('search.exclude', { '**/skipped': true, 'searched/docs/left': true, '**/guide': false });
    const expected = ['docs/guide/gone.png', 'docs/own/gone.png', 'here/gone.png'];
    assert.deepEqual(await missing(undefined), expected);
    assert.deepEqual(await missing(folder()), expected);
    assert.deepEqual(await missing(vscode.Uri.joinPath(folder(), 'ignored')), ['ignored/gone.png']);
    assert.deepEqual(await missing(vscode.Uri.joinPath(folder(), 'dist')), ['dist/gone.png']);
    await set('search.useIgnoreFiles', false);
    assert.deepEqual(await missing(undefined), ['docs/deep/ignored/gone.png', ...expected, 'ignored/gone.png']);
  });

  test('doesn’t report images that a site builder keeps elsewhere, and searches again when its configuration changes', async () => {
    await write({
      'site/.vitepress/config.mts': "export default { srcDir: 'src' };",
      'site/src/guide/a.md': '![A fox](/fox.png)\n![A heron](/heron.png)\n',
      'site/src/public/fox.png': '',
      'blog/_config.yml': 'title: A blog\n',
      'blog/_posts/2026-01-01-a.md': '![A fox](../../../img/fox.png)\n![A fox](/img/fox.png)\n',
      'blog/img/fox.png': '',
      'docs/antora.yml': 'name: docs\n',
      'docs/modules/ROOT/pages/a.adoc': 'image::fox.png[]\n\nimage::heron.png[]\n',
      'docs/modules/ROOT/images/fox.png': '',
    });
    const ofDocs = 'docs/modules/ROOT/images/heron.png';
    assert.deepEqual(await missing(folder()), [ofDocs, 'site/src/public/heron.png']);
    // As the editor's file watcher reports it.
    await write({ 'site/.vitepress/config.mts': "export default { srcDir: 'src', vite: { publicDir: 'open' } };" });
    await until(async () => (await missing(folder())).includes('site/src/open/heron.png'));
    assert.deepEqual(await missing(folder()), [ofDocs, 'site/src/open/heron.png']);
  });

  test('reads Markdown as MDX where its Docusaurus site does, and again when that changes', async () => {
    const config = 'website/docusaurus.config.js';
    await write({
      [config]: "module.exports = { title: 'Foxes' };",
      'website/docs/a.md': 'import Hero from \'./hero.png\';\n\n<img src={Hero} alt="A red fox in snow" />\n',
      'notes/a.md': 'import Hero from \'./hero.png\';\n\n<img src={Hero} alt="A red fox in snow" />\n',
    });
    assert.deepEqual(await missing(folder()), ['website/docs/hero.png']);
    await write({ [config]: "module.exports = { title: 'Foxes', markdown: { format: 'detect' } };" });
    await until(async () => (await missing(folder())).length === 0);
  });

  test('lists an image apart that exists elsewhere, until that is deleted', async () => {
    await write({ 'apart.md': '![A fox](fox.png)\n![An owl](owl.png)\n', 'old/deep/FOX.PNG': '' });
    await write({ 'node_modules/a/owl.png': '' });
    const apart = async () => {
      const found = await searchMissing(folder(), links, {
        targets: { file: (file) => ({ uri: file }) as never },
        log,
      });
      return found?.images.flatMap(({ doubt }) => (doubt?.why === 'elsewhere' ? [doubt.path] : []));
    };
    // The owl goes where the document's fox is.
    assert.deepEqual([await missing(folder()), await apart()], [['old/deep/owl.png'], ['searched/old/deep/FOX.PNG']]);
    const images = new MissingImages(links, noPrices, { missingImages: () => true, fitMissingImages: () => 'none' });
    const uri = vscode.Uri.joinPath(folder(), 'apart.md').toString();
    await assert.rejects(
      missingAt(images, uri, 3),
      /^UserError: This image exists as searched\/old\/deep\/FOX\.PNG\. /,
    );
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    const offered = async () => (await links.of(document)).filter(({ doubt }) => !doubt).map(({ link }) => link.path);
    assert.deepEqual(await offered(), ['owl.png']);
    // As the editor's file watcher reports it.
    await removeFolder(join(folder().fsPath, 'old'));
    await until(async () => (await offered()).join() === 'fox.png,owl.png');
    await write({ 'new/owl.png': '' });
    await until(async () => (await offered()).join() === 'fox.png');
    images.dispose();
  });

  test('finds an image by its name where a folder has more of them than are kept', async () => {
    await write({ 'many.md': '![A fox](fox.png)\n![An owl](owl.png)\n', 'old/FOX.png': '' });
    const workspace = vscode.workspace as { findFiles: unknown };
    const own = vscode.workspace.findFiles.bind(vscode.workspace);
    const uri = (index: number) => vscode.Uri.joinPath(folder(), `${index}.png`);
    workspace.findFiles = (glob: vscode.RelativePattern, exclude: string, most: number) =>
      most > 20_000 && glob.pattern.includes('*.{')
        ? Promise.resolve(Array.from({ length: most }, (_, index) => uri(index)))
        : own(glob, exclude, most);
    try {
      links.lookAgain();
      const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder(), 'many.md'));
      const found = await links.of(document);
      assert.deepEqual(
        found.map(({ doubt }) => doubt),
        [{ why: 'elsewhere', path: 'searched/old/FOX.png' }, undefined],
      );
    } finally {
      workspace.findFiles = own;
      links.lookAgain();
    }
  });

  test('reports an image as missing again once its result, in another format, no longer exists', async () => {
    await write({ 'a.md': '![A fox](fox.png)\n', 'fox.webp': 'a fox' });
    const saved = vscode.Uri.joinPath(folder(), 'fox.webp');
    const target = { root: root().toString(), folder: 'searched', fileName: 'fox', ending: 'png' };
    const entry = { id: 'a-fox', state: 'saved', group: 'finished', file: saved.toString(), record: { target } };
    followRenders([entry as unknown as LibraryEntry]);
    assert.deepEqual(await missing(folder()), []);
    await vscode.workspace.fs.delete(saved);
    await until(async () => (await missing(folder())).join() === 'fox.png');
  });

  test('skips an image whose order waits for its turn', async () => {
    await write({ 'a.md': '![A fox](fox.png)\n![An owl](owl.png)\n' });
    const target = { root: root().toString(), folder: 'searched', fileName: 'owl', ending: 'png' };
    const entry = { id: 'an-owl', state: 'planned', group: 'active', record: { target } };
    followRenders([entry as unknown as LibraryEntry]);
    assert.deepEqual(await missing(folder()), ['fox.png']);
    followRenders([]);
    assert.deepEqual(await missing(folder()), ['fox.png', 'owl.png']);
  });

  test('skips files that are too large or that it cannot read, with one line each in the log', async () => {
    const fox = '![A fox](fox.png)\n';
    await write({
      '.gitignore': '#'.repeat(70_000),
      'site/_config.yml': '#'.repeat(70_000),
      'site/a.md': '![A fox](/fox.png)\n',
      'book/mkdocs.yml': 'docs_dir: [a, b]\n',
      'book/b.md': '![A fox](/fox.png)\n',
      'c.md': fox,
      'large.md': `${fox}${'a'.repeat(8_000_001)}`,
    });
    lines.length = 0;
    assert.deepEqual(await missing(folder()), ['fox.png']);
    assert.deepEqual(await missing(folder()), ['fox.png']);
    assert.deepEqual([...lines].sort(), [
      'searched/.gitignore is too large to be read: more than 65536 bytes',
      'searched/book/mkdocs.yml says where its images are, but not in a way we can read',
      'searched/large.md is too large to be read: more than 8000000 bytes',
      'searched/site/_config.yml is too large to be read: more than 65536 bytes',
    ]);
    const large = missing(vscode.Uri.joinPath(folder(), 'large.md'));
    await assert.rejects(large, /“searched\/large\.md” is too large to search for images\. Split it/);
  });

  test('an offer for all missing images counts one that two links name once', async () => {
    const images = new MissingImages(links, noPrices, {
      missingImages: () => true,
      fitMissingImages: () => 'none',
    });
    const offers = async (name: string) => {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder(), name));
      const fixes = await images.fixesAt(document, new vscode.Range(0, 3, 0, 3));
      const lenses = await images.lenses.provideCodeLenses(document);
      const titles = [...fixes.map(({ title }) => title), ...lenses.map(({ command }) => command?.title ?? '')];
      return titles.filter((title) => title.includes('missing images'));
    };
    await write({
      'one.md': '![A red fox](fox.png)\n![The same fox](./fox.png)\n![A hen](hen.png)\n',
      'two.md': '![A red fox](fox.png)\n![The same fox](./fox.png)\n![An old owl](owl.png)\n',
    });
    // A render of two words is offered at the cursor alone.
    assert.deepEqual(await offers('one.md'), ['Render 2 missing images…']);
    assert.deepEqual(await offers('two.md'), Array(2).fill('Render 2 missing images…'));
    images.dispose();
  });

  test('says that it stopped when there are more files than it looks at, even if all of those are ignored', async () => {
    await write({ '.gitignore': 'ignored/\n' });
    const workspace = vscode.workspace as { findFiles: unknown };
    const own = workspace.findFiles;
    const uri = (index: number) => vscode.Uri.joinPath(folder(), 'ignored', `${index}.md`);
    workspace.findFiles = (_: unknown, __: unknown, most: number) =>
      Promise.resolve(Array.from({ length: most }, (___, index) => uri(index)));
    try {
      const found = await searchMissing(folder(), links, {
        targets: { file: (file) => ({ uri: file }) as never },
        log,
      });
      assert.deepEqual([found?.images, found?.isCut], [[], true]);
    } finally {
      workspace.findFiles = own;
    }
  });

  test('the command for one image says so of a document that is too large, and not that there is none', async () => {
    const fox = '![A fox](fox.png)\n';
    await write({
      'small.md': fox,
      'large.md': `${fox}${'a\n'.repeat(1_000_000)}`,
      'vast.md': 'a\n'.repeat(26_000_000),
    });
    const uri = (name: string) => vscode.Uri.joinPath(folder(), name).toString();
    const images = new MissingImages(links, noPrices, { missingImages: () => true, fitMissingImages: () => 'none' });
    assert.equal((await missingAt(images, uri('small.md'), 3)).link.path, 'fox.png');
    await assert.rejects(missingAt(images, uri('small.md'), fox.length), /^UserError: No missing image here\./);
    const tooLarge = (name: string) =>
      new RegExp(`^UserError: “searched/${name}\\.md” is too large to search.* Split it`);
    await assert.rejects(missingAt(images, uri('large.md'), 3), tooLarge('large'));
    // The editor gives no extension the text of this one.
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(uri('vast.md')));
    await assert.rejects(missingAt(images, undefined, undefined), tooLarge('vast'));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    images.dispose();
  });
});
