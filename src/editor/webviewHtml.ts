import * as z from 'zod/mini';
import type { PageName } from './page/page';

/** The parts of a webview's shell. */
export interface WebviewHtml {
  readonly page: PageName;
  /** The text of a built file by its name. */
  readonly read: (file: string) => string;
  readonly cspSource: string;
  readonly nonce: string;
  /** The editor's language, for screen readers and hyphenation. */
  readonly language: string;
  readonly title: string;
}

/**
 * The document for a webview's script: no code but ours, no remote source, no connection. Script and style are in it,
 * since the editor takes 0.05 s to get files into a webview. All other values are escaped.
 */
export function webviewHtml(shell: WebviewHtml): string {
  const policy = [
    "default-src 'none'",
    // `data:` is for the icons in the style sheet.
    `img-src ${shell.cspSource} data:`,
    `style-src 'nonce-${shell.nonce}'`,
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
<style nonce="${escaped(shell.nonce)}">${shell.read('webview.css')}</style>
<style nonce="${escaped(shell.nonce)}">${shell.read(`${shell.page}.css`)}</style>
</head>
<body>
<div id="root"></div>
<script nonce="${escaped(shell.nonce)}">${shell.read(`${shell.page}.js`)}</script>
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

/** The name of an action on renders, as a page sends it: the host looks it up among those it offers. */
export const actionId = z.string().check(z.regex(/^[A-Za-z]{1,40}$/));

/** The largest message that the host accepts from a page, in characters of JSON, unless a page needs more. */
export const messageLimit = 1024 * 1024;

/** Parses what a page sends or keeps: undefined if it's unknown, or longer than `limit` characters of JSON. */
export function reader<Schema extends z.ZodMiniType>(
  schema: Schema,
  limit = messageLimit,
): (data: unknown) => z.output<Schema> | undefined {
  return (data) => (isWithin(limit, data) ? schema.safeParse(data).data : undefined);
}

function isWithin(limit: number, data: unknown): boolean {
  try {
    return JSON.stringify(data).length <= limit;
  } catch {
    // A value that JSON can't express (cycles, big integers) isn't a message.
    return false;
  }
}
