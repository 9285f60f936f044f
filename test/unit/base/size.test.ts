import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatSize } from '../../../src/base/numbers';

/** Intl separates numbers and units with no-break spaces. */
const plainSpaces = (text: string) => text.replace(/\s/g, ' ');

const read: Readonly<Record<string, readonly string[]>> = {
  en: ['0 B', '405 B', '1 kB', '1.2 MB', '13 GB'],
  de: ['0 B', '405 B', '1 kB', '1,2 MB', '13 GB'],
  fr: ['0 o', '405 o', '1 ko', '1,2 Mo', '13 Go'],
  es: ['0 B', '405 B', '1 kB', '1,2 MB', '13 GB'],
  ja: ['0 B', '405 B', '1 KB', '1.2 MB', '13 GB'],
};

for (const [locale, sizes] of Object.entries(read))
  test(`a size is written with the sign of its unit (${locale})`, () => {
    const written = [0, 405, 1000, 1_240_000, 12_500_000_000].map((bytes) => plainSpaces(formatSize(bytes, locale)));
    assert.deepEqual(written, sizes);
  });

test('a size in a language that the runtime doesn’t know reads as English', () => {
  assert.equal(formatSize(405, 'qps-ploc-x_'), '405 B');
});
