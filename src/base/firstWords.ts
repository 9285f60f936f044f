import { oneLine } from './plain';

/** As `oneLine`, but cut between two words where one ends in its second half. */
export function firstWords(text: string, length: number): string {
  const line = oneLine(text, length);
  const end = line.endsWith('…') ? line.lastIndexOf(' ') : -1;
  return end > length / 2 ? `${line.slice(0, end)}…` : line;
}
