import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ledger } from '../../../src/renders/ledger';
import type { RenderRecord, RenderState } from '../../../src/renders/record';
import type { SimulatedDisk } from './disk';
import type { Gate } from './gate';
import type { Decision } from './schedule';
import type { Charge, Request, Service } from './service';
import type { Time } from './time';
import { accountOf, project } from './window';

/** A promise that was broken. */
export interface Broken {
  readonly promise: string;
  readonly how: string;
}

/** Repeats end ten minutes after the first attempt, by a clock that is as old as an answer may be that tells it. ms */
const lastRepeatMs = 10 * 60_000 + 25_000;

/** States in which a person is told that nothing was charged. */
const uncharged: ReadonlySet<RenderState> = new Set(['planned', 'refused', 'discarded']);
/** What needs nobody any more, or waits before the person. */
const rest: ReadonlySet<RenderState> = new Set([
  ...['planned', 'saved', 'failed', 'refunded', 'refused', 'unknown', 'discarded'],
] as RenderState[]);

/** What asks something of a person, whatever account is in use. */
const questions: ReadonlySet<RenderState> = new Set(['planned', 'succeeded', 'unknown']);

interface Attempts {
  count: number;
  /** The first since nothing was owed to earlier ones, true ms. */
  firstAt: number | undefined;
}

/** Holds the service's book, the ledger and the disk against what is promised. Keeps the first breach. */
export class Promises {
  broken: Broken | undefined;
  /** By intent: what the person decided, and the account whose price they saw. */
  readonly ordered = new Map<string, { readonly decision: Decision; readonly account: string }>();
  /** Who asked which window for which render. */
  private readonly asked = new WeakMap<Gate, Set<string>>();
  private readonly attempts = new Map<string, Attempts>();
  /** How often the person asked for a file of a render, beyond the one it ends as. */
  private readonly copies = new Map<string, number>();
  /** The person's own files, by path. */
  private readonly personal = new Map<string, Buffer>();

  constructor(
    private readonly ledger: Ledger,
    private readonly service: Service,
    private readonly disk: SimulatedDisk,
    private readonly time: Time,
    private readonly noLinks: boolean,
    private readonly knowsTime: boolean,
    /** Nobody loses a lease that it still needs: no window stands still, no machine sleeps, no clock is set. */
    private readonly isOrderly: boolean,
  ) {}

  /** The person asks this window to render, with the account in use. */
  orders(gate: Gate, decision: Decision, account: string | undefined): void {
    if (account !== undefined && !this.ordered.has(decision.intent))
      this.ordered.set(decision.intent, { decision, account });
    this.asks(gate, decision.intent);
  }

  /** The person was told that nothing was recorded: whatever follows is decided anew. */
  withdraws({ intent }: Decision): void {
    if (!this.ledger.get(intent)) this.ordered.delete(intent);
  }

  /** The person asks this window to send a render. */
  asks(gate: Gate, key: string): void {
    const asked = this.asked.get(gate) ?? new Set();
    this.asked.set(gate, asked.add(key));
  }

  /** The person asks for the file of a render once more. */
  asksForFile(key: string): void {
    this.copies.set(key, (this.copies.get(key) ?? 0) + 1);
  }

  /** The person writes a file. */
  writes(path: string, bytes: Buffer): void {
    this.personal.set(path, bytes);
  }

  /** A window has committed a change. */
  changed(gate: Gate, before: RenderRecord | undefined, { key, state }: RenderRecord): void {
    if (before?.state === 'planned' && state === 'sent' && !this.asked.get(gate)?.has(key))
      this.breaks('nobody spends but a person', `${gate.name} sent ${key} by itself`);
    const attempts = this.attempts.get(key);
    if (state === 'planned' && attempts) attempts.firstAt = undefined;
  }

  /** The bytes of a request that charges leave the machine. */
  leaves({ idempotencyKey, key, body, name }: Request): void {
    const attempts = this.attempts.get(idempotencyKey) ?? { count: 0, firstAt: undefined };
    this.attempts.set(idempotencyKey, attempts);
    attempts.count++;
    attempts.firstAt ??= this.time.now;
    const record = this.ledger.get(idempotencyKey);
    const ordered = this.ordered.get(idempotencyKey);
    if (!record || !ordered) return this.breaks('recorded before it is sent', `${name} has no record`);
    if (record.state !== 'sent' || record.attempt < attempts.count)
      this.breaks(
        'recorded before it is sent',
        `${name} is attempt ${attempts.count}; the ledger says ${record.state}, ${record.attempt}`,
      );
    const { modelId, inputs } = ordered.decision;
    if (body !== JSON.stringify({ modelId, inputs })) this.breaks('the same bytes', `${name} sends ${body}`);
    if (accountOf(key) !== ordered.account) this.breaks('the same account', `${name} goes to ${accountOf(key)}`);
    if (this.knowsTime && this.time.now - attempts.firstAt > lastRepeatMs)
      this.breaks('no repeat after ten minutes', `${name} left ${this.time.now - attempts.firstAt} ms after the first`);
  }

  /** At every crash and at the end. */
  check(): void {
    const records = new Map(this.ledger.all().map((record) => [record.key, record]));
    this.checkCharges(records);
    for (const record of records.values()) this.checkRecord(record);
    this.checkFiles();
  }

  /** When faults have stopped and time has passed. `shown`: the renders a person sees who uses this account. */
  checkEnd(shown: ReadonlySet<string>, account: string | undefined): void {
    this.check();
    for (const record of this.ledger.all()) {
      const { key, state } = record;
      if (!this.isAtRest(record)) this.breaks('everything ends', `${key} stays ${state}`);
      const isOurs = record.account === account && state !== 'discarded';
      if ((isOurs || questions.has(state)) && !shown.has(key))
        this.breaks('nothing is dropped', `${key}, ${state}, is not shown`);
      const charge = this.chargeOf(record);
      const isListed = charge && this.service.listed(charge.account).includes(charge);
      if (isListed && state === 'failed' && this.service.statusOf(charge) === 'refunded')
        this.breaks('a refund is told', `${key} stays failed`);
    }
    if (this.ledger.unreadable().length > 0) this.breaks('nothing is dropped', 'a row cannot be read');
  }

  /** True when nothing is under way any more for this render. */
  isAtRest({ state, problem }: RenderRecord): boolean {
    return rest.has(state) || (state === 'succeeded' && problem !== undefined);
  }

  private checkCharges(records: ReadonlyMap<string, RenderRecord>): void {
    const seen = new Set<string>();
    for (const { key, id, account } of this.service.charges) {
      if (seen.has(key)) this.breaks('one decision is at most one charge', `${key} was charged again as ${id}`);
      seen.add(key);
      const ordered = this.ordered.get(key);
      if (ordered?.account !== accountOf(account))
        this.breaks('one decision is at most one charge', `nobody decided ${id}`);
      const record = records.get(key);
      if (!record) this.breaks('nothing is dropped', `${id} was charged, and ${key} is not recorded`);
      else if (uncharged.has(record.state))
        this.breaks('“nothing was charged” is proven', `${key} is ${record.state}, and was charged as ${id}`);
    }
  }

  private checkRecord(record: RenderRecord): void {
    const { key, state, generationId, costCents, file } = record;
    if (!this.ordered.has(key)) return this.breaks('nobody spends but a person', `${key} was never decided`);
    const charge = this.chargeOf(record);
    if (generationId !== undefined && charge?.key !== key)
      this.breaks('what a record says is true', `${key} has ${generationId}, which is ${charge?.key ?? 'nothing'}`);
    if (costCents !== undefined && costCents !== charge?.cents)
      this.breaks('what a record says is true', `${key} cost ${charge?.cents}, and ${costCents} is told`);
    const status = charge && this.service.statusOf(charge);
    if (
      (state === 'refunded' && status !== 'refunded') ||
      (state === 'failed' && status !== 'failed' && status !== 'refunded')
    )
      this.breaks('what a record says is true', `${key} is ${state}, and ${generationId} is ${status}`);
    if (state === 'refused' && !this.service.refusals.has(key))
      this.breaks('what a record says is true', `${key} is refused, and the service never refused it`);
    if (state !== 'saved') return;
    const bytes = file === undefined ? undefined : this.disk.peek(fileURLToPath(file));
    if (!charge || !bytes?.equals(resultOf(charge)))
      this.breaks('what is saved is a whole file', `${key} is saved as ${file}, ${bytes?.length ?? 'no'} bytes`);
  }

  private checkFiles(): void {
    const files = this.disk.files(project);
    const counts = new Map<string, number>();
    for (const [path, bytes] of this.personal) {
      if (!files.get(path)?.equals(bytes)) this.breaks('no file is replaced', path);
    }
    for (const [path, bytes] of files) {
      if (basename(path).startsWith('.') || this.personal.has(path)) continue;
      // Without links an empty file of ours holds a name until the whole one takes it.
      if (this.noLinks && bytes.length === 0) continue;
      const charge = this.service.charges.find((one) => bytes.equals(resultOf(one)));
      if (!charge) return this.breaks('no half file under a final name', `${path}, ${bytes.length} bytes`);
      const count = (counts.get(charge.key) ?? 0) + 1;
      counts.set(charge.key, count);
      if (this.isOrderly && count > 1 + (this.copies.get(charge.key) ?? 0))
        this.breaks('no second copy', `${path} is file ${count} of ${charge.id}`);
    }
  }

  private chargeOf({ generationId }: RenderRecord): Charge | undefined {
    return this.service.charges.find(({ id }) => id === generationId);
  }

  private breaks(promise: string, how: string): void {
    this.broken ??= { promise, how };
  }
}

function resultOf({ result }: Charge): Uint8Array {
  return 'text' in result ? Buffer.from(result.text) : result.bytes;
}
