import type { SpendStrings } from './spendStrings';

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
