import assert from 'node:assert/strict';
import { test } from 'node:test';
import { englishFormStrings } from '../../../../../src/features/form/page/formMessages';
import { chargeWords } from '../../../../../src/features/form/page/results';
import { buttonWords, noteWords } from '../../../../../src/features/form/page/announce';
import { Texts } from '../../../../../src/features/form/page/texts';

const texts = new Texts(englishFormStrings, 'en', []);

test('inserted text isn’t searched for placeholders', () => {
  assert.equal(texts.say('andMore', '{1}', 2), '{1}, and 2 more');
});

test('sizes and times are formatted for people', () => {
  assert.deepEqual(
    [840, 1_432_000, 12_500_000_000].map((bytes) => texts.size(bytes)),
    ['840 B', '1.4 MB', '13 GB'],
  );
  assert.deepEqual(
    [900, 61_000].map((ms) => texts.duration(ms)),
    ['0 s', '1 min 1 s'],
  );
});

test('an unknown language isn’t an error', () => {
  assert.equal(new Texts(englishFormStrings, 'qps-ploc!', []).number(1234.5), '1,234.5');
});

test('the button shows a price only if it’s ready with that price, or if only the balance is too low', () => {
  assert.equal(buttonWords({ kind: 'ready', costCents: 4 }, 1, texts), 'Render · €0.04');
  assert.equal(buttonWords({ kind: 'tooLittle', costCents: 4, balanceCents: 1 }, 1, texts), 'Render · €0.04');
  assert.equal(buttonWords({ kind: 'ready', costCents: undefined }, 1, texts), 'Render · price unknown');
  assert.equal(buttonWords({ kind: 'asking' }, 1, texts), 'Render · …');
  assert.equal(buttonWords({ kind: 'failed', problem: 'x' }, 1, texts), 'Render');
  assert.equal(buttonWords({ kind: 'ready', costCents: 16 }, 4, texts), 'Render 4 · €0.16');
  assert.equal(buttonWords({ kind: 'asking' }, 4, texts), 'Render 4 · …');
});

test('the text next to the button says why it can’t be pressed', () => {
  const field = (label: string) => ({ name: label, label, kind: 'text', statedType: 'text', required: true }) as const;
  const fields = ['A', 'B', 'C', 'D', 'E'].map(field);
  assert.equal(
    noteWords({ kind: 'invalid', missing: true, fields }, { balanceCents: 100 }, texts),
    'Required: A, B, C, and 2 more',
  );
  assert.equal(noteWords({ kind: 'ready', costCents: 4 }, { balanceCents: 100 }, texts), 'Balance after: €0.96');
  assert.equal(noteWords({ kind: 'ready', costCents: 4 }, {}, texts), '');
  const variants = { choices: [1, 2, 4], count: 4, canVary: false, varied: [] };
  assert.equal(
    noteWords({ kind: 'tooLittle', costCents: 16, balanceCents: 9 }, { variants }, texts),
    'Your balance is €0.09. These 4 images need €0.07 more.',
  );
});

test('the charge is the service’s own, and a difference is shown', () => {
  const result = { id: 'a', stage: 'done', status: 'Saved', actions: [] } as const;
  assert.equal(chargeWords({ ...result, actions: [], costCents: 4, shownCents: 4 }, texts), 'Charged €0.04');
  assert.equal(
    chargeWords({ ...result, actions: [], costCents: 6, shownCents: 4 }, texts),
    'Charged €0.06 (€0.04 quoted)',
  );
  assert.equal(chargeWords({ ...result, actions: [], shownCents: 4 }, texts), 'Charge not reported');
});
