import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCents, spokenCents } from '../../../src/base/format';

/** Intl separates amounts and currencies with no-break spaces. */
const plainSpaces = (text: string) => text.replace(/\s/g, ' ');

const spoken: Readonly<Record<string, string>> = {
  en: '12.30 euros',
  de: '12,30 Euro',
  fr: '12,30 euros',
  es: '12,30 euros',
  ja: '12.30 ユーロ',
};

for (const [locale, words] of Object.entries(spoken))
  test(`an amount is heard with the currency by its name (${locale})`, () => {
    const heard = plainSpaces(spokenCents(1230, locale));
    assert.equal(heard.replace(/(\d)(\p{L})/u, '$1 $2'), words);
    assert.ok(!heard.includes('€'));
  });

test('the same amount is read with its sign', () => {
  assert.equal(formatCents(1230, 'en'), '€12.30');
  assert.equal(plainSpaces(formatCents(1230, 'de')), '12,30 €');
  assert.equal(formatCents(4, 'en'), '€0.04');
});

test('a language that the runtime doesn’t know is read and spoken as English', () => {
  assert.equal(formatCents(4, 'qps-ploc-x_'), '€0.04');
  assert.equal(spokenCents(4, 'qps-ploc-x_'), '0.04 euros');
});
