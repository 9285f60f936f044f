/** How a document writes its images. Less is read as SCSS, since they don't differ in images. */
export type Syntax =
  | 'markdown'
  | 'mdx'
  | 'html'
  | 'jsx'
  | 'vue'
  | 'svelte'
  | 'astro'
  | 'css'
  | 'scss'
  | 'latex'
  | 'typst'
  | 'restructuredtext'
  | 'asciidoc';

/** How a file is read: a notebook is JSON around Markdown. */
export type FileSyntax = Syntax | 'notebook';

/** VS Code's language IDs, plus those of each language's common extensions. */
const byLanguage = readAs<Syntax>({
  markdown: 'markdown quarto rmd',
  mdx: 'mdx',
  html: 'html',
  jsx: 'javascript javascriptreact typescriptreact',
  vue: 'vue',
  svelte: 'svelte',
  astro: 'astro',
  css: 'css',
  scss: 'postcss scss less',
  latex: 'latex tex',
  typst: 'typst',
  restructuredtext: 'restructuredtext rst',
  asciidoc: 'asciidoc adoc',
});

const byEnding = readAs<FileSyntax>({
  markdown: 'md markdown mdown qmd rmd',
  mdx: 'mdx',
  html: 'html htm xhtml',
  jsx: 'jsx tsx js mjs',
  vue: 'vue',
  svelte: 'svelte',
  astro: 'astro',
  css: 'css',
  scss: 'pcss scss less',
  latex: 'tex ltx',
  typst: 'typ',
  restructuredtext: 'rst',
  asciidoc: 'adoc asciidoc asc',
  notebook: 'ipynb',
});

/** The syntax by each of the names that are read as it. */
function readAs<Known extends FileSyntax>(names: Readonly<Record<Known, string>>): ReadonlyMap<string, Known> {
  const all = Object.entries(names) as [Known, string][];
  return new Map(all.flatMap(([syntax, list]) => list.split(' ').map((name) => [name, syntax])));
}

/** The language IDs of documents that can contain images. */
export const languages: readonly string[] = [...byLanguage.keys()];

/** The extensions, without the dot, of files that can contain images. */
export const endings: readonly string[] = [...byEnding.keys()];

/** How to read a file, by its extension. Undefined for one that can't contain images. */
export function fileSyntax(path: string): FileSyntax | undefined {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1];
  return ending === undefined ? undefined : byEnding.get(ending.toLowerCase());
}

export function isNotebook(path: string): boolean {
  return fileSyntax(path) === 'notebook';
}

/**
 * How a document writes its images: by its language, or by its file extension if the editor knows no language because
 * no extension for it is installed, or '' is given. Undefined for a document that can't contain images.
 */
export function syntaxOf(languageId: string, path: string): Syntax | undefined {
  const ofFile = fileSyntax(path);
  // Its cells have the same path. What those with code show is their output.
  if (ofFile === 'notebook') return languageId === 'markdown' || languageId === '' ? 'markdown' : undefined;
  return languageId === 'plaintext' || languageId === '' ? ofFile : byLanguage.get(languageId);
}
