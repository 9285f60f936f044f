import { Readable } from 'node:stream';
import { basename, dirname } from 'node:path';
import { ServiceError } from '../../../src/catalog/errors';
import type { Incoming, Outgoing, Transport } from '../../../src/catalog/transport';
import type { Disk, WritableFile } from '../../../src/files/disk';
import type { Question } from '../../../src/renders/consent';
import type { RenderRecord } from '../../../src/renders/record';
import { systemError, type SimulatedDisk } from './disk';
import { Gone, type Gate } from './gate';
import type { Schedule } from './schedule';
import type { Reply, Request, Service } from './service';

/** The world behind a window's ports. */
export interface Outside {
  readonly service: Service;
  readonly disk: SimulatedDisk;
  /** The error of a disk without hard links; undefined if it has them. */
  readonly noLinks: string | undefined;
  /** A folder that can't be accessed until then, true ms. */
  busy: { readonly folder: string; readonly until: number; readonly code: string } | undefined;
  /** The error of a disk without modes of files; undefined if it has them. */
  readonly noModes: string | undefined;
  /** Requests on their way to the service. */
  underWay: number;
  /** What the user of this schedule has set. */
  readonly limits: Schedule['limits'];
  /** The user is asked, and takes time to answer. */
  asks(question: Question, gate: Gate): Promise<boolean | 'allow'>;
  /** A window's consent lets an order pass without a question. */
  passes(intent: string, gate: Gate): void;
  /** A window has heard of a change of a record. */
  hears(record: RenderRecord, gate: Gate): void;
  /** The bytes of a request that charges leave the machine now. */
  leaves(request: Request, gate: Gate): void;
  /** The service has stated its time to a window that requested it. */
  looked(gate: Gate): void;
  /**
   * A complete response to a request that charges has arrived: the service rejects the order, in the specification's
   * form.
   */
  hearsRefusal(request: Request, gate: Gate): void;
  /** The response to a request that charges has arrived whole, and states its render. */
  hearsAcceptance(request: Request, gate: Gate): void;
  /** A window accesses the disk. */
  works(gate: Gate, what: string): void;
  /** A window writes while the ledger hasn't enough space. */
  crowds(): void;
  /** The user puts their own file there. */
  personWrites(path: string): void;
}

const longestDelayMs = 180_000;
/** How long a file transfer may pause at most, ms. */
const longestHaltMs = 20_000;

/** The network of one window. */
export class SimulatedTransport implements Transport {
  constructor(
    private readonly gate: Gate,
    private readonly outside: Outside,
  ) {}

  send(outgoing: Outgoing): Promise<Incoming> {
    return new Exchange(this.gate, this.outside, outgoing).answer;
  }
}

/** One request and its outcome. */
class Exchange {
  readonly answer: Promise<Incoming>;
  private resolve!: (incoming: Incoming) => void;
  private reject!: (error: Error) => void;
  private readonly request: Request;
  private body: Readable | undefined;

  constructor(
    private readonly gate: Gate,
    private readonly outside: Outside,
    private readonly outgoing: Outgoing,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    const { method, url, headers, body = new Uint8Array() } = outgoing;
    const path = url.pathname.replace('/api/v1/api/catalog', '');
    this.request = {
      ...{ method, path, name: gate.nameOf(`${method} ${path}`) },
      key: headers['authorization']?.replace('Bearer ', '') ?? '',
      idempotencyKey: headers['idempotency-key'] ?? '',
      body: Buffer.from(body).toString(),
      isFresh: headers['cache-control'] === 'no-cache',
    };
    outgoing.signal.addEventListener('abort', () => {
      const reason = outgoing.signal.reason as Error;
      this.reject(reason);
      this.body?.destroy(reason);
    });
    gate.mayFreeze(`before ${method}`, method === 'POST' ? 0.12 : 0.01);
    gate.after(gate.chance.mostlySmall(`${this.request.name} connects`, 1, 300), () => this.connected());
  }

  /** Prices are also requested with a POST. */
  private get charges(): boolean {
    return this.request.method === 'POST' && this.request.path === '/generations';
  }

  private get name(): string {
    return this.request.name;
  }

  private connected(): void {
    const { signal, beforeSend, method } = this.outgoing;
    if (signal.aborted) return;
    const { faults, chance, time } = this.gate;
    if (faults.strikes('noConnection', this.name, 0.1)) return this.fail('ECONNREFUSED');
    try {
      this.gate.effect(`sends ${method}`, () => {
        beforeSend?.();
        if (this.charges) this.outside.leaves(this.request, this.gate);
        this.outside.underWay++;
        const isLost = faults.strikes('requestLost', this.name, 0.1);
        const isLate = faults.strikes('requestLate', this.name, 0.12);
        const delay = isLate ? chance.between(`${this.name} late`, 1_000, longestDelayMs) : 3;
        time.outsideAfter(delay, () => {
          this.outside.underWay--;
          if (isLost) this.getsNoAnswer();
          else this.arrives();
        });
      });
    } catch (error) {
      if (!(error instanceof Gone)) this.reject(error as Error);
    }
  }

  private arrives(): void {
    const { faults, chance, time } = this.gate;
    const reply = this.outside.service.answer(this.request);
    if (faults.strikes('answerLost', this.name, 0.12)) return this.getsNoAnswer();
    if (this.request.method === 'GET' && !reply.isKept) this.outside.looked(this.gate);
    const slow = faults.strikes('answerSlow', this.name, 0.06) ? chance.between(`${this.name} slow`, 500, 70_000) : 3;
    time.outsideAfter(reply.afterMs + slow, () => this.gate.after(1, () => this.answered(reply)));
  }

  /** The connection breaks, or nothing ever arrives. */
  private getsNoAnswer(): void {
    if (this.gate.chance.unit(`${this.name} silence`) < 0.5) this.gate.after(2, () => this.fail('ECONNRESET'));
  }

  private answered(reply: Reply): void {
    if (this.outgoing.signal.aborted) return;
    const { faults, chance } = this.gate;
    const isFile = 'x-generation' in reply.headers;
    const isOk = reply.status === 200 || reply.status === 206;
    const garbled = isOk && faults.strikes('unreadable', this.name, 0.06);
    // A file is replaced by a web page: one file can't be told from another.
    const bytes = garbled ? Buffer.from(isFile ? webPage : chance.pick(this.name, garbage)) : reply.body;
    const headers = garbled && isFile ? { 'content-type': 'text/html; charset=utf-8' } : reply.headers;
    const isCut = isOk && !garbled && faults.strikes('answerCut', this.name, isFile ? 0.25 : 0.06);
    let received = 0;
    const body = new Readable({ read: () => {} });
    this.body = body;
    const push = (part: Uint8Array) => {
      received += part.length;
      body.push(part);
    };
    // A file that is cut off within its first bytes, without a length, can't be recognized.
    const half = Math.max(Math.min(8, bytes.length), Math.ceil(bytes.length * chance.unit(`${this.name} half`)));
    // If a proxy hides the cut, only the length or the file's own end shows it.
    const end = () => {
      if (isCut && chance.unit(`${this.name} seen`) < 0.5)
        return body.destroy(new ServiceError('noAnswer', 'cut', { systemCode: 'ECONNRESET' }));
      const showsNothing = isFile && !garbled && !('content-length' in headers || 'content-range' in headers);
      if (showsNothing) this.outside.service.tellsNothing(isCut ? bytes.subarray(0, half) : bytes);
      body.push(null);
    };
    push(bytes.subarray(0, half));
    if (isCut) this.gate.after(20, end);
    else if (!isFile) {
      push(bytes.subarray(half));
      body.push(null);
    } else {
      const isSlow = faults.strikes('answerSlow', `${this.name} body`, 0.5);
      this.gate.after(isSlow ? chance.between(`${this.name} body`, 1_000, longestHaltMs) : 20, () => {
        push(bytes.subarray(half));
        end();
      });
    }
    if (reply.isRefusal && this.charges) this.outside.hearsRefusal(this.request, this.gate);
    if (reply.isAcceptance && !garbled && !isCut) this.outside.hearsAcceptance(this.request, this.gate);
    this.resolve({ status: reply.status, headers, body, received: () => received });
  }

  private fail(code: string): void {
    this.reject(new ServiceError('noAnswer', `No answer: ${code}`, { systemCode: code }));
  }
}

const webPage = '<!doctype html><title>Sign in to the network</title>';
const garbage = [webPage, '{}', '[]', '', '{"id":{},"status":"queued"}', 'null'];

/** The machine's disk as one window accesses it. */
export function diskOf(gate: Gate, outside: Outside): Disk {
  const { disk, noLinks, noModes } = outside;
  const later = <T>(what: string, effect: () => T) =>
    gate.later(`disk ${what}`, () => {
      outside.works(gate, what);
      stalls(gate, what);
      if (changes.has(what) && gate.faults.strikes('notWritable', gate.nameOf(what), 0.03)) throw systemError('EACCES');
      return effect();
    });
  /** Something that changes the folder of a path. */
  const changing = <T>(what: string, path: string, effect: () => T) =>
    later(what, () => {
      const folder = dirname(path);
      disk.mustBeWritable(folder);
      const where = gate.nameOf(`${what} busy`);
      if (gate.faults.strikes('diskBusy', where, 0.03)) {
        const code = gate.chance.pick(where, ['EBUSY', 'EPERM', 'EACCES']);
        outside.busy = { folder, until: gate.time.now + gate.chance.between(where, 100, 90_000), code };
      }
      const { busy } = outside;
      if (busy?.folder === folder && gate.time.now < busy.until) throw systemError(busy.code);
      return effect();
    });
  const mayBeTaken = (name: string, how: string) => {
    // Nobody guesses the temporary names of files.
    const isFree = !basename(name).startsWith('.') && !disk.names(dirname(name)).includes(basename(name));
    if (isFree && gate.faults.strikes('nameTaken', gate.nameOf(how), 0.25)) outside.personWrites(name);
  };
  return {
    create: async (path) => {
      const file = await changing('create', path, () => disk.create(path));
      return new SimulatedFile(gate, outside, file);
    },
    read: async function* (path) {
      const bytes = await later('read', () => disk.read(path));
      yield bytes.subarray(0, bytes.length >> 1);
      yield await later('read on', () => bytes.subarray(bytes.length >> 1));
    },
    link: (from, to) =>
      changing('link', to, () => {
        mayBeTaken(to, 'link');
        if (noLinks !== undefined) throw systemError(noLinks);
        disk.link(from, to);
      }),
    rename: (from, to) =>
      changing('rename', to, () => {
        // Files with hidden names are in the user's folder, so the user may take the final name first.
        if (basename(from).startsWith('.')) mayBeTaken(to, 'rename');
        disk.rename(from, to);
      }),
    isLocal: () => Promise.resolve(true),
    chmod: (path) =>
      later('chmod', () => {
        if (noModes !== undefined) throw systemError(noModes);
        disk.entry(path);
      }),
    unlink: (path) => changing('unlink', path, () => disk.unlink(path)),
    mkdir: (path) => changing('mkdir', path, () => disk.mkdir(path)),
    ownFolder: (path) => later('ownFolder', () => disk.mkdirAll(path)),
    realpath: (path) => later('realpath', () => (disk.entry(path), path)),
    lstat: (path) => later('lstat', () => disk.entry(path)),
    readdir: (path) => later('readdir', () => disk.names(path)),
    space: () => Promise.resolve({ free: disk.free, disk: 'the only one' }),
    syncFolder: (path) => later('syncFolder', () => disk.syncFolder(path)),
  };
}

const stallCodes = ['EBUSY', 'EIO', 'ESTALE', 'ETIMEDOUT', 'EAGAIN'] as const;

function stalls(gate: Gate, what: string): void {
  const where = gate.nameOf(`${what} stalls`);
  if (gate.faults.strikes('diskStalls', where, 0.03)) throw systemError(gate.chance.pick(where, stallCodes));
}

/** What the ledger needs, bytes. */
export const ledgerRoom = 64 * 1024 * 1024;

const changes: ReadonlySet<string> = new Set(['create', 'link', 'rename', 'mkdir', 'ownFolder']);

class SimulatedFile implements WritableFile {
  constructor(
    private readonly gate: Gate,
    private readonly outside: Outside,
    private readonly file: ReturnType<SimulatedDisk['create']>,
  ) {}

  async write(bytes: Uint8Array): Promise<void> {
    const half = bytes.length >> 1;
    await this.gate.later('disk write', () => this.append(bytes.subarray(0, half)));
    await this.gate.later('disk write', () => {
      if (this.gate.faults.strikes('diskFull', this.gate.nameOf('write'), 0.12)) throw systemError('ENOSPC');
      this.append(bytes.subarray(half));
    });
  }

  reserve(): Promise<number> {
    return this.gate.later('disk reserve', () => {
      stalls(this.gate, 'reserve');
      if (this.outside.noModes !== undefined) throw systemError(this.outside.noModes);
      return 0o644;
    });
  }

  identity(): Promise<string> {
    return this.gate.later('disk identity', () => String(this.file.number));
  }

  sync(): Promise<void> {
    return this.gate.later('disk sync', () => {
      this.file.durable = this.file.bytes;
    });
  }

  close(): Promise<void> {
    return this.gate.later('disk close', () => {});
  }

  private append(bytes: Uint8Array): void {
    if (this.outside.disk.free < ledgerRoom) this.outside.crowds();
    this.file.bytes = Buffer.concat([this.file.bytes, bytes]);
  }
}
