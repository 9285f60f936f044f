import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { systemClock, systemRandom } from '../../../src/base/clock';
import { Disposables } from '../../../src/base/disposable';
import { silentLog } from '../../../src/base/log';
import { fingerprint } from '../../../src/catalog/apiKey';
import { CatalogClient } from '../../../src/catalog/client';
import { HttpTransport } from '../../../src/catalog/transport';
import { calendar } from '../../../src/files/calendar';
import { nodeDisk, realFolder } from '../../../src/files/disk';
import { localReplacing, localSink } from '../../../src/files/localSink';
import { readSalt } from '../../../src/files/salt';
import { Spool } from '../../../src/files/spool';
import { Budgets } from '../../../src/renders/limits';
import { Downloader } from '../../../src/renders/downloader';
import { Library } from '../../../src/renders/library';
import { MetadataEmbedder } from '../../../src/renders/metadataEmbedder';
import { Durations } from '../../../src/renders/expectations';
import { ledgersIn, openLedger, unsettled } from '../../../src/renders/openLedger';
import { Poller } from '../../../src/renders/poller';
import { Recovery } from '../../../src/renders/recovery';
import { Renderer } from '../../../src/renders/renderer';
import { type Places, Staging } from '../../../src/renders/staging';
import { takePart } from '../../../src/renders/takePart';
import { WindowLease } from '../../../src/renders/windowLease';
import { endPastLeases } from '../../pastLeases';
import type { At } from './points';
import { watchBodies } from './watchedBodies';
import { ShiftedClock, watchClient, watchedDisk, watchedTransport, watchLedger } from './ports';
import type { Task } from './task';

/** The core as assembled in the editor, with this machine's disk, sockets, and clock, all of which report to `at`. */
export type Window = Awaited<ReturnType<typeof openWindow>>;

/** Leftovers older than this are removed, ms. */
const dayMs = 86_400_000;

/** Rejects with LedgerError if the ledger can't be opened. `clock` is the window's. */
export async function openWindow({ base, key, storage, trash }: Task, clock: ShiftedClock, at: At) {
  const own = new Disposables();
  const spoolFolder = join(storage, 'spool');
  const disk = watchedDisk(nodeDisk, spoolFolder, at);
  const ledger = await openLedger(storage, disk, silentLog);
  if (!ledger.readOnly) endPastLeases((await ledgersIn(storage, disk)).at(-1)!, clock.now());
  const [setAside] = await unsettled(storage, nodeDisk);
  own.add({ dispose: () => ledger.close() });
  watchLedger(ledger, at);
  watchBodies(at);
  const wire = own.add(new HttpTransport({ httpProxy: '' }));
  const client = new CatalogClient({
    base,
    key,
    account: await fingerprint(key, await readSalt(storage, nodeDisk, systemRandom)),
    transport: watchedTransport(wire, at, clock),
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
  const paced = { pollIntervalMs: () => 10 };
  const durations = own.add(new Durations(ledger, silentLog));
  const poller = own.add(new Poller(ledger, connection, lease, paced, durations, clock, silentLog));
  const sink = localSink(disk, spool, systemRandom);
  const settings = { provenance: () => 'embed' as const, provenancePrompt: () => true };
  const embedder = new MetadataEmbedder(spool, settings, 'Model Catalog', silentLog);
  const saving = [spool, () => sink, calendar(), clock, systemRandom, silentLog, embedder] as const;
  const stagingRoot = pathToFileURL(storage).href;
  const downloader = own.add(new Downloader(ledger, connection, lease, ...saving, stagingRoot));
  const places: Places = {
    replacing: (file, root) => localReplacing(disk, root, file),
    trash: (file) => putAway(fileURLToPath(file), trash, at),
  };
  const staging = new Staging(stagingRoot, ledger, downloader, spool, places, clock, systemRandom, silentLog);
  const library = own.add(new Library(ledger, connection, () => base, lease, clock, silentLog));
  // High enough for everything rendered here: only the used amount matters.
  const limits = { budgetPerDay: () => undefined, budgetPerProject: () => 1e9, unreadable: () => undefined };
  const budgets = new Budgets(renderer, library, connection, limits, clock, realFolder);
  /** Resumes what earlier windows left; resolves when everything they had sent is accepted. */
  const resume = async () => {
    // The first response connects an account, and gives the service's time.
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
    const tidied = downloader.tidy();
    if (!ledger.readOnly) ledger.sweep(clock.now() - dayMs);
    await Promise.all([recovered, tidied]);
  };
  const doors = { client, renderer, recovery, downloader, staging, library, budgets };
  return { ledger, setAside, ...doors, resume, dispose: () => own.dispose() };
}

/** Moves a file to the trash, which can hold several with the same name. */
async function putAway(path: string, trash: string, at: At): Promise<boolean> {
  at('before the earlier one is in the trash');
  await rename(path, join(trash, `${randomUUID()} ${basename(path)}`)).catch(() => {});
  at('the earlier one is in the trash');
  return true;
}

/** The machine's clock, ahead by this many ms. */
export function clockAhead(ms: number): ShiftedClock {
  return new ShiftedClock(systemClock, ms);
}
