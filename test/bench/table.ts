import { isMet, median, ratioOf, type Aim, type Row, type Unit } from './row';

const heads = ['What', 'Ours', 'Held against', '', 'Ratio', 'Aim', 'Met'];

/** The rows as a Markdown table, with columns aligned for reading as text. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(cellsOf);
  const widths = heads.map((head, column) => Math.max(3, head.length, ...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n');
}

function cellsOf(row: Row): string[] {
  const { what, unit, ours, yardstick, aim } = row;
  const ratio = ratioOf(row);
  const met = isMet(row);
  return [
    what,
    figuresOf(ours, unit),
    yardstick?.what ?? '',
    yardstick ? figuresOf(yardstick.figures, unit) : '',
    ratio === undefined ? '' : `${ratio.toFixed(2)}×`,
    aim ? aimOf(aim, unit) : '',
    met === undefined ? '' : met ? 'yes' : '**no**',
  ];
}

/** The median, and the range if there are several runs. */
function figuresOf(figures: readonly number[], unit: Unit): string {
  const middle = `${rounded(median(figures))} ${unit}`;
  const [least, most] = [Math.min(...figures), Math.max(...figures)].map(rounded);
  return least === most ? middle : `${middle} (${least}–${most})`;
}

function aimOf(aim: Aim, unit: Unit): string {
  if ('atLeast' in aim) return `≥ ${aim.atLeast}×`;
  if (aim.of === 'ratio') return aim.atMost === 1 ? 'the same or less' : `≤ ${aim.atMost}×`;
  return `≤ ${aim.atMost} ${unit}${aim.of === 'over' ? ' over' : ''}`;
}

/** Such figures have at most three significant digits. */
function rounded(figure: number): string {
  const digits = Math.abs(figure) >= 100 ? 0 : Math.abs(figure) >= 10 ? 1 : 2;
  return figure.toFixed(digits).replace(/\.0+$/, '');
}
