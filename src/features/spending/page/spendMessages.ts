/** The periods, each up to now. */
export const periods = ['week', 'month', 'year', 'all'] as const;
export type Period = (typeof periods)[number];

/** Amounts are euro cents. */
export interface SumsView {
  readonly renders: number;
  /** Charged and not refunded. */
  readonly spentCents: number;
  readonly refundedCents: number;
  readonly refunds: number;
  /** Renders without a stated charge: not included in any amount. */
  readonly unknown: number;
  readonly unknownShownCents: number;
  /** Renders in progress whose charge isn't stated yet: not included in any amount. */
  readonly underWay: number;
}

export interface RowView {
  readonly name: string;
  /** Distinguishes it from another of the same name. */
  readonly detail?: string;
  readonly sums: SumsView;
}

export interface TableView {
  readonly rows: readonly RowView[];
  /** The sum of those without their own row. */
  readonly others?: { readonly count: number; readonly sums: SumsView };
}

/** A balance in euro cents, and when the service stated it, ms since 1970. */
interface BalanceView {
  readonly cents: number;
  readonly at: number;
}

/** Everything that the page shows. Its texts are plain text, never markup. */
export interface SpendReport {
  /** Names of the accounts with renders; the one shown has the index `account`. */
  readonly accounts: readonly string[];
  readonly account: number;
  readonly period: Period;
  /** The agents that started renders with this account, by the names they gave themselves. */
  readonly agents: readonly string[];
  /** The sums include only renders of this agent, an index of `agents`; undefined for all. */
  readonly agent?: number;
  /** Nothing was ever sent with this account. */
  readonly isEmpty: boolean;
  readonly total: SumsView;
  readonly unit: 'day' | 'month';
  /** Their keys: `2026-03-29`, or `2026-03` if the unit is a month; without gaps from first to last. */
  readonly bars: readonly { readonly key: string; readonly sums: SumsView }[];
  readonly models: TableView;
  readonly projects: TableView;
  readonly files: TableView;
  readonly orderers: TableView;
  /** The last balance that the service stated. */
  readonly balance?: BalanceView;
  /** How the balance changed; euro cents. */
  readonly statement?: {
    readonly from: BalanceView;
    readonly to: BalanceView;
    readonly oursCents: number;
    readonly outsideCents: number;
    readonly addedCents: number;
    readonly uncertain: number;
  };
}

/** From the extension host to the spending page. Never contains a key, or its fingerprint. */
export type ToSpend =
  /** The first response to `ready`: the texts, and the locale for money and dates. */
  | { readonly type: 'strings'; readonly strings: SpendStrings; readonly locale: string }
  | { readonly type: 'report'; readonly report: SpendReport };

/**
 * The texts of the spending page in English, with placeholders `{0}`, `{1}`. The host sends them in the editor's
 * language.
 */
export const englishSpendStrings = {
  title: 'Spending',
  loading: 'Loading renders…',
  account: 'Account',
  period: 'Period',
  week: 'Last 7 days',
  month: 'Last 30 days',
  year: 'Last 12 months',
  allTime: 'All time',
  startedBy: 'Started by',
  anyone: 'Anyone',
  exportCsv: 'Export as CSV…',
  // Empty state.
  nothingYet: 'Nothing spent yet',
  nothingYetHelp: 'Your renders appear here with what the service charged for them.',
  openModel: 'Open Model Form…',
  nothingInPeriod: 'No renders in this period',
  // The account.
  sandbox: 'Sandbox: play money, no real charges',
  otherKey: '{0} (another key, last used {1})',
  // Sums.
  spent: 'Spent',
  rendersCount: 'Renders: {0}',
  refunded: 'Refunded: {0}',
  refundedCount: 'Refunded: {0} (renders: {1})',
  unknownCount: 'Charge unknown: {0}',
  unknownHelp:
    'The service hasn’t reported what it charged for these renders, so no total includes them. Their quoted prices add up to {0}.',
  underWayCount: 'In progress: {0}',
  atLeast: 'at least {0}',
  notKnown: 'not known',
  notYetKnown: 'not known yet',
  // Breakdowns.
  byDay: 'By day',
  byMonth: 'By month',
  byModel: 'By model',
  byProject: 'By project',
  byFile: 'By file',
  byOrderer: 'By who started it',
  asTable: 'Show as table',
  day: 'Day',
  monthColumn: 'Month',
  name: 'Name',
  renders: 'Renders',
  refundedColumn: 'Refunded',
  notKnownColumn: 'Charge unknown',
  others: '{0} others',
  noFolder: 'No folder',
  noFile: 'Not saved as a file',
  person: 'You',
  agent: 'Extensions, tasks, and agents',
  elsewhere: 'Started outside VS Code',
  notRecorded: 'Not recorded',
  // Balance.
  balance: 'Balance',
  balanceAsOf: 'Balance: {0}, as of {1}',
  balanceAt: 'Balance on {0}',
  oursLine: 'Renders on this computer',
  outsideLine: 'Spent outside VS Code',
  addedLine: 'Funds added',
  uncertainLine: 'May include renders with an unknown charge or refund: {0}.',
  notSeenTwice: 'Spending outside VS Code appears after the balance has been checked twice.',
};

/** The spending page's table of texts. */
export type SpendStrings = Readonly<Record<keyof typeof englishSpendStrings, string>>;
