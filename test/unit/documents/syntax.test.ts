import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endings, fileSyntax, isNotebook, languages, syntaxOf } from '../../../src/documents/syntax';

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
  for (const ending of endings) assert.notEqual(fileSyntax(`a.${ending}`), undefined);
  for (const ending of endings.filter((one) => one !== 'ipynb'))
    assert.equal(syntaxOf('plaintext', `a.${ending}`), fileSyntax(`a.${ending}`));
});

test('of a notebook, only cells with Markdown can contain images', () => {
  assert.equal(syntaxOf('markdown', 'a.ipynb'), 'markdown');
  for (const language of ['html', 'javascript', 'json', 'plaintext', 'python', 'raw'])
    assert.equal(syntaxOf(language, 'a.ipynb'), undefined, language);
  assert.equal(isNotebook('docs/A.IPYNB'), true);
  assert.equal(isNotebook('docs.ipynb/a.md'), false);
});
