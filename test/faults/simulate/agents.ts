import { frozenInputs } from '../../../src/base/json';
import type { AgentOrdered } from '../../../src/renders/agentOrders';
import type { Question } from '../../../src/renders/consent';
import type { Fate } from '../../../src/renders/fate';
import { type RenderRecord, type RenderState, isUncharged } from '../../../src/renders/record';
import type { Gate } from './gate';
import type { AgentCall, Decision, Schedule } from './schedule';
import type { Service } from './service';
import type { LedgerFile } from './simulation';
import type { Time } from './time';
import { ordersTo, type SimulatedWindow } from './window';

/** What a user lets one window's agents spend, and what those have asked for. */
interface Leave {
  /** The confirmed prices, euro cents, by intent; undefined if none was stated. */
  readonly agreed: Map<string, number | undefined>;
  readonly budget: Grant;
  /** The allowance in use. */
  allowance: Grant;
  /** Those before it, newest first. */
  readonly earlier: Grant[];
  /** What the window has heard to be charged above its quoted price. */
  readonly exceeded: Set<string>;
  /** By intent. */
  readonly calls: Map<string, Call>;
}

/** What may be spent without a question. */
interface Grant {
  /** Euro cents. */
  readonly allowed: number;
  /** What was placed without confirmation, or confirmed together with it, by intent. */
  readonly paid: Set<string>;
  /**
   * What passed on it without a question while none of that was known to be charged above its quoted price. It may be
   * placed much later, also when another allowance is in use: this one pays.
   */
  readonly passed: Set<string>;
}

interface Call {
  readonly intent: string;
  readonly body: string;
  /** An identical order was placed before. */
  readonly mustJoin: boolean;
  /** It's for a second render on purpose, so it joins no other. */
  readonly again: boolean;
  readonly signal: AbortSignal;
  isOver: boolean;
}

/** How long a price may be used without another request, ms. */
const freshMs = 60_000;
/** How long an identical order counts as the same one, ms. */
const twinMs = 10 * 60_000;

const open: ReadonlySet<RenderState> = new Set<RenderState>(['planned', 'sent', 'accepted', 'succeeded']);
const ends: ReadonlySet<RenderState | undefined> = new Set<RenderState>([
  'saved',
  'succeeded',
  'failed',
  'refunded',
  'refused',
  'unknown',
]);

/** What the agents of all windows are told, and what the user they spend for answers. */
export class Agents {
  private readonly leaves = new WeakMap<Gate, Leave>();

  constructor(
    private readonly file: LedgerFile,
    private readonly service: Pick<Service, 'priceOf' | 'risenAt'>,
    private readonly time: Time,
    private readonly limits: Schedule['limits'],
    /** What a render counts for at least, euro cents. */
    private readonly leastOf: (record: RenderRecord) => number,
    private readonly breaks: (promise: string, how: string) => void,
    /** Records what was reached. */
    private readonly reaches: (what: string) => void,
    /** The agent was told that nothing is sent, and may order again. */
    private readonly tellsNotSent: (gate: Gate, key: string) => void,
  ) {}

  /** An agent places the orders of one call. Their inputs may change after this returns. */
  order(window: SimulatedWindow, decisions: readonly Decision[], { again, waitsMs }: AgentCall): void {
    const { gate } = window;
    const stop = new AbortController();
    const { signal } = stop;
    if (waitsMs !== undefined) gate.after(waitsMs, () => stop.abort());
    const calls = decisions.map(({ intent, modelId, inputs }): Call => {
      const body = JSON.stringify({ modelId, inputs });
      return { intent, body, mustJoin: !again && this.hasTwin(window, body), again, signal, isOver: false };
    });
    for (const call of calls) this.leaveOf(gate).calls.set(call.intent, call);
    const drafts = decisions.map(({ intent, modelId, inputs }) => {
      return { intent, modelId, inputs: frozenInputs(inputs), target: ordersTo, agent: 'A robot' };
    });
    const ordered = window.orders.renderForAgent(drafts, { again, signal });
    calls.forEach((call, at) => {
      ordered[at]!.then(
        (one) => this.hears(window, call, one.is, 'record' in one ? one.record : undefined),
        () => this.hears(window, call, 'failed'),
      );
    });
    void Promise.allSettled(ordered).then((outcomes) => {
      const placed = outcomes.flatMap((one) =>
        one.status === 'fulfilled' && one.value.is === 'placed' ? [one.value.order] : [],
      );
      return window.sendInTurn(placed, 'agent', signal, (record) => this.started(record));
    });
  }

  /** A window begins to send an order whose turn has come. */
  started({ key, shownCents, modelId, inputs }: RenderRecord): void {
    const price = this.service.priceOf(JSON.stringify({ modelId, inputs }));
    const isOld = this.time.ticks - this.service.risenAt >= freshMs;
    if (isOld && shownCents !== undefined && shownCents < price)
      this.breaks('a price is fresh', `${key} is sent at ${shownCents}, and costs ${price}`);
  }

  /** The user has answered a question. */
  answers(gate: Gate, { orders, allowance }: Question, answer: boolean | 'allow'): void {
    this.reaches(`agents: answered ${answer}`);
    const leave = this.leaveOf(gate);
    for (const { intent, shownCents } of answer ? orders : []) {
      leave.agreed.set(intent, shownCents);
      // Asked again at a price that has risen, it's no longer paid from an allowance.
      for (const { paid } of [leave.allowance, ...leave.earlier]) paid.delete(intent);
    }
    if (answer !== 'allow') return;
    // Whatever was overdrawn before, the user lets agents spend this much from now on.
    leave.earlier.unshift(leave.allowance);
    leave.allowance = grantOf(allowance ?? 0);
    // The order in question is agreed to, and the first to use the allowance.
    for (const { intent } of orders) leave.allowance.paid.add(intent);
  }

  /** A window lets an order pass without a question. */
  passes(gate: Gate, intent: string): void {
    const leave = this.leaveOf(gate);
    if (!isExceeded(leave.allowance, leave)) leave.allowance.passed.add(intent);
  }

  /** A window has heard of a record. */
  knows({ key, costCents = 0, shownCents = 0 }: RenderRecord, gate: Gate): void {
    if (costCents > shownCents) this.leaveOf(gate).exceeded.add(key);
  }

  /** A window has recorded an order of an agent, or of a command. */
  placed(gate: Gate, record: RenderRecord): void {
    const { key, shownCents, agent } = record;
    const leave = this.leaveOf(gate);
    const body = this.bodyOf(record);
    if (agent !== undefined && !this.isAwaited(leave, key, body))
      return this.breaks('agents spend what was agreed to', `nobody waits for ${key} any more`);
    const call = leave.calls.get(key);
    const twin = call && !call.again ? this.twinOnRecord(body, key) : undefined;
    if (twin) this.breaks('identical orders join', `${key} is placed beside ${twin.key}`);
    if (leave.agreed.has(key) && isAtMost(shownCents, leave.agreed.get(key))) return;
    const grant = agent === undefined ? leave.budget : allowanceFor(key, leave);
    const isInTime = grant.passed.has(key);
    const spent = this.spentOf(grant, isInTime);
    const isOver = isExceeded(grant, leave) && !isInTime;
    grant.paid.add(key);
    this.reaches(agent === undefined ? 'commands: on the budget' : 'agents: on the allowance');
    if (isOver || spent + (shownCents ?? Infinity) > grant.allowed)
      this.breaks(
        'agents spend what was agreed to',
        `${key} is placed at ${shownCents}: ${leave.agreed.get(key)} agreed to, ${spent} of ${grant.allowed} spent`,
      );
  }

  /** What is spent of it, euro cents. `isQuoted`: no charge above its quoted price is known yet. */
  private spentOf({ paid }: Grant, isQuoted: boolean): number {
    const countOf = (record: RenderRecord) => {
      const { state, shownCents = 0 } = record;
      const cents = state === 'planned' ? shownCents : this.leastOf(record);
      return isQuoted ? Math.min(cents, shownCents) : cents;
    };
    const counted = this.file.records().filter(({ key }) => paid.has(key));
    return counted.reduce((sum, record) => sum + countOf(record), 0);
  }

  /**
   * Whether an agent still waits for the order, or for an identical one that joined it. An order at a price that rose
   * has another key than the call that it's for.
   */
  private isAwaited({ calls }: Leave, key: string, body: string): boolean {
    const placed = calls.get(key);
    const isFor = (call: Call) =>
      placed ? call === placed || (call.body === placed.body && !call.again && !call.isOver) : call.body === body;
    return [...calls.values()].some((call) => !call.signal.aborted && isFor(call));
  }

  /** An identical order of an agent that some window has recorded, and that counts as the same. */
  private twinOnRecord(body: string, key: string): RenderRecord | undefined {
    return this.file.records().find((record) => {
      if (record.key === key || record.by !== 'agent' || !this.isSameStill(record)) return false;
      return this.bodyOf(record) === body;
    });
  }

  private isSameStill({ state, plannedAt }: RenderRecord): boolean {
    return open.has(state) || (this.time.wall - plannedAt < twinMs && !isUncharged(state));
  }

  private hears(window: SimulatedWindow, call: Call, what: AgentOrdered['is'] | 'failed', record?: RenderRecord): void {
    const { gate } = window;
    const { intent, body, mustJoin } = call;
    call.isOver = true;
    if (gate.isGone) return;
    this.reaches(`agents: ${what}`);
    if (what === 'placed' && mustJoin) this.breaks('identical orders join', `${intent} is placed a second time`);
    if (what === 'placed') return void window.fateOf(intent).then((fate) => this.hearsFate(gate, intent, fate));
    if (this.isRecorded(intent))
      this.breaks('agents are told the truth', `${intent} is called ${what}, and is recorded`);
    const joined = record && this.leaveOf(gate).calls.get(record.key);
    if (joined && joined.body !== body)
      this.breaks('identical orders join', `${intent} is joined to ${joined.intent}, which is another`);
  }

  private hearsFate(gate: Gate, key: string, { is, entry }: Fate): void {
    if (gate.isGone) return;
    this.reaches(`agents: told ${is}`);
    if (is === 'ended' && !ends.has(entry.state))
      this.breaks('agents are told the truth', `${key} is called ended, and is ${entry.state}`);
    if (is === 'notSent' || is === 'waiting') this.tellsNotSent(gate, key);
  }

  /** Whether the window has, or is about to have, the same order from an agent. */
  private hasTwin(window: SimulatedWindow, body: string): boolean {
    const calls = [...this.leaveOf(window.gate).calls.values()].filter((call) => call.body === body);
    return calls.some(({ intent, isOver }) => {
      const record = window.library.ofRecord(intent)?.record;
      if (!isOver) return true;
      return record !== undefined && this.isSameStill(record);
    });
  }

  /** As the agent asked for it: a record has only the beginnings of large inputs. */
  private bodyOf(record: RenderRecord): string {
    return JSON.stringify({ modelId: record.modelId, inputs: this.file.ledger.inputsOf(record) });
  }

  private isRecorded(key: string): boolean {
    return this.file.records().some((record) => record.key === key);
  }

  private leaveOf(gate: Gate): Leave {
    const leave = this.leaves.get(gate) ?? {
      ...{ agreed: new Map(), calls: new Map(), exceeded: new Set() },
      ...{ budget: grantOf(this.limits.unattendedBudget), allowance: grantOf(0), earlier: [] },
    };
    this.leaves.set(gate, leave);
    return leave;
  }
}

function grantOf(allowed: number): Grant {
  return { allowed, paid: new Set(), passed: new Set() };
}

/** The allowance that an order passed on, else the one in use. */
function allowanceFor(key: string, { allowance, earlier }: Leave): Grant {
  return [allowance, ...earlier].find(({ passed }) => passed.has(key)) ?? allowance;
}

/** Whether the window has heard that anything on it was charged above its quoted price. */
function isExceeded({ paid }: Grant, { exceeded }: Leave): boolean {
  return [...paid].some((one) => exceeded.has(one));
}

/** A user may confirm a render without a stated price, which doesn't confirm any price. */
function isAtMost(cents: number | undefined, agreed: number | undefined): boolean {
  return cents === undefined || agreed === undefined ? cents === agreed : cents <= agreed;
}
