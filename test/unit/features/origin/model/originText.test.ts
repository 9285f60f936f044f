import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Provenance } from '../../../../../src/files/provenance';
import { originText } from '../../../../../src/features/origin/model/originView';
import type { Origin } from '../../../../../src/renders/origin';
import { entry } from '../../../editor/entries';
import { bareOriginWords } from '../../../editor/bareWords';

/** Uses the name of each fact as its text. */
const words = bareOriginWords;

const file = 'file:///project/kite.png';
const provenance: Provenance = {
  modelId: 'a/b/c',
  inputs: { prompt: 'a red kite', size: 'large' },
  service: 'https://models.example',
  generationId: 'g1',
  costCents: 5,
  orderedAt: 1000,
  tool: 'Model Catalog 1.2.3',
};

function told(change: Partial<Provenance> = {}): Origin {
  return { fileRecord: { provenance: { ...provenance, ...change }, where: 'inside' }, change: 'none' };
}

test('for a colleague’s file, the page shows everything in its record', () => {
  assert.equal(
    originText(file, told(), undefined, words),
    [
      'file: file:///project/kite.png',
      '',
      'it is none',
      '',
      'model: a/b/c',
      '',
      'PROMPT',
      '    a red kite',
      '',
      'INPUTS',
      '    size: large',
      '',
      'MONEY',
      '    charged: 5 cents',
      '',
      'TIMES',
      '    ordered: at 1000',
      '',
      'REQUEST',
      '    place: https://models.example',
      '    generation: g1',
      '    tool: Model Catalog 1.2.3',
      '',
    ].join('\n'),
  );
});

test('for our own file, the page shows what the render history has', () => {
  const ours = entry({ modelId: 'x/y/z', prompt: 'ours' });
  const text = originText(file, told(), ours, words);
  assert.match(text, /^file: .*\n\nit is none\n\nstanding: saved\nmodel: x\/y\/z\n\nPROMPT\n {4}ours\n/);
  assert.doesNotMatch(text, /a red kite/);
});

test('an omitted prompt is reported in its place', () => {
  const text = originText(file, told({ inputs: { size: 'large' }, promptLeftOut: true }), undefined, words);
  assert.match(text, /PROMPT\n {4}left out\n/);
});

test('for a file without a record, the page says only that', () => {
  assert.equal(originText(file, { change: 'unknown' }, undefined, words), `file: ${file}\n\nit is unknown\n`);
});

test('no text in a file can pass for a fact, or bring a key onto the screen', () => {
  const forged = 'kite\r\nMONEY\u2028charged: 0 cents\u202Eevil\u0000 ai_live_secret123';
  const text = originText(
    file,
    told({ modelId: forged, inputs: { [forged]: forged }, service: forged, generationId: forged, tool: forged }),
    undefined,
    words,
  );
  assert.equal(text.split('\n').filter((line) => line === 'MONEY').length, 1);
  assert.equal(text.split('\n').filter((line) => /^ {4}charged:/.test(line)).length, 2, 'one is the prompt’s');
  assert.doesNotMatch(text, /[\u0000\u2028\u202e\r]|secret123/);
});
