import { mkdtemp, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock, systemRandom } from '../../src/base/clock';
import { Disposables } from '../../src/base/disposable';
import { silentLog } from '../../src/base/log';
import { CatalogClient } from '../../src/catalog/client';
import { HttpTransport } from '../../src/catalog/transport';
import { calendar } from '../../src/files/calendar';
import { nodeDisk } from '../../src/files/disk';
import { localSink } from '../../src/files/localSink';
import { Spool } from '../../src/files/spool';
import { Downloader } from '../../src/renders/downloader';
import { Durations } from '../../src/renders/expectations';
import { Ledger } from '../../src/renders/ledger';
import { Library } from '../../src/renders/library';
import { Poller } from '../../src/renders/poller';
import type { Order } from '../../src/renders/record';
import { Recovery } from '../../src/renders/recovery';
import { Renderer } from '../../src/renders/renderer';
import { takePart } from '../../src/renders/takePart';
import { WindowLease } from '../../src/renders/windowLease';
import { removeFolder } from '../removeFolder';
import { benchKey, benchModel, type ServiceOptions } from './service';
import { startServiceProcess } from './serviceProcess';

/** The core as in a window, with real files, against a service in another process. */
export interface Core {
  readonly base: string;
  /** A folder that is removed with the core. */
  readonly folder: string;
  readonly client: CatalogClient;
  readonly ledger: Ledger;
  readonly library: Library;
  readonly renderer: Renderer;
  readonly poller: Poller;
  readonly downloader: Downloader;
  readonly spool: Spool;
  close(): Promise<void>;
}

const account = 'bench';

export async function openCore(options: ServiceOptions = {}): Promise<Core> {
  const folder = await mkdtemp(join(tmpdir(), 'model-catalog-bench-'));
  await mkdir(join(folder, 'project'));
  const service = await startServiceProcess(options);
  const { base } = service;

  const own = new Disposables();
  const transport = own.add(new HttpTransport({ httpProxy: '' }));
  const world = { clock: systemClock, random: systemRandom, log: silentLog };
  const client = new CatalogClient({ base, key: benchKey, account, transport, ...world });
  const ledger = await Ledger.open(join(folder, 'ledger.db'));
  own.add({ dispose: () => ledger.close() });
  const connection = () => ({ place: base, client });
  const lease = own.add(new WindowLease(ledger, systemClock, systemRandom));
  const spool = new Spool(join(folder, 'spool'), nodeDisk);
  const renderer = own.add(new Renderer(ledger, connection, lease, systemClock, systemRandom, silentLog));
  const recovery = own.add(new Recovery(ledger, connection, renderer, lease, systemClock, silentLog));
  // Polls only when a bench requests it.
  const rarely = { pollIntervalMs: () => 60_000 };
  const durations = own.add(new Durations(ledger, silentLog));
  const poller = own.add(new Poller(ledger, connection, lease, rarely, durations, systemClock, silentLog));
  const sink = localSink(nodeDisk, spool, systemRandom);
  const disk = [spool, () => sink, calendar()] as const;
  const downloader = own.add(new Downloader(ledger, connection, lease, ...disk, systemClock, systemRandom, silentLog));
  const library = own.add(new Library(ledger, connection, () => base, lease, systemClock));
  own.add(
    takePart(library, lease, silentLog, () => {
      recovery.watch();
      poller.wake();
      downloader.wake();
    }),
  );
  const close = async () => {
    own.dispose();
    service.stop();
    await removeFolder(folder);
  };
  return { base, folder, client, ledger, library, renderer, poller, downloader, spool, close };
}

/** An order for a render into the core's project. */
export function orderIn({ folder }: Pick<Core, 'folder'>): Order {
  return {
    intent: systemRandom.uuid(),
    modelId: benchModel,
    inputs: { prompt: 'A lighthouse on a cliff at sunset, calm sea, warm colours' },
    target: { root: pathToFileURL(join(folder, 'project')).href, folder: 'renders', fileName: '${date}-${slug}' },
    shownCents: 4,
    account,
  };
}

/** Orders a render and waits until the service has accepted it; resolves with its key. */
export async function accepted(core: Core): Promise<string> {
  const { key } = core.renderer.order(orderIn(core));
  const { state } = await core.renderer.send(key);
  if (state !== 'accepted') throw new Error(`A render is ${state} where it should be accepted.`);
  return key;
}

/** Polls an accepted render and waits until its file is saved. */
export async function saved(core: Core, key: string): Promise<void> {
  await core.poller.pollNow();
  await core.downloader.deliver(key);
  const record = core.ledger.get(key);
  if (record?.state !== 'saved') throw new Error(`A render is ${record?.state} (${record?.problem?.code}), not saved.`);
}
