import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/event';
import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import { silentLog } from '../base/log';
import type { JsonObject } from '../base/json';
import { finalStatuses, type Generation, type Listing } from '../catalog/types';
import type { Connection } from './connected';
import { capReachedAt } from './dailyCap';
import type { Ledger } from './ledger';
import type { Problem, RenderRecord, RenderState } from './record';
import { belongs } from './recovery';
import { severalIds } from './severalIds';
import { applyStatus } from './statuses';
import type { WindowLease } from './windowLease';

/** Which group of the tree a render stands in. */
export type Group = 'notSent' | 'active' | 'paidNotSaved' | 'unknown' | 'finished';

/** One render as every view shows it: ours joined with the service's own list. */
export interface LibraryEntry {
  /** Our key, or `service:<generation id>` for one started elsewhere. */
  readonly id: string;
  readonly group: Group;
  /** Our state; undefined for a render started elsewhere. */
  readonly state?: RenderState;
  /** The service's word, as it is. */
  readonly status?: string;
  readonly generationId?: string;
  readonly modelId: string | undefined;
  readonly inputs: JsonObject;
  /** Charged by the service's own word, euro cents. */
  readonly costCents?: number;
  readonly shownCents?: number;
  /** ms since 1970. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly file?: string;
  readonly mediaType?: string;
  readonly textOutput?: string;
  readonly problem?: Problem;
  readonly record?: RenderRecord;
  readonly generation?: Generation;
}

/** How often the ledger is asked whether another window changed it, ms: while renders are open here, and else. */
const watchMs = { open: 500, idle: 4000 };

/** What views read of renders: every record, joined with the service's own list. It changes nothing but what the list proves. */
export class Library {
  private readonly changed = new Emitter<void>();
  private readonly ended = new Emitter<LibraryEntry>();
  private readonly doubled = new Emitter<LibraryEntry>();
  private records = new Map<string, RenderRecord>();
  private listed: { place: string; account: string; list: Listing<Generation> } | undefined;
  private sorted: readonly LibraryEntry[] | undefined;
  private byId: ReadonlyMap<string, LibraryEntry> | undefined;
  private readonly made = new WeakMap<RenderRecord | Generation, LibraryEntry>();
  private refreshing: Promise<void> | undefined;
  private watch: Disposable | undefined;
  private readonly listening: Disposable;

  readonly onDidChange = this.changed.event;
  /**
   * Once for every render that ends while this window is open and that it ordered, or whose window is gone; also when a paid result
   * could not be saved, or an order could not be sent and waits for the person.
   */
  readonly onDidEnd = this.ended.event;
  /** When the service turns out to have more than one render for one of ours; told by the same window as its end. */
  readonly onDidFindSeveral = this.doubled.event;

  /** Why the service's own list is not in it; undefined when it is, or was not asked for. */
  problem: string | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly connection: Connection,
    private readonly window: WindowLease,
    private readonly clock: Clock,
    private readonly log: Log = silentLog,
  ) {
    this.listening = ledger.onDidChange((record) => this.take(record, true));
    // What changes from here on is noticed at the next look.
    ledger.changedElsewhere();
    for (const record of ledger.all()) this.take(record, false);
    this.watchLater();
  }

  /** Active first, then newest first. An entry that has not changed is the same object as before. */
  get entries(): readonly LibraryEntry[] {
    this.sorted ??= this.join();
    return this.sorted;
  }

  get(id: string): LibraryEntry | undefined {
    this.byId ??= new Map(this.entries.map((entry) => [entry.id, entry]));
    return this.byId.get(id);
  }

  /** The entry of a record, also of an account not in use. */
  ofRecord(key: string): LibraryEntry | undefined {
    const record = this.records.get(key);
    return record && entryOf(record, undefined);
  }

  /** Asks the service for its list; joins the question under way. Never rejects: a failure is in `problem`. */
  refresh(): Promise<void> {
    this.refreshing ??= this.ask().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  /** Says anew what belongs to the account in use. */
  accountChanged(): void {
    this.tell();
  }

  /** Forgets a render of the service's list: it was deleted there. */
  forget(generationId: string): void {
    if (!this.listed) return;
    const { list } = this.listed;
    this.listed = { ...this.listed, list: { ...list, items: list.items.filter(({ id }) => id !== generationId) } };
    this.tell();
  }

  /** The service says it has more renders than its list holds. */
  get isIncomplete(): boolean {
    return this.listed?.list.incomplete ?? false;
  }

  /**
   * Charged since `from` (ms since 1970) by the service's own word for renders of this editor, or those of the workspace folder `root`
   * (URI), euro cents; refunds not counted.
   */
  spentSince(from: number, root?: string): number {
    return this.ours()
      .filter(({ acceptedAt, state }) => (acceptedAt ?? 0) >= from && state !== 'refunded')
      .filter(({ target }) => root === undefined || target.root === root)
      .reduce((sum, { costCents }) => sum + (costCents ?? 0), 0);
  }

  /** Every render on record, of all accounts. */
  get recorded(): Iterable<RenderRecord> {
    return this.records.values();
  }

  /** Takes in at once what other windows changed. Throws when the ledger cannot be read. */
  catchUp(): void {
    if (this.ledger.changedElsewhere()) this.reload();
  }

  /** When the daily cap of the key in use was reached, ms since 1970; see `capReachedAt`. */
  capReachedSince(from: number): number | undefined {
    return capReachedAt(this.ours(), from);
  }

  /** True while renders that this window ordered are under way at the service or on their way to the disk. */
  get ownsOpen(): boolean {
    return [...this.records.values()].some(
      ({ owner, state, problem }) =>
        owner === this.window.id && (state === 'accepted' || (state === 'succeeded' && problem === undefined)),
    );
  }

  /** Renders that are being sent or rendered. */
  get activeCount(): number {
    return this.ours().filter(({ state }) => state === 'sent' || state === 'accepted').length;
  }

  dispose(): void {
    this.listening.dispose();
    this.watch?.dispose();
    this.changed.dispose();
    this.ended.dispose();
    this.doubled.dispose();
  }

  private async ask(): Promise<void> {
    const connected = this.connection();
    if (!connected) return;
    try {
      const { value: list } = await connected.client.generations();
      const { place, client } = connected;
      this.listed = { place, account: client.account, list: { ...list, items: this.recognised(list.items) } };
      this.problem = undefined;
      this.applyList(list);
    } catch (error) {
      this.problem = reasonOf(error);
    }
    this.tell();
  }

  /** A refund is stated whenever the service gets to it: the list may say it first. */
  private applyList(list: Listing<Generation>): void {
    if (this.ledger.readOnly) return;
    const keys = new Map(
      this.ours().flatMap(({ generationId, key, state }) =>
        generationId && state === 'failed' ? [[generationId, key]] : [],
      ),
    );
    for (const generation of list.items) {
      const key = keys.get(generation.id);
      if (key !== undefined) applyStatus(this.ledger, key, generation, this.clock);
    }
  }

  /** The same renders, as the objects of the list before where nothing about them changed. */
  private recognised(items: readonly Generation[]): Generation[] {
    const before = new Map(this.listed?.list.items.map((generation) => [generation.id, generation]));
    return items.map((generation) => {
      const known = before.get(generation.id);
      return known && isDeepStrictEqual(known, generation) ? known : generation;
    });
  }

  private reload(): void {
    for (const record of this.ledger.moved((key) => this.records.get(key)?.version)) this.take(record, false);
  }

  private take(record: RenderRecord, here: boolean): void {
    const before = this.records.get(record.key);
    if (before?.version === record.version) return;
    this.records.set(record.key, record);
    this.tell();
    if (!before || !this.isToTell(record, here)) return;
    if (endsNow(before, record)) this.ended.announce(entryOf(record, undefined), this.log);
    const several = severalIds(record);
    if (several !== undefined && several !== severalIds(before))
      this.doubled.announce(entryOf(record, undefined), this.log);
  }

  private isToTell({ owner }: RenderRecord, here: boolean): boolean {
    return owner === this.window.id || (here && !this.window.isAlive(owner));
  }

  private tell(): void {
    this.sorted = this.byId = undefined;
    this.changed.announce(undefined, this.log);
  }

  private watchLater(): void {
    const open = this.ours().some(({ state }) => state === 'sent' || state === 'accepted' || state === 'succeeded');
    this.watch = this.clock.after(open ? watchMs.open : watchMs.idle, () => {
      try {
        this.catchUp();
      } catch (error) {
        this.log.error(`The renders of other windows could not be read: ${reasonOf(error)}`);
      }
      this.watchLater();
    });
  }

  private ours(): RenderRecord[] {
    const connected = this.connection();
    const records = [...this.records.values()];
    return connected ? records.filter((record) => belongs(record, connected)) : records;
  }

  private join(): LibraryEntry[] {
    const connected = this.connection();
    const list =
      connected && this.listed?.place === connected.place && this.listed.account === connected.client.account
        ? this.listed.list.items
        : [];
    const listed = new Map(list.map((generation) => [generation.id, generation]));
    const known = new Set<string>();
    const entries: LibraryEntry[] = [];
    for (const record of this.records.values()) {
      if (record.generationId !== undefined) known.add(record.generationId);
      const entry = this.entryOf(record, listed.get(record.generationId ?? ''));
      // What still asks something of the person is shown whatever account is in use.
      if (isShown(record) && (!connected || belongs(record, connected) || entry.group !== 'finished'))
        entries.push(entry);
    }
    for (const generation of list) if (!known.has(generation.id)) entries.push(this.foreign(generation));
    return entries.sort(activeThenNewest);
  }

  private entryOf(record: RenderRecord, generation: Generation | undefined): LibraryEntry {
    const before = this.made.get(record);
    if (before && before.generation === generation) return before;
    const entry = entryOf(record, generation);
    this.made.set(record, entry);
    return entry;
  }

  private foreign(generation: Generation): LibraryEntry {
    const entry = this.made.get(generation) ?? foreign(generation);
    this.made.set(generation, entry);
    return entry;
  }
}

/** What was given up before it was sent, or deleted by the person, is no longer shown. */
function isShown({ state, deleted }: RenderRecord): boolean {
  return state !== 'discarded' && deleted !== true;
}

function entryOf(record: RenderRecord, generation: Generation | undefined): LibraryEntry {
  const { key, state, status, generationId, modelId, inputs, costCents, shownCents, file, textOutput, problem } =
    record;
  return {
    id: key,
    group: groupOf(record),
    state,
    status: status ?? generation?.status,
    generationId,
    modelId,
    inputs,
    costCents,
    shownCents,
    startedAt: record.plannedAt,
    endedAt: record.endedAt,
    file,
    mediaType: record.spooled?.mediaType,
    textOutput,
    problem,
    record,
    generation,
  };
}

function groupOf({ state, problem }: RenderRecord): Group {
  switch (state) {
    case 'planned':
      return 'notSent';
    case 'sent':
    case 'accepted':
      return 'active';
    case 'succeeded':
      // On its way to the disk, until something is in its way.
      return problem ? 'paidNotSaved' : 'active';
    case 'unknown':
      return 'unknown';
    default:
      return 'finished';
  }
}

function foreign(generation: Generation): LibraryEntry {
  const { id, status, modelId, inputs, costCents, textOutput, createdAt } = generation;
  return {
    id: `service:${id}`,
    group: finalStatuses.has(status) ? 'finished' : 'active',
    status,
    generationId: id,
    modelId,
    inputs: inputs ?? {},
    costCents,
    textOutput,
    startedAt: createdAt,
    generation,
  };
}

const ends: ReadonlySet<RenderState> = new Set(['saved', 'failed', 'refunded', 'refused', 'unknown']);

function endsNow(before: RenderRecord, now: RenderRecord): boolean {
  if (now.state === 'succeeded') return now.problem !== undefined && before.problem?.code !== now.problem.code;
  if (now.state === 'planned')
    return before.state === 'sent' || (now.problem !== undefined && before.problem === undefined);
  return now.state !== before.state && ends.has(now.state);
}

function activeThenNewest(a: LibraryEntry, b: LibraryEntry): number {
  const rank = (entry: LibraryEntry) => (entry.group === 'active' ? 0 : 1);
  return rank(a) - rank(b) || (b.startedAt ?? 0) - (a.startedAt ?? 0);
}
