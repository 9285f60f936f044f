import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field } from '../../../../../src/catalog/fields';
import {
  englishFormStrings,
  type QuoteView,
  type ResultView,
  type ToForm,
} from '../../../../../src/features/form/page/formMessages';
import {
  arrangedFields,
  emptyState,
  filteredFields,
  isChanged,
  isEdit,
  isResettable,
  readinessOf,
  reduce,
  shownIssue,
  valueOf,
  type Action,
  type FormState,
} from '../../../../../src/features/form/page/state';

const prompt: Field = { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true };
const steps: Field = {
  name: 'steps',
  label: 'Steps',
  kind: 'integer',
  statedType: 'integer',
  required: false,
  default: 20,
  minimum: 1,
  maximum: 50,
};

const image: Field = { name: 'image', label: 'Image', kind: 'image', statedType: 'image', required: false };
const fox = { file: 'fox.png', sha256: '0'.repeat(64), type: 'image/png', bytes: 3 };

function given(fields: readonly Field[] = [prompt, steps]): FormState {
  return after(
    emptyState,
    { type: 'strings', strings: englishFormStrings, locale: 'en', actions: [] },
    { type: 'model', model: { id: 'a/b/c', title: 'C', kind: 'image', fields: [...fields] as never } },
    { type: 'draft', revision: 0, values: fields.map((field) => [field.name, '']) },
    { type: 'account', balanceCents: 100, sandbox: true, offline: false },
  );
}

function after(state: FormState, ...messages: ToForm[]): FormState {
  return messages.reduce((now, message) => reduce(now, { type: 'received', message }), state);
}

function done(state: FormState, ...actions: Action[]): FormState {
  return actions.reduce(reduce, state);
}

function typed(state: FormState, value: string, field = 'prompt'): FormState {
  return reduce(state, { type: 'edited', field, value });
}

function quoted(state: FormState, quote: QuoteView, intent = 'one', revision = state.revision): FormState {
  return after(state, { type: 'quote', revision, intent, count: 1, quote });
}

const four: QuoteView = { status: 'priced', costCents: 4 };

test('the price of the values on the screen makes the form ready', () => {
  assert.deepEqual(readinessOf(quoted(typed(given(), 'a fox'), four)), { kind: 'ready', costCents: 4 });
});

test('a price for earlier values is the last price, not the current one', () => {
  const priced = quoted(typed(given(), 'a fox'), four);
  const edited = typed(priced, 'a fox in snow');
  assert.deepEqual(readinessOf(edited), { kind: 'asking', lastCents: 4 });
  assert.deepEqual(readinessOf(quoted(edited, four, 'one', edited.revision - 1)), { kind: 'asking', lastCents: 4 });
  assert.deepEqual(readinessOf(quoted(edited, { status: 'none' })), { kind: 'asking' });
});

test('a press orders as many as chosen only at the price of that many', () => {
  const several = after(quoted(typed(given(), 'a fox'), four), {
    type: 'variants',
    variants: { choices: [1, 2, 4, 8], count: 1, canVary: false, varied: [] },
  });
  const chosen = reduce(several, { type: 'counted', count: 4 });
  assert.deepEqual(readinessOf(chosen), { kind: 'asking' });
  const quote = { type: 'quote', revision: chosen.revision, intent: 'two', quote: { ...four, costCents: 16 } } as const;
  assert.deepEqual(readinessOf(after(chosen, { ...quote, count: 2 })), { kind: 'asking' });
  const ready = after(chosen, { ...quote, count: 4 });
  assert.deepEqual(readinessOf(ready), { kind: 'ready', costCents: 16 });
  assert.equal(reduce(ready, { type: 'renderPressed' }).usedIntent, 'two');
});

test('pressing the last price is one request, and works again after it was given up', () => {
  const edited = quoted(typed(quoted(typed(given(), 'a fox'), four), 'a fox in snow'), {
    status: 'asking',
    lastCents: 4,
  });
  const pressed = reduce(edited, { type: 'renderPressed' });
  assert.deepEqual([pressed.ordering, pressed.usedIntent], [1, 'one']);
  assert.equal(readinessOf(pressed).kind, 'starting');
  assert.equal(reduce(pressed, { type: 'renderPressed' }).request, 1);
  const givenUp = after(pressed, { type: 'answer', request: 1 });
  assert.equal(reduce(givenUp, { type: 'renderPressed' }).ordering, 2);
  assert.equal(reduce({ ...edited, balanceCents: 3 }, { type: 'renderPressed' }).ordering, undefined);
});

test('a required empty field is named, and missing', () => {
  const readiness = readinessOf(given());
  assert.deepEqual(readiness.kind === 'invalid' && [readiness.fields.map(({ name }) => name), readiness.missing], [
    ['prompt'],
    true,
  ]);
});

test('a wrong number is wrong, not missing', () => {
  const readiness = readinessOf(typed(typed(given(), 'a fox'), '99', 'steps'));
  assert.deepEqual(readiness.kind === 'invalid' && [readiness.fields.map(({ name }) => name), readiness.missing], [
    ['steps'],
    false,
  ]);
});

test('a balance below the price is shown before the click, and the click does nothing', () => {
  const poor = after(quoted(typed(given(), 'a fox'), four), {
    type: 'account',
    balanceCents: 3,
    sandbox: true,
    offline: false,
  });
  assert.deepEqual(readinessOf(poor), { kind: 'tooLittle', costCents: 4, balanceCents: 3 });
  assert.equal(reduce(poor, { type: 'renderPressed' }).ordering, undefined);
});

test('a price that the service doesn’t state leaves the form ready, without a price', () => {
  assert.deepEqual(readinessOf(quoted(typed(given(), 'a fox'), { status: 'notStated' })), {
    kind: 'ready',
    costCents: undefined,
  });
});

test('a failed price is shown, and nothing can be ordered for it', () => {
  const failed = quoted(typed(given(), 'a fox'), { status: 'failed', problem: 'offline' });
  assert.deepEqual(readinessOf(failed), { kind: 'failed', problem: 'offline' });
  assert.equal(reduce(failed, { type: 'renderPressed' }).ordering, undefined);
});

test('pressing Render twice is one order, even if the response arrives before the second press', () => {
  const pressed = reduce(quoted(typed(given(), 'a fox'), four), { type: 'renderPressed' });
  assert.equal(pressed.ordering, 1);
  assert.equal(reduce(pressed, { type: 'renderPressed' }), pressed);
  const answered = after(pressed, { type: 'answer', request: 1 });
  assert.equal(answered.ordering, undefined);
  assert.equal(reduce(answered, { type: 'renderPressed' }).ordering, undefined, 'its intent was used');
  const anew = quoted(answered, four, 'two');
  assert.equal(reduce(anew, { type: 'renderPressed' }).ordering, 2);
});

test('the response to another request leaves the order pending', () => {
  const pressed = reduce(quoted(typed(given(), 'a fox'), four), { type: 'renderPressed' });
  assert.equal(after(pressed, { type: 'answer', request: 7 }).ordering, 1);
});

test('a field shows its error only once it has lost focus', () => {
  const fresh = given();
  assert.equal(shownIssue(fresh, prompt), undefined);
  assert.equal(shownIssue(done(fresh, { type: 'left', field: 'prompt' }), prompt), undefined, 'passing is no mistake');
  const wrong = typed(fresh, 'many', 'steps');
  assert.equal(shownIssue(wrong, steps), undefined);
  assert.deepEqual(shownIssue(done(wrong, { type: 'left', field: 'steps' }), steps), { issue: { code: 'notANumber' } });
});

test('pressing Render on an incomplete form leads to the first wrong field and shows all issues', () => {
  const pressed = reduce(typed(given(), 'many', 'steps'), { type: 'renderPressed' });
  assert.deepEqual(pressed.focus, { field: 'prompt' });
  assert.deepEqual(shownIssue(pressed, steps), { issue: { code: 'notANumber' } });
});

test('a rejection by the service is shown at its field, focuses it, and clears on the next change', () => {
  const state = quoted(typed(given(), 'a fox'), four);
  const problems = [{ field: 'steps', message: 'too many' }];
  const refused = after(state, { type: 'problems', revision: state.revision, focus: true, problems });
  assert.deepEqual(refused.focus, { field: 'steps' });
  assert.deepEqual(shownIssue(refused, steps), { refused: 'too many' });
  assert.equal(readinessOf(refused).kind, 'invalid');
  assert.equal(shownIssue(typed(refused, '10', 'steps'), steps), undefined);
});

test('a rejection of earlier values isn’t shown', () => {
  const state = typed(given(), 'a fox');
  const problems = [{ field: 'prompt', message: 'no' }];
  assert.equal(after(state, { type: 'problems', revision: state.revision - 1, focus: true, problems }), state);
});

test('a rejection while typing doesn’t take the focus', () => {
  const state = typed(given(), 'a fox');
  const problems = [{ field: 'prompt', message: 'no' }];
  assert.equal(after(state, { type: 'problems', revision: state.revision, focus: false, problems }).focus, undefined);
});

test('the host’s draft overrides edits it hasn’t seen, and yields to newer ones', () => {
  const twice = typed(typed(given(), 'a'), 'ab');
  const late: ToForm = { type: 'draft', revision: 1, values: [['prompt', 'from elsewhere']] };
  assert.equal(valueOf(after(twice, late), 'prompt'), 'ab');
  assert.equal(valueOf(after(twice, { ...late, revision: 2 }), 'prompt'), 'from elsewhere');
});

test('an image that arrives while the user types joins what they typed, and the host is told of both', () => {
  const draft: ToForm = {
    type: 'draft',
    revision: 1,
    field: 'image',
    values: [
      ['prompt', ''],
      ['image', { images: [fox] }],
    ],
    images: [{ sha256: fox.sha256, url: 'https://webview/fox' }],
  };
  const arrived: Action = { type: 'received', message: draft };
  const once = typed(given([prompt, image]), 'a');
  for (const before of [once, typed(once, 'ab')]) {
    const merged = reduce(before, arrived);
    assert.deepEqual(
      [valueOf(merged, 'prompt'), valueOf(merged, 'image')],
      [valueOf(before, 'prompt'), { images: [fox] }],
    );
    assert.deepEqual([merged.revision, isEdit(before, merged, arrived)], [before.revision + 1, true]);
    assert.equal(merged.images.get(fox.sha256), 'https://webview/fox');
  }
  const idle = given([prompt, image]);
  const shown = reduce(idle, arrived);
  assert.deepEqual([valueOf(shown, 'image'), shown.revision], [{ images: [fox] }, 1]);
  assert.equal(isEdit(idle, shown, arrived), false);
});

test('reset restores the defaults and can be undone until the next change', () => {
  const reset = reduce(typed(given(), 'a fox'), { type: 'reset' });
  assert.equal(valueOf(reset, 'prompt'), '');
  assert.equal(valueOf(reduce(reset, { type: 'undo' }), 'prompt'), 'a fox');
  const edited = typed(reset, 'a hare');
  assert.equal(valueOf(reduce(edited, { type: 'undo' }), 'prompt'), 'a hare');
});

test('values that others replaced can be had back until the next change', () => {
  const message: ToForm = {
    ...{ type: 'draft', revision: 2 },
    ...{ values: [['prompt', 'a hare']], before: [['prompt', 'a fox']] },
  };
  const shown = reduce(typed(given(), 'a fox'), { type: 'received', message });
  assert.equal(valueOf(shown, 'prompt'), 'a hare');
  assert.equal(valueOf(reduce(shown, { type: 'undo' }), 'prompt'), 'a fox');
  assert.equal(valueOf(reduce(typed(shown, 'a deer'), { type: 'undo' }), 'prompt'), 'a deer');
});

test('every change of values is a new revision', () => {
  const state = given();
  assert.equal(typed(state, 'a').revision, state.revision + 1);
  assert.equal(reduce(typed(state, 'a'), { type: 'reset' }).revision, state.revision + 2);
  assert.equal(typed(state, ''), state, 'no change, no revision');
});

test('optional fields beyond the eighth are collapsed, required ones never', () => {
  const optional = Array.from({ length: 12 }, (_, index): Field => ({ ...steps, name: `o${index}` }));
  const { main, more } = arrangedFields([...optional, prompt]);
  assert.deepEqual(
    main.map(({ name }) => name),
    ['o0', 'o1', 'o2', 'o3', 'o4', 'o5', 'o6', 'o7', 'prompt'],
  );
  assert.deepEqual(
    more.map(({ name }) => name),
    ['o8', 'o9', 'o10', 'o11'],
  );
  assert.equal(arrangedFields(optional.slice(0, 10)).more.length, 0, 'two are not worth a fold');
});

test('the collapsed section opens when a field in it takes the focus', () => {
  const optional = Array.from({ length: 12 }, (_, index): Field => ({ ...steps, name: `o${index}` }));
  const state = reduce(typed(given(optional), 'x', 'o11'), { type: 'renderPressed' });
  assert.deepEqual([state.focus, state.moreOpen], [{ field: 'o11' }, true]);
});

test('a field counts as changed if it differs from the model’s default', () => {
  assert.equal(isChanged(steps, ''), false);
  assert.equal(isChanged(steps, '20'), false);
  assert.equal(isChanged(steps, '21'), true);
  assert.equal(isChanged(prompt, { json: '{}' }), true);
});

test('a render that starts is shown, whatever was shown before', () => {
  const result = (id: string): ResultView => ({ id, stage: 'done', status: 'Saved', actions: [] });
  const two = after(given(), { type: 'results', results: [result('b'), result('a')] });
  const chosen = reduce(two, { type: 'chosen', id: 'a' });
  assert.equal(after(chosen, { type: 'results', results: [result('b'), result('a')] }).chosen, 'a');
  assert.equal(after(chosen, { type: 'results', results: [result('c'), result('b'), result('a')] }).chosen, undefined);
});

test('the choice to insert a link shows before the host responds', () => {
  const link = { document: 'guide.md', line: 4, insert: false };
  const target = { folder: 'renders', hasFolder: true, fileName: '${slug}', preview: 'a-fox', link };
  const chosen = done(after(given(), { type: 'target', target }), {
    type: 'asked',
    ask: { type: 'insertLink', insert: true },
  });
  assert.equal(chosen.target?.link?.insert, true);
  assert.equal(after(chosen, { type: 'target', target }).target?.link?.insert, false);
});

test('a text that is too long is reported while typing', () => {
  const short = { ...prompt, maxLength: 5 };
  assert.deepEqual(shownIssue(typed(given(), 'a fox in the snow'), short), {
    issue: { code: 'tooLong', length: 17, maxLength: 5 },
  });
  assert.equal(shownIssue(typed(given(), 'a fox'), short), undefined);
});

test('a changed field can go back to its default, except a required one without a default', () => {
  assert.equal(isResettable(steps, '21'), true);
  assert.equal(isResettable(steps, '20'), false);
  assert.equal(isResettable(prompt, 'a fox'), false);
  const wrong = done(typed(given(), '99', 'steps'), { type: 'left', field: 'steps' });
  assert.notEqual(shownIssue(wrong, steps), undefined);
  const reset = done(wrong, { type: 'fieldReset', field: 'steps' });
  assert.equal(valueOf(reset, 'steps'), '');
  assert.equal(shownIssue(typed(reset, '99', 'steps'), steps), undefined);
  assert.equal(reset.revision, wrong.revision + 1);
});

test('a search shows the fields with all of its words, and leading to an error shows them all again', () => {
  const shown = (state: FormState) => filteredFields(state).map(({ name }) => name);
  const state = given([prompt, { ...steps, help: 'More steps take longer.' }]);
  const searched = done(state, { type: 'searched', text: ' LONGER  steps' });
  assert.deepEqual(shown(searched), ['steps']);
  assert.deepEqual(shown(done(state, { type: 'searched', text: 'shorter' })), []);
  assert.deepEqual(shown(done(searched, { type: 'renderPressed' })), ['prompt', 'steps']);
});

test('the changed fields stay listed while they are edited', () => {
  const changed = done(typed(given(), '21', 'steps'), { type: 'changedToggled' });
  const shown = (state: FormState) => filteredFields(state).map(({ name }) => name);
  assert.deepEqual(shown(changed), ['steps']);
  assert.deepEqual(shown(typed(changed, '', 'steps')), ['steps']);
  assert.deepEqual(shown(done(changed, { type: 'changedToggled' })), ['prompt', 'steps']);
});

test('earlier prompts replace an empty prompt one after the other, and it comes back; an edited one stays', () => {
  const [back, forward] = (['back', 'forward'] as const).map((way) => ({ type: 'recalled', way }) as const);
  const form = after(given(), { type: 'prompts', prompts: ['a fox', 'a hare'], examples: [] });
  const shown = (state: FormState) => state.values?.get('prompt');
  assert.equal(shown(done(form, back!)), 'a fox');
  assert.equal(shown(done(form, back!, back!)), 'a hare');
  assert.equal(shown(done(form, back!, back!, back!)), 'a hare');
  assert.equal(shown(done(form, back!, back!, forward!)), 'a fox');
  assert.equal(shown(done(form, back!, forward!)), '');
  assert.equal(shown(done(typed(form, 'a deer'), back!)), 'a deer');
  assert.equal(shown(done(typed(form, 'a fox'), back!)), 'a hare');
  assert.equal(shown(done(typed(form, 'a fox'), forward!)), 'a fox', 'it was typed, not brought back');
  assert.equal(shown(typed(done(form, back!), 'a fox in snow')), 'a fox in snow');
  assert.equal(shown(done(typed(done(form, back!), 'a fox in snow'), forward!)), 'a fox in snow');
});

test('what is painted of a mask stays while other inputs change, and goes with its image or a new mask', () => {
  const mask: Field = { ...image, name: 'mask', label: 'Mask', image: { types: [], maxBytes: 1, mask: 'white' } };
  const fields = [prompt, { ...image, image: { types: [], maxBytes: 1 } }, mask];
  const strokes = { done: [{ type: 'inverted' } as const], undone: [] };
  const start = done(given(fields), { type: 'edited', field: 'image', value: { images: [fox] } });
  const painted = done(start, { type: 'painted', field: mask, strokes });
  assert.deepEqual(painted.painting?.strokes, strokes);
  assert.deepEqual(typed(painted, 'a fox').painting?.strokes, strokes);
  const other = { images: [{ ...fox, sha256: '1'.repeat(64) }] };
  for (const field of ['image', 'mask'])
    assert.equal(done(painted, { type: 'edited', field, value: other }).painting, undefined, field);
});

const size: Field = {
  name: 'size',
  label: 'Size',
  kind: 'choice',
  statedType: 'enum',
  required: false,
  choices: ['small', 'large'].map((value) => ({ value, label: value })),
};

test('varied options count their combinations, wait for the host, and leave the first one as the field’s value', () => {
  const choices = { choices: [1, 2], count: 1, canVary: true, varied: [] };
  const priced = quoted(after(typed(given([prompt, size]), 'a fox'), { type: 'variants', variants: choices }), four);
  const started = done(priced, { type: 'varyingStarted' });
  const some = done(started, { type: 'varied', field: 'size', values: ['small', 'large'] });
  assert.deepEqual([some.variants?.count, valueOf(some, 'size'), some.revision], [2, 'small', priced.revision + 1]);
  assert.equal(readinessOf(quoted(some, four)).kind, 'asking');
  const confirmed = after(some, { type: 'variants', variants: { ...some.variants!, isPending: undefined } as never });
  assert.equal(
    readinessOf({ ...confirmed, quote: { ...priced.quote!, revision: some.revision, count: 2 } }).kind,
    'ready',
  );
  assert.deepEqual(done(confirmed, { type: 'reset' }).variants?.varied, []);
  const counted = done(confirmed, { type: 'counted', count: 1 });
  assert.deepEqual([counted.varying, counted.variants?.varied], [false, []]);
});

test('a style’s values and words are what is checked, and nothing is ordered until the host says what they are', () => {
  const short = { ...prompt, maxLength: 12 };
  const chosen = { id: 'docs', label: 'docs', before: 'Muted blues.', after: '', leftOut: [], fixed: [] };
  const options = [{ id: 'docs', label: 'docs' }];
  const own = quoted(
    after(typed(given([short, steps]), 'a fox'), { type: 'style', style: { options, version: 0 } }),
    four,
  );
  assert.equal(readinessOf(own).kind, 'ready');
  assert.equal(readinessOf(done(own, { type: 'styled', id: 'docs' })).kind, 'asking');
  const long = after(own, { type: 'style', style: { options, version: 1, chosen } });
  assert.deepEqual(shownIssue(long, short), { issue: { code: 'tooLong', length: 18, maxLength: 12 } });
  const many = { ...chosen, before: '', fixed: [['steps', '90']] as [string, string][] };
  const wrong = readinessOf(after(own, { type: 'style', style: { options, version: 2, chosen: many } }));
  assert.ok(wrong.kind === 'invalid' && wrong.fields[0] === steps);
  const refused = after(own, {
    type: 'problems',
    revision: own.revision,
    focus: false,
    problems: [{ field: 'steps', message: 'no' }],
  });
  assert.equal(after(refused, { type: 'style', style: { options, version: 1, chosen } }).refused.size, 0);
});
