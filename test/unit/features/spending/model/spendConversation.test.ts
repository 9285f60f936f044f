import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Emitter } from '../../../../../src/base/disposable';
import { silentLog } from '../../../../../src/base/log';
import { englishSpendStrings, type ToSpend } from '../../../../../src/features/spending/page/spendMessages';
import { SpendConversation } from '../../../../../src/features/spending/model/spendConversation';
import type { Query } from '../../../../../src/renders/heavyWork';
import type { RenderRecord } from '../../../../../src/renders/record';
import { settled, TestClock } from '../../../clock';
import { recorded } from '../../../renders/recorded';
import { record } from '../../../renders/records';

type InUse = { place: string; client: { account: string } } | undefined;

/** `one`: URLs of one service. */
async function converse(t: TestContext, records: RenderRecord[], inUse?: InUse, one: ReadonlySet<string> = new Set()) {
  const { ledger, put } = await recorded(t, records);
  const changes = new Emitter<void>();
  const clock = new TestClock();
  const posted: ToSpend[] = [];
  const saved: string[] = [];
  const library = {
    look: (queries: readonly Query[]) => ledger.look(queries),
    placesOf: (place: string): ReadonlySet<string> => (one.has(place) ? one : new Set([place])),
    seenBalances: (place: string, account: string) => [{ askedAt: 1, at: 2, cents: `${place} ${account}`.length }],
    onDidChange: changes.event,
  };
  const world = { shown: true };
  const conversation = new SpendConversation({
    library,
    clock,
    log: silentLog,
    strings: englishSpendStrings,
    locale: 'en',
    modelNames: () => Promise.resolve((id) => id),
    connection: () => inUse,
    openModel: () => undefined,
    isShown: () => world.shown,
    save: async (table) => void saved.push(await table()),
    post: (message) => posted.push(message),
  });
  const last = () => {
    const message = posted.findLast(({ type }) => type === 'report');
    assert.equal(message?.type, 'report');
    return message.report;
  };
  const change = (now: RenderRecord[]) => {
    put(now);
    changes.fire();
  };
  return { conversation, clock, posted, saved, last, change, world };
}

const service = 'https://models.example';

test('a page that opens receives its strings, then the sums', async (t) => {
  const { conversation, posted, last } = await converse(t, [record()]);
  conversation.receive({ type: 'ready' });
  await settled();
  assert.equal(posted[0]?.type, 'strings');
  assert.equal(last().total.spentCents, 4);
});

test('each account is separate: the current one first, each key, and the sandbox', async (t) => {
  const records = [
    record({ costCents: 1 }),
    record({ account: 'account-2', costCents: 20 }),
    record({ place: 'sandbox', account: 'play', costCents: 300 }),
  ];
  const { conversation, last } = await converse(t, records, { place: service, client: { account: 'account-2' } });
  conversation.receive({ type: 'ready' });
  await settled();
  assert.equal(last().account, 0);
  assert.equal(last().total.spentCents, 20);
  assert.equal(last().accounts[0], service);
  assert.deepEqual(
    last()
      .accounts.map((name) => name.replace(/used .*/, 'used …'))
      .sort(),
    ['Sandbox: play money, no real charges', service, `${service} (another key, last used …`],
  );
  conversation.receive({ type: 'chooseAccount', account: last().accounts.findIndex((name) => name.includes('key')) });
  await settled();
  assert.equal(last().total.spentCents, 1);
  conversation.receive({ type: 'chooseAccount', account: 99 });
  await settled();
  assert.equal(last().total.spentCents, 20);
});

test('what was charged at two URLs of one service is one sum, under the URL in use', async (t) => {
  const old = 'https://old.example';
  const records = [record({ costCents: 4 }), record({ place: old, costCents: 8 })];
  const places = new Set([service, old]);
  const { conversation, last } = await converse(
    t,
    records,
    { place: service, client: { account: 'account-1' } },
    places,
  );
  conversation.receive({ type: 'ready' });
  await settled();
  assert.deepEqual([last().accounts, last().total.spentCents], [[service], 12]);
});

test('nothing of an account’s key is sent to the page', async (t) => {
  const { conversation, posted } = await converse(t, [record()], { place: service, client: { account: 'account-1' } });
  conversation.receive({ type: 'ready' });
  await settled();
  assert.ok(!JSON.stringify(posted).includes('account-1'));
});

test('an account that was never used says so', async (t) => {
  const { conversation, last } = await converse(t, [], { place: 'sandbox', client: { account: 'play' } });
  conversation.receive({ type: 'ready' });
  await settled();
  assert.equal(last().isEmpty, true);
  assert.equal(last().balance?.cents, 'sandbox play'.length);
  const nobody = await converse(t, []);
  nobody.conversation.receive({ type: 'ready' });
  await settled();
  assert.equal(nobody.last().isEmpty, true);
});

test('many changes are sent once', async (t) => {
  const { conversation, clock, posted, last, change } = await converse(t, [record()]);
  change([record()]);
  await clock.advance(500);
  assert.deepEqual(posted, [], 'not before it has started');
  conversation.receive({ type: 'ready' });
  await settled();
  const before = posted.length;
  change([record(), record()]);
  change([record(), record(), record()]);
  await clock.advance(500);
  assert.equal(posted.length, before + 1);
  assert.equal(last().total.renders, 3);
});

test('nothing is summed up while the page is hidden', async (t) => {
  const { conversation, clock, posted, change, world } = await converse(t, [record()]);
  conversation.receive({ type: 'ready' });
  await settled();
  world.shown = false;
  change([record(), record()]);
  const before = posted.length;
  await clock.advance(500);
  assert.equal(posted.length, before);
});

test('the chosen period is the one shown and exported', async (t) => {
  const now = new TestClock().now();
  const records = [record({ plannedAt: now - 60_000 }), record({ plannedAt: now - 20 * 86_400_000 })];
  const { conversation, saved, last } = await converse(t, records);
  conversation.receive({ type: 'ready' });
  await settled();
  assert.equal(last().total.renders, 2);
  conversation.receive({ type: 'choosePeriod', period: 'week' });
  await settled();
  assert.equal(last().total.renders, 1);
  conversation.receive({ type: 'export' });
  await new Promise(setImmediate);
  assert.equal(saved[0]?.split('\r\n').length, 3, 'a head, one render, the end');
});

test('one agent’s renders are shown and exported separately, by the name it gave itself', async (t) => {
  const codex = { by: 'agent', agent: 'Codex', costCents: 7 } as const;
  const records = [record(codex), record({ by: 'agent', agent: 'Cline', costCents: 20 }), record()];
  const { conversation, saved, last, change, clock } = await converse(t, records);
  conversation.receive({ type: 'ready' });
  await settled();
  assert.deepEqual([last().agents, last().agent, last().total.spentCents], [['Cline', 'Codex'], undefined, 31]);
  conversation.receive({ type: 'chooseAgent', agent: 1 });
  await settled();
  assert.deepEqual([last().agent, last().total.spentCents], [1, 7]);
  conversation.receive({ type: 'export' });
  await new Promise(setImmediate);
  assert.match(saved[0] ?? '', /^[^\r]*agent_claimed\r\n[^\r]*,Codex\r\n$/);
  change(records.slice(1));
  await clock.advance(500);
  assert.deepEqual([last().agents, last().agent, last().total.spentCents], [['Cline'], undefined, 24]);
  conversation.receive({ type: 'chooseAgent' });
  await settled();
  conversation.receive({ type: 'chooseAgent', agent: 99 });
  assert.deepEqual([last().agent, last().total.spentCents], [undefined, 24]);
});

test('an unknown message changes nothing', async (t) => {
  const { conversation, posted, saved } = await converse(t, [record()]);
  for (const message of [{ type: 'export', path: '/etc' }, { type: 'choosePeriod', period: 'ever' }, null, 'export'])
    conversation.receive(message);
  assert.deepEqual([posted, saved], [[], []]);
});
