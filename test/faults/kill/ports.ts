import { basename, dirname } from 'node:path';
import type { Clock } from '../../../src/base/clock';
import type { CatalogClient } from '../../../src/catalog/client';
import type { Outgoing, Transport } from '../../../src/catalog/transport';
import type { ReplacingDisk, WritableFile } from '../../../src/files/disk';
import { sidecarEnding } from '../../../src/files/provenance';
import type { Ledger } from '../../../src/renders/ledger';
import type { Progress, RenderRecord } from '../../../src/renders/record';
import { isPoint, type At } from './points';

/** Reports before and after each important change of the real ledger. */
export function watchLedger(ledger: Ledger, at: At): void {
  const plan = ledger.plan.bind(ledger);
  const change = ledger.change.bind(ledger);
  const claim = ledger.claim.bind(ledger);
  const forget = ledger.forget.bind(ledger);
  ledger.plan = (...decided) => told('planned', at, () => plan(...decided));
  ledger.change = (record, next) => told(nameOf(record, next), at, () => change(record, next));
  ledger.claim = (...name) => told('claimed', at, () => claim(...name));
  ledger.forget = (record) => {
    at('before it is forgotten');
    const forgotten = forget(record);
    at('it is forgotten');
    return forgotten;
  };
}

function told<T>(name: string, at: At, commit: () => T): T {
  tell(`before ${name} is recorded`, at);
  const committed = commit();
  tell(`${name} is recorded`, at);
  return committed;
}

function nameOf(record: RenderRecord, next: Partial<Progress>): string {
  if (next.state !== undefined && next.state !== record.state) return next.state;
  if ('settled' in next) return 'the word';
  return record.staged && 'staged' in next && !next.staged ? 'the decision' : 'something else';
}

/**
 * Reports before bytes are sent, after they were sent, and when a response begins. The service's clock continued while
 * this machine slept.
 */
export function watchedTransport(transport: Transport, at: At, clock: ShiftedClock): Transport {
  return {
    send: async (outgoing) => {
      const what = requestOf(outgoing);
      const incoming = await transport.send({
        ...outgoing,
        beforeSend: () => {
          tell(`before the guard of ${what}`, at);
          outgoing.beforeSend?.();
          tell(`before the bytes of ${what}`, at);
          // They're handed to the socket in this same step.
          setImmediate(() => tell(`the bytes of ${what} are out`, at));
        },
      });
      tell(`the answer to ${what} begins`, at);
      const { date } = incoming.headers;
      if (typeof date !== 'string' || clock.sleptMs === 0) return incoming;
      const later = new Date(Date.parse(date) + clock.sleptMs).toUTCString();
      return { ...incoming, headers: { ...incoming.headers, date: later } };
    },
  };
}

function requestOf({ method, url }: Outgoing): string {
  if (url.pathname.endsWith('/content')) return 'a download';
  if (!/\/generations(\/|$)/.test(url.pathname)) return 'something else';
  return method === 'POST' ? 'the order' : 'a poll';
}

/** Reports when the complete response to an order was read. */
export function watchClient(client: CatalogClient, at: At): void {
  const create = client.createGeneration.bind(client);
  client.createGeneration = async (...order) => {
    const answer = await create(...order);
    at('the answer to the order is in');
    return answer;
  };
}

/**
 * Reports each step of the real disk; `spool` is the spool's folder, everything else is where results are saved,
 * staged, and replaced.
 */
export function watchedDisk(disk: ReplacingDisk, spool: string, at: At): ReplacingDisk {
  /** Complete results: written a second time to add how they were made. */
  const received = new Set<string>();
  const partOf = (path: string) => {
    if (isReplacing(path)) return isEarlier(path) ? 'the earlier one' : 'the new one';
    if (!path.startsWith(spool)) return 'the copy';
    return received.has(resultOf(path)) ? 'the embedding' : 'the part';
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
      received.add(resultOf(from));
      tell(named, at);
    },
    link: async (from, to) => {
      const linked = linkedAs(from, to, spool);
      tell(`before ${linked}`, at);
      await disk.link(from, to);
      tell(linked, at);
    },
    chmod: async (path, mode) => {
      await disk.chmod(path, mode);
      at('the result has its rights');
    },
    unlink: async (path) => {
      const removed = removedAs(path, spool);
      tell(`before ${removed}`, at);
      await disk.unlink(path);
      tell(removed, at);
    },
    swap: async (from, to, stamp) => {
      tell('before the new one is in its place', at);
      const isSwapped = await disk.swap(from, to, stamp);
      tell('the new one is in its place', at);
      return isSwapped;
    },
    syncFolder: async (path) => {
      await disk.syncFolder(path);
      tell(path === spool ? 'something else' : 'the folder is synced', at);
    },
  };
}

function linkedAs(from: string, to: string, spool: string): string {
  if (from.startsWith(spool)) return 'the result is in the folder';
  if (isReplacing(from)) return isEarlier(from) ? 'the earlier one has its name' : 'something else';
  return `${to.endsWith(sidecarEnding) ? 'the file beside' : 'the file'} has its name`;
}

function removedAs(path: string, spool: string): string {
  if (path.startsWith(spool)) return path.endsWith('.part') ? 'something else' : 'the spool is emptied';
  if (isReplacing(path)) return 'something else';
  const isStaged = basename(dirname(path)) === 'staged' && !path.endsWith('.part');
  return isStaged ? 'the staged one is removed' : 'the copy is removed';
}

/** Whether the file is involved in replacing an image of the user's. */
function isReplacing(path: string): boolean {
  return basename(dirname(path)) !== 'staged' && basename(path).startsWith('.hero');
}

function isEarlier(path: string): boolean {
  return basename(path).includes('.earlier');
}

/** The path of the result that a spooled file, or part of one, belongs to. */
function resultOf(path: string): string {
  return path.replace(/\.[^./\\]+\.part$/, '');
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
    identity: () => file.identity(),
    sync: async () => {
      await file.sync();
      tell(`${name} is synced`, at);
    },
    close: () => file.close(),
  };
}

/** The machine's clock, set ahead: a window that starts later finds earlier leases expired. */
export class ShiftedClock implements Clock {
  /** How long it slept, ms. */
  sleptMs = 0;

  constructor(
    private readonly clock: Clock,
    private shiftMs: number,
  ) {}

  now = () => this.clock.now() + this.shiftMs;
  ticks = () => this.clock.ticks();
  after = (ms: number, call: () => void) => this.clock.after(ms, call);

  jump(ms: number): void {
    this.shiftMs += ms;
    this.sleptMs += ms;
  }
}

function tell(name: string, at: At): void {
  if (isPoint(name)) at(name);
}
