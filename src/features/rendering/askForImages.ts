import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { systemClock } from '../../base/clock';
import { Disposables } from '../../base/disposable';
import { PageFiles } from '../../editor/pages';
import { readMs } from '../../editor/standing';
import { reader } from '../../editor/webviewHtml';
import { type SendAnswer, sendAnswers, type SendQuestion, type SendWords } from './page/sendMessages';

/** The question, with the files of the images' bytes. */
export interface ImageQuestion extends SendWords {
  readonly images: readonly { readonly path: string; readonly size: string; readonly file: vscode.Uri }[];
}

/** The images that a page shows are in `folder`. */
export interface ImagePages {
  readonly extensionUri: vscode.Uri;
  readonly folder: vscode.Uri;
}

const viewType = 'modelCatalog.sendImages';

const readFromSend = reader(
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('ready') }),
    z.object({ type: z.literal('answer'), answer: z.enum(sendAnswers) }),
  ]),
);

/**
 * Asks on a page of its own, since the editor's dialogs show no images; only someone at this window can press its
 * buttons. Resolves with 'none' when the page is closed, or `signal` is aborted. After a reload, there's no such page.
 */
export function askForImages(asked: ImageQuestion, pages: ImagePages, signal?: AbortSignal): Promise<SendAnswer> {
  if (signal?.aborted) return Promise.resolve('none');
  const files = new PageFiles(pages.extensionUri, 'send');
  const own = new Disposables();
  const panel = vscode.window.createWebviewPanel(viewType, asked.question, vscode.ViewColumn.Active, {
    enableScripts: true,
    localResourceRoots: [files.folder, pages.folder],
  });
  const { webview } = panel;
  const images = asked.images.map(({ path, size, file }) => ({
    path,
    size,
    address: webview.asWebviewUri(file).toString(),
  }));
  let canAnswer = false;
  const show = () => void webview.postMessage({ ...asked, images, canAnswer } satisfies SendQuestion);
  panel.iconPath = files.icon;
  return new Promise((resolve) => {
    const end = (answer: SendAnswer) => {
      own.dispose();
      resolve(answer);
      panel.dispose();
    };
    const cancel = () => end('none');
    panel.onDidDispose(cancel);
    signal?.addEventListener('abort', cancel, { once: true });
    own.add({ dispose: () => signal?.removeEventListener('abort', cancel) });
    webview.onDidReceiveMessage((data: unknown) => {
      const message = readFromSend(data);
      if (message?.type === 'answer' && (canAnswer || message.answer === 'none')) end(message.answer);
      if (message?.type !== 'ready') return;
      // A key or a click right after it appeared was meant for what was there before.
      own.add(
        systemClock.after(readMs.question, () => {
          canAnswer = true;
          show();
        }),
      );
      show();
    });
    webview.html = files.html(webview, asked.question);
  });
}
