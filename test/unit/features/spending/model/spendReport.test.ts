import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../../../src/base/clock';
import { Yielder } from '../../../../../src/base/concurrency';
import { englishSpendStrings as strings } from '../../../../../src/features/spending/page/spendMessages';
import { spendCsv, type SpendFacts, spendReport } from '../../../../../src/features/spending/model/spendReport';
import { chargeOf } from '../../../../../src/renders/charge';
import type { RenderRecord } from '../../../../../src/renders/record';
import { record, unknownRecord } from '../../../renders/records';

const now = new Date(2026, 0, 20, 15).getTime();
const day = 24 * 3_600_000;

function facts(records: RenderRecord[]): SpendFacts {
  return { records, charges: records.flatMap((one) => chargeOf(one) ?? []), seen: [] };
}

function on(date: Date, change: Partial<RenderRecord> = {}): RenderRecord {
  return record({ plannedAt: date.getTime(), ...change });
}

test('a render just before midnight belongs to that day, and one just after it to the next', async () => {
  const records = [on(new Date(2026, 0, 18, 23, 59, 59)), on(new Date(2026, 0, 19, 0, 0, 1), { costCents: 12 })];
  const { unit, bars } = await spendReport(facts(records), 'week', now, strings, new Yielder(systemClock));
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

test('a period contains what was charged in it, and every table adds up to the total', async () => {
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
    const report = await spendReport(facts(records), period, now, strings, new Yielder(systemClock));
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
  assert.equal((await spendReport(facts(records), 'week', now, strings, new Yielder(systemClock))).total.renders, 7);
  assert.equal((await spendReport(facts(records), 'all', now, strings, new Yielder(systemClock))).total.renders, 200);
});

test('what a wrong clock dated far into the future counts as today', async () => {
  const { bars } = await spendReport(
    facts([record({ plannedAt: now + 9000 * day })]),
    'week',
    now,
    strings,
    new Yielder(systemClock),
  );
  assert.deepEqual([bars.length, bars.at(-1)?.sums.spentCents], [7, 4]);
});

test('who started it, the project, and the file are listed, even if there is none', async () => {
  const target = { folder: '', fileName: '' };
  const records = [
    record({ plannedAt: now, by: 'agent', file: 'file:///project/renders/a%20kite.png' }),
    record({ plannedAt: now, by: undefined, costCents: 3 }),
    unknownRecord({ plannedAt: now, target }),
    record({ plannedAt: now, by: undefined, attempt: 0, generationId: 'g', costCents: 1, file: undefined }),
  ];
  const { orderers, projects, files } = await spendReport(
    facts(records),
    'all',
    now,
    strings,
    new Yielder(systemClock),
  );
  assert.deepEqual(
    orderers.rows.map(({ name }) => name),
    ['Extensions, tasks, and agents', 'Not recorded', 'Started elsewhere', 'You'],
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

test('ten thousand renders are summed up without a stall', async () => {
  const records = Array.from({ length: 10_000 }, (_, index) => record({ plannedAt: now - index * 3_600_000 }));
  const seen = records.map(({ plannedAt }, index) => ({
    askedAt: plannedAt - 50,
    at: plannedAt - 40,
    cents: 4 * index,
  }));
  const before = performance.now();
  const { total, statement } = await spendReport(
    { ...facts(records), seen: seen.reverse() },
    'all',
    now,
    strings,
    new Yielder(systemClock),
  );
  const took = performance.now() - before;
  assert.equal(total.spentCents, 40_000);
  assert.equal(statement?.outsideCents, 0);
  assert.equal(statement.oursCents, 4 * 9_999);
  // Quadratic time would take minutes.
  assert.ok(took < 3000, `${took} ms`);
});

test('the exported table has empty cells for unknown values, and runs no formulas', () => {
  const records = [
    unknownRecord({ plannedAt: now, inputs: { prompt: '=HYPERLINK("https://evil.example")' } }),
    record({ plannedAt: now - day, state: 'refunded', by: 'agent' }),
  ];
  const [head = '', first = '', second = '', end] = spendCsv(records.flatMap((one) => chargeOf(one) ?? [])).split(
    '\r\n',
  );
  const column = (line: string, name: string) => line.split(',')[head.split(',').indexOf(name)];
  assert.equal(end, '');
  assert.equal(column(first, 'ordered_by'), 'agent');
  assert.equal(column(first, 'refunded_cents'), '4');
  assert.equal(column(second, 'state'), 'unknown');
  assert.equal(column(second, 'charged_cents'), '');
  assert.match(second, /"'=HYPERLINK\(""https/);
});
