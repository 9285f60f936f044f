import { isObject } from '../base/json';

/** A notebook's cell with Markdown. */
export interface MarkdownCell {
  /** Its number among the cells that the editor shows. */
  readonly index: number;
  readonly text: string;
}

/** The types of cells that there are; the editor leaves out any other. */
const cellTypes: ReadonlySet<unknown> = new Set(['markdown', 'code', 'raw']);

/** The Markdown of a Jupyter notebook's file, in the format since 2015. None if it can't be parsed. */
export function markdownCells(text: string): readonly MarkdownCell[] {
  const shown = cellsOf(text).filter(({ cell_type: type }) => cellTypes.has(type));
  return shown.flatMap(({ cell_type: type, source }, index) =>
    type === 'markdown' ? [{ index, text: textOf(source) }] : [],
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
function textOf(source: unknown): string {
  if (typeof source === 'string') return source;
  return Array.isArray(source) ? source.filter((line) => typeof line === 'string').join('') : '';
}
