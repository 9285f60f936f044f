import assert from 'node:assert/strict';
import { mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { LastFolder } from '../../../src/features/rendering/model/lastFolder';
import { silentLog } from '../../../src/base/log';
import { largestFile, largestSidecar, sidecarEnding } from '../../../src/files/provenance';
import { bytesInGit } from '../../../src/features/compare/comparePanels';
import { fileOrigin } from '../../../src/features/rendering/fileOrigin';
import { readUpTo } from '../../../src/editor/workspaceFiles';
import { unreadWords } from '../../../src/editor/words';
import { originWords } from '../../../src/features/origin/originPanels';
import { Targets } from '../../../src/features/rendering/targets';
import { removeFolder } from '../../removeFolder';
import { MemoryFiles } from './memoryFiles';

suite('a command says which file is too large or damaged, and what to do', () => {
  const root = () => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'too-large');
  const file = (name: string) => vscode.Uri.joinPath(root(), name);

  suiteSetup(async () => {
    await vscode.extensions.getExtension('model-catalog.model-catalog')!.activate();
    await mkdir(root().fsPath, { recursive: true });
  });
  suiteTeardown(() => removeFolder(root().fsPath));

  /** A file of zeros, which takes no room on the disk. */
  async function makeLarge(name: string, size: number): Promise<void> {
    const handle = await open(join(root().fsPath, name), 'w');
    await handle.truncate(size);
    await handle.close();
  }

  /** What the page about a file says about where its details are from. */
  async function introduction(name: string): Promise<string> {
    const origin = await fileOrigin(file(name), {
      library: { find: () => Promise.resolve([]) },
      log: silentLog,
    } as never);
    return originWords(unreadWords(file(name), origin.unread)).introduction(origin);
  }

  test('before a render that would replace it is paid for', async () => {
    await makeLarge('hero.png', largestFile + 1);
    const settings = { outputFolder: () => 'renders', outputFileName: () => 'a' };
    const nothing = { get: () => undefined, update: () => Promise.resolve() };
    const targets = new Targets(settings as never, silentLog, new LastFolder(nothing), () => Promise.resolve());
    await assert.rejects(
      targets.replacing(file('hero.png')),
      /^UserError: “hero\.png” is larger than 268 MB, which is too large to replace\. Rename or move it/,
    );
    assert.equal((await targets.replacing(file('none.png'))).replaces, undefined);
  });

  test('on the page about how it was made', async () => {
    await makeLarge('large.png', largestFile + 1);
    assert.equal(
      await introduction('large.png'),
      'This file isn’t in your render history. “large.png” is larger than 268 MB, so its metadata can’t be read here. Open it in another program to see it.',
    );
    await writeFile(file('beside.png').fsPath, 'an image');
    await makeLarge(`beside.png${sidecarEnding}`, largestSidecar + 1);
    assert.match(await introduction('beside.png'), /The sidecar file of “beside\.png” is larger than 4\.2 MB/);
    await writeFile(file('damaged.png').fsPath, 'an image');
    await writeFile(file(`damaged.png${sidecarEnding}`).fsPath, '{ "modelId": ');
    assert.match(
      await introduction('damaged.png'),
      /^This file isn’t .* history\. The sidecar file of “damaged\.png” is damaged, so it can’t be read\. Restore/,
    );
    await writeFile(file('mute.png').fsPath, 'an image');
    assert.match(await introduction('mute.png'), /^There’s no record of how this file was made:/);
  });

  test('and what leads to a device isn’t read at all: it may never end', async function () {
    if (process.platform === 'win32') return this.skip();
    await symlink('/dev/zero', file('endless.png').fsPath);
    await assert.rejects(readUpTo(file('endless.png'), largestFile, silentLog), vscode.FileSystemError);
  });

  test('instead of copying it out of Git to compare it', async () => {
    const files = new MemoryFiles(vscode.Uri.parse('too-large://commit/project?HEAD'));
    files.entries.set('/project/hero.png', Buffer.from('a fox'));
    const provider = vscode.workspace.registerFileSystemProvider('too-large', files);
    try {
      const head = files.uri('hero.png');
      assert.equal(Buffer.from(await bytesInGit(head, silentLog)).toString(), 'a fox');
      const stat = files.stat.bind(files);
      files.stat = (uri) => ({ ...stat(uri), size: largestFile + 1 });
      await assert.rejects(
        bytesInGit(head, silentLog),
        /“hero\.png” can’t be shown: it’s larger than 268 MB\. Save it as a file/,
      );
    } finally {
      provider.dispose();
    }
  });
});
