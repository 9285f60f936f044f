import type { Readable } from 'node:stream';

const lineBreak = 10;

/**
 * Calls `hear` with each line of a stream, without its line break; undefined for a line of more than `most` bytes,
 * which is discarded.
 */
export function eachLine(stream: Readable, most: number, hear: (line: string | undefined) => void): void {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer) => {
    length += part.length;
    if (length > most) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  stream.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(lineBreak); end >= 0; end = rest.indexOf(lineBreak)) {
      take(rest.subarray(0, end));
      const line = length > most ? undefined : Buffer.concat(parts).toString('utf8');
      parts = [];
      length = 0;
      rest = rest.subarray(end + 1);
      hear(line);
    }
    take(rest);
  });
}

/** One value as a line of JSON. */
export function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** The value in a line of JSON; undefined if it isn't JSON. */
export function jsonIn(line: string | undefined): unknown {
  try {
    return line === undefined ? undefined : JSON.parse(line);
  } catch {
    return undefined;
  }
}
