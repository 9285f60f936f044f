import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../../src/base/clock';
import { silentLog } from '../../../src/base/log';
import { DocumentLinks } from '../../../src/features/links/documentLinks';
import { LinkReader } from '../../../src/features/links/model/linkReader';
import { root } from '../root';
import { until } from '../until';

/** Changes by a terminal or a checkout, which the editor notices only through the file watcher. */
suite('folders that come and go outside the editor', () => {
  const folder = () => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'outside');
  const path = (name: string) => join(folder().fsPath, name);
  let document: vscode.TextDocument;
  let links: DocumentLinks;

  suiteSetup(async () => {
    await mkdir(path('docs'), { recursive: true });
    await writeFile(path('docs/page.html'), '<img src="/img/heron.png" alt="a heron">\n');
    document = await vscode.workspace.openTextDocument(vscode.Uri.file(path('docs/page.html')));
    links = new DocumentLinks(new LinkReader(join(root, 'dist', 'documents.js'), systemClock, silentLog), silentLog);
  });
  suiteTeardown(async () => {
    links.dispose();
    await rm(folder().fsPath, { recursive: true });
  });

  /** Waits until the document's link has this target, checked again only after change events. */
  async function leads(to: string, isThere: boolean): Promise<void> {
    let heard = true;
    const listening = links.onDidChange(() => (heard = true));
    try {
      await until(async () => {
        if (!heard) return false;
        heard = false;
        const [link] = await links.of(document);
        return link?.file.path === vscode.Uri.joinPath(folder(), to).path && link.isThere === isThere;
      });
    } finally {
      listening.dispose();
    }
  }

  test('an empty folder that a site serves becomes the place for missing images', async () => {
    const [before] = await links.of(document);
    assert.equal(before?.isThere, false);
    await mkdir(path('static'));
    await leads('static/img/heron.png', false);
    await mkdir(path('public'));
    await leads('public/img/heron.png', false);
    await rm(path('public'), { recursive: true });
    await leads('static/img/heron.png', false);
  });

  test('moving a folder in or out moves its images too', async () => {
    const elsewhere = join(tmpdir(), `model-catalog-outside-${process.pid}`);
    await mkdir(join(elsewhere, 'img'), { recursive: true });
    await writeFile(join(elsewhere, 'img', 'heron.png'), '');
    await rename(elsewhere, path('public'));
    await leads('public/img/heron.png', true);
    await rm(path('public'), { recursive: true });
    await leads('static/img/heron.png', false);
  });
});
