/** How a document writes its images. Less is read as SCSS: they differ in nothing that matters to an image. */
export type Syntax =
  'markdown' | 'mdx' | 'html' | 'jsx' | 'vue' | 'svelte' | 'css' | 'scss' | 'latex' | 'restructuredtext' | 'asciidoc';

/** VS Code's language ids, with those that the usual extensions of a language bring. */
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

/** The language ids whose documents can hold images. */
export const languages: readonly string[] = [...byLanguage.keys()];

/** The endings, without dot, of files that can hold images. */
export const endings: readonly string[] = [...byEnding.keys()];

/**
 * How a document is to be read. Its language decides; where the editor knows none, because the extension for it is not
 * installed, the ending of its path does. Undefined for a document that holds no images.
 */
export function syntaxOf(languageId: string, path: string): Syntax | undefined {
  if (languageId !== 'plaintext' && languageId !== '') return byLanguage.get(languageId);
  const ending = /\.([^./\\]+)$/.exec(path)?.[1];
  return ending === undefined ? undefined : byEnding.get(ending.toLowerCase());
}
