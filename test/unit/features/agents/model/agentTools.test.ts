import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedName } from '../../../../../src/features/agents/model/agentTools';

const { signal } = new AbortController();

test('an agent is recorded by its claim, and VS Code’s own agents by a name that no claim gets', () => {
  assert.equal(recordedName({ signal }), 'VS Code Chat');
  assert.equal(recordedName({ agent: 'Tester', signal }), 'Tester');
  assert.equal(recordedName({ agent: '', signal }), 'unnamed');
  for (const claim of ['VS Code Chat', 'VS Code\u200b Chat', ' VS Code Chat\n'])
    assert.notEqual(recordedName({ agent: claim, signal }), 'VS Code Chat');
});
