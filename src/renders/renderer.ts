import type { Clock, Random } from '../base/clock';
import { wait } from '../base/concurrency';
import { type Log, reasonOf } from '../base/log';
import { ServiceError } from '../catalog/errors';
import type { Generation } from '../catalog/fields';
import {
  type AccountInUse,
  type Connected,
  type Decision,
  isThere,
  maySend,
  type Order,
  type Problem,
  type Progress,
  type RenderRecord,
} from './record';
import type { Ledger } from './ledger';
import { LedgerError } from './ledgerError';
import { OrderError } from './orderError';
import {
  compared,
  Contradiction,
  isTaken,
  isTriedOut,
  laterMatchesOf,
  mayRepeat,
  pauseAfter,
  pauseBeforeRepeat,
  renderProblemOf,
  repeatWindowMs,
  verdictOf,
} from './proof';
import type { ProvenancePolicy, ProvenanceSettings } from './provenancePolicy';
import { applyStatus, isFailure } from './statuses';
import type { WindowLease } from './windowLease';

/** Why an attempt wasn't sent; no problem when another window has taken the record over. */
class NotLeft extends Error {
  constructor(readonly problem: Problem | undefined) {
    super(`The request wasn’t sent (${problem?.code ?? 'taken over'})`);
  }
}

/**
 * The only part that sends a paid request. An order is recorded on disk; every attempt is on disk before its bytes are
 * sent, and repeats the same bytes with the same key to the same place for the same account.
 */
export class Renderer {
  /** Records being sent by this window, with the promise of their outcome. */
  private readonly sending = new Map<string, Promise<RenderRecord>>();
  /** Records that this window is about to send: recorded or claimed just now, or waiting for their turn. */
  private readonly waiting = new Set<string>();
  private readonly ending = new AbortController();

  constructor(
    private readonly ledger: Ledger,
    private readonly connection: AccountInUse,
    private readonly window: WindowLease,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly log: Log,
    /** What results may tell of how they're made: recorded with each order. Without them, everything. */
    private readonly settings?: ProvenanceSettings,
  ) {}

  /**
   * Records the order durably and begins to send it; `send` with the record's key gives the outcome. `check` may throw
   * to record nothing. Otherwise as `plan`.
   */
  order(order: Order, check: () => void = () => {}): RenderRecord {
    const [record] = this.plan(() => {
      check();
      return [order];
    });
    if (!record) throw new OrderError('notRecorded');
    this.begin(record.key);
    return record;
  }

  /**
   * Records orders durably, all of them or none; each waits until it's sent or discarded. `choose` returns them, and
   * may throw to record none. Nothing in the ledger changes between its last call and the recording: it's called again
   * if another window was faster. Throws OrderError when nothing was recorded, so nothing was sent.
   */
  plan(choose: () => readonly Order[]): readonly RenderRecord[] {
    for (;;) {
      const { mark } = this.ledger;
      const records = this.recorded(choose(), mark);
      if (records) return records;
    }
  }

  /** Begins to send a planned record. Errors are logged: the record shows what became of it. */
  begin(key: string): void {
    this.send(key).catch((error: unknown) => this.log.error(`Render ${key}: ${reasonOf(error)}`));
  }

  /**
   * Sends a planned record or continues sending; joins a running send. Resolves when the record is accepted, has ended,
   * or waits for its account to connect. Rejects with LedgerError when the ledger can't be written before anything was
   * sent; what was sent is continued until it can. One that was planned long ago may have been sent from a ledger that
   * was lost since: if the service lists what it may have become, it isn't sent, and says so. `despite`: the detail of
   * that problem, which the user has seen.
   */
  send(key: string, despite?: string): Promise<RenderRecord> {
    let under = this.sending.get(key);
    if (!under) {
      this.waiting.add(key);
      under = this.window.during(() => this.claimed(key, despite)).finally(() => this.sending.delete(key));
      this.sending.set(key, under);
      this.waiting.delete(key);
    }
    return under;
  }

  /**
   * For a sent record whose key isn't in use and that can't be repeated: ends it once its time is up by any known
   * clock, and until then states why it waits.
   */
  giveUp(record: RenderRecord): void {
    const connected = this.connection();
    const client = connected && isThere(record, connected) ? connected.client : undefined;
    if (!mayRepeat(record, client, this.clock)) this.end(record, { ...record.problem, code: 'tooOld' });
    else if (connected && record.problem?.code !== 'otherAccount')
      this.ledger.change(record, { problem: { code: 'otherAccount' } });
  }

  /**
   * Records the user's word on an unconfirmed render: charged or not, or undefined to take that back. The service's
   * word wins if it comes. False if the render is no longer unconfirmed.
   */
  settle(key: string, charged: boolean | undefined): boolean {
    const settled = charged === undefined ? undefined : { charged, at: this.clock.now() };
    return (
      this.ledger.advance(key, ({ state }) => (state === 'unknown' ? { settled } : undefined))?.state === 'unknown'
    );
  }

  /** Gives up a record of which nothing was sent. False when something may have been: it stays. */
  discard(key: string): boolean {
    this.waiting.delete(key);
    const record = this.ledger.advance(key, ({ state, unanswered }) =>
      state === 'planned' && unanswered === 0
        ? { state: 'discarded', due: undefined, endedAt: this.clock.now() }
        : undefined,
    );
    return record?.state === 'discarded';
  }

  /** True while this window is sending the record. */
  isSending(key: string): boolean {
    return this.sending.has(key);
  }

  /**
   * Leaves a planned record to the user if nobody is about to send it any longer: its window was closed, or couldn't.
   */
  leaveIfDropped({ key, owner, due, problem }: RenderRecord): void {
    const isHere = owner === this.window.id;
    if (due !== true || (isHere ? this.sending.has(key) || this.waiting.has(key) : this.window.isAlive(owner))) return;
    this.putBack(key, problem);
  }

  /** Stops waiting between attempts. Sending continues after the next start. */
  dispose(): void {
    this.ending.abort();
  }

  /** Undefined when a render has changed since `mark`. */
  private recorded(orders: readonly Order[], mark: number): readonly RenderRecord[] | undefined {
    const begun = orders.map(({ intent }) => this.ledger.get(intent));
    const fresh = orders.filter((_, at) => !begun[at]);
    if (fresh.length === 0) return begun.flatMap((record) => record ?? []);
    const keys = fresh.map(({ intent }) => intent);
    let planned: readonly RenderRecord[] | undefined;
    try {
      const decisions = this.decisionsOf(fresh);
      for (const key of keys) this.waiting.add(key);
      planned = this.ledger.plan(decisions, this.window.id, mark);
    } catch (error) {
      if (error instanceof OrderError) throw error;
      if (error instanceof ServiceError) throw new OrderError('imageGone', error);
      this.log.error(`Couldn’t record render ${keys.join(', ')}: ${reasonOf(error)}`);
      throw new OrderError('notRecorded', error);
    } finally {
      if (!planned) for (const key of keys) this.waiting.delete(key);
    }
    const made = planned && new Map(planned.map((record) => [record.key, record]));
    return made && orders.flatMap(({ intent }, at) => begun[at] ?? made.get(intent) ?? []);
  }

  private *decisionsOf(orders: readonly Order[]): Generator<Decision> {
    for (const order of orders) yield this.decisionOf(order);
  }

  private decisionOf(order: Order): Decision {
    const connected = this.connection();
    if (!connected) throw new OrderError('notConnected');
    if (connected.client.account !== order.account) throw new OrderError('otherAccount');
    const { modelId, inputs, shownCents, target, realRoot, by, agent } = order;
    return {
      key: order.intent,
      place: connected.place,
      account: order.account,
      modelId,
      inputs,
      body: connected.client.bodyOf(modelId, inputs),
      shownCents,
      target,
      realRoot,
      by,
      agent,
      telling: this.settings && restrictionOf(this.settings, target.root),
      plannedAt: this.clock.now(),
    };
  }

  /** Puts back a record that is about to be sent: it waits for the user, with this problem. */
  putBack(key: string, problem: Problem | undefined): void {
    // Whoever is sending it finds it changed, and lets go.
    this.ledger.advance(key, ({ state, unanswered }) =>
      state === 'planned' && unanswered === 0 ? { problem, due: undefined } : undefined,
    );
  }

  /** Lets the other windows know that it's about to be sent: its first attempt may be recorded only much later. */
  private async claimed(key: string, despite: string | undefined): Promise<RenderRecord> {
    if (this.connectedFor(this.known(key)))
      this.ledger.advance(key, (now) =>
        now.state === 'planned' && !this.isClaimed(now)
          ? { owner: this.window.id, due: true, problem: undefined }
          : undefined,
      );
    const record = await this.attempts(key, despite);
    if (record.due !== true || record.owner !== this.window.id) return record;
    this.putBack(key, record.problem);
    return this.known(key);
  }

  private isClaimed({ owner, due }: RenderRecord): boolean {
    return due === true && this.window.isAlive(owner);
  }

  private async attempts(key: string, despite: string | undefined): Promise<RenderRecord> {
    for (let isFirst = true; ; isFirst = false) {
      const record = this.known(key);
      // Another window put it back: it waits for the user.
      if (record.state === 'planned' && !isFirst) return record;
      const connected = this.connectedFor(record);
      if (!mayBeSent(record) || !connected || this.isAnothers(record)) return record;
      const pause = await this.step(record, connected, despite);
      if (pause === undefined) return this.known(key);
      if (pause === 0) continue;
      try {
        await wait(this.clock, pause, this.ending.signal);
      } catch {
        // The window is closing: the record waits on disk for the next one.
        return this.known(key);
      }
    }
  }

  /** As `attempt`. A record that was sent must be continued, even after a full disk. */
  private async step(record: RenderRecord, connected: Connected, despite?: string): Promise<number | undefined> {
    try {
      const isSent = record.state === 'sent';
      if (isSent && isTriedOut(record)) return this.end(record, record.problem);
      const problem =
        (await this.timeProblem(record, connected)) ?? (await this.listedProblem(record, connected, despite));
      if (isSent && !mayRepeat(record, connected.client, this.clock))
        return this.end(record, { ...record.problem, code: 'tooOld' });
      if (!problem) return await this.attempt(record, connected);
      if (isSent) return pauseAfter(record.attempt, this.random.unit());
      // It waits for the user, like any order that couldn't be sent.
      this.ledger.change(record, { problem, due: undefined });
      return undefined;
    } catch (error) {
      if (this.ending.signal.aborted || this.known(record.key).state !== 'sent') throw error;
      this.log.error(`Couldn’t record render ${record.key}: ${reasonOf(error)}`);
      return pauseAfter(record.attempt + 1, this.random.unit());
    }
  }

  /**
   * The ten minutes are measured by the service's clock: requests its time before every repeat, and while it's unknown.
   * Returns the problem when a required time isn't stated.
   */
  private async timeProblem(record: RenderRecord, { client }: Connected): Promise<Problem | undefined> {
    const isRepeat = record.state === 'sent';
    if (!isRepeat && client.serviceTime() !== undefined) return undefined;
    try {
      const time = await client.hearTime(isRepeat ? { times: 1 } : {});
      // If the service has never stated a time, the machine's clock decides.
      const isOwed = isRepeat && (record.firstSentServiceTime !== undefined || time === 'kept');
      return isOwed && typeof time !== 'number' ? { code: 'noAnswer' } : undefined;
    } catch (error) {
      // Another request heard it meanwhile.
      if (!isRepeat && client.serviceTime() !== undefined) return undefined;
      this.log.warn(`Render ${record.key}: couldn’t get the service’s time: ${reasonOf(error)}`);
      return renderProblemOf(error);
    }
  }

  /** Looks for what a record planned long ago may have become already. Returns why it isn't sent. */
  private async listedProblem(
    record: RenderRecord,
    { client }: Connected,
    despite: string | undefined,
  ): Promise<Problem | undefined> {
    const now = this.clock.now();
    const age = now - record.plannedAt;
    if (record.state !== 'planned' || (age >= 0 && age < repeatWindowMs)) return undefined;
    try {
      const { value: list } = await client.generations({ all: true });
      const from = record.plannedAt + (client.serviceTime() ?? now) - now;
      const found = laterMatchesOf({ ...record, inputs: this.ledger.inputsOf(record) }, list.items, from)
        .filter((one) => !isTaken(this.ledger, one, record))
        .map(({ id }) => id);
      const seen = despite?.split(', ') ?? [];
      return found.every((id) => seen.includes(id)) ? undefined : foundProblem(found);
    } catch (error) {
      if (error instanceof LedgerError) return { code: error.code === 'altered' ? 'altered' : 'notRecorded' };
      this.log.warn(`Render ${record.key}: couldn’t look for it in the service’s list: ${reasonOf(error)}`);
      return renderProblemOf(error);
    }
  }

  /**
   * One attempt. Resolves with the pause before the next, ms (0: look at the record again), or undefined when there's
   * none.
   */
  private async attempt(before: RenderRecord, connected: Connected): Promise<number | undefined> {
    const record = this.ledger.change(before, {
      state: 'sent',
      attempt: before.attempt + 1,
      unanswered: before.unanswered + 1,
      tries: before.state === 'planned' ? 1 : (before.tries ?? before.attempt) + 1,
      owner: this.window.id,
      due: undefined,
      // Earlier attempts of a planned record are known not to have reached the service.
      ...(before.state === 'planned' && {
        firstSentAt: this.clock.now(),
        firstSentServiceTime: connected.client.serviceTime(),
      }),
    });
    // Another window was first; its record shows whether that one continues.
    if (!record) return 0;
    const bytes = { left: false };
    try {
      const body = this.ledger.bodyOf(record);
      if (!body) throw new NotLeft({ code: 'altered' });
      const response = await connected.client.createGeneration(body, record.key, () => {
        this.guard(record, body);
        bytes.left = true;
      });
      if (compared(record, response.value) === 'other') throw new Contradiction(response.value.id);
      await this.keep(record.key, response.value, connected);
      return undefined;
    } catch (error) {
      this.log.warn(`Render ${record.key}, attempt ${record.attempt}: ${reasonOf(error)}`);
      return bytes.left ? this.notAccepted(record, error) : this.notLeft(record, error);
    }
  }

  /** Runs synchronously with the send: what held when the attempt was recorded must still hold. */
  private guard(record: RenderRecord, body: Uint8Array): void {
    const now = this.ledger.get(record.key);
    if (now?.version !== record.version) throw new NotLeft(undefined);
    // No other window would know of it. An earlier attempt that may have been charged is continued, since only this
    // window can.
    if (record.unanswered === 1 && this.ledger.lost) throw new NotLeft(undefined);
    const connected = this.connectedFor(record);
    if (!connected) throw new NotLeft({ code: 'otherAccount' });
    if (!this.ledger.isIntact(record, body)) throw new NotLeft({ code: 'altered' });
    // The machine may have slept since the attempt was recorded, or its clock may have been changed. Requesting the
    // time again shows for how long.
    if (record.firstSentServiceTime !== undefined && connected.client.serviceTime() === undefined)
      throw new NotLeft(record.problem);
    if (!mayRepeat(record, connected.client, this.clock)) throw new NotLeft({ code: 'tooOld' });
  }

  /**
   * Records what the service accepted, retrying as long as needed. If the window closes first, the next one gets the
   * same response with the same key.
   */
  private async keep(key: string, generation: Generation, connected: Connected): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const now = this.accepted(key, generation);
        // A failure stated at once is shown with its reason, not as in progress until the next poll.
        if (now?.generationId === generation.id && isFailure(generation.status))
          applyStatus(this.ledger, key, generation, connected, this.clock);
        return;
      } catch (error) {
        this.log.error(`Couldn’t record that render ${key} is ${generation.id} on the service: ${reasonOf(error)}`);
        await wait(this.clock, pauseAfter(attempt, this.random.unit()), this.ending.signal);
      }
    }
  }

  private accepted(key: string, generation: Generation): RenderRecord | undefined {
    const { place } = this.known(key);
    const [first] = this.ledger
      .ofGeneration(generation.id)
      .filter((other) => isOrder(other) && other.key !== key && this.ledger.isOneService(other.place, place) === true);
    if (first) this.share(first, key);
    return this.ledger.advance(key, (record) => {
      const { generationId, otherIds = [] } = record;
      if (generationId === undefined && first)
        return { state: 'unknown', problem: { code: 'sameId', detail: generation.id }, endedAt: this.clock.now() };
      if (generationId === undefined)
        return {
          ...acceptance(generation, this.clock.now()),
          unanswered: 0,
          otherIds: withoutId(otherIds, generation.id),
        };
      // The service ignored the key: the user has to know of both renders.
      const other = withOther(record, generation.id);
      if (other)
        this.log.error(`The service returned ${generation.id} for render ${key}, which is already ${generationId}`);
      return other;
    });
  }

  /** The service gave one id to two orders: the first keeps it, and says so. */
  private share({ key }: RenderRecord, other: string): void {
    this.log.error(`The service returned the generation of render ${key} for render ${other}`);
    this.ledger.advance(key, ({ sharedWith = [] }) =>
      sharedWith.includes(other) ? undefined : { sharedWith: [...sharedWith, other] },
    );
  }

  /** The bytes were sent, but the response wasn't a render. */
  private notAccepted(record: RenderRecord, error: unknown): number | undefined {
    const verdict = verdictOf(error);
    const problem = renderProblemOf(error);
    const moved = this.ledger.advance(record.key, (now) => {
      const other = error instanceof Contradiction ? withOther(now, error.generationId) : undefined;
      if (now.state !== 'sent') return other;
      if (verdict === 'refused' && now.unanswered === 1) {
        return { state: 'refused', unanswered: 0, problem, endedAt: this.clock.now() };
      }
      if (verdict === 'declined') return { state: 'unknown', problem, endedAt: this.clock.now() };
      return { ...other, problem, unanswered: verdict === 'unproven' ? now.unanswered : now.unanswered - 1 };
    });
    if (moved?.state !== 'sent') return undefined;
    if (isTriedOut(moved)) return 0;
    const floor = error instanceof ServiceError ? (error.retryAfterMs ?? 0) : 0;
    if (floor > repeatWindowMs) return this.end(moved, { ...problem, code: 'tooOld' });
    return Math.max(floor, pauseBeforeRepeat(moved, this.random.unit()));
  }

  /** The attempt was recorded, but none of its bytes were sent. An earlier one that may have been is repeated later. */
  private notLeft(record: RenderRecord, error: unknown): number | undefined {
    const problem = error instanceof NotLeft ? error.problem : renderProblemOf(error);
    const moved = this.ledger.advance(record.key, (now) => {
      if (now.version !== record.version) return undefined;
      const unanswered = now.unanswered - 1;
      if (unanswered === 0) return { state: 'planned', unanswered, problem };
      if (problem?.code === 'altered') return { state: 'unknown', unanswered, problem, endedAt: this.clock.now() };
      return { unanswered, problem, tries: now.tries === undefined ? undefined : now.tries - 1 };
    });
    const isOurs = moved?.state === 'sent' && moved.version === record.version + 1;
    return isOurs ? pauseAfter(record.attempt, this.random.unit()) : undefined;
  }

  /**
   * Ends it without another attempt: what may have been charged is never sent again. Returns 0 when the record has
   * changed since, else undefined.
   */
  private end(record: RenderRecord, problem: Problem | undefined): 0 | undefined {
    const isOwed = record.unanswered > 0;
    const ended = isOwed
      ? { state: 'unknown' as const, problem, endedAt: this.clock.now() }
      : { state: 'planned' as const };
    return this.ledger.change(record, ended) ? undefined : 0;
  }

  private isAnothers({ state, owner }: RenderRecord): boolean {
    return state === 'sent' && owner !== this.window.id && this.window.isAlive(owner);
  }

  private connectedFor(record: RenderRecord): Connected | undefined {
    const connected = this.connection();
    return connected && maySend(record, connected) ? connected : undefined;
  }

  private known(key: string): RenderRecord {
    const record = this.ledger.get(key);
    if (!record) throw new OrderError('notRecorded');
    return record;
  }
}

/** The changes to a record when the service accepts it. */
export function acceptance(generation: Generation, now: number): Partial<Progress> {
  const { id, status, costCents, contentUrl, textOutput } = generation;
  return {
    state: 'accepted',
    generationId: id,
    status,
    costCents,
    contentUrl,
    textOutput,
    acceptedAt: now,
    problem: undefined,
    endedAt: undefined,
  };
}

/** The problem of a render that the service lists, as far as anyone can tell. */
export function foundProblem(ids: readonly string[]): Problem {
  return { code: ids.length === 1 ? 'oneFound' : 'twoFound', detail: ids.join(', ') };
}

/** With another ID that the service returned for the same request; undefined if it's known. */
function withOther({ generationId, otherIds = [] }: RenderRecord, id: string): Partial<Progress> | undefined {
  return id === generationId || otherIds.includes(id) ? undefined : { otherIds: [...otherIds, id] };
}

function withoutId(ids: readonly string[], id: string): readonly string[] | undefined {
  const others = ids.filter((other) => other !== id);
  return others.length > 0 ? others : undefined;
}

/** False for a render adopted from the service's list: it may be the very one that an order gets as its response. */
function isOrder({ attempt }: RenderRecord): boolean {
  return attempt > 0;
}

function mayBeSent(record: RenderRecord): boolean {
  return record.state === 'planned' || record.state === 'sent';
}

/** What the settings let results of a folder (URI) tell; undefined when they let them tell everything. */
function restrictionOf(settings: ProvenanceSettings, root: string | undefined): ProvenancePolicy | undefined {
  const policy = { place: settings.provenance(root), prompt: settings.provenancePrompt(root) };
  return policy.place === 'embed' && policy.prompt ? undefined : policy;
}
