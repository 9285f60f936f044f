import { asciidocLinks } from './asciidoc';
import { styleLinks } from './css';
import { markupLinks } from './html';
import type { ImageLink } from './imageLink';
import { latexLinks } from './latex';
import { markdownLinks } from './markdown';
import { markdownCells } from './notebook';
import { restructuredTextLinks } from './restructuredText';
import { scriptLinks, withoutUses } from './scriptLinks';
import type { FileSyntax, Syntax } from './syntax';
import { typstLinks } from './typst';

/**
 * Every place in a document that shows an image, in document order, including those that don't lead to a file of the
 * workspace (see `rendersTo`). Excludes comments, displayed code, and scripts. Accepts half-typed text, and takes time
 * proportional to the length.
 */
export function imageLinks(text: string, syntax: FileSyntax): readonly ImageLink[] {
  if (syntax === 'notebook')
    return markdownCells(text).flatMap((cell) =>
      imageLinks(cell.text, 'markdown').map((link) => ({ ...link, cell: cell.index })),
    );
  return withoutUses(unordered(text, syntax)).sort((a, b) => a.element.start - b.element.start);
}

function unordered(text: string, syntax: Syntax): readonly ImageLink[] {
  switch (syntax) {
    case 'markdown':
    case 'mdx':
      return markdownLinks(text, syntax);
    case 'html':
    case 'vue':
    case 'svelte':
    case 'astro':
      return markupLinks(text, syntax);
    case 'jsx':
      return scriptLinks(text, syntax);
    case 'css':
    case 'scss':
      return styleLinks(text, syntax);
    case 'latex':
      return latexLinks(text);
    case 'typst':
      return typstLinks(text);
    case 'restructuredtext':
      return restructuredTextLinks(text);
    case 'asciidoc':
      return asciidocLinks(text);
  }
}
