import * as z from 'zod/mini';
import type { Clock } from '../../../base/clock';
import { type Disposable, Disposables } from '../../../base/disposable';
import { type Log, reasonOf } from '../../../base/log';
import { dateWords } from '../../../base/format';
import { type Period, periods, type SpendReport, type SpendStrings, type ToSpend } from '../page/spendMessages';
import type { Connected } from '../../../renders/record';
import { accountsQuery } from '../../../renders/spendSums';
import type { Library } from '../../../renders/library';
import { sandboxName } from '../../../catalog/session';
import { oneLine } from '../../../base/plain';
import { reader } from '../../../editor/webviewHtml';
import { spendCsv, spendReport, startOf } from './spendReport';

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
  z.strictObject({ type: z.literal('openModel') }),
]);
/** From the spending page to the extension host. A closed set. */
export type FromSpend = z.infer<typeof fromSpend>;
const readFromSpend = reader(fromSpend, requestLimit);

/** A conversation's dependencies on the editor and the rest of the extension. */
export interface SpendingDeps {
  readonly library: Pick<Library, 'look' | 'placesOf' | 'seenBalances' | 'onDidChange'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly strings: SpendStrings;
  /** The locale for money and dates. */
  readonly locale: string;
  /** The account in use. */
  connection(): (Pick<Connected, 'place'> & { readonly client: { readonly account: string } }) | undefined;
  /** The name of each model, without any request. Never rejects. */
  modelNames(): Promise<(id: string) => string>;
  /** Asks where to save and writes the table there. Never rejects: it reports failures itself. */
  save(table: () => Promise<string>): Promise<void>;
  /** Lets the user choose a model, and opens its form. */
  openModel(): void;
  /** False while the webview is hidden: it restarts when shown. */
  isShown(): boolean;
  /** Sends to the webview; lost while that is hidden. */
  post(message: ToSpend): void;
}

interface AccountName {
  readonly place: string;
  readonly account: string;
}

/** An account with renders, or the one in use. */
interface SpendAccount extends AccountName {
  /** Time of its last render, ms since 1970. */
  readonly usedAt: number;
  /** The time of each agent's first charge, and of that of everybody else; ms since 1970. */
  readonly since: ReadonlyMap<string | undefined, number>;
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
  /** The account that the user chose. */
  private chosen: SpendAccount | undefined;
  /** The agent that the user chose, by the name it gave itself; undefined for all. */
  private agent: string | undefined;
  /** The accounts and agents of the last report. */
  private accounts: readonly SpendAccount[] = [];
  private agents: readonly string[] = [];
  private started = false;
  private gathering: Disposable | undefined;
  /** The last report that is being made. */
  private making: Promise<unknown> | undefined;

  constructor(private readonly deps: SpendingDeps) {
    this.own.add(deps.library.onDidChange(() => this.refresh()));
    this.own.add({ dispose: () => this.gathering?.dispose() });
  }

  /** Handles a message of the webview. Never throws; unknown messages are ignored. */
  receive(data: unknown): void {
    const message = readFromSpend(data);
    switch (message?.type) {
      case undefined:
        return this.deps.log.warn('Spending: ignored an unknown message');
      case 'ready':
        return this.begin();
      case 'choosePeriod':
        this.period = message.period;
        return void this.tell();
      case 'chooseAccount':
        this.chosen = this.accounts[message.account];
        return void this.tell();
      case 'chooseAgent':
        this.agent = message.agent === undefined ? undefined : this.agents[message.agent];
        return void this.tell();
      case 'export':
        return void this.deps.save(() => this.table());
      case 'openModel':
        return this.deps.openModel();
    }
  }

  /** Renders, the balance, or the account in use changed. */
  refresh(): void {
    if (this.started) this.gathering ??= this.deps.clock.after(gatherMs, () => void this.tell());
  }

  dispose(): void {
    this.making = undefined;
    this.own.dispose();
  }

  private begin(): void {
    const { strings, locale } = this.deps;
    this.started = true;
    this.deps.post({ type: 'strings', strings, locale });
    void this.tell();
  }

  /** Never rejects. */
  private async tell(): Promise<void> {
    this.gathering?.dispose();
    this.gathering = undefined;
    if (!this.deps.isShown()) return;
    try {
      const making = this.report();
      this.making = making;
      const report = await making;
      // A newer call reports what has changed since.
      if (this.making === making && this.deps.isShown()) this.deps.post({ type: 'report', report });
    } catch (error) {
      this.deps.log.error(`Spending: ${reasonOf(error)}`, error);
    }
  }

  private async report(): Promise<SpendReport> {
    const { deps, period } = this;
    const accounts = (this.accounts = await this.readAccounts());
    const shown = this.shown();
    const seen = shown ? deps.library.seenBalances(shown.place, shown.account) : [];
    this.agents = [...(shown?.since.keys() ?? [])]
      .flatMap((agent) => agent ?? [])
      .sort((one, other) => one.localeCompare(other));
    const facts = { ...this.scope(), since: this.since(shown), seen };
    const nameOf = await deps.modelNames();
    const report = await spendReport(deps.library, facts, period, deps.clock.now(), deps.strings, nameOf);
    const names = accounts.map((account) => this.nameOf(account, accounts));
    const account = Math.max(
      0,
      accounts.findIndex((one) => isSameAccount(one, shown)),
    );
    const chosen = this.agent === undefined ? -1 : this.agents.indexOf(this.agent);
    const agents = { agents: this.agents.map((name) => oneLine(name)), agent: chosen < 0 ? undefined : chosen };
    return { accounts: names, account, ...agents, ...report };
  }

  /** The renders that the page shows sums of. Rejects with LedgerError. */
  private async table(): Promise<string> {
    this.accounts = await this.readAccounts();
    return spendCsv(this.deps.library, { ...this.scope(), from: startOf(this.period, this.deps.clock.now()) });
  }

  /** The renders of the chosen agent; all of them if this account has none of that agent's. */
  private scope() {
    const shown = this.shown();
    const places = shown ? [...this.deps.library.placesOf(shown.place)] : [];
    const agent = this.agent !== undefined && shown?.since.has(this.agent) ? this.agent : undefined;
    return { places, account: shown?.account ?? '', agent };
  }

  /** The time of the first charge of those. */
  private since(shown: SpendAccount | undefined): number | undefined {
    const all = shown?.since ?? new Map<string | undefined, number>();
    const times = this.agent !== undefined && all.has(this.agent) ? [all.get(this.agent)] : [...all.values()];
    return times.reduce<number | undefined>((least = Infinity, time = 0) => Math.min(least, time), undefined);
  }

  /** The one in use first, then the most recently used. Rejects with LedgerError. */
  private async readAccounts(): Promise<SpendAccount[]> {
    const [rows = []] = await this.deps.library.look([accountsQuery]);
    const inUse = this.inUse();
    const found = new Map<string, AccountName & { usedAt: number; since: Map<string | undefined, number> }>();
    const of = (place: string, account: string) => {
      const name = `${account} ${place}`;
      const one = found.get(name) ?? {
        place,
        account,
        usedAt: -Infinity,
        since: new Map<string | undefined, number>(),
      };
      found.set(name, one);
      return one;
    };
    if (inUse) of(inUse.place, inUse.account);
    for (const row of rows) {
      const one = of(this.serviceOf(String(row['place']), inUse), String(row['account']));
      one.usedAt = Math.max(one.usedAt, Number(row['usedAt']));
      const agent = row['agent'] === null ? undefined : String(row['agent']);
      if (row['since'] !== null) one.since.set(agent, Math.min(one.since.get(agent) ?? Infinity, Number(row['since'])));
    }
    const rank = (account: SpendAccount) => (isSameAccount(account, inUse) ? Infinity : account.usedAt);
    return [...found.values()].sort((a, b) => (rank(b) > rank(a) ? 1 : -1));
  }

  /** One of the URLs of a service, the same for all of them: the one in use, if it's among them. */
  private serviceOf(place: string, inUse: AccountName | undefined): string {
    const places = this.deps.library.placesOf(place);
    return (inUse && places.has(inUse.place) ? inUse.place : [...places].sort()[0]) ?? place;
  }

  private inUse(): AccountName | undefined {
    const connected = this.deps.connection();
    return connected && { place: connected.place, account: connected.client.account };
  }

  private shown(): SpendAccount | undefined {
    return this.accounts.find((account) => isSameAccount(account, this.chosen)) ?? this.accounts[0];
  }

  private nameOf(account: SpendAccount, accounts: readonly SpendAccount[]): string {
    const { strings, locale } = this.deps;
    const place = account.place === sandboxName ? strings.sandbox : oneLine(account.place);
    const isOnly = accounts.filter((other) => other.place === account.place).length === 1;
    if (isOnly || isSameAccount(account, this.inUse())) return place;
    return strings.otherKey.replace('{0}', () => place).replace('{1}', () => dateWords(account.usedAt, locale));
  }
}

function isSameAccount(one: AccountName, other: AccountName | undefined): boolean {
  return one.place === other?.place && one.account === other.account;
}
