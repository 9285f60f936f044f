import type { PageName } from './page/page';

/** The parts of a webview's shell. */
export interface WebviewHtml {
  readonly page: PageName;
  /** The URL of a built file by its name, from `webview.asWebviewUri`. */
  readonly address: (file: string) => string;
  readonly cspSource: string;
  readonly nonce: string;
  /** The editor's language, for screen readers and hyphenation. */
  readonly language: string;
  readonly title: string;
}

/** The document for a webview's script: no inline code, no remote source, no connection. All values are escaped. */
export function webviewHtml(shell: WebviewHtml): string {
  const policy = [
    "default-src 'none'",
    // `data:` is for the icons in the style sheet.
    `img-src ${shell.cspSource} data:`,
    `style-src ${shell.cspSource}`,
    `script-src 'nonce-${shell.nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escaped(shell.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(shell.title)}</title>
<link rel="stylesheet" href="${escaped(shell.address(`${shell.page}.css`))}">
</head>
<body>
<div id="root"></div>
<script nonce="${escaped(shell.nonce)}" src="${escaped(shell.address(`${shell.page}.js`))}"></script>
</body>
</html>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
