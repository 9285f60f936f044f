import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { eachLine } from '../../../src/relay/wire';

/** The lines of a stream that arrives in these pieces. */
async function linesOf(pieces: readonly (string | Buffer)[], most = 20): Promise<(string | undefined)[]> {
  const lines: (string | undefined)[] = [];
  const stream = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  eachLine(stream, most, (line) => lines.push(line));
  await new Promise((resolve) => stream.on('end', resolve));
  return lines;
}

test('a line may arrive in any pieces, and is complete only with its line break', async () => {
  assert.deepEqual(await linesOf(['one\ntw', 'o\n\nthr', 'ee']), ['one', 'two', '']);
});

test('a character that arrives in two halves is complete in its line', async () => {
  const bytes = Buffer.from('größe\n');
  assert.deepEqual(await linesOf([bytes.subarray(0, 3), bytes.subarray(3)]), ['größe']);
});

test('a line that is too long is dropped, and those after it are read', async () => {
  assert.deepEqual(await linesOf(['x'.repeat(15), 'x'.repeat(15), '\nshort\n', 'x'.repeat(20), '\n']), [
    undefined,
    'short',
    'x'.repeat(20),
  ]);
});
