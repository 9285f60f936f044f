import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { webviewHtml } from '../../../src/editor/webviewHtml';

const shell = {
  page: 'form' as const,
  read: (file: string) => `/* ${file} */`,
  cspSource: 'https://host.example',
  nonce: 'n0nce',
  language: 'en',
  title: 'Landscape',
};

test('the policy allows only the page’s own script, style, and images', () => {
  const policy = /content="(default-src[^"]*)"/.exec(webviewHtml(shell))?.[1];
  assert.equal(
    policy,
    'default-src &#39;none&#39;; img-src https://host.example data:; style-src &#39;nonce-n0nce&#39;; ' +
      'script-src &#39;nonce-n0nce&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;',
  );
});

test('everything inserted stays text', () => {
  const hostile = `"><script>alert('1')</script>&`;
  const html = webviewHtml({ ...shell, title: hostile, language: hostile, cspSource: hostile });
  assert.equal(html.match(/<script/g)?.length, 1);
  assert.ok(html.includes('<title>&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</title>'));
});

test('no built page contains what would end its script or its style in the document', () => {
  const folder = 'dist/webview';
  const ends = readdirSync(folder)
    .filter((file) => /\.(?:js|css)$/.test(file))
    .filter((file) => /<\/(?:script|style)|<!--/i.test(readFileSync(join(folder, file), 'utf8')));
  assert.deepEqual(ends, []);
});
