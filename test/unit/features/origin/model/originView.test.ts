import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Provenance } from '../../../../../src/files/provenance';
import {
  OriginConversation,
  originText,
  originView,
  type PageWords,
} from '../../../../../src/features/origin/model/originView';
import { silentLog } from '../../../../../src/base/log';
import {
  englishOriginStrings,
  type OriginAction,
  type OriginView,
  type ToOrigin,
} from '../../../../../src/features/origin/page/originMessages';
import type { Origin } from '../../../../../src/renders/origin';
import { entry } from '../../../editor/entries';
import { bareOriginWords } from '../../../editor/bareWords';

/** Uses the name of each fact as its text. */
const words: PageWords = {
  ...bareOriginWords,
  modelName: (id) => (id === 'a/b/c' ? 'Model C' : id),
};

const file = 'file:///project/red%20kite.png';
const provenance: Provenance = {
  modelId: 'a/b/c',
  inputs: { prompt: 'a red kite', aspect_ratio: '16:9' },
  service: 'https://models.example',
  generationId: 'g1',
  costCents: 5,
  orderedAt: 1000,
  tool: 'Model Catalog 1.2.3',
};
const theirs: Origin = { fileRecord: { provenance, where: 'inside' }, change: 'none' };

test('the page has the facts people ask for first, by their display names, and folds the rest', () => {
  const { name, standing, prompt, facts, inputs, more, actions } = originView(
    file,
    { address: 'url' },
    theirs,
    undefined,
    words,
  );
  assert.equal(name, 'red kite.png');
  assert.equal(standing, 'stated');
  assert.deepEqual(prompt, { title: 'PROMPT', text: 'a red kite' });
  assert.deepEqual(facts, [
    { label: 'model', text: 'Model C', detail: 'a/b/c' },
    { label: 'charged', text: '5 cents' },
    { label: 'ordered', text: 'at 1000' },
  ]);
  assert.deepEqual(inputs, { title: 'INPUTS', facts: [{ label: 'Aspect ratio', text: '16:9' }] });
  assert.deepEqual(
    more.map(({ title, facts }) => [title, facts.map(({ label }) => label)]),
    [['REQUEST', ['place', 'generation', 'tool']]],
  );
  assert.deepEqual(actions, ['openFile', 'copyPrompt', 'copyAsText', 'renderAgain', 'openInForm']);
});

test('an image that no longer exists can’t be opened', () => {
  const { actions } = originView(file, { address: undefined }, theirs, undefined, words);
  assert.deepEqual(actions, ['copyPrompt', 'copyAsText', 'renderAgain', 'openInForm']);
});

test('everything that the text says of our render is on the page, and nothing twice', () => {
  const ours = entry({ modelId: 'x/y/z', prompt: 'ours', file });
  const view = originView(file, undefined, theirs, ours, words);
  const shown = [...view.facts, ...(view.inputs?.facts ?? []), ...view.more.flatMap(({ facts }) => facts)];
  const labels = shown.map(({ label }) => label);
  assert.equal(new Set(labels).size, labels.length);
  const said = [...originText(file, theirs, ours, words).matchAll(/^(?: {4})?(\w+): /gm)].map(([, label]) => label!);
  assert.deepEqual(
    said.filter((label) => !labels.includes(label) && label !== 'file' && label !== 'standing'),
    [],
  );
  assert.equal(labels.includes('standing'), false, 'a saved file says so itself');
  assert.equal(labels.includes('file'), false, 'its path is below the title');
});

test('an unknown file can only be copied as text, and one without its prompt has none to copy', () => {
  assert.deepEqual(originView(file, undefined, { change: 'unknown' }, undefined, words).actions, ['copyAsText']);
  const leftOut: Origin = {
    fileRecord: { provenance: { ...provenance, promptLeftOut: true }, where: 'inside' },
    change: 'none',
  };
  const view = originView(file, undefined, leftOut, undefined, words);
  assert.deepEqual(view.actions, ['copyAsText', 'renderAgain', 'openInForm']);
  assert.equal(view.prompt?.text, 'left out');
});

test('a file that says megabytes of text has a page too', () => {
  const prompt = 'kite'.repeat(700_000);
  const long: Origin = {
    ...theirs,
    fileRecord: { provenance: { ...provenance, inputs: { prompt } }, where: 'beside' },
  };
  assert.equal(originView(file, undefined, long, undefined, words).prompt?.text, prompt);
});

test('a file that was changed is doubtful, whoever made it', () => {
  assert.equal(originView(file, undefined, { ...theirs, change: 'changed' }, undefined, words).standing, 'doubtful');
});

test('no text of a file brings a key or anything hidden onto the page', () => {
  const forged = 'kite\u202Eevil\u0000 ai_live_secret123';
  const told: Origin = {
    fileRecord: {
      provenance: { ...provenance, modelId: forged, inputs: { [forged]: forged, prompt: forged }, tool: forged },
      where: 'inside',
    },
    change: 'none',
  };
  const view = originView(file, undefined, told, undefined, { ...words, modelName: () => forged });
  assert.doesNotMatch(JSON.stringify(view), /secret123|\\u0000|\u202e/);
});

/** A conversation whose actions end when the test says so. */
function conversation() {
  const posted: ToOrigin[] = [];
  const acted: OriginAction[] = [];
  const priced: boolean[] = [];
  const looks: ((seen: OriginView | string) => void)[] = [];
  const ends: (() => void)[] = [];
  const talk = new OriginConversation({
    log: silentLog,
    strings: englishOriginStrings,
    locale: 'en',
    look: () => new Promise((resolve) => looks.push(resolve)),
    act: (action, isPriced) => {
      acted.push(action);
      priced.push(isPriced);
      return new Promise((resolve) => ends.push(resolve));
    },
    openRelative: () => Promise.resolve(),
    post: (message) => posted.push(message),
  });
  return { talk, posted, acted, priced, looks, ends };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('only the latest look at a file is shown', async () => {
  const { talk, posted, looks } = conversation();
  talk.refresh();
  assert.equal(looks.length, 0, 'nobody is listening yet');
  talk.receive({ type: 'ready' });
  talk.refresh();
  looks[1]!('new');
  looks[0]!('old');
  await settled();
  assert.deepEqual(posted.slice(1), [{ type: 'failed', reason: 'new' }]);
});

test('a second press while the first one asks does nothing, and no message can name anything else', async () => {
  const { talk, acted, ends } = conversation();
  const press = () => talk.receive({ type: 'act', action: 'renderAgain' });
  press();
  press();
  assert.deepEqual(acted, ['renderAgain']);
  ends[0]!();
  await settled();
  press();
  talk.receive({ type: 'act', action: 'deleteGeneration' });
  talk.receive({ type: 'act', action: 'openFile', file: 'file:///etc/passwd' });
  assert.deepEqual(acted, ['renderAgain', 'renderAgain']);
});

test('a press counts as one next to a price only while the page shows one', async () => {
  const { talk, priced, looks, ends } = conversation();
  const view = originView(file, undefined, theirs, undefined, words);
  const press = async (action: OriginAction) => {
    talk.receive({ type: 'act', action });
    ends.at(-1)!();
    await settled();
  };
  talk.receive({ type: 'ready' });
  await press('renderAgain');
  looks[0]!({ ...view, againCents: 4 });
  await settled();
  await press('renderAgain');
  await press('openFile');
  talk.refresh();
  looks[1]!(view);
  await settled();
  await press('renderAgain');
  assert.deepEqual(priced, [false, true, false, false]);
});
