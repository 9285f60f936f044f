import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originText, type OriginWords } from '../../../../../src/features/origin/model/originView';
import type { LibraryEntry } from '../../../../../src/renders/library';
import type { RenderRecord } from '../../../../../src/renders/record';
import { entry } from '../../../editor/entries';
import { bareOriginWords } from '../../../editor/bareWords';

const words: OriginWords = {
  ...bareOriginWords,
  refund: ({ state }) => (state === 'refunded' ? 'stated' : undefined),
  provenance: ({ record: { sidecar } = {} }) => (sidecar === false ? 'missing' : undefined),
};

const record: RenderRecord = {
  index: 1,
  version: 5,
  key: 'the-key',
  place: 'https://models.example',
  account: 'fingerprint-of-the-account',
  modelId: 'a/b/c',
  inputs: { prompt: 'a red kite', size: 'large', steps: 4 },
  shownCents: 4,
  target: { root: 'file:///project', folder: 'renders', fileName: '${slug}' },
  by: 'person',
  plannedAt: 1000,
  state: 'saved',
  attempt: 2,
  unanswered: 1,
  owner: 'the-window',
  firstSentAt: 1001,
  firstSentServiceTime: 1002,
  generationId: 'g1',
  status: 'succeeded',
  acceptedAt: 2000,
  costCents: 5,
  contentUrl: 'https://models.example/g1',
  spooled: { name: 'spool', bytes: 123, sha256: 'cafe', mediaType: 'image/png', extension: 'png' },
  file: 'file:///project/renders/kite.png',
  endedAt: 5000,
};

/** What Copy as Text gives of a render without a file. */
function generationDetails(one: LibraryEntry, said: OriginWords): string {
  return originText(undefined, { change: 'unknown' }, one, said);
}

function ours(change: Partial<RenderRecord> = {}) {
  const now = { ...record, ...change };
  const { state, inputs, modelId, generationId, file, costCents, shownCents, status, textOutput } = now;
  const shown = { state, inputs, modelId, generationId, file, costCents, shownCents, status, textOutput };
  return entry({ ...shown, startedAt: now.plannedAt, mediaType: now.spooled?.mediaType, record: now });
}

test('the text holds every fact of a render', () => {
  assert.equal(
    generationDetails(ours(), words),
    [
      'it has no file',
      '',
      'standing: saved',
      'model: a/b/c',
      '',
      'PROMPT',
      '    a red kite',
      '',
      'INPUTS',
      '    size: large',
      '    steps: 4',
      '',
      'MONEY',
      '    shown: 4 cents',
      '    charged: 5 cents',
      '',
      'TIMES',
      '    ordered: at 1000',
      '    orderer: person',
      '    firstSent: at 1001',
      '    firstSentServiceTime: at 1002',
      '    accepted: at 2000',
      '    ended: at 5000',
      '    took: 3000 ms',
      '',
      'RESULT',
      '    file: file:///project/renders/kite.png',
      '    type: image/png',
      '    size: 123 bytes',
      '    hash: SHA-256 cafe',
      '',
      'REQUEST',
      '    place: https://models.example',
      '    key: the-key',
      '    generation: g1',
      '    content: https://models.example/g1',
      '    attempts: 2',
      '    unanswered: 1',
      '',
    ].join('\n'),
  );
});

test('the account’s fingerprint isn’t included, nor anything shaped like an API key', () => {
  const text = generationDetails(ours({ inputs: { prompt: 'draw ai_live_secret123' } }), words);
  assert.doesNotMatch(text, /fingerprint|secret123|the-window/);
});

test('unknown facts are left out', () => {
  const text = generationDetails(
    ours({
      state: 'planned',
      attempt: 0,
      unanswered: 0,
      generationId: undefined,
      costCents: undefined,
      firstSentAt: undefined,
      firstSentServiceTime: undefined,
      acceptedAt: undefined,
      endedAt: undefined,
      file: undefined,
      spooled: undefined,
      contentUrl: undefined,
    }),
    words,
  );
  assert.doesNotMatch(text, /undefined|^ *(charged|accepted|ended|took|file|generation|refund):/m);
  assert.match(text, /folder: file:\/\/\/project\/renders/);
  assert.match(generationDetails(ours({ state: 'refunded' }), words), /refund: stated/);
});

test('several possible renders on the service are listed by ID', () => {
  assert.match(generationDetails(ours({ otherIds: ['g7', 'g8'] }), words), /^ {4}several: g1, g7, g8$/m);
  const problem = { code: 'twoFound', detail: 'g1, g9' } as const;
  const unknown = generationDetails(ours({ state: 'unknown', generationId: undefined, problem }), words);
  assert.match(unknown, /^ {4}several: g1, g9$/m);
});

test('the target folder is shown with its full URI, including a query', () => {
  const target = { root: 'vscode-vfs://host+x/w?branch=1', folder: 'my renders', fileName: 'x' };
  assert.match(
    generationDetails(ours({ file: undefined, target }), words),
    /folder: vscode-vfs:\/\/host\+x\/w\/my%20renders\?branch=1$/m,
  );
});

test('a result that lacks its record, though it should have one, is reported as such', () => {
  assert.match(generationDetails(ours({ sidecar: false }), words), /^ {4}provenance: missing$/m);
  assert.doesNotMatch(generationDetails(ours({ sidecar: true }), words), /provenance/);
});

test('a render started elsewhere isn’t shown as started here', () => {
  const elsewhere = entry({ state: undefined, status: 'succeeded', startedAt: 7, generationId: 'g9' });
  for (const one of [elsewhere, ours({ attempt: 0 })]) {
    const text = generationDetails(one, words);
    assert.match(text, /startedElsewhere: at/);
    assert.doesNotMatch(text, /ordered|accepted|took/);
  }
});

test('no text from the service or a prompt can pass for a fact', () => {
  const forged = 'kite\r\nMONEY\u2028charged: 0 cents\u0085refund: stated\u202Eevil\u0000';
  const text = generationDetails(ours({ inputs: { prompt: forged, 'x\ncharged': 1 }, textOutput: forged }), words);
  assert.equal(text.split('\n').filter((line) => line === 'MONEY').length, 1);
  assert.equal(
    text.split('\n').filter((line) => /^ {4}charged:/.test(line)).length,
    1 + 2,
    'below a heading of their own',
  );
  assert.doesNotMatch(text, /[\u0000\u0085\u2028\u202e\r]/);
});

test('a long response is shown below its heading, line by line', () => {
  assert.match(generationDetails(ours({ textOutput: 'one\n\n  two' }), words), /ANSWER\n {4}one\n\n {6}two\n$/);
});
