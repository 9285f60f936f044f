/** How a document writes its images. Less is read as SCSS, since they don't differ in images. */
export type Syntax =
  'markdown' | 'mdx' | 'html' | 'jsx' | 'vue' | 'svelte' | 'css' | 'scss' | 'latex' | 'restructuredtext' | 'asciidoc';

/** VS Code's language IDs, plus those of each language's common extensions. */
const byLanguage: ReadonlyMap<string, Syntax> = new Map([
  ['markdown', 'markdown'],
  ['quarto', 'markdown'],
  ['rmd', 'markdown'],
  ['mdx', 'mdx'],
  ['html', 'html'],
  ['javascript', 'jsx'],
  ['javascriptreact', 'jsx'],
  ['typescriptreact', 'jsx'],
  ['vue', 'vue'],
  ['svelte', 'svelte'],
  ['css', 'css'],
  ['postcss', 'scss'],
  ['scss', 'scss'],
  ['less', 'scss'],
  ['latex', 'latex'],
  ['tex', 'latex'],
  ['restructuredtext', 'restructuredtext'],
  ['rst', 'restructuredtext'],
  ['asciidoc', 'asciidoc'],
  ['adoc', 'asciidoc'],
]);

const byEnding: ReadonlyMap<string, Syntax> = new Map([
  ['md', 'markdown'],
  ['markdown', 'markdown'],
  ['mdown', 'markdown'],
  ['qmd', 'markdown'],
  ['rmd', 'markdown'],
  ['mdx', 'mdx'],
  ['html', 'html'],
  ['htm', 'html'],
  ['xhtml', 'html'],
  ['jsx', 'jsx'],
  ['tsx', 'jsx'],
  ['js', 'jsx'],
  ['mjs', 'jsx'],
  ['vue', 'vue'],
  ['svelte', 'svelte'],
  ['css', 'css'],
  ['pcss', 'scss'],
  ['scss', 'scss'],
  ['less', 'scss'],
  ['tex', 'latex'],
  ['ltx', 'latex'],
  ['rst', 'restructuredtext'],
  ['adoc', 'asciidoc'],
  ['asciidoc', 'asciidoc'],
  ['asc', 'asciidoc'],
]);

/** The language IDs of documents that can contain images. */
export const languages: readonly string[] = [...byLanguage.keys()];

/** The extensions, without the dot, of files that can contain images. */
export const endings: readonly string[] = [...byEnding.keys()];

/**
 * How to read a document: by its language, or by its file extension if the editor knows no language because no
 * extension for it is installed. Undefined for a document that can't contain images.
 */
export function syntaxOf(languageId: string, path: string): Syntax | undefined {
  if (languageId !== 'plaintext' && languageId !== '') return byLanguage.get(languageId);
  const ending = /\.([^./\\]+)$/.exec(path)?.[1];
  return ending === undefined ? undefined : byEnding.get(ending.toLowerCase());
}
