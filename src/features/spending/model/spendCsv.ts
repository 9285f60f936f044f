import { promptOf } from '../../../catalog/fields';
import { csv } from '../../../files/csv';
import type { Charge } from '../../../renders/charge';
import type { RenderRecord } from '../../../renders/record';
import { dayOf } from '../../../renders/days';
import { ordererOf } from '../../../renders/orderer';
import { oneLine } from '../../../base/plain';

const columns = [
  'time',
  'day',
  'model',
  'prompt',
  'project',
  'file',
  'ordered_by',
  'state',
  'price_shown_cents',
  'charged_cents',
  'refunded_cents',
  'currency',
  'service',
  'generation_id',
  'key',
  'agent_claimed',
];

/**
 * One line per render, oldest first. Unknown values are empty cells, never 0. Column and state names are the same in
 * every language.
 */
export function spendCsv(charges: readonly Charge<RenderRecord>[]): string {
  const oldestFirst = [...charges].sort((a, b) => a.at - b.at);
  return csv([columns, ...oldestFirst.map(lineOf)]);
}

function lineOf({ record, at, cents, isRefunded }: Charge<RenderRecord>): (string | number | undefined)[] {
  const { modelId, inputs, target, file, state, shownCents, place, generationId, key, agent } = record;
  return [
    new Date(at).toISOString(),
    dayOf(at),
    modelId,
    oneLine(promptOf(undefined, inputs), 10_000),
    target.root,
    file,
    ordererOf(record),
    state,
    shownCents,
    cents,
    isRefunded ? cents : undefined,
    'EUR',
    place,
    generationId,
    key,
    agent === undefined ? undefined : oneLine(agent),
  ];
}
