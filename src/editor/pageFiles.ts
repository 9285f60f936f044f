import * as vscode from 'vscode';
import { systemRandom } from '../base/random';
import type { PageName } from './page/page';
import { webviewHtml } from './webviewHtml';

/** The extension's files for one of its webviews. */
export class PageFiles {
  /** Its own script and style, which it must be allowed to load. */
  readonly folder: vscode.Uri;
  readonly icon: { readonly light: vscode.Uri; readonly dark: vscode.Uri };

  constructor(
    extensionUri: vscode.Uri,
    private readonly page: PageName,
  ) {
    const media = (name: string) => vscode.Uri.joinPath(extensionUri, 'media', name);
    this.folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
    this.icon = { light: media(`${page}-light.svg`), dark: media(`${page}-dark.svg`) };
  }

  /** The HTML for `webview`. */
  html(webview: vscode.Webview, title: string): string {
    return webviewHtml({
      page: this.page,
      address: (file) => webview.asWebviewUri(vscode.Uri.joinPath(this.folder, file)).toString(),
      cspSource: webview.cspSource,
      nonce: systemRandom.uuid(),
      language: vscode.env.language,
      title,
    });
  }
}
