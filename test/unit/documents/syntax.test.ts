import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endings, languages, syntaxOf } from '../../../src/documents/syntax';

test('a document’s language decides how it’s read', () => {
  assert.equal(syntaxOf('markdown', 'a.txt'), 'markdown');
  assert.equal(syntaxOf('typescriptreact', 'a.tsx'), 'jsx');
  assert.equal(syntaxOf('less', 'a.less'), 'scss');
  assert.equal(syntaxOf('json', 'a.md'), undefined);
  for (const language of languages) assert.notEqual(syntaxOf(language, ''), undefined);
});

test('the file extension decides if the editor doesn’t know the language', () => {
  assert.equal(syntaxOf('plaintext', '/docs/a.ADOC'), 'asciidoc');
  assert.equal(syntaxOf('plaintext', 'a.b/c.mdx'), 'mdx');
  assert.equal(syntaxOf('plaintext', 'a.md/notes'), undefined);
  assert.equal(syntaxOf('plaintext', 'notes.txt'), undefined);
  for (const ending of endings) assert.notEqual(syntaxOf('plaintext', `a.${ending}`), undefined);
});
