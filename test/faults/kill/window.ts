import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock';
import { Owned } from '../../../src/base/disposable';
import { silentLog } from '../../../src/base/log';
import { systemRandom } from '../../../src/base/random';
import { fingerprint } from '../../../src/catalog/apiKey';
import { CatalogClient } from '../../../src/catalog/client';
import { HttpTransport } from '../../../src/catalog/transport';
import { calendar } from '../../../src/files/calendar';
import { nodeDisk } from '../../../src/files/disk';
import { localSink } from '../../../src/files/localSink';
import { readSalt } from '../../../src/files/salt';
import { Spool } from '../../../src/files/spool';
import { Downloader } from '../../../src/renders/downloader';
import { Library } from '../../../src/renders/library';
import { Inscriber } from '../../../src/renders/inscriber';
import { openLedger } from '../../../src/renders/openLedger';
import { Poller } from '../../../src/renders/poller';
import { Recovery } from '../../../src/renders/recovery';
import { Renderer } from '../../../src/renders/renderer';
import { unsettled } from '../../../src/renders/setAside';
import { takePart } from '../../../src/renders/takePart';
import { WindowLease } from '../../../src/renders/windowLease';
import type { At } from './points';
import { ShiftedClock, watchClient, watchedDisk, watchedTransport, watchLedger } from './ports';
import type { Task } from './task';

/** The core as the editor puts it together, over this machine's disk, sockets and clock, all of which tell `at` where it is. */
export type Window = Awaited<ReturnType<typeof openWindow>>;

/** Rejects with LedgerError when the ledger cannot be opened. `clock` is the window's own. */
export async function openWindow({ base, key, storage }: Task, clock: ShiftedClock, at: At) {
  const own = new Owned();
  const spoolFolder = join(storage, 'spool');
  const disk = watchedDisk(nodeDisk, spoolFolder, at);
  const ledger = await openLedger(storage, disk, silentLog);
  const [setAside] = await unsettled(storage, nodeDisk);
  own.add({ dispose: () => ledger.close() });
  watchLedger(ledger, at);
  const wire = own.add(new HttpTransport({ httpProxy: '' }));
  const client = new CatalogClient({
    base,
    key,
    account: await fingerprint(key, await readSalt(storage, nodeDisk, systemRandom)),
    transport: watchedTransport(wire, at),
    clock,
    random: systemRandom,
    log: silentLog,
  });
  watchClient(client, at);
  let isConnected = false;
  const connection = () => (isConnected ? { place: base, client } : undefined);
  const lease = own.add(new WindowLease(ledger, clock, systemRandom));
  const spool = new Spool(spoolFolder, disk);
  const renderer = own.add(new Renderer(ledger, connection, lease, clock, systemRandom, silentLog));
  const recovery = own.add(new Recovery(ledger, connection, renderer, lease, clock, silentLog));
  const poller = own.add(new Poller(ledger, connection, lease, { pollIntervalMs: () => 10 }, clock, silentLog));
  const sink = localSink(disk, spool, systemRandom);
  const settings = { provenance: () => 'embed' as const, provenancePrompt: () => true };
  const inscriber = new Inscriber(spool, settings, 'Model Catalog', silentLog);
  const saving = [spool, () => sink, calendar(), clock, systemRandom, silentLog, inscriber] as const;
  const downloader = own.add(new Downloader(ledger, connection, lease, ...saving));
  const library = own.add(new Library(ledger, connection, lease, clock, silentLog));
  /** Goes on with what earlier windows left; resolves when what they had sent is accepted. */
  const resume = async () => {
    // A first answer is what makes an account connected, and tells the service's time.
    await client.me();
    isConnected = true;
    library.accountChanged();
    const goOn = () => {
      recovery.watch();
      poller.wake();
      downloader.wake();
    };
    if (!ledger.readOnly) own.add(takePart(library, lease, silentLog, goOn));
    const recovered = recovery.run();
    poller.wake();
    downloader.wakeAll();
    await Promise.all([recovered, downloader.tidy()]);
  };
  return { ledger, setAside, client, renderer, downloader, library, resume, dispose: () => own.dispose() };
}

/** The machine's clock, so far ahead. */
export function clockAhead(ms: number): ShiftedClock {
  return new ShiftedClock(systemClock, ms);
}
