/** A cell: a text, a whole number, or nothing. */
export type Cell = string | number | undefined;

/**
 * A table by RFC 4180, after a byte order mark so that spreadsheets recognize UTF-8. Anything that a spreadsheet could
 * take for a formula is prefixed with an apostrophe.
 */
export function csv(rows: readonly (readonly Cell[])[]): string {
  return `\ufeff${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
}

/**
 * What may precede a formula: separators of other locales, and the blanks and quotation marks that some spreadsheets
 * skip.
 */
const lead = /^[;\s"']*|[;\s"']+/g;

/** The characters that begin a formula. The last are the full-width forms of = + @ -. */
const sign = /[=+\-@|\uff1d\uff0b\uff20\uff0d]/;

/**
 * Adds an apostrophe where a text, or the part after a separator in it, begins like a formula. Looks at each lead once,
 * since a cell may be all blanks.
 */
function asText(text: string): string {
  return text.replace(lead, (run, at: number) => {
    // Separators from here on precede a formula.
    const from = sign.test(text.charAt(at + run.length)) ? run.lastIndexOf(';') : run.length;
    const begins = at === 0 && (from < 0 || /^[\t\r\n]/.test(run));
    const kept = Math.max(begins ? 1 : 0, from);
    return `${begins ? "'" : ''}${run.slice(0, kept)}${run.slice(kept).replace(/[;\t\r\n]/g, "$&'")}`;
  });
}

function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell);
  const text = asText(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
