/** A cell: a text, a whole number, or nothing. */
export type Cell = string | number | undefined;

/**
 * A table as RFC 4180 has it, after the mark by which spreadsheets know UTF-8. What one of them would take for a formula gets an apostrophe before it,
 * which makes it a text.
 */
export function csv(rows: readonly (readonly Cell[])[]): string {
  return `\ufeff${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
}

/**
 * Where a text, or what follows a separator of other countries in it, begins as a formula: also behind blanks and quotation marks, which some
 * spreadsheets skip. The last three are = + @ as East Asian texts write them.
 */
const formula = /(^|[;\t\r\n])(?=[\s"']*[=+\-@|\uff1d\uff0b\uff20\uff0d])|^(?=[\t\r\n])/g;

function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell);
  const text = cell.replace(formula, "$1'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
