import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Clock, Random } from '../../../src/base/clock';
import { Disposables } from '../../../src/base/disposable';
import { silentLog } from '../../../src/base/log';
import { CatalogClient } from '../../../src/catalog/client';
import { calendar } from '../../../src/files/calendar';
import { localSink } from '../../../src/files/localSink';
import { Spool } from '../../../src/files/spool';
import { type BudgetLimits, Budgets } from '../../../src/renders/limits';
import { type Connected, mayRead, type PricedOrder, type RenderRecord } from '../../../src/renders/record';
import { Consent, type Question } from '../../../src/renders/consent';
import { Downloader } from '../../../src/renders/downloader';
import { Durations } from '../../../src/renders/expectations';
import { fateOf, type Fate } from '../../../src/renders/fate';
import { Ledger } from '../../../src/renders/ledger';
import { Library } from '../../../src/renders/library';
import { FileRenders } from '../../../src/renders/fileRenders';
import { OrderError } from '../../../src/renders/orderError';
import { endedEntry, sendInTurn } from '../../../src/renders/batch';
import { Orders } from '../../../src/renders/orders';
import { Poller } from '../../../src/renders/poller';
import { Recovery } from '../../../src/renders/recovery';
import { Renderer } from '../../../src/renders/renderer';
import { takePart } from '../../../src/renders/takePart';
import { WindowLease } from '../../../src/renders/windowLease';
import type { Gate } from './gate';
import { gatedLedger, type LedgerWatch } from './gatedLedger';
import { keys, type Budgeted } from './schedule';
import { diskOf, SimulatedTransport, type Outside } from './ports';

export const storage = resolve('/storage');
export const project = resolve('/project');
export const base = 'https://models.example';

const utc = calendar('UTC');

/** One window of the editor: the real core, with ports that end with it. Assembled like the extension's. */
export class SimulatedWindow {
  private readonly own = new Disposables();
  private readonly clock: Clock;
  private readonly random: Random;
  private readonly clients = new Map<string, CatalogClient>();
  private connected: (Connected & { readonly client: CatalogClient }) | undefined;
  readonly renderer: Renderer;
  readonly recovery: Recovery;
  readonly poller: Poller;
  readonly downloader: Downloader;
  readonly library: Library;
  readonly orders: Orders;
  readonly budgets: Budgets;
  private readonly fileRenders: FileRenders;

  private constructor(
    readonly gate: Gate,
    private readonly outside: Outside,
    private readonly ledger: Ledger,
  ) {
    const { time, chance } = gate;
    const clock: Clock = { now: () => time.wall, ticks: () => time.ticks, after: (ms, call) => gate.after(ms, call) };
    const random: Random = {
      uuid: () => chance.uuid(gate.nameOf('uuid')),
      unit: () => chance.unit(gate.nameOf('unit')),
    };
    this.clock = clock;
    this.random = random;
    const { own } = this;
    const log = silentLog;
    const disk = diskOf(gate, outside);
    const connection = () => this.connected;
    const lease = own.add(new WindowLease(ledger, clock, random));
    const spool = new Spool(join(storage, 'spool'), disk, random);
    const sink = localSink(disk, spool, random);
    this.renderer = own.add(new Renderer(ledger, connection, lease, clock, random, log));
    this.recovery = own.add(new Recovery(ledger, connection, this.renderer, lease, clock, log));
    const paced = { pollIntervalMs: () => 3000 };
    const durations = own.add(new Durations(ledger, log));
    this.poller = own.add(new Poller(ledger, connection, lease, paced, durations, clock, log));
    this.downloader = own.add(
      new Downloader(
        ...([ledger, connection, lease, spool, () => sink, utc, clock, random, log, undefined, undefined] as const),
        ({ modelId }) => Promise.resolve(outside.service.kindOf(modelId)),
      ),
    );
    this.library = own.add(new Library(ledger, connection, () => base, lease, clock, log));
    const person = {
      ask: (question: Question) => outside.asks(question, gate),
      tellRefused: () => {},
    };
    const consent = new Consent(person, () => outside.limits, clock);
    const to = consent.to.bind(consent);
    consent.to = async (order, ...how) => {
      const answer = await to(order, ...how);
      if (answer === 'unasked') outside.passes(order.intent, gate);
      return answer;
    };
    const budgeted = budgetsOf(outside.limits);
    this.budgets = new Budgets(this.renderer, this.library, connection, budgeted, clock, folderOf);
    this.orders = new Orders(
      consent,
      this.budgets,
      this.renderer,
      this.library,
      {
        client: () => this.client,
        place: () => base,
        // Without a seed, the same inputs may be sent again.
        model: () => Promise.resolve({ kind: 'image', fields: [] }),
      },
      { decide: (target) => Promise.resolve(target), prove: () => Promise.resolve() },
      clock,
      random,
    );
    this.fileRenders = own.add(new FileRenders(this.library, log));
    own.add(
      this.library.onDidMove(({ now }) => {
        this.orders.follow(now);
        outside.hears(now, gate);
      }),
    );
    const goOn = () => {
      this.recovery.watch();
      this.poller.wake();
      this.downloader.wake();
    };
    own.add(takePart(this.library, lease, log, goOn));
    own.add(this.library.onDidGetList((list) => void this.recovery.take(list)));
    this.resume();
    void this.downloader.tidy();
  }

  /** Rejects with Gone if the process has ended in the meantime. */
  static async open(gate: Gate, outside: Outside, path: string, watch: LedgerWatch): Promise<SimulatedWindow> {
    const ledger = await Ledger.open(path);
    return new SimulatedWindow(gate, outside, gatedLedger(ledger, gate, watch));
  }

  /** The account of this window's current API key. */
  get account(): string | undefined {
    return this.connected?.client.account;
  }

  /** Its current API key. */
  get apiKey(): string | undefined {
    return keys.find((key) => fingerprintOf(key) === this.account);
  }

  /** The fate of a render that something waits for. */
  fateOf(key: string): Promise<Fate> {
    const { renderer, library, clock } = this;
    const isInUse = (record: RenderRecord) => this.connected !== undefined && mayRead(record, this.connected);
    return fateOf(key, { renderer, library, isInUse, clock });
  }

  /**
   * A list that a user opens: what they confirm in it is recorded, and the rest of it is sent by `sendInTurn`. What
   * has been ordered or saved since it was opened is left out.
   */
  openList(): (orders: readonly PricedOrder[]) => Promise<readonly PricedOrder[]> {
    const before = this.fileRenders.byFile;
    const isWanted = ({ target }: Pick<PricedOrder, 'target'>) => !this.fileRenders.otherFor(target, before);
    return async (orders) => (await this.orders.record(orders, isWanted)) ?? [];
  }

  /** Sends recorded orders in turn; `started` gets each as it begins to be sent. Resolves when no more will be. */
  sendInTurn(
    orders: readonly PricedOrder[],
    initiator: 'user' | 'agent',
    signal: AbortSignal,
    started: (record: RenderRecord) => void,
  ): Promise<unknown> {
    const begins = (record: RenderRecord | undefined) => {
      // Otherwise the user began to send it earlier, or discarded it.
      if (record?.state === 'planned' && this.orders.isSending(record.key)) started(record);
    };
    return sendInTurn(orders, this.orders, silentLog, {
      ...{ initiator, signal },
      ended: async (key) => (initiator === 'agent' ? (await this.fateOf(key)).entry : endedEntry(this.library, key)),
      starting: (_, record) => void record.then(begins, () => undefined),
    }).started;
  }

  /** The client in use and the account whose prices it states; undefined when there's none. */
  get priceClient(): CatalogClient | undefined {
    return this.connected?.client;
  }

  /** Connects with an API key, or with none. */
  connect(key: string | undefined): void {
    const client = key === undefined ? undefined : this.clientOf(key);
    this.connected = client && { place: base, client };
    this.resume();
  }

  /** Closes as the editor does: disposes of everything, and soon after the process ends. */
  close(): void {
    this.own.dispose();
    this.gate.after(50, () => this.gate.end());
  }

  closeLedger(): void {
    this.ledger.close();
  }

  private get client(): CatalogClient {
    if (!this.connected) throw new OrderError('notConnected');
    return this.connected.client;
  }

  private resume(): void {
    this.library.accountChanged();
    void this.recovery.run();
    this.poller.wake();
    this.downloader.wakeAll();
  }

  private clientOf(key: string): CatalogClient {
    const known = this.clients.get(key);
    if (known) return known;
    const client = new CatalogClient({
      ...{ base, key, account: fingerprintOf(key), clock: this.clock, random: this.random, log: silentLog },
      transport: new SimulatedTransport(this.gate, this.outside),
      // Less than what a large input takes: a response repeats it.
      limits: { jsonBytes: 200_000 },
    });
    client.onOutcome((error) => {
      // A rejected key pauses paid work until the user provides another.
      if (error?.kind === 'keyRefused' && this.connected?.client === client) {
        this.connected = undefined;
        this.library.accountChanged();
      }
    });
    this.clients.set(key, client);
    return client;
  }
}

/** An API key as the ledger stores it: it doesn't identify an account. */
export function fingerprintOf(key: string): string {
  return `fingerprint of ${key.replace('ai_live_', '')}`;
}

/** The folder for the schedule's results. */
export const renders = join(project, 'renders');
export const projectUri = pathToFileURL(project).href;
export const ordersTo = { root: projectUri, folder: 'renders', fileName: '${slug}' };
/** The same folder to everybody but those who compare URIs. */
export const otherSpelling = projectUri.replace('project', '%70roject');

function folderOf(root: string): string {
  return pathToFileURL(fileURLToPath(root)).href;
}

function budgetsOf({ perDay, perProject }: Budgeted): BudgetLimits {
  return { budgetPerDay: () => perDay, budgetPerProject: () => perProject, unreadable: () => undefined };
}
