import type { Clock } from '../../base/clock';
import { Owned, type Disposable } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import { dateWords } from '../../base/moment';
import { readFromSpend, type Period, type ToSpend } from '../../pages/spendMessages';
import type { SpendStrings } from '../../pages/spendStrings';
import { chargeOf, type Charge } from '../../renders/charge';
import type { Connected } from '../../renders/connected';
import type { Library } from '../../renders/library';
import type { Outline } from '../../renders/outline';
import type { RenderRecord } from '../../renders/record';
import { sandboxName } from '../../catalog/placeName';
import { oneLine } from '../../base/plain';
import { spendCsv } from './spendCsv';
import { agentsOf, chargesIn, spendReport } from './spendReport';

/** What a conversation needs of the editor and of the rest of the extension. */
export interface SpendWorld {
  readonly library: Pick<Library, 'recorded' | 'isWhole' | 'slices' | 'seenBalances' | 'onDidChange'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly strings: SpendStrings;
  /** The language money and dates are written in. */
  readonly locale: string;
  /** The account in use. */
  connection(): (Pick<Connected, 'place'> & { readonly client: { readonly account: string } }) | undefined;
  /** Asks for a place and writes the table there. Never rejects: it tells the person itself. */
  save(table: () => Promise<string>): Promise<void>;
  /** False while the webview is hidden: it starts anew when it is shown. */
  isShown(): boolean;
  /** To the webview; lost while it is hidden. */
  post(message: ToSpend): void;
}

/** An account there are renders of. */
interface Account {
  readonly place: string;
  readonly account: string;
  /** Of the last render, ms since 1970. */
  readonly usedAt: number;
}

/** Changes of the library and the balance are gathered this long before they are told, ms: they come in bursts. */
const gatherMs = 200;

/**
 * The host's side of the spend page: it chooses account, period, and agent, and tells sums of them. Knows no editor.
 */
export class SpendConversation implements Disposable {
  private readonly own = new Owned();
  private period: Period = 'month';
  /** The one the person chose. */
  private chosen: Account | undefined;
  /** The agent the person chose, by the name it gave itself; undefined for everybody. */
  private agent: string | undefined;
  /** As the page was told of them. */
  private agents: readonly string[] = [];
  private started = false;
  private gathering: Disposable | undefined;

  constructor(private readonly world: SpendWorld) {
    this.own.add(world.library.onDidChange(() => this.refresh()));
    this.own.add({ dispose: () => this.gathering?.dispose() });
  }

  /** A message of the webview. Never throws; what is none of the set changes nothing. */
  receive(data: unknown): void {
    const message = readFromSpend(data);
    switch (message?.type) {
      case undefined:
        return this.world.log.warn('Spending: ignored an unknown message');
      case 'ready':
        return this.begin();
      case 'choosePeriod':
        this.period = message.period;
        return this.tell();
      case 'chooseAccount':
        this.chosen = this.accounts()[message.account];
        return this.tell();
      case 'chooseAgent':
        this.agent = message.agent === undefined ? undefined : this.agents[message.agent];
        return this.tell();
      case 'export':
        return void this.world.save(() => this.table());
    }
  }

  /** Renders, the balance or the account in use changed. */
  refresh(): void {
    if (this.started) this.gathering ??= this.world.clock.after(gatherMs, () => this.tell());
  }

  dispose(): void {
    this.own.dispose();
  }

  private begin(): void {
    const { strings, locale } = this.world;
    this.started = true;
    this.world.post({ type: 'strings', strings, locale });
    this.tell();
  }

  private tell(): void {
    this.gathering?.dispose();
    this.gathering = undefined;
    // A long history tells when it was read.
    if (!this.world.isShown() || !this.world.library.isWhole) return;
    try {
      const { world, period } = this;
      const accounts = this.accounts();
      const shown = this.shown(accounts);
      const records = shown ? this.recordsOf(shown) : [];
      const seen = shown ? world.library.seenBalances(shown.place, shown.account) : [];
      const all = records.flatMap((record) => chargeOf(record) ?? []);
      this.agents = agentsOf(all);
      const facts = { charges: this.ofAgent(all), records, seen };
      const report = spendReport(facts, period, world.clock.now(), world.strings);
      const names = accounts.map((account) => this.nameOf(account, accounts));
      const account = Math.max(
        0,
        accounts.findIndex((one) => isSame(one, shown)),
      );
      const chosen = this.agent === undefined ? -1 : this.agents.indexOf(this.agent);
      const agents = { agents: this.agents.map((name) => oneLine(name)), agent: chosen < 0 ? undefined : chosen };
      world.post({ type: 'report', report: { accounts: names, account, ...agents, ...report } });
    } catch (error) {
      this.world.log.error(`Spending: ${reasonOf(error)}`, error);
    }
  }

  /** What the page shows, render by render. Rejects with LedgerError. */
  private async table(): Promise<string> {
    const { library, clock } = this.world;
    const shown = this.shown(this.accounts());
    const charges: Charge<RenderRecord>[] = [];
    for await (const records of library.slices())
      charges.push(...records.filter((record) => isOf(record, shown)).flatMap((record) => chargeOf(record) ?? []));
    return spendCsv(chargesIn(this.period, this.ofAgent(charges), clock.now()));
  }

  /** What the agent asked for that was chosen; all where this account has nothing of it. */
  private ofAgent<One extends Charge>(charges: readonly One[]): readonly One[] {
    const asked = charges.filter(({ record }) => record.agent !== undefined && record.agent === this.agent);
    return asked.length > 0 ? asked : charges;
  }

  private recordsOf(account: Account): Outline[] {
    return [...this.world.library.recorded].filter((record) => isOf(record, account));
  }

  /** The one in use first, then by when they were used last. */
  private accounts(): Account[] {
    const found = new Map<string, Account>();
    const inUse = this.inUse();
    if (inUse) found.set(nameOf(inUse), inUse);
    for (const { place, account, plannedAt } of this.world.library.recorded) {
      const name = nameOf({ place, account });
      const usedAt = Math.max(found.get(name)?.usedAt ?? -Infinity, plannedAt);
      found.set(name, { place, account, usedAt });
    }
    const rank = (account: Account) => (isSame(account, inUse) ? Infinity : account.usedAt);
    return [...found.values()].sort((a, b) => (rank(b) > rank(a) ? 1 : -1));
  }

  private inUse(): Account | undefined {
    const connected = this.world.connection();
    return connected && { place: connected.place, account: connected.client.account, usedAt: -Infinity };
  }

  private shown(accounts: readonly Account[]): Account | undefined {
    return accounts.find((account) => isSame(account, this.chosen)) ?? accounts[0];
  }

  private nameOf(account: Account, accounts: readonly Account[]): string {
    const { strings, locale } = this.world;
    const place = account.place === sandboxName ? strings.sandbox : oneLine(account.place);
    const isOnly = accounts.filter((other) => other.place === account.place).length === 1;
    if (isOnly || isSame(account, this.inUse())) return place;
    return strings.otherKey.replace('{0}', () => place).replace('{1}', () => dateWords(account.usedAt, locale));
  }
}

function nameOf({ place, account }: Pick<Account, 'place' | 'account'>): string {
  return `${account} ${place}`;
}

function isOf({ place, account }: Outline, one: Account | undefined): boolean {
  return place === one?.place && account === one.account;
}

function isSame(one: Account, other: Account | undefined): boolean {
  return one.place === other?.place && one.account === other.account;
}
