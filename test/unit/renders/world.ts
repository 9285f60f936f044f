import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../src/base/clock';
import { silentLog } from '../../../src/base/log';
import { type Connected, type Order, type RenderRecord, atAllPlaces } from '../../../src/renders/record';
import { Durations } from '../../../src/renders/expectations';
import { Ledger } from '../../../src/renders/ledger';
import { Library } from '../../../src/renders/library';
import { Poller } from '../../../src/renders/poller';
import { Recovery } from '../../../src/renders/recovery';
import { Renderer } from '../../../src/renders/renderer';
import { takePart } from '../../../src/renders/takePart';
import type { ProvenanceSettings } from '../../../src/renders/provenancePolicy';
import { WindowLease } from '../../../src/renders/windowLease';
import { endPastLeases } from '../../pastLeases';
import type { TestClock } from '../clock';
import type { TestService } from './service';

/** Calls back when a test has ended. */
type Ending = { after(end: () => void): void };

/** A folder that is removed after the test. */
export function folderFor(t: Ending): string {
  const folder = mkdtempSync(join(tmpdir(), 'model-catalog-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** One window on a ledger on disk, on simulated time, with a service that keeps its own account. */
export interface Window {
  readonly ledger: Ledger;
  readonly renderer: Renderer;
  readonly recovery: Recovery;
  readonly poller: Poller;
  readonly library: Library;
  readonly lease: WindowLease;
  /** The current connection; undefined if there is none. */
  connected: Connected | undefined;
  /** The place in use without a connection. */
  place: string | undefined;
  /**
   * Ends the window as in a crash: none of its timers fires again, and what it committed stays. Keep it waiting for a
   * response that never comes.
   */
  crash(): void;
}

/** A window's own clock, which ends with it. */
class WindowClock implements Clock {
  crashed = false;
  constructor(private readonly clock: Clock) {}
  now = () => this.clock.now();
  ticks = () => this.clock.ticks();
  after = (ms: number, call: () => void) =>
    this.clock.after(ms, () => {
      if (!this.crashed) call();
    });
}

let windows = 0;

/** `unit` is its source of chance, at least 0 and less than 1; `settings` are those of its project. */
export async function openWindow(
  t: Ending,
  folder: string,
  service: TestService,
  time: TestClock,
  unit = () => 0.5,
  settings?: ProvenanceSettings,
): Promise<Window> {
  const clock = new WindowClock(time);
  const ledger = await Ledger.open(join(folder, 'ledger.db'));
  endPastLeases(join(folder, 'ledger.db'), time.now());
  const name = `window-${++windows}`;
  const random = { uuid: () => name, unit };
  const lease = new WindowLease(ledger, clock, random);
  const connection = () => atAllPlaces(window.connected, ledger);
  const place = () => window.connected?.place ?? window.place;
  const renderer = new Renderer(ledger, connection, lease, clock, random, silentLog, settings);
  const recovery = new Recovery(ledger, connection, renderer, lease, clock, silentLog);
  const polling = { pollIntervalMs: () => 3000 };
  const durations = new Durations(ledger, silentLog);
  const poller = new Poller(ledger, connection, lease, polling, durations, clock, silentLog);
  const window: Window = {
    ledger,
    renderer,
    recovery,
    poller,
    lease,
    connected: { place: 'https://models.example', client: service },
    place: 'https://models.example',
    library: undefined as unknown as Library,
    crash: () => (clock.crashed = true),
  };
  Object.assign(window, { library: new Library(ledger, connection, place, lease, clock) });
  window.library.onDidGetList((list) => void recovery.take(list));
  takePart(window.library, lease, silentLog, () => {
    recovery.watch();
    poller.wake();
  });
  t.after(() => {
    clock.crashed = true;
    ledger.close();
  });
  return window;
}

let intents = 0;

export function order(change: Partial<Order> = {}): Order {
  return {
    intent: `intent-${++intents}`,
    modelId: 'a/b/c',
    inputs: { prompt: 'a red kite' },
    target: { root: 'file:///project', folder: 'renders', fileName: '${slug}' },
    shownCents: 4,
    account: 'account-1',
    ...change,
  };
}

/** Places an order, and resolves when the attempt to send it has ended. */
export function ordered({ renderer }: Pick<Window, 'renderer'>, order: Order): Promise<RenderRecord> {
  return renderer.send(renderer.order(order).key);
}
