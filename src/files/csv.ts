/** A cell: a text, a whole number, or nothing. */
export type Cell = string | number | undefined;

/** A table as RFC 4180 has it. A text that a spreadsheet would take for a formula gets an apostrophe before it, which makes it one text. */
export function csv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell);
  // Also behind blanks and quotation marks, which some spreadsheets skip; the last three are = + @ as East Asian texts write them.
  const text = /^[\s"']*[=+\-@|\uff1d\uff0b\uff20\uff0d]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
