import * as z from 'zod/mini';
import { reader, textsLike } from './reading';
import { englishSpendStrings } from './spendStrings';

/** The periods, each up to now. */
export const periods = ['week', 'month', 'year', 'all'] as const;
export type Period = (typeof periods)[number];

/** The largest message that the host accepts from the page, in characters of JSON. */
const requestLimit = 200;

const count = z.int().check(z.nonnegative());
const cents = z.int();

const sums = z.object({
  renders: count,
  /** Charged and not refunded, euro cents. */
  spentCents: cents,
  refundedCents: cents,
  refunds: count,
  /** Renders without a stated charge: not included in any amount. */
  unknown: count,
  unknownShownCents: cents,
  /** Renders in progress whose charge isn't stated yet: not included in any amount. */
  underWay: count,
});
export type SumsView = z.infer<typeof sums>;

const row = z.object({
  name: z.string(),
  /** Distinguishes it from another of the same name. */
  detail: z.optional(z.string()),
  sums,
});
export type RowView = z.infer<typeof row>;

const table = z.object({
  rows: z.array(row),
  /** The sum of those without their own row. */
  others: z.optional(z.object({ count, sums })),
});
export type TableView = z.infer<typeof table>;

const balance = z.object({
  cents,
  /** ms since 1970. */
  at: z.number(),
});

const report = z.object({
  /** Names of the accounts with renders; the one shown has the index `account`. */
  accounts: z.array(z.string()),
  account: count,
  period: z.enum(periods),
  /** The agents that started renders with this account, by the names they gave themselves. */
  agents: z.array(z.string()),
  /** The sums include only renders of this agent, an index of `agents`; undefined for all. */
  agent: z.optional(count),
  /** Nothing was ever sent with this account. */
  isEmpty: z.boolean(),
  total: sums,
  /** `2026-03-29`, or `2026-03` if the unit is a month; without gaps from first to last. */
  unit: z.enum(['day', 'month']),
  bars: z.array(z.object({ key: z.string(), sums })),
  models: table,
  projects: table,
  files: table,
  orderers: table,
  /** The last balance that the service stated. */
  balance: z.optional(balance),
  /** How the balance changed; euro cents. */
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
/** Everything that the page shows. Its texts are plain text, never markup. */
export type SpendReport = z.infer<typeof report>;

const strings = textsLike(englishSpendStrings);

const toSpend = z.discriminatedUnion('type', [
  /** The first response to `ready`: the texts, and the locale for money and dates. */
  z.object({ type: z.literal('strings'), strings, locale: z.string() }),
  z.object({ type: z.literal('report'), report }),
]);
/** From the extension host to the spending page. Never contains a key, or its fingerprint. */
export type ToSpend = z.infer<typeof toSpend>;

const fromSpend = z.discriminatedUnion('type', [
  /** The page's script has started without any state: initially, after hiding, after moving. */
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('choosePeriod'), period: z.enum(periods) }),
  /** The account by its index in the list. */
  z.strictObject({ type: z.literal('chooseAccount'), account: count }),
  /** The agent by its place in the list, or everybody. */
  z.strictObject({ type: z.literal('chooseAgent'), agent: z.optional(count) }),
  z.strictObject({ type: z.literal('export') }),
]);
/** From the spending page to the extension host. A closed set. */
export type FromSpend = z.infer<typeof fromSpend>;

/** A message of the page, or undefined when it's unknown or too large. */
export const readFromSpend = reader(fromSpend, requestLimit);

/** A message of the host, or undefined when it's unknown or too large. */
export const readToSpend = reader(toSpend);
