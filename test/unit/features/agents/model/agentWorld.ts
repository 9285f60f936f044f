import { frozenInputs } from '../../../../../src/base/json';
import { silentLog } from '../../../../../src/base/log';
import type { DraftList } from '../../../../../src/compose/pricedList';
import { AgentRenders, type Wanted } from '../../../../../src/features/agents/model/agentRenders';
import type { AgentCall } from '../../../../../src/features/agents/model/agentTools';
import { Orders } from '../../../../../src/renders/orders';
import { Consent, type Question } from '../../../../../src/renders/consent';
import type { Fate } from '../../../../../src/renders/fate';
import type { LibraryEntry } from '../../../../../src/renders/library';
import type { Draft, Order, RenderRecord, Target } from '../../../../../src/renders/record';
import { TestClock } from '../../../clock';
import { deferred } from '../../../deferred';
import { record } from '../../../renders/records';

/** A window whose person and service a test plays: agents' orders, consent, and prices are the real ones. */
export class AgentWorld {
  readonly clock = new TestClock();
  /** What the user was asked. */
  readonly questions: Question[] = [];
  /** The lists that the user was shown. */
  readonly lists: DraftList[] = [];
  readonly records: RenderRecord[] = [];
  /** The renders that aren't over, by the name of their file. */
  readonly inProgress = new Map<string, LibraryEntry>();
  /** Keys of the renders that were given up. */
  readonly discarded: string[] = [];
  cents: number | undefined = 4;
  answer: (question: Question) => boolean | 'allow' | Promise<boolean | 'allow'> = () => true;
  /** Selects from a list; all of it by default. */
  select: (list: DraftList) => 'order' | undefined | Promise<'order' | undefined> = () => 'order';
  /** Prices a model's inputs. */
  quote: () => Promise<{ readonly costCents: number | undefined }> = () => Promise.resolve({ costCents: this.cents });

  /** The service's response to an order. */
  respond: (order: RenderRecord) => Partial<RenderRecord> | Promise<Partial<RenderRecord>> = () => ({
    state: 'accepted',
  });

  private readonly fates = new Map<string, ReturnType<typeof deferred<Fate>>>();
  private readonly client = { account: 'account-1', base: 'https://models.example', quote: () => this.quote() };
  private readonly consent = new Consent(
    { ask: async (question) => (this.questions.push(question), this.answer(question)), tellRefused: () => {} },
    () => ({ confirmAbove: 50, unattendedBudget: 0, agentAllowance: 200, confirmAfter: { renders: 0, cents: 0 } }),
    this.clock,
  );
  readonly orders = this.ordersOf();
  readonly renders = new AgentRenders({
    orders: this.orders,
    library: { ofRecord: (key) => this.listed(key) },
    fileRenders: { otherFor: ({ fileName }) => this.inProgress.get(fileName) },
    awaited: new Set(),
    log: silentLog,
    fate: (key) => this.fateOf(key).promise,
    showList: async (list) => (this.lists.push(list), await list.settled(), this.select(list)),
    sentenceOf: (error) => (error as Error).message,
    pathOf: (uri) => uri.replace('file://', ''),
    linkTo: () => Promise.resolve(undefined),
  });

  /** The prompts of the orders that were sent, in order. */
  readonly sent: unknown[] = [];

  /** The prompts of all recorded orders that weren't given up. */
  get recorded(): readonly unknown[] {
    return this.records.flatMap(({ state, inputs }) => (state === 'discarded' ? [] : [inputs.prompt]));
  }

  /** The allowance that the user granted. */
  grant(cents: number): void {
    this.consent.allowance.grant(cents);
  }

  /** The user stops agents. */
  stopAgents(): void {
    this.orders.stopAgents();
  }

  /** The render is now in this state; after most of these, nothing further happens to it. */
  becomes(key: string, change: Partial<RenderRecord>): void {
    const at = this.records.findIndex((one) => one.key === key);
    this.records[at] = { ...this.records[at]!, ...change };
    this.fateOf(key).resolve({ is: 'ended', entry: this.entryOf(key)! });
  }

  private ordersOf(): Orders {
    const { records, consent, client, clock } = this;
    const library = {
      catchUp: () => {},
      get entries() {
        return records.map((one) => ({ record: one }) as LibraryEntry);
      },
      inputsOf: ({ record }: Pick<LibraryEntry, 'record'>) => record!.inputs,
      ofRecord: (key: string) => this.listed(key),
      placesOf: (place: string) => new Set([place]),
      get planned() {
        return records.filter(({ state }) => state === 'planned');
      },
    };
    const limits = {
      ready: Promise.resolve(),
      of: () => [],
      check: () => {},
      place: (order: Order) => (this.place(order), this.begin(order.intent)),
      placeTogether: <T extends Order>(orders: readonly T[], isWanted: (order: T) => boolean) =>
        orders.filter(isWanted).map((order) => this.place(order)),
      send: (record: RenderRecord) => this.send(record.key),
    };
    const renderer = {
      begin: (key: string) => void this.begin(key),
      discard: (key: string) => this.discard(key),
      isSending: (key: string) => this.recordOf(key)?.state === 'sent',
      send: (key: string) => this.send(key),
      settle: () => true,
    };
    const service = {
      client: () => client,
      place: () => undefined,
      model: () => Promise.resolve({ kind: 'image' as const, fields: [...fields] }),
    };
    const targets = { decide: (target: Target) => Promise.resolve(target), prove: () => Promise.resolve() };
    const random = { unit: () => 0.5, uuid: () => 'another-intent' };
    return new Orders(consent, limits, renderer, library, service, targets, clock, random);
  }

  private place(order: Order): RenderRecord {
    const placed = record({
      ...order,
      ...{ key: order.intent, state: 'planned', due: true, plannedAt: this.clock.now() },
      ...{ costCents: undefined, file: undefined, endedAt: undefined },
    });
    this.records.push(placed);
    return placed;
  }

  private begin(key: string): RenderRecord {
    const at = this.records.findIndex((one) => one.key === key);
    this.sent.push(this.records[at]!.inputs.prompt);
    return (this.records[at] = { ...this.records[at]!, state: 'sent', due: undefined });
  }

  private discard(key: string): boolean {
    this.discarded.push(key);
    const isPlanned = this.recordOf(key)?.state === 'planned';
    if (isPlanned) this.becomes(key, { state: 'discarded' });
    return isPlanned;
  }

  /** As the library lists it: what was given up isn't. */
  private listed(key: string): LibraryEntry | undefined {
    const entry = this.entryOf(key);
    return entry?.state === 'discarded' ? undefined : entry;
  }

  private entryOf(key: string): LibraryEntry | undefined {
    const found = this.recordOf(key);
    if (!found) return undefined;
    const { state, modelId, inputs, shownCents, costCents, file, problem } = found;
    const group = state === 'succeeded' ? 'paidNotSaved' : ['planned', 'sent'].includes(state) ? 'active' : 'finished';
    return { id: key, group, state, modelId, inputs, shownCents, costCents, file, problem, record: found };
  }

  private async send(key: string): Promise<RenderRecord> {
    const change = await this.respond(this.recordOf(key)!);
    const at = this.records.findIndex((one) => one.key === key);
    this.records[at] = { ...this.records[at]!, ...change };
    if (change.state !== 'accepted') this.becomes(key, change);
    return this.records[at];
  }

  private recordOf(key: string): RenderRecord | undefined {
    return this.records.find((one) => one.key === key);
  }

  private fateOf(key: string) {
    let fate = this.fates.get(key);
    if (!fate) this.fates.set(key, (fate = deferred<Fate>()));
    return fate;
  }
}

const fields = [{ name: 'prompt', kind: 'text', statedType: 'string', required: true, label: 'Prompt' }] as const;
let items = 0;

/** An item of an agent, of one model; without a file name unless it's stated. */
export function item(prompt: string, change: Partial<Draft> = {}): Wanted {
  const target = { root: 'file:///project', folder: 'renders', fileName: '${slug}' };
  const inputs = frozenInputs({ prompt });
  const draft = { intent: `item-${++items}`, modelId: 'a/b/c', inputs, target, agent: 'A robot', ...change };
  return { draft, model: { title: 'A Model', fields } };
}

/** A call of an agent that waits for its response. */
export function agentCall(change: Partial<AgentCall> = {}): AgentCall {
  return { agent: 'A robot', signal: new AbortController().signal, ...change };
}
