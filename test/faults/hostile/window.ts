import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Clock, systemRandom } from '../../../src/base/clock';
import { Disposables } from '../../../src/base/disposable';
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
import { Durations } from '../../../src/renders/expectations';
import { openLedger } from '../../../src/renders/openLedger';
import { Poller } from '../../../src/renders/poller';
import type { RenderRecord } from '../../../src/renders/record';
import { Recovery } from '../../../src/renders/recovery';
import { Renderer } from '../../../src/renders/renderer';
import { takePart } from '../../../src/renders/takePart';
import { WindowLease } from '../../../src/renders/windowLease';
import { removeFolder } from '../../removeFolder';
import { canaryHitsIn, canaryKey, searchBelow } from '../../canary';
import { modelId } from './truth';
import type { CanaryLog } from './watch';
import { recordsOf } from '../../recordsOf';

/** A RAM disk if the system has one, for speed. Surviving a power loss is tested elsewhere. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** One shipped window without its editor: with its own folder, against a service at a base URL. */
export class Window {
  private readonly own = new Disposables();

  private constructor(
    readonly folder: string,
    private readonly parts: Parts,
  ) {}

  static async open(base: string, clock: Clock, log: CanaryLog): Promise<Window> {
    const folder = await mkdtemp(join(memory, 'model-catalog-hostile-'));
    await mkdir(join(folder, 'project'));
    const window = new Window(folder, await open(folder, base, clock, log));
    const { ledger, library, lease, renderer, recovery, poller, downloader, transport } = window.parts;
    for (const part of [transport, lease, renderer, recovery, poller, downloader, library]) window.own.add(part);
    const goOn = () => {
      recovery.watch();
      poller.wake();
      downloader.wake();
    };
    window.own.add(takePart(library, lease, log, goOn));
    window.own.add(library.onDidGetList((list) => void recovery.take(list)));
    window.own.add(ledger.onDidChange(() => window.changed()));
    return window;
  }

  /** Orders an image, and resolves with the record once sending has an outcome. */
  order(): Promise<RenderRecord> {
    const { renderer, client } = this.parts;
    const { key } = renderer.order({
      intent: systemRandom.uuid(),
      modelId,
      inputs: { prompt: 'a red kite' },
      target: { root: pathToFileURL(join(this.folder, 'project')).href, folder: 'renders', fileName: '${slug}' },
      shownCents: 4,
      account: client.account,
    });
    return renderer.send(key);
  }

  /** Sends an unsent order. */
  send(key: string): Promise<RenderRecord> {
    return this.parts.renderer.send(key);
  }

  /** Checks with the service's list, like the button; resolves with the number found. */
  compare(): Promise<number> {
    this.parts.client.probe();
    return this.parts.recovery.compare();
  }

  /** Downloads the result again, like the button. */
  async downloadAgain(key: string): Promise<void> {
    this.parts.client.probe();
    await this.parts.downloader.downloadAgain(key);
  }

  /** The body of every attempt of the record. */
  bodyOf(record: RenderRecord): Uint8Array {
    return this.parts.ledger.bodyOf(record) ?? new Uint8Array();
  }

  record(key: string): RenderRecord {
    const record = this.parts.ledger.get(key);
    if (!record) throw new Error('The record is gone');
    return record;
  }

  /** The record once `isSo` holds, or its current version after `ms`. */
  async until(key: string, isSo: (record: RenderRecord) => boolean, ms: number): Promise<RenderRecord> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
      this.changed = () => isSo(this.record(key)) && resolve();
      this.changed();
    });
    clearTimeout(timer);
    this.changed = () => {};
    return this.record(key);
  }

  /** The files in the project by name, including unfinished ones. */
  async files(): Promise<ReadonlyMap<string, Buffer>> {
    const entries = await readdir(join(this.folder, 'project'), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return new Map(
      await Promise.all(
        files.map(async ({ name, parentPath }) => [name, await readFile(join(parentPath, name))] as const),
      ),
    );
  }

  /** How often the key occurs in what the window wrote, keeps, or shows. */
  canaryHits(): number {
    const { library, client, ledger } = this.parts;
    return (
      searchBelow(this.folder).hits.length + canaryHitsIn([library.entries, library.problem, client, recordsOf(ledger)])
    );
  }

  async close(): Promise<void> {
    this.own.dispose();
    this.parts.ledger.close();
    await removeFolder(this.folder);
  }

  private changed: () => unknown = () => {};
}

type Parts = Awaited<ReturnType<typeof open>>;

async function open(folder: string, base: string, clock: Clock, log: CanaryLog) {
  const random = systemRandom;
  const account = await fingerprint(canaryKey, await readSalt(folder, nodeDisk, random));
  const transport = new HttpTransport();
  const client = new CatalogClient({ base, key: canaryKey, account, transport, clock, random, log });
  const ledger = await openLedger(folder, nodeDisk, log);
  const connection = () => ({ place: base, client });
  const lease = new WindowLease(ledger, clock, random);
  const spool = new Spool(join(folder, 'spool'), nodeDisk);
  const sink = localSink(nodeDisk, spool, random);
  const renderer = new Renderer(ledger, connection, lease, clock, random, log);
  const recovery = new Recovery(ledger, connection, renderer, lease, clock, log);
  const paced = { pollIntervalMs: () => 3000 };
  const durations = new Durations(ledger, log);
  const poller = new Poller(ledger, connection, lease, paced, durations, clock, log);
  const downloader = new Downloader(
    ...([ledger, connection, lease, spool, () => sink, calendar('UTC'), clock, random, log] as const),
    ...([undefined, undefined, () => Promise.resolve('image' as const)] as const),
  );
  const library = new Library(ledger, connection, () => base, lease, clock, log);
  return { transport, client, ledger, lease, renderer, recovery, poller, downloader, library };
}
