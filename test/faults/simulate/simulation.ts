import { dirname, join } from 'node:path';
import { frozenInputs } from '../../../src/base/json';
import type { Ledger } from '../../../src/renders/ledger';
import { BudgetError } from '../../../src/renders/budget';
import type { Question } from '../../../src/renders/consent';
import { OrderError } from '../../../src/renders/orderError';
import type { PricedOrder, RenderRecord } from '../../../src/renders/record';
import { Agents } from './agents';
import { Chance } from './chance';
import { SimulatedDisk } from './disk';
import { Faults, type FaultKind } from './faults';
import { Gate } from './gate';
import { ledgerRoom, type Outside } from './ports';
import { Promises, type Broken } from './promises';
import {
  accounts,
  keys,
  longestScheduleMs,
  type Action,
  type AgentCall,
  type Decision,
  type Schedule,
} from './schedule';
import { Service, type Request } from './service';
import { settled, Time } from './time';
import {
  fingerprintOf,
  ordersTo,
  otherSpelling,
  project,
  projectUri,
  renders,
  SimulatedWindow,
  storage,
} from './window';

/** The outcome of a run. */
export interface Outcome {
  readonly broken: Broken | undefined;
  /** Every fault that struck, by name. */
  readonly struck: readonly string[];
  /** How often each state was entered, and each transition made. */
  readonly states: ReadonlyMap<string, number>;
  readonly charges: number;
  readonly posts: number;
  readonly crashes: number;
  /** The events, for reading; empty unless requested. */
  readonly trace: readonly string[];
}

export interface RunOptions {
  /** Names of faults that don't strike. */
  readonly spared?: ReadonlySet<string>;
  readonly traced?: boolean;
}

/** The ledger that all of a process's runs share in turn: its file, and a view of it without faults. */
export interface LedgerFile {
  readonly path: string;
  readonly ledger: Ledger;
  /** The records, newest first. */
  records(): readonly RenderRecord[];
  /** Empties it. */
  clear(): void;
  /** Moves its folder away or back. */
  move(gone: boolean): void;
  /** As a window of a later version: adds fields to a record that this version doesn't know. */
  extend(key: string): void;
  /** Whether those are still there. */
  isExtended(key: string): boolean;
  /** Copies it as it is now. */
  backUp(): void;
  /** The last such copy replaces it. */
  restore(): void;
}

/** Runs a schedule to its end, or until a promise is broken. */
export function run(schedule: Schedule, file: LedgerFile, options: RunOptions = {}): Promise<Outcome> {
  return new Simulation(schedule, file, options).run();
}

/** Errors of systems without hard links. */
const noLinkCodes = ['EPERM', 'ENOTSUP', 'ENOSYS', 'EISDIR', 'EACCES', 'EINVAL', 'EMLINK', 'EXDEV'] as const;

/** Errors of systems without modes of files. */
const noModeCodes = ['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'] as const;

/** The longest that anything may take to end after the faults, ms. */
const longestEndMs = 5 * 60 * 60_000;

/** How long a user waits for a file, ms. */
const longestPressMs = 10 * 60_000;

/** Faults after which the machine's clock no longer tells when something was ordered. */
const wrongClocks: ReadonlySet<FaultKind> = new Set(['pause', 'clockSet', 'clockYears'] as const);

/** How long a window that has heard of its render may take to record that, ms: a disk may be full, or away. */
const longestRecordMs = 2 * 60_000;

/** Faults that may take a lease from a working window. */
const disorder: ReadonlySet<FaultKind> = new Set([
  ...['freeze', 'sleep', 'pause', 'clockSet', 'clockYears', 'ledgerFull', 'storageGone', 'newerWindow'],
] as FaultKind[]);

class Simulation implements Outside {
  readonly noLinks: string | undefined;
  readonly noModes: string | undefined;
  busy: Outside['busy'];
  readonly service: Service;
  readonly disk = new SimulatedDisk();
  underWay = 0;
  private readonly time = new Time();
  private readonly begun = this.time.now;
  private readonly chance: Chance;
  private readonly faults: Faults;
  private readonly promises: Promises;
  private readonly agents: Agents;
  readonly limits: Schedule['limits'];
  /** By place; undefined while it is closed. */
  private readonly windows: (SimulatedWindow | undefined)[] = [];
  /** The API key of each window, an index of `keys`. */
  private readonly connections: (number | undefined)[] = [];
  private readonly opened: number[] = [];
  private readonly states = new Map<string, number>();
  private readonly trace: string[] = [];
  private posts = 0;
  private crashes = 0;
  private isEnding = false;
  /** The current index in `keys` of the user's own account. */
  private own = 0;
  /** The storage folder was moved away. */
  private isMoved = false;
  private hasBackup = false;

  constructor(
    private readonly schedule: Schedule,
    private readonly file: LedgerFile,
    private readonly options: RunOptions,
  ) {
    const { seed, kinds, harshness, policy, balance } = schedule;
    this.chance = new Chance(seed);
    this.faults = new Faults(this.chance, new Set(kinds), harshness, options.spared);
    this.noLinks = this.faults.strikes('noLinks', 'always', 0.5)
      ? this.chance.pick('no links', noLinkCodes)
      : undefined;
    this.noModes = this.faults.strikes('noModes', 'always', 0.7)
      ? this.chance.pick('no modes', noModeCodes)
      : undefined;
    this.service = new Service(policy, this.time, this.chance, this.faults, accounts, balance);
    const isOrderly = !kinds.some((kind) => disorder.has(kind));
    const knowsTime = policy.clockAheadMs !== undefined;
    const { service, disk, time, noLinks } = this;
    const keepsLedger = !kinds.includes('ledgerFull');
    const isSteady = !kinds.some((kind) => wrongClocks.has(kind));
    const can = { noLinks: noLinks !== undefined, knowsTime, isOrderly, keepsLedger, isSteady };
    const world = { ...can, limits: schedule.limits };
    this.promises = new Promises(file, service, disk, time, world);
    this.limits = schedule.limits;
    this.agents = new Agents(
      file,
      service,
      time,
      schedule.limits,
      (record) => this.promises.leastOf(record),
      (promise, how) => this.promises.breaks(promise, how),
      (what) => this.reaches(what),
      (gate, key) => this.promises.tellsNotSent(gate, key),
    );
  }

  async run(): Promise<Outcome> {
    this.file.clear();
    this.disk.grants = this.chance.unit('grants') < 0.5;
    for (const folder of [storage, project]) this.disk.mkdirAll(folder);
    this.disk.losePower(
      (all) => all,
      () => false,
    );
    this.personHasFiles();
    if (this.faults.strikes('almostFull', 'always', 0.7)) this.fillsDisk();
    for (const action of this.schedule.actions) this.time.after(action.at, undefined, () => this.act(action));
    await this.pass(this.begun + longestScheduleMs);
    if (!this.isBroken()) await this.end();
    for (const window of this.windows) window?.gate.end();
    this.file.move(false);
    const { struck } = this.faults;
    const { states, posts, crashes, trace } = this;
    return {
      broken: this.promises.broken,
      struck,
      states,
      charges: this.service.charges.length,
      posts,
      crashes,
      trace,
    };
  }

  works(gate: Gate, what: string): void {
    for (const window of this.windows) if (window && window.gate !== gate) window.gate.mayThaw(what);
  }

  looked(gate: Gate): void {
    this.promises.looks(gate);
  }

  asks(question: Question, gate: Gate): Promise<boolean | 'allow'> {
    const name = gate.nameOf('question');
    const most = this.chance.pick(`${name} most`, [2_000, 20_000, 5 * 60_000]);
    const wanted = this.chance.pick(`${name} answer`, [false, true, 'allow', 'allow'] as const);
    const answer = wanted === 'allow' && question.allowance === undefined ? true : wanted;
    return new Promise((resolve) => {
      gate.after(this.chance.between(name, 300, most), () => {
        this.note(
          () => `${gate.name}: the user says ${answer} to ${question.orders.map(({ intent }) => intent).join(', ')}`,
        );
        this.agents.answers(gate, question, answer);
        if (answer) this.decides(question, gate);
        resolve(answer);
      });
    });
  }

  /** A yes to a price that rose is a decision of its own. */
  private decides({ orders }: Question, gate: Gate): void {
    for (const { intent, modelId, inputs, shownCents = 0, account } of orders)
      this.promises.orders(gate, { intent, modelId, inputs: inputs as Decision['inputs'], cents: shownCents }, account);
  }

  passes(intent: string, gate: Gate): void {
    this.agents.passes(gate, intent);
  }

  hears(record: RenderRecord, gate: Gate): void {
    this.agents.knows(record, gate);
  }

  hearsRefusal(request: Request, gate: Gate): void {
    this.promises.hearsRefusal(request, gate);
  }

  hearsAcceptance({ idempotencyKey }: Request, gate: Gate): void {
    gate.after(longestRecordMs, () => this.promises.hasHeard(idempotencyKey));
  }

  leaves(request: Request, gate: Gate): void {
    this.posts++;
    this.note(() => `${request.name} leaves, with key ${request.idempotencyKey}`);
    this.promises.leaves(request, gate, this.isMoved);
  }

  crowds(): void {
    this.promises.breaks('the ledger keeps its space', `something is written, and ${this.disk.free} bytes are free`);
  }

  personWrites(path: string): void {
    const bytes = Buffer.from(`the user's own ${path}`);
    const file = this.disk.create(path);
    file.bytes = file.durable = bytes;
    this.disk.syncFolder(dirname(path));
    this.promises.writes(path, bytes);
  }

  /** The faults have ended: now everything must end, or wait for the user. */
  private async end(): Promise<void> {
    this.note(() => 'All faults are over.');
    this.isEnding = true;
    this.faults.over = true;
    this.service.heal();
    this.disk.gone.clear();
    this.disk.readOnly.clear();
    this.disk.mkdirAll(project);
    this.disk.syncFolder(dirname(project));
    this.disk.capacity = Infinity;
    this.busy = undefined;
    this.moves(false);
    this.promises.check();
    for (const window of this.windows) {
      // The user ends suspended windows.
      if (window && window.gate.frozenUntil > this.time.now) window.gate.end();
      else if (this.schedule.restarts) tried(() => window?.close());
    }
    await this.pass(this.time.awakeAt + 1000);
    if (this.isBroken()) return;
    if (this.hasBackup) await this.restores();
    if (!this.windows.some(Boolean)) await this.open(0);
    if (this.service.charges.some((charge) => this.service.isStuck(charge))) await this.sleepsForADay();
    // One account after the other, each until nothing is in progress. Some never return to the first.
    const both = this.chance.unit('stays with the other') < 0.15 ? [this.own, 1] : [1, this.own];
    for (const key of both) {
      if (key === 1 && !this.has(keys[key])) continue;
      this.windows.forEach((window, place) => {
        // A correctly connected window isn't disturbed.
        if (window && window.account !== fingerprintOf(keys[key]!)) this.connect(place, key);
      });
      await this.settle(keys[key]!);
      await this.presses();
      if (!this.hasStuck()) continue;
      await this.sleepsForADay();
      await this.settle(keys[key]!);
    }
    const window = this.windows.find(Boolean);
    if (window && !this.isBroken())
      this.promises.checkEnd(new Set(window.library.entries.map(({ id }) => id)), window.apiKey);
  }

  /** The computer is set up again from a backup, and the user sends what isn't sent as far as that knows. */
  private async restores(): Promise<void> {
    for (const window of this.windows) window?.gate.end();
    await this.pass(this.time.now + longestRecordMs);
    const before = this.file.records();
    this.file.restore();
    this.promises.restores(before);
    this.note(() => 'A backup replaces the ledger.');
    this.time.sleep(this.chance.between('restored after', 30 * 60_000, 30 * 60 * 60_000));
    await this.pass(this.time.awakeAt + 1000);
    await this.open(0);
    await this.pass(this.time.now + 10_000);
    const [window] = this.windows;
    if (!window) return;
    for (const { key } of this.file.records().filter(({ state }) => state === 'planned')) {
      this.promises.asks(window.gate, key);
      tried(() => window.renderer.send(key));
      await this.pass(this.time.now + longestRecordMs);
      const { state, problem } = this.file.ledger.get(key)!;
      if (state !== 'planned' || problem?.code !== 'oneFound') continue;
      this.reaches('restored: found');
      // The user recognizes their own.
      const id = problem.detail!;
      if (this.service.charges.some((charge) => charge.id === id && charge.key === key))
        tried(() => window.recovery.use(key, id));
    }
  }

  /** Who never hears how a render ended is asked a day later. */
  private async sleepsForADay(): Promise<void> {
    this.time.sleep(25 * 60 * 60_000);
    await this.pass(this.time.awakeAt + 1000);
  }

  /** Whether one was found so late that the day isn't over yet. */
  private hasStuck(): boolean {
    const stuck = new Set(this.service.charges.filter((one) => this.service.isStuck(one)).map(({ id }) => id));
    return this.file.records().some(({ state, generationId = '' }) => state === 'accepted' && stuck.has(generationId));
  }

  private async settle(key: string): Promise<void> {
    const from = this.time.now;
    const isQuiet = () =>
      this.underWay === 0 &&
      this.file.records().every((record) => this.promises.isAtRest(record, key) && !this.isSending(record.key));
    const isOver = () => this.service.charges.every((charge) => this.service.isOver(charge));
    const isToldAll = () => !this.file.records().some((record) => this.promises.isUntold(record, key));
    // Six rests give everything time to resume; then somebody refreshes the list until it states every late outcome. A
    // service that asked for a pause isn't called before its end, even for those.
    for (let rests = 0; (rests < 6 || !isToldAll()) && this.time.now - from < longestEndMs;) {
      const [window] = this.windows.filter(Boolean);
      if (rests >= 5) void window?.library.refresh();
      await this.pass(this.time.now + 4_000);
      if (this.isBroken()) return;
      rests = isQuiet() && isOver() ? rests + 1 : 0;
    }
  }

  /** What is left to the user can be had: they press “Download Again”, and again. */
  private async presses(): Promise<void> {
    const window = this.windows.find(Boolean);
    const left = () => this.file.records().filter((record) => this.promises.canBeHad(record, window?.apiKey));
    for (let times = 0; times < 3 && window && left().length > 0 && !this.isBroken(); times++) {
      for (const { key } of left()) {
        this.promises.asksForFile(key);
        tried(() => window.downloader.downloadAgain(key));
      }
      await this.pass(this.time.now + longestPressMs);
    }
    for (const { key, problem } of left())
      this.promises.breaks('what the service has can be had', `${key} stays, ${problem?.code}`);
  }

  private isSending(key: string): boolean {
    return this.windows.some((window) => window?.renderer.isSending(key));
  }

  private has(key: string): boolean {
    return this.file.records().some(({ account }) => account === fingerprintOf(key));
  }

  private async pass(until: number): Promise<void> {
    // A request just made has to get as far as its first timer.
    await settled();
    while (!this.isBroken() && (await this.time.run(until)));
    if (!this.isBroken()) this.time.now = Math.max(this.time.now, until);
  }

  private async act(action: Action): Promise<void> {
    const window = this.windows[action.window % Math.max(1, this.windows.length)];
    if (this.isEnding) return;
    this.note(() => JSON.stringify(action));
    switch (action.act) {
      case 'open':
        return this.open(action.window);
      case 'powerLoss':
        this.faults.note('powerLoss', String(action.at));
        return this.losesPower(String(action.at));
      case 'sleep':
        this.faults.note('sleep', String(action.at));
        return this.time.sleep(action.ms);
      case 'clockSet':
        this.faults.note('clockSet', String(action.at));
        return this.time.setWall(action.ms);
      case 'clockYears':
        this.faults.note('clockYears', String(action.at));
        return this.time.setWall(action.ms);
      case 'pause':
        this.faults.note('pause', String(action.at));
        this.promises.pauses(action.ms);
        return this.time.pause(action.ms);
      case 'folder':
        if (action.gone) this.faults.note('folderGone', 'project');
        return this.marks(this.disk.gone, project, action.gone);
      case 'readOnly':
        if (action.gone) this.faults.note('folderReadOnly', 'project');
        return this.marks(this.disk.readOnly, project, action.gone);
      case 'storage':
        if (action.gone) this.faults.note('storageGone', 'storage');
        return this.moves(action.gone);
      case 'deleteFolder':
        return this.deletesFolder(action.replaced);
      case 'replaceKey':
        this.faults.note('keyReplaced', String(action.at));
        return this.replacesKey();
      case 'revokeKey':
        return this.service.revoke(keys[0]);
      case 'pricesRise':
        this.faults.note('pricesRise', String(action.at));
        return this.service.raise(5);
      case 'newerWindow':
        return this.extends(action.which);
      case 'connect':
        this.faults.note('accountChanges', String(action.at));
        return this.connect(action.window, action.key);
    }
    // A user can't do anything in a closed or suspended window.
    if (window && !window.gate.isGone && window.gate.frozenUntil <= this.time.now) this.initiator(action, window);
  }

  private initiator(action: Action, window: SimulatedWindow): void {
    switch (action.act) {
      case 'order':
        return tried(() => this.order(window, action.decision));
      case 'agents':
        return tried(() => this.agentsOrder(window, action.calls));
      case 'list':
        return tried(() => this.list(window, action));
      case 'commands':
        return action.decisions.forEach((which) => tried(() => this.command(window, which)));
      case 'compare':
        return tried(() => window.recovery.compare());
      case 'refresh':
        return tried(() => window.library.refresh());
      case 'windowCloses':
        this.faults.note('windowCloses', window.gate.name);
        return tried(() => window.close());
      case 'send':
        return this.withOne(window, 'planned', action.which, (record) => {
          this.promises.asks(window.gate, record.key);
          tried(() => window.budgets.send(record));
        });
      case 'discard':
        return this.withOne(window, 'planned', action.which, ({ key }) => tried(() => window.renderer.discard(key)));
      case 'downloadAgain':
        return this.withOne(window, undefined, action.which, ({ key }) => {
          this.promises.asksForFile(key);
          tried(() => window.downloader.downloadAgain(key));
        });
      case 'saveAs':
        return this.withOne(window, undefined, action.which, ({ key }) => {
          this.promises.asksForFile(key);
          tried(() => window.downloader.saveAs(key, { root: projectUri, folder: '', fileName: 'chosen' }));
        });
    }
  }

  /** Acts on one of the renders that offer it: those in a state, or those with a result. */
  private withOne(
    window: SimulatedWindow,
    state: RenderRecord['state'] | undefined,
    which: number,
    act: (record: RenderRecord) => void,
  ): void {
    const offered = window.library.entries.flatMap(({ record }) =>
      record &&
      (state ? record.state === state : record.state === 'saved' || (record.state === 'succeeded' && record.problem))
        ? [record]
        : [],
    );
    const chosen = offered[which % Math.max(1, offered.length)];
    if (chosen) act(chosen);
  }

  private order(window: SimulatedWindow, which: number): void {
    const decision = this.schedule.decisions[which]!;
    const { account } = window;
    this.promises.orders(window.gate, decision, account);
    if (account === undefined) return;
    const { intent, modelId, cents } = decision;
    const inputs = { ...decision.inputs };
    const where = window.gate.nameOf(`order ${which} elsewhere`);
    if (window.apiKey !== undefined && this.faults.strikes('ordersElsewhere', where, 0.5))
      this.service.elsewhere(window.apiKey, { modelId, inputs }, where);
    if ('image' in inputs) this.faults.note('largeInputs', window.gate.nameOf(`order ${which} is large`));
    const target = { ...ordersTo, root: this.rootOf(window) };
    try {
      window.budgets.place({ intent, modelId, inputs, target, shownCents: cents, account });
    } catch (error) {
      if (error instanceof BudgetError) this.reaches('over a limit');
      if (error instanceof OrderError || error instanceof BudgetError) this.promises.withdraws(decision);
      this.asksAgain(window, which);
      throw error;
    } finally {
      if (this.faults.strikes('callerChanges', window.gate.nameOf(`order ${which}`), 0.5)) {
        Object.assign(inputs, { prompt: 'something else', size: 'large' });
        Object.assign(target, { folder: '../elsewhere', fileName: 'something else' });
      }
    }
  }

  private agentsOrder(window: SimulatedWindow, calls: readonly AgentCall[]): void {
    for (const call of calls) {
      const decisions = call.decisions.map((which) => {
        const intent = this.chance.uuid(window.gate.nameOf('agent'));
        const decision = { ...this.schedule.decisions[which]!, intent };
        this.promises.orders(window.gate, decision, window.account);
        return { ...decision, inputs: { ...decision.inputs } };
      });
      this.agents.order(window, withoutDoubles(decisions), call);
      for (const { inputs } of decisions)
        if (this.faults.strikes('callerChanges', window.gate.nameOf('agent changes'), 0.5))
          Object.assign(inputs, { prompt: 'something else', size: 'large' });
    }
  }

  /** A user opens a list of images, confirms it at its total, and perhaps cancels what isn't sent yet. */
  private list(window: SimulatedWindow, { decisions, opensMs, cancelsMs }: Extract<Action, { act: 'list' }>): void {
    const { gate } = window;
    const record = window.openList();
    const confirmed = async () => {
      const client = window.priceClient;
      if (!client) return;
      const all = decisions.map((which) => this.schedule.decisions[which]!);
      const images = all.filter(({ modelId }) => modelId.endsWith('picture-model'));
      const orders = images.map(({ modelId, inputs }, at): PricedOrder => {
        const shownCents = this.service.priceOf(JSON.stringify({ modelId, inputs }));
        const intent = this.chance.uuid(gate.nameOf('listed'));
        this.promises.orders(gate, { intent, modelId, inputs, cents: shownCents }, client.account);
        const target = { ...ordersTo, fileName: `entry ${at}`, ending: 'png' };
        const { account } = client;
        return { intent, modelId, inputs: frozenInputs(inputs), target, shownCents, account, asked: { client } };
      });
      let recorded: readonly PricedOrder[] = [];
      try {
        recorded = await record(orders);
      } finally {
        const kept = new Set(recorded.map(({ intent }) => intent));
        for (const order of orders) if (!kept.has(order.intent)) this.promises.withdraws(order);
      }
      this.promises.confirms(recorded.map(({ intent }) => intent));
      this.reaches('lists: confirmed');
      if (recorded.length < orders.length) this.reaches('lists: left out');
      const stop = new AbortController();
      if (cancelsMs !== undefined) gate.after(cancelsMs, () => stop.abort());
      void window.sendInTurn(recorded, 'user', stop.signal, (record) => this.agents.started(record));
    };
    gate.after(opensMs, () => tried(confirmed));
  }

  /** Something that acts for the user calls the command with arguments. */
  private async command(window: SimulatedWindow, which: number): Promise<void> {
    const intent = this.chance.uuid(window.gate.nameOf('command'));
    const decision = { ...this.schedule.decisions[which]!, intent };
    const { modelId, inputs } = decision;
    this.promises.orders(window.gate, decision, window.account);
    await window.orders.renderUnattended({ intent, modelId, inputs: frozenInputs(inputs), target: ordersTo });
  }

  /** The project's URI for an order: two folders of a workspace may lead to it. */
  private rootOf({ gate }: SimulatedWindow): string {
    return this.faults.strikes('otherSpelling', gate.nameOf('spelling'), 0.5) ? otherSpelling : projectUri;
  }

  /** Callers that are programs repeat until it works. */
  private asksAgain(window: SimulatedWindow, which: number): void {
    if (!this.faults.strikes('callerChanges', window.gate.nameOf(`order ${which} again`), 0.5)) return;
    window.gate.after(2_000, () => tried(() => this.order(window, which)));
  }

  private async open(place: number): Promise<void> {
    if (this.windows[place]) return;
    // The editor creates an extension's folder; one that was moved away can't be opened.
    if (this.isMoved) return void this.time.after(1_000, undefined, () => this.open(place));
    const count = (this.opened[place] = (this.opened[place] ?? 0) + 1);
    const gate: Gate = new Gate(
      `window ${place + 1}.${count}`,
      this.time,
      this.chance,
      this.faults,
      () => this.ends(place, gate),
      (where) => this.losesPower(where),
      () => this.promises.breaks('everything ends', `${gate.name} looks at the ledger again and again`),
    );
    // Set before any await, so that nobody else opens it.
    const window = await SimulatedWindow.open(gate, this, this.file.path, (by, before, after) =>
      this.changed(by, before, after),
    ).catch((error: unknown) => {
      if (gate.isGone) return undefined;
      throw error;
    });
    if (!window || gate.isGone) {
      window?.closeLedger();
      return;
    }
    this.windows[place] = window;
    this.note(() => `${gate.name} opens`);
    window.connect(keys[this.connections[place] ?? (place in this.connections ? -1 : this.own)]);
  }

  private connect(place: number, wanted: number | undefined): void {
    const key = wanted === 0 ? this.own : wanted;
    this.connections[place] = key;
    const window = this.windows[place];
    if (window && !window.gate.isGone) window.connect(key === undefined ? undefined : keys[key]);
  }

  /** The process of a window has ended; the user opens it again later. */
  private ends(place: number, gate: Gate): void {
    const window = this.windows[place];
    this.crashes++;
    this.windows[place] = undefined;
    this.note(() => `${gate.name} is gone`);
    // In the middle of its own step, the ledger is still in use.
    queueMicrotask(() => window?.closeLedger());
    this.time.after(0, undefined, () => this.promises.check());
    if (this.isEnding) return;
    const later = this.chance.mostlySmall(`${gate.name} reopens`, 100, 15 * 60_000);
    this.time.after(later, undefined, () => (this.isEnding ? undefined : this.open(place)));
  }

  private losesPower(where: string): void {
    for (const window of this.windows) window?.gate.end();
    this.disk.losePower(
      (all) => this.chance.between(`${where} keeps ${all}`, 0, all),
      (n) => this.faults.strikes('torn', `${where} ${n}`, 1),
    );
    this.promises.check();
  }

  private isBroken(): boolean {
    return this.promises.broken !== undefined;
  }

  private marks(paths: Set<string>, path: string, is: boolean): void {
    if (is) paths.add(path);
    else paths.delete(path);
  }

  private moves(gone: boolean): void {
    this.isMoved = gone;
    this.file.move(gone);
    this.marks(this.disk.gone, storage, gone);
  }

  /** The user deletes the project. Another may replace it immediately; otherwise it's back at the end. */
  private deletesFolder(replaced: boolean): void {
    this.faults.note(replaced ? 'folderReplaced' : 'folderDeleted', 'project');
    this.promises.deletes();
    this.disk.gone.delete(project);
    this.disk.removeAll(project);
    if (replaced) this.writesFiles();
  }

  private replacesKey(): void {
    this.own = keys.indexOf('ai_live_three');
    this.windows.forEach((_, place) => {
      if (this.connections[place] !== 1) this.connect(place, this.own);
    });
    this.connections.forEach((key, place) => {
      if (key === 0) this.connections[place] = this.own;
    });
  }

  private extends(which: number): void {
    const all = this.file.records();
    const record = all[which % Math.max(1, all.length)];
    if (!record) return;
    this.faults.note('newerWindow', record.key);
    this.file.extend(record.key);
    this.promises.extends(record.key);
  }

  /** Some names are taken from the start. */
  private personHasFiles(): void {
    if (this.chance.unit('own files') >= 0.7) this.writesFiles();
  }

  /** Something else fills the disk, for a while. */
  private fillsDisk(): void {
    this.disk.capacity = ledgerRoom - this.chance.between('almost full', 10_000, ledgerRoom / 2);
    this.time.after(this.chance.between('full until', 5_000, longestScheduleMs), undefined, () => {
      this.disk.capacity = Infinity;
    });
  }

  private writesFiles(): void {
    this.disk.mkdirAll(renders);
    for (const name of ['a-red-kite.png', 'chosen.md']) this.personWrites(join(renders, name));
    for (const folder of [project, dirname(project)]) this.disk.syncFolder(folder);
  }

  private changed(gate: Gate, before: RenderRecord | undefined, after: RenderRecord): void {
    const step = before?.state === after.state ? undefined : `${before?.state ?? 'nothing'} → ${after.state}`;
    if (step !== undefined) {
      this.reaches(after.state);
      this.reaches(step);
    }
    this.note(() => {
      const { key, state, attempt, unanswered, generationId, problem, file } = after;
      return `${gate.name}: ${key} ${step ?? state}, attempt ${attempt}, unanswered ${unanswered}, ${generationId ?? ''} ${problem?.code ?? ''} ${file ?? ''}`;
    });
    this.promises.changed(gate, before, after);
    if (after.state === 'planned' && !before) this.mayBackUp(after);
    if (after.state === 'unknown' && before?.state !== 'unknown') this.maySettle(gate, after);
    if (!before && after.by === 'agent') this.agents.placed(gate, after);
  }

  /** A backup is made while an order waits, or is sent. */
  private mayBackUp({ key }: RenderRecord): void {
    if (this.hasBackup || this.service.repeatsIds || !this.faults.strikes('ledgerRestored', key, 0.5)) return;
    this.hasBackup = true;
    this.time.after(this.chance.mostlySmall(`${key} is copied`, 0, 20_000), undefined, () => this.file.backUp());
  }

  /** The user doesn't wait for the list, and says that nothing was charged. */
  private maySettle(gate: Gate, { key }: RenderRecord): void {
    if (!this.faults.strikes('wrongWord', key, 0.7)) return;
    const window = this.windows.find((one) => one?.gate === gate);
    gate.after(this.chance.between(`${key} is settled`, 500, 20_000), () =>
      tried(() => window?.renderer.settle(key, false)),
    );
  }

  private reaches(what: string): void {
    this.states.set(what, (this.states.get(what) ?? 0) + 1);
  }

  private note(line: () => string): void {
    if (this.options.traced) this.trace.push(`${String(this.time.now - this.begun).padStart(8)} ms  ${line()}`);
  }
}

/** Two identical items of one call are refused before they get here. */
function withoutDoubles<T extends Pick<Decision, 'modelId' | 'inputs'>>(decisions: readonly T[]): readonly T[] {
  const bodies = decisions.map(({ modelId, inputs }) => JSON.stringify({ modelId, inputs }));
  return decisions.filter((_, at) => bodies.indexOf(bodies[at]!) === at);
}

/** The messages for failures aren't tested here. */
function tried(call: () => unknown): void {
  void new Promise((resolve) => resolve(call())).catch(() => {});
}
