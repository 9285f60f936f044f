import type { RenderRecord } from '../../../src/renders/record';

let count = 0;

/** An image rendered by the user, charged at 4 cents and saved without problems, apart from the changes. */
export function record(change: Partial<RenderRecord> = {}): RenderRecord {
  count += 1;
  const plannedAt = change.plannedAt ?? Date.UTC(2026, 0, 2, 12);
  return {
    index: count,
    version: 1,
    key: `key-${count}`,
    place: 'https://models.example',
    account: 'account-1',
    modelId: 'a/b/c',
    inputs: { prompt: 'a red kite' },
    shownCents: 4,
    target: { root: 'file:///project', folder: 'renders', fileName: '${slug}' },
    by: 'person',
    plannedAt,
    state: 'saved',
    attempt: 1,
    unanswered: 0,
    owner: 'window',
    firstSentAt: plannedAt,
    acceptedAt: plannedAt + 100,
    costCents: 4,
    endedAt: plannedAt + 2000,
    file: `file:///project/renders/${count}.png`,
    ...change,
  };
}

/** A render that never got a response. */
export function unknownRecord(change: Partial<RenderRecord> = {}): RenderRecord {
  return record({ state: 'unknown', costCents: undefined, acceptedAt: undefined, file: undefined, ...change });
}
