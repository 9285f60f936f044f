import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startOfDay } from '../../../src/base/format';
import type { RenderRecord, RenderState } from '../../../src/renders/record';
import type { SimulatedDisk } from './disk';
import type { Gate } from './gate';
import type { Budgeted, Decision } from './schedule';
import { elsewhereKey, type Charge, type Request, type Service } from './service';
import type { LedgerFile } from './simulation';
import type { Time } from './time';
import { fingerprintOf, project } from './window';

/** A broken promise. */
export interface Broken {
  readonly promise: string;
  readonly how: string;
}

/** Repeats end ten minutes after the first attempt, by a clock that is as outdated as a response may be. ms */
const lastRepeatMs = 10 * 60_000 + 25_000;

/** How long a failed render is asked about, by the machine's clock, ms. */
const watchMs = 24 * 3_600_000;

/** The longest pause between two looks for an unconfirmed render, ms. */
const longestLookMs = 3_600_000;

/** States that tell a user that nothing was charged. */
const uncharged: ReadonlySet<RenderState> = new Set(['planned', 'refused', 'discarded']);
/** States that are final, or wait for the user. */
const rest: ReadonlySet<RenderState> = new Set([
  ...['planned', 'saved', 'failed', 'refunded', 'refused', 'unknown', 'discarded'],
] as RenderState[]);

/** States of a render whose file waits for it; see `isAwaited`. */
const open: ReadonlySet<RenderState> = new Set(['planned', 'sent', 'accepted', 'succeeded', 'unknown'] as const);
/** States that a refund ends. */
const refundable: ReadonlySet<RenderState> = new Set(['failed', 'succeeded', 'saved']);

/** States that ask something of a user, whatever account is in use. */
const questions: ReadonlySet<RenderState> = new Set(['planned', 'succeeded', 'unknown']);

/** What can be expected of this world. */
export interface World {
  /** The disk has no hard links. */
  readonly noLinks: boolean;
  /** The service states its time. */
  readonly knowsTime: boolean;
  /** Nobody loses a lease that it still needs: nothing is suspended, nothing sleeps, and no clock is changed. */
  readonly isOrderly: boolean;
  /** The ledger's disk is never full. */
  readonly keepsLedger: boolean;
  /** The machine's clock is never wrong. */
  readonly isSteady: boolean;
  /** What the user has set. */
  readonly limits: Budgeted;
}

interface Attempts {
  count: number;
  /** Since the user's request. */
  sinceAsked: number;
  /** The last one, true ms. */
  lastAt: number;
  /** The first since no earlier ones were open, true ms and by the machine's clock; undefined before that. */
  first: { readonly at: number; readonly wall: number } | undefined;
}

/** Compares the service's books, the ledger, and the disk with what is promised. Keeps the first breach. */
export class Promises {
  broken: Broken | undefined;
  /** By intent: the user's decision, and the account whose price they saw. */
  readonly ordered = new Map<string, { readonly decision: Decision; readonly account: string }>();
  /** Who asked which window for which render. */
  private readonly asked = new WeakMap<Gate, Set<string>>();
  private readonly attempts = new Map<string, Attempts>();
  /** How often the user asked for another copy of a render's file. */
  private readonly copies = new Map<string, number>();
  /** The user's own files, by path. */
  private readonly personal = new Map<string, Buffer>();
  /** Decisions repeated too late for anyone to notice: they may have been charged twice. */
  private readonly untold = new Set<string>();
  /** Decisions whose complete files the user deleted. */
  private readonly deleted = new Set<string>();
  /** Decisions whose records a backup doesn't have, and those that it has as they were before they were sent. */
  private readonly lost = new Set<string>();
  private readonly rewound = new Set<string>();
  /** Records that a later version wrote to. */
  private readonly extended = new Set<string>();
  /** The windows that got the rejection of the only attempt, by decision. */
  private readonly refused = new Map<string, Gate>();
  /**
   * When a window last requested the service's time, and until when the machine was last suspended with its clock: true
   * ms.
   */
  private readonly looked = new WeakMap<Gate, number>();
  private pausedUntil = -Infinity;

  constructor(
    private readonly file: LedgerFile,
    private readonly service: Service,
    private readonly disk: SimulatedDisk,
    private readonly time: Time,
    private readonly world: World,
  ) {}

  /** The user asks this window to render, with the account in use. */
  orders(gate: Gate, decision: Decision, account: string | undefined): void {
    if (account !== undefined && !this.ordered.has(decision.intent))
      this.ordered.set(decision.intent, { decision, account });
    this.asks(gate, decision.intent);
  }

  /** The user was told that nothing was recorded: the next order is a new decision. */
  withdraws({ intent }: Pick<Decision, 'intent'>): void {
    if (!this.file.ledger.get(intent)) this.ordered.delete(intent);
  }

  /** The user has confirmed these together, and the window goes on to send them. */
  confirms(intents: readonly string[]): void {
    for (const key of intents)
      if (!this.file.ledger.get(key)) this.breaks('confirmed together, recorded together', `${key} isn’t recorded`);
  }

  /** The user asks this window to send a render. */
  asks(gate: Gate, key: string): void {
    const asked = this.asked.get(gate) ?? new Set();
    this.asked.set(gate, asked.add(key));
  }

  /** The caller was told that it isn't sent: from now on it mustn't be, unless the user asks for it. */
  tellsNotSent(gate: Gate, key: string): void {
    this.asked.get(gate)?.delete(key);
  }

  /** The user asks for a render's file again. */
  asksForFile(key: string): void {
    this.copies.set(key, (this.copies.get(key) ?? 0) + 1);
  }

  /** The user writes a file. */
  writes(path: string, bytes: Buffer): void {
    this.personal.set(path, bytes);
  }

  /** The user deletes the project. */
  deletes(): void {
    this.personal.clear();
    for (const bytes of this.disk.files(project).values()) {
      const charge = this.chargeOfFile(bytes);
      if (charge) this.deleted.add(charge.key);
    }
  }

  /** A later version's window writes to a record. */
  extends(key: string): void {
    this.extended.add(key);
  }

  /** The machine is suspended with its clocks for this time, ms. */
  pauses(ms: number): void {
    this.pausedUntil = this.time.now + ms;
  }

  /** A window got the service's time. */
  looks(gate: Gate): void {
    this.looked.set(gate, this.time.now);
  }

  hearsRefusal({ idempotencyKey }: Request, gate: Gate): void {
    // After an earlier attempt that may have been sent, a rejection proves nothing.
    if (this.file.ledger.get(idempotencyKey)?.unanswered === 1) this.refused.set(idempotencyKey, gate);
  }

  /** A response that states the render has arrived, and its window had time to record that. */
  hasHeard(key: string): void {
    const record = this.file.ledger.get(key);
    if (record && record.generationId === undefined && !this.service.repeatsIds)
      this.breaks('what is answered is recorded', `${key} is ${record.state}, ${record.problem?.code}, without its ID`);
  }

  /** A backup has replaced the ledger, whose records were these. */
  restores(before: readonly RenderRecord[]): void {
    for (const { key, attempt, generationId } of before) {
      const restored = this.file.ledger.get(key);
      if (!restored) this.lost.add(key);
      else if (isUnsent(restored) && (attempt > restored.attempt || generationId !== undefined)) this.rewound.add(key);
      this.attempts.delete(key);
      this.refused.delete(key);
      // A file that was saved since is saved once more.
      this.asksForFile(key);
      if (!this.file.isExtended(key)) this.extended.delete(key);
    }
  }

  /** A window has committed a change. */
  changed(gate: Gate, before: RenderRecord | undefined, after: RenderRecord): void {
    const { key, state } = after;
    // Whatever happens later, it's complete when it becomes saved. A suspended window may say so after the file was
    // deleted.
    if (state === 'saved' && before?.state !== 'saved' && !this.deleted.has(key)) this.checkFile(after);
    if (!before && after.target.ending !== undefined) this.checkListed(after);
    if (before?.state === 'planned' && state === 'sent' && !this.asked.get(gate)?.has(key))
      this.breaks('nobody spends but a user', `${gate.name} sent ${key} by itself`);
    if (!before && state === 'planned') this.checkLimits(after);
    const attempts = this.attempts.get(key);
    if (state === 'planned' && attempts) Object.assign(attempts, { first: undefined, sinceAsked: 0 });
  }

  /** The bytes of a request that charges are being sent. */
  leaves({ idempotencyKey, key, body, name }: Request, gate: Gate, isMoved: boolean): void {
    const { now } = this.time;
    const attempts = this.attempts.get(idempotencyKey) ?? { count: 0, sinceAsked: 0, lastAt: now, first: undefined };
    this.attempts.set(idempotencyKey, attempts);
    const before = attempts.lastAt;
    attempts.count++;
    attempts.sinceAsked++;
    attempts.lastAt = now;
    const first = (attempts.first ??= { at: now, wall: this.time.wall });
    if (attempts.sinceAsked > 6) this.breaks('at most six attempts', `${name} is attempt ${attempts.sinceAsked}`);
    if (this.world.keepsLedger && attempts.sinceAsked > 1 && this.refused.get(idempotencyKey) === gate)
      this.breaks('what is proven is told', `${name} repeats what was refused`);
    const record = this.file.ledger.get(idempotencyKey);
    const ordered = this.ordered.get(idempotencyKey);
    if (!record || !ordered) return this.breaks('recorded before it is sent', `${name} has no record`);
    if (record.state !== 'sent' || record.attempt < attempts.count)
      this.breaks(
        'recorded before it is sent',
        `${name} is attempt ${attempts.count}; the ledger says ${record.state}, ${record.attempt}`,
      );
    const { modelId, inputs } = ordered.decision;
    if (body !== JSON.stringify({ modelId, inputs })) this.breaks('the same bytes', `${name} sends ${body}`);
    if (fingerprintOf(key) !== ordered.account)
      this.breaks('the same account', `${name} goes to ${fingerprintOf(key)}`);
    if (this.rewound.has(idempotencyKey)) this.checkRewound(idempotencyKey);
    // Between requesting the service's time and sending, nobody can notice that the machine was suspended.
    const looked = this.looked.get(gate) ?? -Infinity;
    const isUntold = looked > before && this.pausedUntil > looked;
    // An attempt that may have been charged is continued, since no other window would know of it.
    if (isMoved && record.unanswered === 1) this.breaks('recorded before it is sent', `${name} has no ledger`);
    if (now - first.at <= lastRepeatMs) return;
    if (this.world.knowsTime && !isUntold)
      this.breaks('no repeat after ten minutes', `${name} left ${now - first.at} ms after the first`);
    // If the service states no time, the machine's clock decides: one that was set back doesn't show how late it is.
    const isUnknown = !this.world.knowsTime && this.time.wall - first.wall <= lastRepeatMs;
    if (isUntold || isUnknown) this.untold.add(idempotencyKey);
  }

  /** What was planned long ago is looked for before it's sent. */
  private checkRewound(key: string): void {
    const charge = this.service.charges.find((one) => one.key === key);
    if (!charge) return;
    const isListed = this.service.listTells && this.service.listed(charge.account).includes(charge);
    if (isListed && this.world.isSteady)
      this.breaks('what a backup forgot is looked for', `${key} is sent again, and ${charge.id} is listed`);
    this.untold.add(key);
  }

  /** At every crash, and at the end. */
  check(): void {
    const records = new Map(this.file.records().map((record) => [record.key, record]));
    this.checkCharges(records);
    for (const record of records.values()) this.checkRecord(record, records);
    this.checkFiles();
  }

  /** After the faults have stopped and time has passed. `shown`: the renders that a user with this account sees. */
  checkEnd(shown: ReadonlySet<string>, apiKey: string | undefined): void {
    this.check();
    const records = this.file.records();
    for (const record of records) {
      const { key, state, problem } = record;
      if (!this.isAtRest(record, apiKey ?? ''))
        this.breaks('everything ends', `${key} stays ${state}, ${problem?.code}`);
      if (this.extended.has(key) && !this.file.isExtended(key))
        this.breaks('nothing is dropped', `what a later version wrote into ${key} is gone`);
      const isOurs = apiKey !== undefined && record.account === fingerprintOf(apiKey) && state !== 'discarded';
      if ((isOurs || questions.has(state)) && !shown.has(key))
        this.breaks('nothing is dropped', `${key}, ${state}, is not shown`);
      if (apiKey !== undefined && this.isUntold(record, apiKey))
        this.breaks('a late outcome is told', `${key} stays ${state}`);
    }
    const waiting = records.filter(({ state }) => state === 'succeeded').map(({ claimed }) => claimed);
    for (const [path, bytes] of this.disk.files(project)) {
      // The next attempt takes the name left by the interrupted one.
      if (basename(path).startsWith('.') || waiting.includes(pathToFileURL(path).href)) continue;
      if (bytes.length === 0 && this.world.isOrderly)
        this.breaks('no half file under a final name', `${path} stays empty`);
    }
    if (this.file.ledger.page(Number.MAX_SAFE_INTEGER, 10_000).unreadable.length > 0)
      this.breaks('nothing is dropped', 'a row cannot be read');
  }

  /**
   * What limits have to count a render for at least, euro cents: the truth, as far as its record knows of it and states
   * no less.
   */
  leastOf(record: RenderRecord): number {
    const { state, key, generationId, otherIds = [], costCents = 0, shownCents = 0, settled, firstSentAt = 0 } = record;
    // What isn't known is what the user says.
    if (uncharged.has(state) || (state === 'unknown' && settled?.charged === false)) return 0;
    // A failed render is refunded, whether the service says so or not: it counts on its own day.
    if (state === 'failed' && firstSentAt < startOfDay(this.time.wall)) return 0;
    const most = Math.max(costCents, shownCents);
    const known = this.service.charges.filter((one) => one.key === key && [generationId, ...otherIds].includes(one.id));
    if (known.length === 0) return state === 'refunded' || state === 'failed' ? 0 : shownCents;
    const isOpen = (one: Charge) => ['queued', 'succeeded'].includes(this.service.statusOf(one));
    return known.filter(isOpen).reduce((sum, { cents }) => sum + Math.min(cents, most), 0);
  }

  /** A window has ordered one more render: with all that were sent, it has to fit within what the user has set. */
  private checkLimits({ key, shownCents = 0 }: RenderRecord): void {
    const { perDay, perProject } = this.world.limits;
    const others = this.file.records().filter((record) => record.key !== key);
    const today = startOfDay(this.time.wall);
    const ofToday = others.filter(({ firstSentAt = 0 }) => firstSentAt >= today);
    for (const [limit, counted] of [
      [perDay, ofToday],
      [perProject, others],
    ] as const) {
      const spent = counted.reduce((sum, record) => sum + this.leastOf(record), 0);
      if (limit !== undefined && spent + shownCents > limit)
        this.breaks('limits hold', `${key} is ordered at ${shownCents}, and ${spent} of ${limit} are spent`);
    }
  }

  /** Whether the service's list would still state a refund, or the success of a render that has failed. */
  isUntold(record: RenderRecord, apiKey: string): boolean {
    const charge = this.chargeOf(record);
    // To another key, a list without inputs proves nothing.
    const isReader = [record.account, record.readBy].includes(fingerprintOf(apiKey));
    if (!this.service.listTells && !isReader) return false;
    if (charge === undefined || !this.service.listed(charge.account).includes(charge)) return false;
    const status = this.service.statusOf(charge);
    return status === 'refunded' ? refundable.has(record.state) : status === 'succeeded' && record.state === 'failed';
  }

  /** Whether nothing further happens to this render, as far as this API key's account is concerned. */
  isAtRest(record: RenderRecord, apiKey: string): boolean {
    const { state, problem } = record;
    const charge = this.chargeOf(record);
    // An accepted render waits for its own account; one that the service has isn't unconfirmed forever. With another
    // key of the account only a matching response counts: an ID given twice may never get one, and a service that
    // states no inputs gives none.
    const isOtherKey = record.account !== fingerprintOf(apiKey);
    const isReadable = !isOtherKey || !this.service.isTerse;
    const isReached = isReadable && charge !== undefined && charge.account === this.service.accountOf(apiKey);
    if (state === 'accepted') return !isReached || (isOtherKey && this.isShared(record));
    if (state === 'unknown' && isReached && !this.isShared(record)) return this.service.isStuck(charge);
    if (state === 'unknown' && this.isFindable(record, apiKey)) return false;
    // A failure is asked about for a day. If nobody could ask, the list tells.
    if (state === 'failed' && isReached && !this.isShared(record) && this.service.statusOf(charge) === 'succeeded')
      return this.time.wall - (record.endedAt ?? 0) > watchMs;
    // Everything but another account's key mends with time, so it's tried again until the result is there. For an ID
    // given twice, it may never be.
    if (state === 'succeeded')
      return !isReached || problem?.code === 'otherAccount' || (problem !== undefined && this.isShared(record));
    return rest.has(state) && record.due !== true;
  }

  /** Whether the list states what an unconfirmed render has become, and that it can't be anything else. */
  private isFindable(record: RenderRecord, apiKey: string): boolean {
    const { key, account, shownCents, firstSentServiceTime: from, settled } = record;
    const { clockAheadMs, listTells, charges, ignoresKeys, repeatsIds } = this.service;
    if (from === undefined || record.isApart || ignoresKeys || repeatsIds || !listTells) return false;
    const body = bodyOf(record);
    // With or without further options.
    const isLike = (one: string) => one.startsWith(body.replace(/}}$/, ''));
    const [charge, ...others] = charges.filter((one) => isLike(one.body));
    if (charge?.key !== key || others.length > 0 || account !== fingerprintOf(apiKey)) return false;
    const isAlone = this.file.records().every((one) => one.key === key || !isLike(bodyOf(one)));
    const isListed = this.service.listed(charge.account).includes(charge) && charge.cents === shownCents;
    const age = charge.at + (clockAheadMs ?? 0) - from;
    const isInTime = age >= 0 && age < 10 * 60_000;
    // After a day it's found by chance only.
    const isSought = settled === undefined || this.time.wall - settled.at < watchMs - longestLookMs;
    return isAlone && isListed && isInTime && isSought && this.service.isOver(charge);
  }

  /** Whether a user with this API key can have the result of a render that isn't saved. */
  canBeHad(record: RenderRecord, apiKey: string | undefined): boolean {
    const charge = this.chargeOf(record);
    const isReached = charge !== undefined && charge.account === this.service.accountOf(apiKey ?? '');
    const isOtherKey = record.account !== fingerprintOf(apiKey ?? '');
    return record.state === 'succeeded' && isReached && !isOtherKey && !this.isShared(record);
  }

  private checkCharges(records: ReadonlyMap<string, RenderRecord>): void {
    const seen = new Set<string>();
    for (const { key, id, apiKey } of this.service.charges) {
      if (key.startsWith(elsewhereKey)) continue;
      if (seen.has(key) && !this.service.ignoresKeys && !this.untold.has(key))
        this.breaks('one decision is at most one charge', `${key} was charged again as ${id}`);
      seen.add(key);
      const ordered = this.ordered.get(key);
      if (ordered?.account !== fingerprintOf(apiKey))
        this.breaks('one decision is at most one charge', `nobody decided ${id}`);
      const record = records.get(key);
      const isForgotten = record?.state === 'planned' ? this.rewound.has(key) : this.lost.has(key);
      if (isForgotten) continue;
      if (!record) this.breaks('nothing is dropped', `${id} was charged, and ${key} is not recorded`);
      else if (uncharged.has(record.state))
        this.breaks('“nothing was charged” is proven', `${key} is ${record.state}, and was charged as ${id}`);
    }
  }

  /**
   * What the service says about two renders with the same ID is true of at most one: one claims it, and both report it.
   */
  private checkTwins(
    { key, generationId, sharedWith }: RenderRecord,
    records: ReadonlyMap<string, RenderRecord>,
  ): void {
    for (const twin of records.values()) {
      if (twin.key === key) continue;
      if (twin.generationId === generationId)
        this.breaks('what a record says is true', `${key} and ${twin.key} have one id`);
      const isTold = twin.problem?.code === 'sameId' && twin.problem.detail === generationId;
      if (isTold && sharedWith?.includes(twin.key) !== true)
        this.breaks('what a record says is true', `${key} says nothing of ${twin.key}`);
    }
  }

  private checkRecord(record: RenderRecord, records: ReadonlyMap<string, RenderRecord>): void {
    const { key, state, generationId, costCents } = record;
    if (!this.ordered.has(key)) return this.breaks('nobody spends but a user', `${key} was never decided`);
    if (this.isShared(record)) return this.checkTwins(record, records);
    const charge = this.chargeOf(record);
    // A render that a restored ledger doesn't know may be the same in all that is stated.
    const isLike = charge !== undefined && this.lost.has(charge.key) && charge.body === bodyOf(record);
    const isOther = charge?.key !== key && !isLike;
    if (generationId !== undefined && isOther)
      this.breaks('what a record says is true', `${key} has ${generationId}, which is ${charge?.key ?? 'nothing'}`);
    // What is stated before the end isn't a charge yet.
    const isStated = costCents !== undefined && !(costCents === 0 && (state === 'accepted' || state === 'unknown'));
    if (isStated && costCents !== charge?.cents)
      this.breaks('what a record says is true', `${key} cost ${charge?.cents}, and ${costCents} is told`);
    const status = charge && this.service.statusOf(charge);
    if ((state === 'refunded' && status !== 'refunded') || (state === 'failed' && charge?.end !== 'failed'))
      this.breaks('what a record says is true', `${key} is ${state}, and ${generationId} is ${status}`);
    if (record.problem?.code === 'outsideFolder')
      this.breaks('what a record says is true', `${key} says that its folder is outside of the project`);
    if (state === 'refused' && !this.service.refusals.has(key))
      this.breaks('what a record says is true', `${key} is refused, and the service never refused it`);
    if (state === 'saved' && !this.deleted.has(key)) this.checkFile(record);
  }

  /** Two lists may name one image: whichever comes second finds it ordered, in whatever window that was. */
  private checkListed({ key, target: { fileName } }: RenderRecord): void {
    const isOther = (one: RenderRecord) => one.key !== key && one.target.fileName === fileName && isAwaited(one);
    const other = this.file.records().find(isOther);
    if (other) this.breaks('what is listed is ordered once', `${key} is for ${fileName}, and so is ${other.key}`);
  }

  private checkFile({ key, file, generationId, spooled }: RenderRecord): void {
    const bytes = file === undefined ? undefined : this.disk.peek(fileURLToPath(file));
    const isWhole = this.service.charges.some((one) => one.id === generationId && bytes?.equals(resultOf(one)));
    // Nothing shows that it's cut, except that it has no end: the user is told.
    const isTold = spooled?.odd === true && bytes !== undefined && this.service.timesUntold(bytes) > 1;
    if (!isWhole && !isTold)
      this.breaks('what is saved is a whole file', `${key} is saved as ${file}, ${bytes?.length ?? 'no'} bytes`);
  }

  private checkFiles(): void {
    const files = this.disk.files(project);
    const counts = new Map<string | Charge, number>();
    for (const [path, bytes] of this.personal) {
      if (!files.get(path)?.equals(bytes)) this.breaks('no file is replaced', path);
    }
    for (const [path, bytes] of files) {
      if (basename(path).startsWith('.') || this.personal.has(path)) continue;
      // Without hard links our empty file holds a name until the complete one replaces it.
      if (this.world.noLinks && bytes.length === 0) continue;
      const charge = this.chargeOfFile(bytes);
      if (!charge) return this.breaks('no half file under a final name', `${path}, ${bytes.length} bytes`);
      // For an ID of two renders, a service returns the other one's file.
      const whose = this.isOneOfSeveral(charge) ? charge : charge.key;
      const count = (counts.get(whose) ?? 0) + 1;
      counts.set(whose, count);
      if (this.world.isOrderly && count > 1 + this.copiesOf(charge))
        this.breaks('no second copy', `${path} is file ${count} of ${charge.id}`);
    }
  }

  /** How many copies of it a user made, through any of the orders that share its ID. */
  private copiesOf({ id }: Charge): number {
    const shared = this.service.charges.filter((one) => one.id === id);
    return shared.reduce((sum, { key }) => sum + (this.copies.get(key) ?? 0), 0);
  }

  private chargeOf({ generationId, key }: RenderRecord): Charge | undefined {
    const all = this.service.charges.filter(({ id }) => id === generationId);
    return all.find((one) => one.key === key) ?? all[0];
  }

  private chargeOfFile(bytes: Buffer): Charge | undefined {
    const { charges } = this.service;
    const isCut = (charge: Charge) =>
      this.service.timesUntold(bytes) > 1 && bytes.equals(resultOf(charge).subarray(0, bytes.length));
    return charges.find((one) => bytes.equals(resultOf(one))) ?? charges.find(isCut);
  }

  /** Whether the service also gave this render's ID to another one. */
  private isShared({ generationId }: RenderRecord): boolean {
    return this.isOneOfSeveral({ id: generationId });
  }

  private isOneOfSeveral(one: { readonly id: string | undefined }): boolean {
    return this.service.charges.filter(({ id }) => id === one.id).length > 1;
  }

  /** Keeps the first breach. */
  breaks(promise: string, how: string): void {
    this.broken ??= { promise, how };
  }
}

/** Whether nothing was sent, or all of it was turned away unread. */
function isUnsent({ state, unanswered }: RenderRecord): boolean {
  return state === 'planned' || (state === 'sent' && unanswered === 0);
}

/** Whether a file waits for the render. For one that the user has called not charged, they order another. */
function isAwaited({ state, settled }: RenderRecord): boolean {
  return open.has(state) && !(state === 'unknown' && settled?.charged === false);
}

function bodyOf({ modelId, inputs }: RenderRecord): string {
  return JSON.stringify({ modelId, inputs });
}

function resultOf({ result }: Charge): Uint8Array {
  return 'text' in result ? Buffer.from(result.text) : result.bytes;
}
