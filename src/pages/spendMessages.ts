import * as z from 'zod/mini';
import { reader, textsLike } from './reading';
import { englishSpendStrings } from './spendStrings';

/** The time that is looked at, up to now. */
export const periods = ['week', 'month', 'year', 'all'] as const;
export type Period = (typeof periods)[number];

/** The largest message of the page the host takes, in characters of its JSON. */
const requestLimit = 200;

const count = z.int().check(z.nonnegative());
const cents = z.int();

const sums = z.object({
  renders: count,
  /** Charged and not refunded, euro cents. */
  spentCents: cents,
  refundedCents: cents,
  refunds: count,
  /** Renders whose charge nobody stated: in no amount. */
  unknown: count,
  unknownShownCents: cents,
  /** Renders in progress whose charge isn't stated yet: in no amount. */
  underWay: count,
});
export type SumsView = z.infer<typeof sums>;

const row = z.object({
  name: z.string(),
  /** Tells it from another of the same name. */
  detail: z.optional(z.string()),
  sums,
});
export type RowView = z.infer<typeof row>;

const table = z.object({
  rows: z.array(row),
  /** All that have no row of their own. */
  others: z.optional(z.object({ count, sums })),
});
export type TableView = z.infer<typeof table>;

const balance = z.object({
  cents,
  /** ms since 1970. */
  at: z.number(),
});

const report = z.object({
  /** Names of the accounts there are renders of; the one shown is the `account`th. */
  accounts: z.array(z.string()),
  account: count,
  period: z.enum(periods),
  /** What the agents call themselves that asked for renders of this account. */
  agents: z.array(z.string()),
  /** Only what the `agent`th of them asked for is in the sums; all is where it's undefined. */
  agent: z.optional(count),
  /** Nothing was ever sent with this account. */
  isEmpty: z.boolean(),
  total: sums,
  /** `2026-03-29`, or `2026-03` where the unit is a month; none is left out between the first and the last. */
  unit: z.enum(['day', 'month']),
  bars: z.array(z.object({ key: z.string(), sums })),
  models: table,
  projects: table,
  files: table,
  orderers: table,
  /** The last one the service stated. */
  balance: z.optional(balance),
  /** How the balance came to be so; euro cents. */
  statement: z.optional(
    z.object({
      from: balance,
      to: balance,
      oursCents: cents,
      outsideCents: cents,
      addedCents: cents,
      uncertain: count,
    }),
  ),
});
/** All that the page shows, in words that are text and never markup. */
export type SpendReport = z.infer<typeof report>;

const strings = textsLike(englishSpendStrings);

const toSpend = z.discriminatedUnion('type', [
  /** The first answer to `ready`: the texts, and the language money and dates are written in. */
  z.object({ type: z.literal('strings'), strings, locale: z.string() }),
  z.object({ type: z.literal('report'), report }),
]);
/** From the extension host to the spend page. Never holds a key, nor a substitute for one. */
export type ToSpend = z.infer<typeof toSpend>;

const fromSpend = z.discriminatedUnion('type', [
  /** The page's script has started and knows nothing: at first, after hiding, after moving. */
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('choosePeriod'), period: z.enum(periods) }),
  /** The account by its place in the list. */
  z.strictObject({ type: z.literal('chooseAccount'), account: count }),
  /** The agent by its place in the list, or everybody. */
  z.strictObject({ type: z.literal('chooseAgent'), agent: z.optional(count) }),
  z.strictObject({ type: z.literal('export') }),
]);
/** From the spend page to the extension host. A closed set. */
export type FromSpend = z.infer<typeof fromSpend>;

/** A message of the page, or undefined when it is none of the set or too large. */
export const readFromSpend = reader(fromSpend, requestLimit);

/** A message of the host, or undefined when it is none of the set or too large. */
export const readToSpend = reader(toSpend);
