import type { PageName } from '../pages/page';

/** What the shell of a webview is made of. */
export interface WebviewHtml {
  readonly page: PageName;
  /** Of a built file by its name, as `webview.asWebviewUri` has it. */
  readonly address: (file: string) => string;
  readonly cspSource: string;
  readonly nonce: string;
  /** The editor's language, for screen readers and hyphenation. */
  readonly language: string;
  readonly title: string;
}

/**
 * The document a webview's script fills: no inline code, no remote source, no connection. Everything put in is escaped.
 */
export function webviewHtml(shell: WebviewHtml): string {
  const policy = [
    "default-src 'none'",
    // `data:` holds the icons of the style sheet.
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
