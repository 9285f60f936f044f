/** A cell: a text, a whole number, or nothing. */
export type Cell = string | number | undefined;

/**
 * A table as RFC 4180 has it, after the mark by which spreadsheets know UTF-8. What one of them would take for a
 * formula gets an apostrophe before it, which makes it a text.
 */
export function csv(rows: readonly (readonly Cell[])[]): string {
  return `\ufeff${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
}

/**
 * What may lead up to a formula: separators of other countries, and the blanks and quotation marks that some
 * spreadsheets skip.
 */
const lead = /^[;\s"']*|[;\s"']+/g;

/** The characters that begin a formula. The last are = + @ - as East Asian texts write them. */
const sign = /[=+\-@|\uff1d\uff0b\uff20\uff0d]/;

/**
 * An apostrophe wherever a text, or what follows a separator in it, begins as a formula. Looks at each lead once: a
 * cell can be all blanks.
 */
function asText(text: string): string {
  return text.replace(lead, (run, at: number) => {
    // Separators from here on lead up to a formula.
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
