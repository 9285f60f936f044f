import { TestClock } from '../unit/clock';
import { TestService } from '../unit/renders/service';
import { folderFor, openWindow, order, ordered } from '../unit/renders/world';
import type { Row } from './row';

const minute = 60_000;

/** The requests in a minute of simulated time, with one render in progress and with many. */
export async function polling(): Promise<Row[]> {
  const one = await requestsWith(1);
  const rows: Row[] = [];
  for (const active of [10, 200])
    rows.push({
      what: `requests a minute, ${active} renders under way`,
      unit: 'requests',
      ours: [await requestsWith(active)],
      yardstick: { what: 'one render under way', figures: [one] },
      aim: { of: 'ratio', atMost: 1 },
    });
  return rows;
}

async function requestsWith(active: number): Promise<number> {
  const endings: (() => void)[] = [];
  const world = { after: (end: () => void) => void endings.push(end) };
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(world, folderFor(world), service, clock);
  for (let count = 0; count < active; count++) await ordered(window, order());
  const before = service.listCalls + service.singleCalls;
  await clock.advance(minute);
  const requests = service.listCalls + service.singleCalls - before;
  for (const end of endings.toReversed()) end();
  return requests;
}
