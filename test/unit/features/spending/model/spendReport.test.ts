import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { englishSpendStrings } from '../../../../../src/features/spending/page/spendMessages';
import { spendCsv, spendReport } from '../../../../../src/features/spending/model/spendReport';
import type { RenderRecord } from '../../../../../src/renders/record';
import { recorded } from '../../../renders/recorded';
import { record, unknownRecord } from '../../../renders/records';
import { reported, scope } from './reported';

const now = new Date(2026, 0, 20, 15).getTime();
const day = 24 * 3_600_000;

function on(date: Date, change: Partial<RenderRecord> = {}): RenderRecord {
  return record({ plannedAt: date.getTime(), ...change });
}

test('a render just before midnight belongs to that day, and one just after it to the next', async (t) => {
  const records = [on(new Date(2026, 0, 18, 23, 59, 59)), on(new Date(2026, 0, 19, 0, 0, 1), { costCents: 12 })];
  const { unit, bars } = await reported(t, records, 'week', { now });
  assert.equal(unit, 'day');
  assert.deepEqual(
    bars.map(({ key, sums }) => [key, sums.spentCents]),
    [
      ['2026-01-14', 0],
      ['2026-01-15', 0],
      ['2026-01-16', 0],
      ['2026-01-17', 0],
      ['2026-01-18', 4],
      ['2026-01-19', 12],
      ['2026-01-20', 0],
    ],
  );
});

test('a period contains what was charged in it, and every table adds up to the total', async (t) => {
  const records = Array.from({ length: 200 }, (_, index) =>
    record({
      plannedAt: now - index * day,
      costCents: index % 7,
      modelId: `provider/family/m${index % 40}`,
      by: index % 3 === 0 ? 'agent' : 'person',
      state: index % 11 === 0 ? 'refunded' : 'saved',
    }),
  );
  for (const period of ['week', 'month', 'year', 'all'] as const) {
    const report = await reported(t, records, period, { now });
    for (const { rows, others } of [report.models, report.projects, report.files, report.orderers]) {
      const sum = (key: 'renders' | 'spentCents' | 'refundedCents') =>
        rows.reduce((all, { sums }) => all + sums[key], others?.sums[key] ?? 0);
      assert.equal(sum('renders'), report.total.renders, period);
      assert.equal(sum('spentCents'), report.total.spentCents, period);
      assert.equal(sum('refundedCents'), report.total.refundedCents, period);
    }
    const ofBars = report.bars.reduce((all, { sums }) => all + sums.spentCents, 0);
    assert.equal(ofBars, report.total.spentCents, period);
  }
  assert.equal((await reported(t, records, 'week', { now })).total.renders, 7);
  assert.equal((await reported(t, records, 'all', { now })).total.renders, 200);
});

test('what a wrong clock dated far into the future counts as today', async (t) => {
  const { bars } = await reported(t, [record({ plannedAt: now + 9000 * day })], 'week', { now });
  assert.deepEqual([bars.length, bars.at(-1)?.sums.spentCents], [7, 4]);
});

test('who started it, the project, and the file are listed, even if there is none', async (t) => {
  const target = { folder: '', fileName: '' };
  const records = [
    record({ plannedAt: now, by: 'agent', file: 'file:///project/renders/a%20kite.png' }),
    record({ plannedAt: now, by: undefined, costCents: 3 }),
    unknownRecord({ plannedAt: now, target }),
    record({ plannedAt: now, by: undefined, attempt: 0, generationId: 'g', costCents: 1, file: undefined }),
  ];
  const { orderers, projects, files } = await reported(t, records, 'all', { now });
  assert.deepEqual(
    orderers.rows.map(({ name }) => name),
    ['Extensions, tasks, and agents', 'Not recorded', 'Started outside VS Code', 'You'],
  );
  assert.deepEqual(
    projects.rows.map(({ name, detail }) => [name, detail]),
    [
      ['project', '/project'],
      ['No folder', undefined],
    ],
  );
  assert.ok(files.rows.some(({ name, detail }) => name === 'a kite.png' && detail === '/project/renders/a kite.png'));
  assert.ok(files.rows.some(({ name, sums }) => name === 'Not saved as a file' && sums.unknown === 1));
});

test('ten thousand renders are summed up without a stall', async (t) => {
  const records = Array.from({ length: 10_000 }, (_, index) => record({ plannedAt: now - index * 3_600_000 }));
  const seen = records.map(({ plannedAt }, index) => ({
    askedAt: plannedAt - 50,
    at: plannedAt - 40,
    cents: 4 * index,
  }));
  const { ledger } = await recorded(t, records);
  const facts = { ...scope, since: 0, seen: seen.reverse() };
  const before = performance.now();
  const { total, statement } = await spendReport(ledger, facts, 'all', now, englishSpendStrings, (id) => id);
  const took = performance.now() - before;
  assert.equal(total.spentCents, 40_000);
  assert.equal(statement?.outsideCents, 0);
  assert.equal(statement.oursCents, 4 * 9_999);
  // Quadratic time would take minutes.
  assert.ok(took < 3000, `${took} ms`);
});

test('the exported table has empty cells for unknown values, and runs no formulas', async (t) => {
  const records = [
    unknownRecord({ plannedAt: now, inputs: { prompt: '=HYPERLINK("https://evil.example")' } }),
    record({ plannedAt: now - day, state: 'refunded', by: 'agent' }),
  ];
  const { ledger } = await recorded(t, records);
  const [head = '', first = '', second = '', end] = (await spendCsv(ledger, { ...scope, from: 0 })).split('\r\n');
  const column = (line: string, name: string) => line.split(',')[head.split(',').indexOf(name)];
  assert.equal(end, '');
  assert.equal(column(first, 'ordered_by'), 'agent');
  assert.equal(column(first, 'refunded_cents'), '4');
  assert.equal(column(second, 'state'), 'unknown');
  assert.equal(column(second, 'charged_cents'), '');
  assert.match(second, /"'=HYPERLINK\(""https/);
});

/** The total and the table of models for these renders. */
async function summed(t: TestContext, ...records: RenderRecord[]) {
  return reported(t, records, 'all', { now });
}

test('a model has its name, with its ID as detail, and without a name it has its ID', async (t) => {
  const { models } = await summed(t, record({ modelId: 'p/f/named', costCents: 9 }), record({ modelId: 'p/f/other' }));
  assert.deepEqual(
    models.rows.map(({ name, detail }) => [name, detail]),
    [
      ['Named 1', 'p/f/named'],
      ['p/f/other', 'p/f/other'],
    ],
  );
});

test('charges add up, and a refund cancels its charge and is shown separately', async (t) => {
  const refund = record({ state: 'refunded', costCents: 5 });
  const { total } = await summed(t, record(), record({ costCents: 12 }), refund);
  assert.deepEqual([total.renders, total.spentCents, total.refundedCents, total.refunds], [3, 16, 5, 1]);
});

test('unstated charges are counted but not in any amount, even with a quoted price', async (t) => {
  const { total } = await summed(t, unknownRecord({ shownCents: 7 }), record({ costCents: undefined }), record());
  assert.deepEqual([total.unknown, total.spentCents, total.unknownShownCents], [2, 4, 11]);
});

test('an unconfirmed render costs what the user says: its quoted price, or nothing', async (t) => {
  const charged = unknownRecord({ shownCents: 7, settled: { charged: true, at: now } });
  const { total } = await summed(t, charged, unknownRecord({ settled: { charged: false, at: now } }));
  assert.deepEqual([total.renders, total.spentCents, total.unknown], [1, 7, 0]);
});

test('a failed render counts as charged until the service states the refund', async (t) => {
  assert.equal((await summed(t, record({ state: 'failed' }))).total.spentCents, 4);
  assert.equal((await summed(t, record({ state: 'refunded' }))).total.spentCents, 0);
});

test('a render in progress counts as charged once the service says so, and isn’t unknown before', async (t) => {
  const sent = record({ state: 'sent', acceptedAt: undefined, costCents: undefined });
  const { total } = await summed(t, sent, record({ state: 'accepted' }));
  assert.deepEqual([total.renders, total.underWay, total.unknown, total.spentCents], [2, 1, 0, 4]);
});

test('discarded, rejected, and unsent renders cost nothing and aren’t included', async (t) => {
  const none = (['planned', 'discarded', 'refused'] as const).map((state) => record({ state, costCents: undefined }));
  assert.equal((await summed(t, ...none)).total.renders, 0);
});

test('a free render is one that cost nothing, not one with an unknown charge', async (t) => {
  const { total } = await summed(t, record({ costCents: 0 }));
  assert.deepEqual([total.renders, total.spentCents, total.unknown], [1, 0, 0]);
});

test('groups are sorted by cost, and the rest are summed up in one row', async (t) => {
  const all = Array.from({ length: 22 }, (_, index) => record({ costCents: 40 - index, modelId: `m${index}` }));
  const dearest = record({ costCents: 30, modelId: '__proto__' });
  const again = record({ costCents: 30, modelId: '__proto__' });
  const { rows, others } = (await summed(t, ...all, dearest, again)).models;
  assert.deepEqual(
    rows.map(({ name, sums }) => [name, sums.spentCents]),
    [['__proto__', 60], ...all.slice(0, 19).map(({ modelId, costCents }) => [modelId, costCents])],
  );
  assert.deepEqual([others?.count, others?.sums.spentCents, others?.sums.renders], [3, 21 + 20 + 19, 3]);
  const single = (await summed(t, ...all.slice(0, 20), dearest)).models;
  assert.deepEqual([single.rows.length, single.others], [21, undefined], 'a single one keeps its row');
});
