import * as z from 'zod/mini';
import type { Clock } from '../../../base/clock';
import { Disposables, type Disposable } from '../../../base/disposable';
import { reasonOf } from '../../../base/errors';
import type { Log } from '../../../base/log';
import { dateWords } from '../../../base/time';
import { Yielder } from '../../../base/concurrency';
import { type Period, periods, type SpendReport, type SpendStrings, type ToSpend } from '../page/spendMessages';
import { type Charge, chargeOf } from '../../../renders/charge';
import type { Connected } from '../../../renders/reach';
import type { Library } from '../../../renders/library';
import type { Outline } from '../../../renders/outline';
import type { RenderRecord } from '../../../renders/record';
import { sandboxName } from '../../../catalog/placeName';
import { oneLine } from '../../../base/plain';
import { reader } from '../../../editor/webviewHtml';
import { agentsOfCharges, chargesIn, spendCsv, spendReport } from './spendReport';

/** The largest message that the host accepts from the page, in characters of JSON. */
const requestLimit = 200;

const index = z.int().check(z.nonnegative());

const fromSpend = z.discriminatedUnion('type', [
  /** The page's script has started without any state: initially, after hiding, after moving. */
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('choosePeriod'), period: z.enum(periods) }),
  /** The account by its index in the list. */
  z.strictObject({ type: z.literal('chooseAccount'), account: index }),
  /** The agent by its place in the list, or everybody. */
  z.strictObject({ type: z.literal('chooseAgent'), agent: z.optional(index) }),
  z.strictObject({ type: z.literal('export') }),
]);
/** From the spending page to the extension host. A closed set. */
export type FromSpend = z.infer<typeof fromSpend>;
const readFromSpend = reader(fromSpend, requestLimit);

/** A conversation's dependencies on the editor and the rest of the extension. */
export interface SpendWorld {
  readonly library: Pick<Library, 'recorded' | 'isWhole' | 'slices' | 'placesOf' | 'seenBalances' | 'onDidChange'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly strings: SpendStrings;
  /** The locale for money and dates. */
  readonly locale: string;
  /** The account in use. */
  connection(): (Pick<Connected, 'place'> & { readonly client: { readonly account: string } }) | undefined;
  /** Asks where to save and writes the table there. Never rejects: it reports failures itself. */
  save(table: () => Promise<string>): Promise<void>;
  /** False while the webview is hidden: it restarts when shown. */
  isShown(): boolean;
  /** Sends to the webview; lost while that is hidden. */
  post(message: ToSpend): void;
}

/** An account with renders. */
interface SpendAccount {
  readonly place: string;
  readonly account: string;
  /** Time of its last render, ms since 1970. */
  readonly usedAt: number;
}

/** How long changes of the library and the balance are collected before they're sent, ms: they come in bursts. */
const gatherMs = 200;

/**
 * The host's side of the spending page: picks the account and the period, and sends their sums. Independent of the
 * editor.
 */
export class SpendConversation implements Disposable {
  private readonly own = new Disposables();
  private period: Period = 'month';
  /** The account that the person chose. */
  private chosen: SpendAccount | undefined;
  /** The agent that the person chose, by the name it gave itself; undefined for all. */
  private agent: string | undefined;
  /** The agents of the last report. */
  private agents: readonly string[] = [];
  private started = false;
  private gathering: Disposable | undefined;
  /** The last report that is being made. */
  private making: Promise<unknown> | undefined;

  constructor(private readonly world: SpendWorld) {
    this.own.add(world.library.onDidChange(() => this.refresh()));
    this.own.add({ dispose: () => this.gathering?.dispose() });
  }

  /** Handles a message of the webview. Never throws; unknown messages are ignored. */
  receive(data: unknown): void {
    const message = readFromSpend(data);
    switch (message?.type) {
      case undefined:
        return this.world.log.warn('Spending: ignored an unknown message');
      case 'ready':
        return this.begin();
      case 'choosePeriod':
        this.period = message.period;
        return void this.tell();
      case 'chooseAccount':
        this.chosen = this.accounts()[message.account];
        return void this.tell();
      case 'chooseAgent':
        this.agent = message.agent === undefined ? undefined : this.agents[message.agent];
        return void this.tell();
      case 'export':
        return void this.world.save(() => this.table());
    }
  }

  /** Renders, the balance, or the account in use changed. */
  refresh(): void {
    if (this.started) this.gathering ??= this.world.clock.after(gatherMs, () => void this.tell());
  }

  dispose(): void {
    this.making = undefined;
    this.own.dispose();
  }

  private begin(): void {
    const { strings, locale } = this.world;
    this.started = true;
    this.world.post({ type: 'strings', strings, locale });
    void this.tell();
  }

  /** Never rejects. */
  private async tell(): Promise<void> {
    this.gathering?.dispose();
    this.gathering = undefined;
    // A long history announces when it has been read.
    if (!this.world.isShown() || !this.world.library.isWhole) return;
    try {
      const making = this.report();
      this.making = making;
      const report = await making;
      // A newer call reports what has changed since.
      if (this.making === making && this.world.isShown()) this.world.post({ type: 'report', report });
    } catch (error) {
      this.world.log.error(`Spending: ${reasonOf(error)}`, error);
    }
  }

  private async report(): Promise<SpendReport> {
    const { world, period } = this;
    const turns = new Yielder(world.clock);
    const accounts = this.accounts();
    const shown = this.shown(accounts);
    await turns.next();
    const records = shown ? this.recordsOf(shown) : [];
    const seen = shown ? world.library.seenBalances(shown.place, shown.account) : [];
    await turns.next();
    const charges = records.flatMap((record) => chargeOf(record) ?? []);
    this.agents = agentsOfCharges(charges);
    const facts = { charges: this.ofAgent(charges), records, seen };
    const report = await spendReport(facts, period, world.clock.now(), world.strings, turns);
    const names = accounts.map((account) => this.nameOf(account, accounts));
    const account = Math.max(
      0,
      accounts.findIndex((one) => isSame(one, shown)),
    );
    const chosen = this.agent === undefined ? -1 : this.agents.indexOf(this.agent);
    const agents = { agents: this.agents.map((name) => oneLine(name)), agent: chosen < 0 ? undefined : chosen };
    return { accounts: names, account, ...agents, ...report };
  }

  /** The renders that the page shows sums of. Rejects with LedgerError. */
  private async table(): Promise<string> {
    const { library, clock } = this.world;
    const shown = this.shown(this.accounts());
    const isOf = this.isOf(shown);
    const charges: Charge<RenderRecord>[] = [];
    for await (const records of library.slices())
      charges.push(...records.filter(isOf).flatMap((record) => chargeOf(record) ?? []));
    return spendCsv(chargesIn(this.period, this.ofAgent(charges), clock.now()));
  }

  /** The charges of the chosen agent; all of them if this account has none of that agent's. */
  private ofAgent<One extends Charge>(charges: readonly One[]): readonly One[] {
    const asked = charges.filter(({ record }) => record.agent !== undefined && record.agent === this.agent);
    return asked.length > 0 ? asked : charges;
  }

  private recordsOf(account: SpendAccount): Outline[] {
    return [...this.world.library.recorded].filter(this.isOf(account));
  }

  /** The one in use first, then the most recently used. */
  private accounts(): SpendAccount[] {
    const found = new Map<string, SpendAccount>();
    const services = new Map<string, string>();
    const inUse = this.inUse();
    if (inUse) found.set(nameOf(inUse), inUse);
    for (const { place: orderedAt, account, plannedAt } of this.world.library.recorded) {
      const place = services.get(orderedAt) ?? this.serviceOf(orderedAt, inUse);
      services.set(orderedAt, place);
      const name = nameOf({ place, account });
      const known = found.get(name);
      if (!known || known.usedAt < plannedAt) found.set(name, { place, account, usedAt: plannedAt });
    }
    const rank = (account: SpendAccount) => (isSame(account, inUse) ? Infinity : account.usedAt);
    return [...found.values()].sort((a, b) => (rank(b) > rank(a) ? 1 : -1));
  }

  /** One of the URLs of a service, the same for all of them: the one in use, if it's among them. */
  private serviceOf(place: string, inUse: SpendAccount | undefined): string {
    const places = this.world.library.placesOf(place);
    return (inUse && places.has(inUse.place) ? inUse.place : [...places].sort()[0]) ?? place;
  }

  private isOf(one: SpendAccount | undefined): (outline: Outline) => boolean {
    const places = one && this.world.library.placesOf(one.place);
    return ({ place, account }) => account === one?.account && places?.has(place) === true;
  }

  private inUse(): SpendAccount | undefined {
    const connected = this.world.connection();
    return connected && { place: connected.place, account: connected.client.account, usedAt: -Infinity };
  }

  private shown(accounts: readonly SpendAccount[]): SpendAccount | undefined {
    return accounts.find((account) => isSame(account, this.chosen)) ?? accounts[0];
  }

  private nameOf(account: SpendAccount, accounts: readonly SpendAccount[]): string {
    const { strings, locale } = this.world;
    const place = account.place === sandboxName ? strings.sandbox : oneLine(account.place);
    const isOnly = accounts.filter((other) => other.place === account.place).length === 1;
    if (isOnly || isSame(account, this.inUse())) return place;
    return strings.otherKey.replace('{0}', () => place).replace('{1}', () => dateWords(account.usedAt, locale));
  }
}

function nameOf({ place, account }: Pick<SpendAccount, 'place' | 'account'>): string {
  return `${account} ${place}`;
}

function isSame(one: SpendAccount, other: SpendAccount | undefined): boolean {
  return one.place === other?.place && one.account === other.account;
}
