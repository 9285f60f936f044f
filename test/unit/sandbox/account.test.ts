import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Account } from '../../../src/sandbox/account';
import { TestClock } from '../clock';
import { newFolder } from './service';

function opened(t: TestContext, folder: string, clock: TestClock): Account {
  const account = new Account(folder, { balanceCents: 100 }, clock);
  t.after(() => account.close());
  return account;
}

function started(account: Account): string {
  return account.start({ key: account.key, modelId: 'a/b/c', inputs: {}, costCents: 5, readyAt: 0 }).id;
}

test('a render is claimed by one worker at a time, and by another once the claim has expired', async (t) => {
  const clock = new TestClock();
  const folder = newFolder(t);
  const [one, two] = [opened(t, folder, clock), opened(t, folder, clock)];
  const id = started(one);
  assert.equal(one.claim(id, 'one', clock.now() + 1000), true);
  assert.equal(two.claim(id, 'two', clock.now() + 1000), false);
  assert.equal(one.claim(id, 'one', clock.now() + 1000), true);
  await clock.advance(1000);
  assert.equal(two.claim(id, 'two', clock.now() + 1000), true);
  two.succeed(id, { text: 'done' });
  assert.equal(two.claim(id, 'two', clock.now() + 1000), false);
});

test('the first result of a render counts, and a refund is paid once', (t) => {
  const clock = new TestClock();
  const account = opened(t, newFolder(t), clock);
  const drawn = started(account);
  account.succeed(drawn, { text: 'first' });
  account.succeed(drawn, { text: 'second' });
  account.fail(drawn, 'late');
  account.refund(drawn);
  assert.deepEqual([account.generation(drawn)?.status, account.generation(drawn)?.textOutput], ['succeeded', 'first']);
  const failed = started(account);
  account.refund(failed);
  assert.equal(account.balance(), 90);
  account.fail(failed, 'broken');
  account.refund(failed);
  account.refund(failed);
  assert.equal(account.balance(), 95);
});

test('a file that isn’t an account is reported and left unchanged', (t) => {
  const folder = newFolder(t);
  writeFileSync(join(folder, 'account.sqlite'), 'something else entirely, and long enough to be looked at twice');
  assert.throws(() => new Account(folder, { balanceCents: 0 }, new TestClock()), /not a database/);
});

test('nothing of a deleted render’s inputs and response stays in the file', (t) => {
  const folder = newFolder(t);
  const account = new Account(folder, { balanceCents: 100 }, new TestClock());
  const holds = (words: string) => readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(words));
  const order = { key: account.key, modelId: 'a/b/c', costCents: 5, readyAt: 0 };
  const { id } = account.start({ ...order, inputs: { prompt: 'an unannounced lantern' } });
  account.succeed(id, { text: 'light for unannounced evenings' });
  assert.ok(holds('unannounced'));
  account.remove(id);
  account.close();
  assert.ok(!holds('unannounced'));
});
