// A window and the person before it, in a process of their own. The argument is the Task as JSON; what it tells goes to the output.
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { reasonOf } from '../../../src/base/errors';
import { LedgerError } from '../../../src/renders/ledgerError';
import { OrderError } from '../../../src/renders/orderError';
import type { RenderRecord, RenderState } from '../../../src/renders/record';
import type { At, Kind, Point } from './points';
import type { ShiftedClock } from './ports';
import { asleepMs, type Standing, type Task, type Told, type Wish } from './task';
import { clockAhead, openWindow, type Window } from './window';

const models: Readonly<Record<Kind, string>> = {
  picture: 'eight-bit-yard/pixel/sprite-1',
  largePicture: 'kiln-and-field/poster/signal-1-atelier',
  text: 'quill-house/verse/haiku-1',
  failing: 'rehearsal/fire-drill/always-fails',
};
/** How often the person looks whether anything waits for them, ms. */
const lookMs = 1000;
const ends: ReadonlySet<RenderState> = new Set(['saved', 'refunded', 'refused', 'discarded']);

async function work(task: Task): Promise<void> {
  const clock = clockAhead(task.shiftMs);
  const window = await openWindow(task, clock, ending(task, clock));
  const { ledger, setAside, renderer, downloader } = window;
  ledger.onDidChangeTrouble(() => tell({ trouble: ledger.trouble?.code }));
  tell({ opened: ledger.all().map(standing), setAside, readOnly: ledger.readOnly });
  const waiting = ledger.inStates('planned');
  await window.resume();
  for (const { key } of waiting) {
    if (ledger.get(key)?.state !== 'planned') tell({ sentByItself: key });
    // The person reads "not sent", and sends it.
    void renderer.send(key);
  }
  for (const wish of task.wishes) if (!ledger.get(wish.intent)) await order(wish, task, window);
  await allEnded(task, window);
  await Promise.all(task.wishes.map(({ intent }) => downloader.deliver(intent)));
  await downloader.tidy();
  tell({ ended: ledger.all().map(standing) });
  window.dispose();
}

/** What happens where: mostly nothing. */
function ending({ killAt, stopAt }: Task, clock: ShiftedClock): At {
  const times = new Map<Point, number>();
  return (point) => {
    const time = (times.get(point) ?? 0) + 1;
    times.set(point, time);
    if (point === killAt?.point && time === killAt.time) process.kill(process.pid, 'SIGKILL');
    if (point === stopAt && time === 1) {
      tell({ stopsAt: point });
      const began = performance.now();
      while (performance.now() - began < 1000) process.kill(process.pid, 'SIGSTOP');
      clock.jump(asleepMs);
    }
  };
}

/** The person sees the price and agrees to it. */
async function order({ intent, kind }: Wish, { project }: Task, { client, renderer }: Window): Promise<void> {
  const modelId = models[kind];
  const inputs = { prompt: `a red kite over ${intent.slice(0, 8)}`, ...(kind === 'picture' && { size: 'small' }) };
  const { costCents } = await client.quote(modelId, inputs);
  const target = { root: pathToFileURL(project).href, folder: 'renders', fileName: 'kite' };
  try {
    renderer.order({ intent, modelId, inputs, target, shownCents: costCents, account: client.account });
  } catch (error) {
    if (!(error instanceof OrderError)) throw error;
    tell({ notOrdered: reasonOf(error), intent });
  }
}

function allEnded({ wishes, restsAt }: Task, window: Window): Promise<void> {
  const { ledger, library } = window;
  const rests = ({ state, problem, attempt }: RenderRecord) =>
    state === restsAt?.state && problem?.code === restsAt.problem && attempt > 0;
  const left = () =>
    wishes
      .flatMap(({ intent }) => ledger.get(intent) ?? [])
      .filter((record) => !ends.has(record.state) && !rests(record));
  return new Promise((resolve) => {
    const looking = setInterval(() => left().forEach((record) => goOn(record, window)), lookMs);
    const look = () => {
      if (left().length > 0) return;
      clearInterval(looking);
      listening.dispose();
      // What changed it may have more to do in the same step.
      setImmediate(resolve);
    };
    const listening = library.onDidChange(look);
    look();
  });
}

/** The person looks at the list of renders, and does what it offers for one that does not go on by itself. */
function goOn({ key, state, problem }: RenderRecord, { renderer, downloader, library }: Window): void {
  if (state === 'planned') renderer.send(key).catch((error: unknown) => console.error(`${key}: ${reasonOf(error)}`));
  if (state === 'succeeded' && problem) void downloader.deliver(key);
  // It may tell of a refund that is not asked after any more.
  if (state === 'failed') void library.refresh();
}

function standing({ key, state, attempt, problem, file }: RenderRecord): Standing {
  return { key, state, attempt, problem: problem?.code, file };
}

/** Written when it returns, also when the process ends in the next step. */
function tell(told: Told): void {
  writeSync(1, `${JSON.stringify(told)}\n`);
}

work(JSON.parse(process.argv[2] ?? '') as Task).catch((error: unknown) => {
  if (error instanceof LedgerError) tell({ notOpened: error.code });
  else console.error(error);
  process.exitCode = error instanceof LedgerError ? 0 : 1;
});
