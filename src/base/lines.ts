import { visible } from './plain';

/** The lines of a text. Counts from 0. */
export class Lines {
  private readonly starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.starts = starts;
  }

  /** The line and the column of an offset. */
  placeOf(offset: number): { readonly line: number; readonly column: number } {
    let [line, after] = [0, this.starts.length];
    while (after - line > 1) {
      const middle = (line + after) >> 1;
      if ((this.starts[middle] ?? Infinity) <= offset) line = middle;
      else after = middle;
    }
    return { line, column: offset - (this.starts[line] ?? 0) };
  }
}

/** The same lines, whatever their line breaks, without anything hidden. */
export function manyLines(text: string): string[] {
  return text.split(/\r\n|[\n-\r\u0085\u2028\u2029]/).map((line) => visible(line.replaceAll('\t', '    ')).trimEnd());
}
