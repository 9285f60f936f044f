// A window and its user, in a separate process. The argument is the Task as JSON; events are printed.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reasonOf } from '../../../src/base/log';
import type { JsonObject } from '../../../src/base/json';
import { forget } from '../../../src/renders/results';
import type { Ledger } from '../../../src/renders/ledger';
import { LedgerError } from '../../../src/renders/ledgerError';
import { OrderError } from '../../../src/renders/orderError';
import type { Order, RenderRecord, RenderState } from '../../../src/renders/record';
import { sha256 } from './account';
import type { At, Kind, Point } from './points';
import type { ShiftedClock } from './ports';
import { asleepMs, type Standing, type Task, type Told, type Wish } from './task';
import { clockAhead, openWindow, type Window } from './window';
import { recordsOf } from '../../recordsOf';

const models: Readonly<Record<Kind, string>> = {
  picture: 'eight-bit-yard/pixel/sprite-1',
  largePicture: 'kiln-and-field/poster/signal-1-atelier',
  text: 'quill-house/verse/haiku-1',
  longText: 'quill-house/digest/summary-2',
  takenBack: 'quill-house/digest/summary-2',
  failing: 'rehearsal/fire-drill/always-fails',
  replacement: 'eight-bit-yard/pixel/sprite-1',
};
/** How often the user checks for something to decide, ms. */
const lookMs = 1000;
const ends: ReadonlySet<RenderState> = new Set(['saved', 'refunded', 'refused', 'discarded']);

async function work(task: Task): Promise<void> {
  const clock = clockAhead(task.shiftMs);
  clock.sleptMs = task.sleptMs ?? 0;
  const window = await openWindow(task, clock, ending(task, clock));
  const { ledger, setAside, renderer, downloader } = window;
  ledger.onDidChangeTrouble(() => tell({ trouble: ledger.trouble?.code }));
  const standing = (record: RenderRecord) => standingOf(record, ledger);
  const isTakenBack = (key: string) => task.wishes.some(({ intent, kind }) => intent === key && kind === 'takenBack');
  tell({ opened: recordsOf(ledger).map(standing), setAside, readOnly: ledger.readOnly });
  tellUsed(task, window);
  const waiting = ledger.inStates('planned');
  await window.resume();
  for (const { key } of waiting) {
    if (ledger.get(key)?.state !== 'planned') tell({ sentByItself: key });
    // The user reads "not sent", and sends it or gives it up.
    if (isTakenBack(key)) renderer.discard(key);
    else void renderer.send(key);
  }
  const wanted = task.wishes.filter(({ intent }) => !ledger.get(intent));
  if (wanted.length > 0) await order(wanted, task, window);
  await allEnded(task, window);
  await Promise.all(task.wishes.map(({ intent }) => downloader.deliver(intent)));
  for (const wish of task.wishes) await accept(wish, window);
  await downloader.tidy();
  if (task.says !== undefined)
    for (const { key } of ledger.inStates('unknown')) renderer.settle(key, task.says ?? undefined);
  if (task.forgets) await forget(ledger, clock, task.forgets, () => Promise.resolve());
  tellUsed(task, window);
  tell({ ended: recordsOf(ledger).map(standing) });
  window.dispose();
}

/** The effect of each point, usually none. */
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

/** The user confirms the prices they see, of all together: recorded together, each is sent after the one before. */
async function order(wishes: readonly Wish[], task: Task, window: Window): Promise<void> {
  const { renderer } = window;
  const orders = await Promise.all(wishes.map((wish) => orderOf(wish, task, window)));
  try {
    renderer.plan(() => orders);
  } catch (error) {
    if (!(error instanceof OrderError)) throw error;
    for (const { intent } of wishes) tell({ notOrdered: reasonOf(error), intent });
    return;
  }
  for (const { intent, kind } of wishes) {
    // Like a limit that leaves no room after all.
    if (kind === 'takenBack') renderer.discard(intent);
    else await send(intent, window);
  }
}

async function orderOf({ intent, kind, hero }: Wish, { project }: Task, { client }: Window): Promise<Order> {
  const modelId = models[kind];
  const inputs = inputsOf(kind, intent);
  const { costCents } = await client.quote(modelId, inputs);
  const uri = hero && pathToFileURL(join(project, 'renders', hero.name)).href;
  const target = {
    root: pathToFileURL(project).href,
    folder: 'renders',
    fileName: 'kite',
    ...(hero && uri !== undefined && { replaces: { uri, sha256: sha256(Buffer.from(hero.text)) } }),
  };
  return { intent, modelId, inputs, target, shownCents: costCents, account: client.account };
}

async function send(key: string, { renderer }: Window): Promise<void> {
  await renderer.send(key).catch((error: unknown) => console.error(`${key}: ${reasonOf(error)}`));
}

/** The user compares the new image with theirs, and accepts it. */
async function accept({ intent }: Wish, { ledger, staging }: Window): Promise<void> {
  const record = ledger.get(intent);
  if (record?.staged) await staging.accept(intent, await staging.look(record));
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
      // The code that changed it may have more to do in the same step.
      setImmediate(resolve);
    };
    const listening = library.onDidChange(look);
    look();
  });
}

/** The user looks at the list of renders, and takes the offered action for one that needs it. */
function goOn({ key, state, problem }: RenderRecord, window: Window): void {
  const { recovery, downloader, library } = window;
  // They recognize their own render in the service's list.
  if (problem?.code === 'oneFound') void recovery.use(key, problem.detail ?? '');
  else if (state === 'planned') void send(key, window);
  if (state === 'succeeded' && problem) void downloader.deliver(key);
  // The list may have a refund that is no longer polled for.
  if (state === 'failed') void library.refresh();
}

function standingOf(record: RenderRecord, ledger: Ledger): Standing {
  const { key, state, due, attempt, problem, file, settled, forgotten, isApart } = record;
  const isNeeded = isApart && !forgotten && state !== 'discarded';
  const body = isNeeded && ledger.bodyOf(record);
  const whole = body && ledger.isIntact(record, body) ? 'whole' : 'lost';
  return {
    ...{ key, state, due, attempt, problem: problem?.code, file, settled: settled?.charged },
    ...(isNeeded && { body: whole }),
  };
}

/** Counts the limit as another window would. */
function tellUsed({ project }: Task, { ledger, budgets }: Window): void {
  const used = budgets.of({ root: pathToFileURL(project).href }).find(({ name }) => name === 'perProject');
  const of = recordsOf(ledger).map((record) => ({ ...standingOf(record, ledger), cents: record.shownCents }));
  tell({ used: used?.committed ?? 0, of });
}

/** The user's inputs: small, or larger than a row of the ledger. */
function inputsOf(kind: Kind, intent: string): JsonObject {
  const prompt = `a red kite over ${intent.slice(0, 8)}`;
  if (kind === 'longText' || kind === 'takenBack')
    return { text: `A kite flies. ${prompt}. ${'\u0007'.repeat(12_000)}` };
  return { prompt, ...((kind === 'picture' || kind === 'replacement') && { size: 'small' }) };
}

/** Written synchronously, so that the process may end in the next step. */
function tell(told: Told): void {
  writeSync(1, `${JSON.stringify(told)}\n`);
}

work(JSON.parse(process.argv[2] ?? '') as Task).catch((error: unknown) => {
  if (error instanceof LedgerError) tell({ notOpened: error.code });
  else console.error(error);
  process.exitCode = error instanceof LedgerError ? 0 : 1;
});
