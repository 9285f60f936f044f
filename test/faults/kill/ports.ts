import type { Clock } from '../../../src/base/clock';
import type { CatalogClient } from '../../../src/catalog/client';
import type { Outgoing, Transport } from '../../../src/catalog/transport';
import type { Disk, WritableFile } from '../../../src/files/disk';
import { sidecarEnding } from '../../../src/files/provenance';
import type { Ledger } from '../../../src/renders/ledger';
import type { Progress, RenderRecord } from '../../../src/renders/record';
import { points, type At, type Point } from './points';

/** The real ledger tells before and after each change that counts. */
export function watchLedger(ledger: Ledger, at: At): void {
  const plan = ledger.plan.bind(ledger);
  const change = ledger.change.bind(ledger);
  const claim = ledger.claim.bind(ledger);
  ledger.plan = (decision, owner) => told('planned', at, () => plan(decision, owner));
  ledger.change = (record, next) => told(nameOf(record, next), at, () => change(record, next));
  ledger.claim = (...name) => told('claimed', at, () => claim(...name));
}

function told<T>(name: string, at: At, commit: () => T): T {
  tell(`before ${name} is recorded`, at);
  const committed = commit();
  tell(`${name} is recorded`, at);
  return committed;
}

function nameOf(record: RenderRecord, next: Partial<Progress>): string {
  return next.state !== undefined && next.state !== record.state ? next.state : 'something else';
}

/** The real wire tells before bytes leave, when they have left, and when an answer begins. */
export function watchedTransport(transport: Transport, at: At): Transport {
  return {
    send: async (outgoing) => {
      const what = requestOf(outgoing);
      const incoming = await transport.send({
        ...outgoing,
        beforeSend: () => {
          tell(`before the guard of ${what}`, at);
          outgoing.beforeSend?.();
          tell(`before the bytes of ${what}`, at);
          // They are handed to the socket in this same step.
          setImmediate(() => tell(`the bytes of ${what} are out`, at));
        },
      });
      tell(`the answer to ${what} begins`, at);
      return incoming;
    },
  };
}

function requestOf({ method, url }: Outgoing): string {
  if (url.pathname.endsWith('/content')) return 'a download';
  if (!/\/generations(\/|$)/.test(url.pathname)) return 'something else';
  return method === 'POST' ? 'the order' : 'a poll';
}

/** The real client tells when the whole answer to an order is here and read. */
export function watchClient(client: CatalogClient, at: At): void {
  const create = client.createGeneration.bind(client);
  client.createGeneration = async (...order) => {
    const answer = await create(...order);
    at('the answer to the order is in');
    return answer;
  };
}

/** The real disk tells of each step; `spool` is the folder of the spool, all else is where results are saved. */
export function watchedDisk(disk: Disk, spool: string, at: At): Disk {
  /** What was received whole: it is written once more to tell how it was made. */
  const received = new Set<string>();
  const partOf = (path: string) => {
    if (!path.startsWith(spool)) return 'the copy';
    return received.has(path) ? 'the inscription' : 'the part';
  };
  return {
    ...disk,
    create: async (path, mode) => {
      const file = await disk.create(path, mode);
      if (!path.endsWith('.part')) return file;
      tell(`${partOf(path)} is open`, at);
      return watchedFile(file, partOf(path), at);
    },
    rename: async (from, to) => {
      const named = from.startsWith(spool) ? `${partOf(from)} has its name` : 'something else';
      tell(`before ${named}`, at);
      await disk.rename(from, to);
      received.add(from);
      tell(named, at);
    },
    link: async (from, to) => {
      const linked = from.startsWith(spool)
        ? 'the result is in the folder'
        : `${to.endsWith(sidecarEnding) ? 'the file beside' : 'the file'} has its name`;
      tell(`before ${linked}`, at);
      await disk.link(from, to);
      tell(linked, at);
    },
    chmod: async (path, mode) => {
      await disk.chmod(path, mode);
      at('the result has its rights');
    },
    unlink: async (path) => {
      const removed = !path.startsWith(spool)
        ? 'the copy is removed'
        : path.endsWith('.part')
          ? 'something else'
          : 'the spool is emptied';
      tell(`before ${removed}`, at);
      await disk.unlink(path);
      tell(removed, at);
    },
    syncFolder: async (path) => {
      await disk.syncFolder(path);
      tell(path === spool ? 'something else' : 'the folder is synced', at);
    },
  };
}

function watchedFile(file: WritableFile, name: string, at: At): WritableFile {
  return {
    write: async (bytes) => {
      const half = Math.floor(bytes.length / 2);
      await file.write(bytes.subarray(0, half));
      tell(`${name} is half written`, at);
      await file.write(bytes.subarray(half));
      tell(`${name} is written`, at);
    },
    reserve: () => file.reserve(),
    sync: async () => {
      await file.sync();
      tell(`${name} is synced`, at);
    },
    close: () => file.close(),
  };
}

/** The machine's clock, set some time ahead: a window that starts late finds the leases of those before it over. */
export class ShiftedClock implements Clock {
  constructor(
    private readonly clock: Clock,
    private shiftMs: number,
  ) {}

  now = () => this.clock.now() + this.shiftMs;
  ticks = () => this.clock.ticks();
  after = (ms: number, call: () => void) => this.clock.after(ms, call);

  jump(ms: number): void {
    this.shiftMs += ms;
  }
}

function tell(name: string, at: At): void {
  if (Object.hasOwn(points, name)) at(name as Point);
}
