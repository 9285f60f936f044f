import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFromForm, readKeptForm } from '../../../src/editor/formRequests';
import { messageLimit } from '../../../src/editor/webviewHtml';

test('the form’s messages are read unchanged', () => {
  const messages = [
    { type: 'ready' },
    {
      type: 'edit',
      revision: 3,
      values: [
        ['__proto__', 'a'],
        ['steps', 4],
        ['on', true],
        ['extra', { json: '{}' }],
      ],
    },
    { type: 'render', request: 1, revision: 3, intent: 'i' },
    { type: 'action', request: 2, action: 'openResult', id: 'x' },
    { type: 'chooseTarget', request: 3 },
    { type: 'fileName', request: 4, fileName: '${date}' },
    { type: 'askAgain', request: 5 },
    { type: 'refreshBalance', request: 6 },
    { type: 'reload', request: 7 },
  ];
  for (const message of messages) assert.deepEqual(readFromForm(message), message);
});

test('unknown messages are rejected', () => {
  const cycle: Record<string, unknown> = { type: 'ready' };
  cycle['self'] = cycle;
  const refused: unknown[] = [
    undefined,
    null,
    'ready',
    [],
    {},
    cycle,
    { type: 'ready', extra: 1 },
    { type: 'spend', cents: 5 },
    { type: 'render', request: 1, revision: 3 },
    { type: 'render', request: 1, revision: 3, intent: 'i', costCents: 1 },
    { type: 'render', request: -1, revision: 3, intent: 'i' },
    { type: 'render', request: 1.5, revision: 3, intent: 'i' },
    { type: 'render', request: '1', revision: 3, intent: 'i' },
    { type: 'edit', revision: 1, values: { prompt: 'a' } },
    { type: 'edit', revision: 1, values: [['prompt', null]] },
    { type: 'edit', revision: 1, values: [['prompt', { json: '1', path: '/etc' }]] },
    { type: 'action', request: 1, action: 'workbench.action.terminal.new', id: 'x' },
    { type: 'action', request: 1, action: 'openResult', id: 'x', path: '/etc/passwd' },
    { type: 'fileName', request: 1, fileName: 'x'.repeat(501) },
    { type: 'edit', revision: 1n, values: [] },
  ];
  for (const message of refused) assert.equal(readFromForm(message), undefined);
});

test('a message over the limit is rejected, one below it isn’t; values have a limit of their own', () => {
  const action = (length: number) => ({ type: 'action', request: 1, action: 'openResult', id: 'x'.repeat(length) });
  assert.ok(readFromForm(action(messageLimit - 100)));
  assert.equal(readFromForm(action(messageLimit)), undefined);
  const edit = (length: number) => ({ type: 'edit', revision: 1, values: [['prompt', 'x'.repeat(length)]] });
  assert.ok(readFromForm(edit(20 * messageLimit)));
  assert.equal(readFromForm(edit(50 * messageLimit)), undefined);
});

test('the form’s stored state is restored, and anything else isn’t', () => {
  const kept = { modelId: 'a/b/c', values: [['prompt', 'a fox']], at: 1 };
  assert.deepEqual(readKeptForm(kept), kept);
  for (const other of [undefined, null, {}, { modelId: 3, values: [] }, { modelId: 'a', values: 'x' }]) {
    assert.equal(readKeptForm(other), undefined);
  }
});
