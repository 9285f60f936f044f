import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentSentence } from '../../../../../src/features/agents/model/toolWords';
import { UserError } from '../../../../../src/editor/userError';
import { ServiceError } from '../../../../../src/catalog/errors';
import { BudgetError } from '../../../../../src/renders/budget';

test('an agent isn’t told to change what only the user may, and in English whatever the editor’s language', () => {
  const limit = new BudgetError({ name: 'perDay', limit: 100, committed: 90 } as never, undefined);
  const translated = new UserError('Erhöhen Sie das Limit.', { cause: limit });
  const refusals = (['keyRefused', 'balanceTooLow', 'dailyCap'] as const).map((kind) => new ServiceError(kind, kind));
  for (const error of [translated, limit, ...refusals]) {
    const said = agentSentence(error) ?? '';
    assert.match(said, /Only the user may change that: don’t, and don’t render again unless they ask you to\.$/);
    assert.doesNotMatch(said, /Erhöhen|raise|set a valid|another key|add funds|modelCatalog\./i);
  }
  assert.match(agentSentence(translated)!, /^it would exceed a limit that the user set\./);
});
