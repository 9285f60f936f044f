import { isObject } from '../base/json';
import { asciidocLinks } from './asciidoc';
import { markupLinks, styleLinks } from './html';
import type { ImageLink } from './link';
import { latexLinks } from './latex';
import { markdownLinks } from './markdown';
import { restructuredTextLinks } from './restructuredText';
import { scriptLinks, withoutUses } from './script';
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

/** A notebook's cell with Markdown. */
export interface MarkdownCell {
  /** Its number among the cells that the editor shows. */
  readonly index: number;
  readonly text: string;
}

/** The types of cells that there are; the editor leaves out any other. */
const cellTypes: ReadonlySet<unknown> = new Set(['markdown', 'code', 'raw']);

/** The Markdown of a Jupyter notebook's file, in the format since 2015. None if it can't be parsed. */
function markdownCells(text: string): readonly MarkdownCell[] {
  const shown = cellsOf(text).filter(({ cell_type: type }) => cellTypes.has(type));
  return shown.flatMap(({ cell_type: type, source }, index) =>
    type === 'markdown' ? [{ index, text: sourceTextOf(source) }] : [],
  );
}

function cellsOf(text: string): readonly Record<string, unknown>[] {
  try {
    const notebook: unknown = JSON.parse(text);
    return isObject(notebook) && Array.isArray(notebook.cells) ? notebook.cells.filter(isObject) : [];
  } catch {
    // Such as one with conflicts to be merged.
    return [];
  }
}

/** Lines keep their ends in the file. */
function sourceTextOf(source: unknown): string {
  if (typeof source === 'string') return source;
  return Array.isArray(source) ? source.filter((line) => typeof line === 'string').join('') : '';
}
