import assert from 'node:assert/strict';
import { encode } from 'fast-png';
import * as vscode from 'vscode';
import { LinkReader } from '../../../src/features/links/model/linkReader';
import { systemClock } from '../../../src/base/clock';
import { Disposables, Emitter } from '../../../src/base/disposable';
import { silentLog } from '../../../src/base/log';
import { passageOf } from '../../../src/documents/passage';
import { DocumentLinks } from '../../../src/features/links/documentLinks';
import { fix } from '../../../src/features/links/workspaceEdit';
import { LinkProblems, RenamedResults } from '../../../src/features/links/linkProblems';
import { linkPlaceAt } from '../../../src/features/links/linkPlace';
import { renderAndInsert, sizeInserted } from '../../../src/features/links/renderAndInsert';
import { targetFile } from '../../../src/editor/workspaceFiles';
import type { Renders } from '../../../src/features/rendering/renders';
import { Responses } from '../../../src/features/selection/responses';
import { FileRenders } from '../../../src/renders/fileRenders';
import type { LibraryEntry } from '../../../src/renders/library';
import type { PricedOrder, RenderRecord, Target } from '../../../src/renders/record';
import { Chance } from '../../faults/simulate/chance';
import { Writer } from './writer';

/** Runs of each scenario. */
const runs = 8;

const link = /!\[a lake\]\([^()\s]*\)|<img src="[^"]*" alt="a lake"[^>]*>/g;

/** A user keeps writing, saves, closes, renames, and has other programs write, at any moment of our edits. */
suite('what a user types while we edit stays as they typed it', () => {
  const folder = () => vscode.workspace.workspaceFolders![0]!.uri;
  const at = (name: string) => vscode.Uri.joinPath(folder(), 'writing', name);
  const dialogs = vscode.window as unknown as Record<string, unknown>;
  const asking = ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'];
  const own = Object.fromEntries(asking.map((name) => [name, dialogs[name]]));
  /** The messages shown to the user. */
  let told: string[];

  suiteSetup(async () => {
    await vscode.workspace.fs.writeFile(at('lake.png'), image());
    await vscode.workspace.fs.writeFile(at('lake (2).png'), image());
  });
  setup(() => {
    told = [];
    dialogs.showInformationMessage = (_: string, first: string) => Promise.resolve(first);
    for (const name of asking.slice(1)) dialogs[name] = (sentence: string) => Promise.resolve(void told.push(sentence));
  });
  teardown(async () => {
    Object.assign(dialogs, own);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  suiteTeardown(() => vscode.workspace.fs.delete(at('.'), { recursive: true }));

  /** Opens a document for a user to write in. */
  async function open(name: string, text: string, chance: Chance): Promise<Writer> {
    await vscode.workspace.fs.writeFile(at(name), Buffer.from(text));
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(at(name)), { preview: false });
    return new Writer(at(name), text, chance);
  }

  /** Does both concurrently; the user finishes last. */
  async function together(writer: Writer, work: Promise<unknown>): Promise<void> {
    await Promise.all([work, writer.write(6)]);
    await writer.write(2);
  }

  /** A result for lake.png that was saved as lake (2).png, and the links to it. */
  function takenName() {
    const target: Target = { root: folder().toString(), folder: 'writing', fileName: 'lake', ending: 'png' };
    const entry = {
      id: 'key',
      group: 'finished',
      state: 'saved',
      file: at('lake (2).png').toString(),
      record: { key: 'key', target },
    } as LibraryEntry;
    const library = { entries: [entry], onDidChange: new Emitter<void>().event, onDidEnd: never<LibraryEntry>() };
    const links = new DocumentLinks(new LinkReader('', systemClock, silentLog), silentLog);
    links.follow({ library, fileRenders: new FileRenders(library, silentLog) });
    return { entry, library, links };
  }

  for (const ending of ['md', 'html']) {
    test(`a link is inserted complete, between words, with only the spacing it needs: ${ending}`, async () => {
      let inserted = 0;
      const links = new DocumentLinks(new LinkReader('', systemClock, silentLog), silentLog);
      for (let seed = 1; seed <= runs; seed++) {
        const chance = new Chance(seed);
        const writer = await open(`insert-${seed}.${ending}`, pageOf(ending), chance);
        const document = await vscode.workspace.openTextDocument(writer.uri);
        const place = linkPlaceAt(document, document.positionAt(document.getText().indexOf(`w${1 + (seed % 12)} `)))!;
        const ended = new Emitter<LibraryEntry>();
        /** The user does other things during an operation, and writes when it resumes. */
        const meanwhile = async <T>(answer: T): Promise<T> => {
          for (let leaves = chance.between('leaves', 0, 2); leaves > 0; leaves--) await writer.leave();
          return answer;
        };
        const target: Target = { root: folder().toString(), folder: 'writing', fileName: 'lake', ending: 'png' };
        const record = { key: `key-${seed}`, target } as RenderRecord;
        const renders = {
          makes: () => meanwhile('image'),
          targets: { unused: () => meanwhile(target) },
          orders: { render: () => meanwhile(record) },
          library: { entries: [], onDidEnd: ended.event },
        } as unknown as Renders;
        const order = { modelId: 'a/b/c', inputs: { prompt: 'a lake' }, target } as unknown as PricedOrder;
        told = [];
        await together(writer, renderAndInsert(order, place, renders, links, 'user'));
        ended.fire({ id: record.key, file: targetFile(target)?.toString() } as LibraryEntry);
        await writer.write(4);
        const text = await writer.read();
        const found = text.match(link) ?? [];
        assert.equal(text.replace(link, ''), writer.text, `seed ${seed}`);
        assert.ok(!/\w(?:!\[a lake\]|<img)/.test(text), `seed ${seed}: within a word of ${text}`);
        assert.equal(found.length + told.length, 1, `seed ${seed}: ${told.join()}`);
        inserted += found.length;
      }
      links.dispose();
      assert.ok(inserted > runs / 4, `${inserted} of ${runs} inserted`);
    });
  }

  test('the size goes to the link in a large document, which isn’t searched on the editor’s thread', async () => {
    const own = new Disposables();
    const before = '<img src="lake.png" alt="a lake">';
    const page = `<p>${before}</p>\n${'<p>more</p>\n'.repeat(5000)}`;
    await vscode.workspace.fs.writeFile(at('large.html'), Buffer.from(page));
    const document = await vscode.workspace.openTextDocument(at('large.html'));
    const { extensionUri } = vscode.extensions.getExtension('model-catalog.model-catalog')!;
    const program = vscode.Uri.joinPath(extensionUri, 'dist', 'documents.js').fsPath;
    const reader = new LinkReader(program, systemClock, silentLog);
    const lengths: number[] = [];
    const read: LinkReader['read'] = (text, syntax, name) => {
      lengths.push(text.length);
      return reader.read(text, syntax, name);
    };
    const links = own.add(new DocumentLinks({ read }, silentLog));
    const ended = new Emitter<LibraryEntry>();
    const renders = { library: { onDidEnd: ended.event }, log: silentLog } as unknown as Renders;
    const edited = new Promise<void>((resolve) =>
      own.add(
        vscode.workspace.onDidChangeTextDocument((event) => {
          if (event.document === document && event.contentChanges.length > 0) resolve();
        }),
      ),
    );
    sizeInserted('key', document, page.indexOf(before), links, renders);
    ended.fire({ id: 'key', file: at('lake.png').toString() } as LibraryEntry);
    await edited;
    const after = '<img src="lake.png" alt="a lake" width="64" height="32">';
    assert.equal(document.getText(), page.replace(before, after));
    assert.deepEqual(lengths, [page.length]);
    own.dispose();
  });

  test('a response replaces its passage, or changes nothing', async () => {
    const answers = new Responses();
    let accepted = 0;
    for (let seed = 1; seed <= runs; seed++) {
      const writer = await open(`answer-${seed}.md`, pageOf('md'), new Chance(seed));
      const start = writer.text.indexOf('w5 ');
      const passage = passageOf(writer.text, { start, end: writer.text.indexOf('w9 ') });
      const text = 'What was answered.';
      await answers.offer(
        { document: writer.uri, languageId: 'markdown', passage, key: `k${seed}`, text, model: 'm', cost: undefined },
        'never',
      );
      const page = vscode.window.tabGroups.activeTabGroup.activeTab?.input as vscode.TabInputTextDiff;
      await together(writer, answers.decide('acceptAnswer', page.modified));
      const now = await writer.read();
      const replaced = writer.text.replace(passage.text.trim(), text);
      assert.ok(now === writer.text || now === replaced, `seed ${seed}: ${now}\nis not\n${writer.text}`);
      assert.equal(now === writer.text, told.length > 0, `seed ${seed}`);
      if (now !== writer.text) accepted++;
      told = [];
    }
    answers.dispose();
    assert.ok(accepted > runs / 4, `${accepted} of ${runs} accepted`);
  });

  test('a link follows its image to its new name, and nothing else changes', async () => {
    let followed = 0;
    for (let seed = 1; seed <= runs; seed++) {
      const page = pageOf('md').replace('w7 ', '![a lake](lake.png) w7 ');
      const writer = await open(`change-${seed}.md`, page, new Chance(seed));
      const { entry, library, links } = takenName();
      const renamed = new RenamedResults(library, links, silentLog);
      await together(writer, renamed.ask([entry], []));
      const now = await writer.read();
      const moved = writer.text.replace('(lake.png)', '(lake%20%282%29.png)');
      assert.ok(now === writer.text || now === moved, `seed ${seed}: ${now}\nis not\n${moved}`);
      assert.equal(now === writer.text, told.length > 0, `seed ${seed}`);
      if (now === moved) followed++;
      told = [];
      renamed.dispose();
      links.dispose();
    }
    assert.ok(followed > runs / 2, `${followed} of ${runs} followed`);
  });

  test('several links that share a definition follow their image with one change', async () => {
    const page = (path: string) => `![light][lake] and ![dark][lake]\n\n[lake]: ${path}\n`;
    const writer = await open('shared.md', page('lake.png'), new Chance(1));
    const { entry, library, links } = takenName();
    const renamed = new RenamedResults(library, links, silentLog);
    await renamed.ask([entry], []);
    assert.equal(await writer.read(), page('lake%20%282%29.png'));
    assert.deepEqual(told, []);
    renamed.dispose();
    links.dispose();
  });

  test('links that can no longer be read after the user agreed stay, and that is said', async () => {
    const page = '![a lake](lake.png)\n';
    const writer = await open('unread.md', page, new Chance(1));
    const { entry, library, links } = takenName();
    const renamed = new RenamedResults(library, links, silentLog);
    dialogs.showInformationMessage = (_: string, first: string) => {
      links.of = () => Promise.reject(new Error('The folder is gone'));
      return Promise.resolve(first);
    };
    await renamed.ask([entry], []);
    assert.equal(await writer.read(), page);
    assert.match(told.join(), /The document couldn’t be changed/);
    renamed.dispose();
    links.dispose();
  });

  test('a removed link takes nothing else with it, or nothing changes', async () => {
    let removed = 0;
    for (let seed = 1; seed <= runs; seed++) {
      const chance = new Chance(seed);
      const page = pageOf('md').replace('w7 ', '![a lake](gone.png) w7 ');
      const writer = await open(`remove-${seed}.md`, page, chance);
      const target: Target = { root: folder().toString(), folder: 'writing', fileName: 'gone', ending: 'png' };
      const record = { key: 'key', target };
      const entry = { id: 'key', group: 'failed', state: 'failed', record } as unknown as LibraryEntry;
      const library = { entries: [entry], onDidChange: new Emitter<void>().event, onDidEnd: never<LibraryEntry>() };
      const links = new DocumentLinks(new LinkReader('', systemClock, silentLog), silentLog);
      links.follow({ library, fileRenders: new FileRenders(library, silentLog) });
      const problems = new LinkProblems(links, silentLog);
      const document = await vscode.workspace.openTextDocument(writer.uri);
      const place = document.positionAt(document.getText().indexOf('gone.png'));
      const fixes = await problems.provideCodeActions(document, new vscode.Range(place, place));
      const [read] = fixes.at(-1)!.command!.arguments as [Parameters<typeof fix>[1]];
      // Leaves the menu open for a moment, while the user may do more.
      await writer.write(chance.between('meanwhile', 0, 1));
      await together(writer, fix('link', read, silentLog));
      const now = await writer.read();
      const alone = writer.text.replace('![a lake](gone.png)', '');
      assert.ok(now === writer.text || now === alone, `seed ${seed}: ${now}\nis not\n${writer.text}`);
      assert.equal(now === writer.text, told.length > 0, `seed ${seed}`);
      if (now === alone) removed++;
      told = [];
      problems.dispose();
      links.dispose();
    }
    assert.ok(removed > runs / 4 && removed < runs, `${removed} of ${runs} removed`);
  });
});

/** Paragraphs of unique words. */
function pageOf(ending: string): string {
  const paragraphs = ['w1 w2 w3 w4 ,', 'w5 w6 w7 w8 ,', 'w9 w10 w11 w12 .'];
  return ending === 'html' ? paragraphs.map((words) => `<p>${words}</p>\n`).join('') : paragraphs.join('\n\n') + '\n';
}

function image(): Uint8Array {
  const [width, height] = [64, 32];
  return encode({ width, height, channels: 1, data: new Uint8Array(width * height) });
}

function never<T>() {
  return new Emitter<T>().event;
}
