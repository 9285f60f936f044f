/**
 * **Record**: what was decided about one render, on disk before a byte leaves: model, exact inputs, price, target,
 * account, URL, and the idempotency key. Then what became of it, as a state. What is proven isn't taken back. Of a
 * render that is forgotten, only what it cost is kept.
 *
 * A draft (`compose/composer.ts`) becomes an order with a price and the account that it's from. What was priced is what
 * is sent: inputs are frozen, and a price is fresh for a minute. `orders.ts` makes orders, `renderer.ts` the record,
 * and whoever sends, polls, or downloads moves it on.
 */

import { ageOf, type Clock, type Moment } from '../base/clock';
import type { JsonObject, FrozenInputs } from '../base/json';
import type { CatalogClient } from '../catalog/client';
import { ServiceError } from '../catalog/errors';
import type { FileFit } from '../files/fit/fit';
import type { ProvenancePolicy } from './provenancePolicy';

/**
 * The life of a render: `planned → sent → accepted → succeeded → saved`. Ends: `failed`, `refunded` (the service says
 * so), `refused` (proven: nothing charged), `unknown` (unconfirmed whether it was charged; never sent again),
 * `discarded` (never sent, or given up by the user).
 */
export type RenderState =
  'planned' | 'sent' | 'accepted' | 'succeeded' | 'saved' | 'failed' | 'refunded' | 'refused' | 'unknown' | 'discarded';

/** The target of the result, fixed with the order. */
export interface Target {
  /**
   * URI of the workspace folder it was ordered for; undefined when no folder was open: the result stays in the spool.
   */
  readonly root?: string;
  /** Folder below the root, `/` between segments; '' is the root itself. */
  readonly folder: string;
  /**
   * Name template without extension, for instance `${date}-${model}-${slug}`. With an `ending` it's the literal name.
   */
  readonly fileName: string;
  /**
   * For a file that a document names: its extension there, without dot. The result keeps that spelling if it's of that
   * format, else gets its own.
   */
  readonly ending?: string;
  /**
   * The file to replace. Nothing is replaced automatically: the result is staged until it's compared with the file. The
   * other fields say where it's saved when both are kept.
   */
  readonly replaces?: Replaced;
  /** The size and format that the result is fitted to before it's saved; undefined to save it as it comes. */
  readonly fit?: FileFit;
}

/** A file at the time of an order to replace it. */
export interface Replaced {
  readonly uri: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** The same without the file to replace: saved next to it. */
export function besides({ root, folder, fileName, ending, fit }: Target): Target {
  return { root, folder, fileName, ending, fit };
}

/**
 * `agent`: something that acts for the user, such as another extension, a task, a keyboard shortcut, or an agent;
 * even when the user confirmed it.
 */
export type OrderedBy = 'person' | 'agent';

/** The name of VS Code's own agents in a record: VS Code doesn't say which of them calls. No other agent gets it. */
export const editorChat = 'VS Code Chat';

/** What was shown with its price. */
export interface Priced {
  /** The quoted price on screen, euro cents; undefined when the service stated none and the user confirmed that. */
  readonly shownCents: number | undefined;
}

/** A user's decision: this model, these inputs, there, at this price. */
export interface Order extends Priced {
  /**
   * A UUID made when the price was shown, and the record's key: two orders with one intent (a double click) are one
   * render.
   */
  readonly intent: string;
  readonly modelId: string;
  /** The exact inputs in the body; omitted optional fields take the model's default. */
  readonly inputs: JsonObject;
  readonly target: Target;
  /** The account the price was requested for: an order never goes to another. */
  readonly account: string;
  /** Who ordered it. */
  readonly by?: OrderedBy;
  /** The name the agent gave itself, unverified. */
  readonly agent?: string;
  /** See `Decision`. */
  readonly realRoot?: string;
}

/** Why a render is in its state. `code` is ours, `detail` what the service or the system says. */
export interface Problem {
  readonly code: ProblemCode;
  readonly detail?: string;
  /** For `invalidInput`: the service's message for each field. */
  readonly fields?: readonly { readonly field: string; readonly message: string }[];
}

export type ProblemCode =
  | 'invalidInput'
  | 'keyRefused'
  | 'balanceTooLow'
  | 'dailyCap'
  | 'tooManyRequests'
  | 'noAnswer'
  | 'unreadable'
  | 'tooOld'
  | 'otherAccount'
  | 'oneFound'
  | 'twoFound'
  | 'contradicted'
  | 'noContent'
  | 'emptyFile'
  | 'cutFile'
  | 'notResult'
  | 'webPage'
  | 'redirected'
  | 'diskFull'
  | 'diskFailed'
  | 'notWritable'
  | 'outsideFolder'
  | 'folderGone'
  | 'tooLargeThere'
  | 'noFolder'
  | 'serviceSays'
  | 'notRecorded'
  | 'altered'
  | 'gone'
  | 'oddStatus'
  | 'sameId';

/** A render as the ledger holds it. Immutable. Its target is the one decided on, or where that has moved. */
export interface RenderRecord extends Omit<Decision, 'body'>, Progress {
  /**
   * True when its body is large: that is stored in a file, and `inputs` are shortened; `Ledger.inputsOf` has them in
   * full.
   */
  readonly isApart?: true;
  /** Counts the ledger's renders from 1. */
  readonly index: number;
  /** Grows with every change; the compare-and-swap checks it along with state and attempt. */
  readonly version: number;
}

/** Fixed, and on disk, before the first byte is sent. Never changes after that. */
export interface Decision {
  /** The Idempotency-Key, a UUID; also identifies the record. */
  readonly key: string;
  /** The service's normalized URL, or `sandbox` for the built-in one, whose port changes. */
  readonly place: string;
  /** The salted fingerprint of the API key of the order. */
  readonly account: string;
  readonly modelId: string;
  readonly inputs: JsonObject;
  /** The exact bytes every attempt sends. */
  readonly body: Uint8Array;
  readonly shownCents?: number;
  readonly target: Target;
  /**
   * URI of the real folder that the target's root led to when it was ordered, as the disk spells it: the limit of a
   * project counts by it, and it's never opened. Undefined without a root, and if not recorded.
   */
  readonly realRoot?: string;
  /** Undefined if not recorded. */
  readonly by?: OrderedBy;
  /** The name the agent gave itself, unverified. */
  readonly agent?: string;
  /** What the project's settings let results tell at the time of the order; undefined for everything. */
  readonly telling?: ProvenancePolicy;
  /** ms since 1970, the machine's clock. */
  readonly plannedAt: number;
}

/** The changing part of a render. */
export interface Progress {
  readonly state: RenderState;
  /** Number of recorded attempts, each before its bytes were sent. */
  readonly attempt: number;
  /** How many of them may have reached the service without a response that proves their outcome. */
  readonly unanswered: number;
  /** The window working on it, or the last one; see Ledger leases. */
  readonly owner: string;
  /**
   * True for a planned record that its owner is about to send, at once or when its turn comes. Without it, a planned
   * record waits for the user.
   */
  readonly due?: boolean;
  /** The first attempt, ms since 1970: by the machine's clock and, if known, the service's. */
  readonly firstSentAt?: number;
  readonly firstSentServiceTime?: number;
  /** Attempts since then, inclusive, that left or may have left. Undefined if not recorded. */
  readonly tries?: number;
  readonly generationId?: string;
  /**
   * Other renders that the service returned for the same request, also those of another model or inputs: each may have
   * been charged too. Reported, never requested.
   */
  readonly otherIds?: readonly string[];
  /**
   * Keys of other orders for which the service returned the same generation: it can't be told what each was charged.
   */
  readonly sharedWith?: readonly string[];
  /** True if it was linked to its generation by comparing, not by the response to its request. */
  readonly matched?: boolean;
  /** The fingerprint of another API key that can read the render, as a matching response proved. */
  readonly readBy?: string;
  /** The service's own word. */
  readonly status?: string;
  /** When it was accepted, ms since 1970, the machine's clock. */
  readonly acceptedAt?: number;
  /** The charge according to the service, euro cents. */
  readonly costCents?: number;
  readonly contentUrl?: string;
  readonly textOutput?: string;
  readonly problem?: Problem;
  /** Set while a result waits only for time. */
  readonly retry?: Retry;
  /** The complete, checked result in the spool. */
  readonly spooled?: Spooled;
  /** URI of the name its file was about to take: after a crash it distinguishes our file from another. */
  readonly claimed?: string;
  /** URI of the saved file. */
  readonly file?: string;
  /** True while the file is staged, waiting to be compared with the one it's to replace. */
  readonly staged?: boolean;
  /**
   * The time of the last request whose response was “not ended”, ms since 1970, the machine's clock; kept after the
   * end. Undefined before the first.
   */
  readonly pendingAt?: number;
  /** The new target if the file to replace was renamed or moved. */
  readonly moved?: Target;
  /** When the service was done, ms since 1970, the machine's clock. */
  readonly endedAt?: number;
  /** True when there's a sidecar file with how it was made, false when it should be there and isn't. */
  readonly sidecar?: boolean;
  /** The user's word on an unknown render, not the service's. */
  readonly settled?: Settled;
  /** Deleted by the user, at the service or here: it isn't listed any longer, and what it cost still counts. */
  readonly deleted?: boolean;
  /** Of a deleted one: only here. The service was asked for nothing, and may still refund it. */
  readonly hidden?: boolean;
  /** Forgotten on this computer: only what it cost is kept. */
  readonly forgotten?: boolean;
}

/** The response of a render that has one instead of a file. Text next to a file, or empty text, isn't one. */
export function responseOf({
  contentUrl,
  textOutput,
}: Pick<Progress, 'contentUrl' | 'textOutput'>): string | undefined {
  return contentUrl === undefined && textOutput !== '' ? textOutput : undefined;
}

/** The wait for the next try to deliver a result, in all windows. Times in ms since 1970, the machine's clock. */
export interface Retry {
  /** How many tries in a row have failed. */
  readonly tries: number;
  /** When the last one did. */
  readonly failedAt: number;
  readonly nextAt: number;
  /** Since when the service says each time that it doesn't have it. */
  readonly deniedSince?: number;
}

/** The user's finding about an unconfirmed charge. */
export interface Settled {
  readonly charged: boolean;
  /** ms since 1970. */
  readonly at: number;
}

/** A complete result, stored next to the ledger. */
export interface Spooled {
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** As sniffed from the bytes. */
  readonly mediaType: string;
  /** Without dot. */
  readonly extension: string;
  /** True if it's complete, and still not as such a file should be: an image without its end. */
  readonly odd?: true;
  /** True if how it was made was written into it; `bytes` and `sha256` then include that. */
  readonly inscribed?: boolean;
  /** Of the image alone as delivered, if metadata was written into its file: hexadecimal. */
  readonly pictureSha256?: string;
  /** True if it has the size and format that its target states; false if it couldn't be fitted, so it's as received. */
  readonly fitted?: boolean;
  /** The result as received, if it was changed to fit. */
  readonly original?: Spooled;
}

/**
 * A draft (`compose/composer.ts`) on its way to an order: with a price and the account that it's from, it becomes a
 * PricedOrder. What was priced is what is sent: inputs are frozen, and a price is fresh for a minute.
 */

/**
 * The client and the time of a price's request. A price that isn't known to be fresh is requested again before it's
 * spent.
 */
export interface AskedOf {
  readonly client: Pick<CatalogClient, 'account' | 'base'>;
  /** Undefined when it's no longer known. */
  readonly at?: Moment;
}

/** An order at a price. What was priced is what is sent. */
export interface PricedOrder extends Order {
  readonly inputs: FrozenInputs;
  /** Undefined for a recorded order. */
  readonly asked?: AskedOf;
  /** The price seen before, if it rose or is no longer stated: the user is asked about the new one. */
  readonly before?: Priced;
  /** Inputs with other seeds, if these would make an existing image again: the user is asked which to use. */
  readonly otherSeeds?: FrozenInputs;
}

/** An order before its price is known. */
export type Draft = Omit<PricedOrder, 'shownCents' | 'account' | 'asked' | 'before' | 'otherSeeds' | 'by'>;

/** The orders' total cost, euro cents; undefined when a price isn't stated. */
export function sumOf(orders: readonly Priced[]): number | undefined {
  return orders.reduce<number | undefined>(
    (sum, { shownCents }) => (sum === undefined || shownCents === undefined ? undefined : sum + shownCents),
    0,
  );
}

/** The order with the other seeds. Its price is requested again, and a higher one is confirmed again. */
export function withOtherSeeds(order: PricedOrder): PricedOrder {
  const { inputs, asked, otherSeeds } = order;
  return { ...order, inputs: otherSeeds ?? inputs, asked: asked && { client: asked.client }, otherSeeds: undefined };
}

/** How long a price may be spent without a new request, ms. */
const freshMs = 60_000;

/** True while the price may be spent: the client in use stated it a moment ago. */
export function isFresh(asked: AskedOf | undefined, inUse: unknown, clock: Clock): boolean {
  return asked?.at !== undefined && asked.client === inUse && ageOf(asked.at, clock) < freshMs;
}

/**
 * True when the confirmed price (euro cents) covers the current one. A higher price, or one no longer stated, needs a
 * new decision.
 */
export function covers(agreed: number | undefined, now: number | undefined): boolean {
  return agreed === undefined || now === undefined ? agreed === now : now <= agreed;
}

/** True when the record's bytes may be sent with the API key in use: the same key and the same URL as in the order. */
export function maySend({ place, account }: RenderRecord, connected: Connected): boolean {
  return place === connected.place && account === connected.client.account;
}

/**
 * True when the API key in use can read the render: it ordered it, or the service's response to it matched the record.
 */
export function mayRead(record: RenderRecord, connected: Connected): boolean {
  const { account } = connected.client;
  return isThere(record, connected) && (record.account === account || record.readBy === account);
}

/**
 * True when the record was ordered from the service in use, at this URL or at another of its own. A key isn't an
 * account: reading is worth a try with any key.
 */
export function isThere({ place }: Pick<RenderRecord, 'place'>, connected: Connected): boolean {
  return place === connected.place || connected.alsoAt?.has(place) === true;
}

/**
 * True when the service denies a render to the key in use. A web page isn't the service's word: it comes from a proxy.
 */
export function isDenied(error: unknown, record: RenderRecord, connected: Connected): boolean {
  if (!(error instanceof ServiceError) || error.html) return false;
  if (error.status === 404 || error.status === 410) return true;
  // For a render that this very key ordered, a rejection is about the key.
  return (error.status === 401 || error.status === 403) && record.account !== connected.client.account;
}

/** The account in use: a client, and the name its records carry. */
export interface Connected {
  /** The service's normalized URL, or `sandbox`. */
  readonly place: string;
  readonly client: RenderClient;
  /** Other URLs of the same service: what was ordered there can be read here. Nothing is ever sent for it here. */
  readonly alsoAt?: ReadonlySet<string>;
}

/** The part of the client that renders need. */
export type RenderClient = Pick<
  CatalogClient,
  | 'account'
  | 'bodyOf'
  | 'createGeneration'
  | 'generation'
  | 'generations'
  | 'model'
  | 'content'
  | 'delete'
  | 'serviceTime'
  | 'hearTime'
>;

/**
 * The name of the service in use now, also while its key is missing or rejected; undefined before there is one, and
 * while its URL can't be used.
 */
export type PlaceInUse = () => string | undefined;

/**
 * The account in use now; undefined without one or while its key is rejected. Paid work then pauses; nothing is
 * dropped.
 */
export type AccountInUse = () => Connected | undefined;

/** The account in use, with all URLs of its service that the ledger knows. */
export function atAllPlaces(
  connected: Connected | undefined,
  ledger: { placesOf(place: string): ReadonlySet<string> },
): Connected | undefined {
  return connected && { ...connected, alsoAt: ledger.placesOf(connected.place) };
}

/**
 * The amount that limits count a render for, euro cents: the most that it may have cost by all that is known. Until it
 * has ended, the larger of its quoted price and what the service states so far, which may be 0 while it's queued; then
 * the charge. Nothing where that is proven, or the user's word. Each further render that the service returned for
 * the same order counts as if it were in progress. A planned one counts as if it were sent: whether it is, the caller
 * knows.
 */
export function countedCents({
  state,
  costCents,
  shownCents = 0,
  otherIds: { length: others } = [],
  settled,
}: Counted): number {
  if (state === 'unknown' && settled?.charged === false) return 0;
  const most = Math.max(costCents ?? 0, shownCents);
  const own = state !== 'planned' && isUncharged(state) ? 0 : hasEnded.has(state) ? (costCents ?? shownCents) : most;
  return own + others * most;
}

/** The charge that the service has stated, euro cents. A 0 from before the end is none. */
export function statedCents({ state, costCents }: RenderRecord): number | undefined {
  return costCents === 0 && !hasEnded.has(state) ? undefined : costCents;
}

/** What limits need of a render. */
export interface Counted {
  readonly state: RenderState;
  readonly costCents?: number;
  readonly shownCents?: number;
  readonly otherIds?: { readonly length: number };
  readonly settled?: { readonly charged: boolean };
}

/** The service's word on the charge of these is its last. */
const hasEnded: ReadonlySet<RenderState> = new Set(['succeeded', 'saved', 'failed']);

const uncharged: ReadonlySet<RenderState> = new Set(['planned', 'refused', 'refunded', 'discarded']);

/** Whether it's proven that a render in this state costs nothing, or no longer does. */
export function isUncharged(state: RenderState): boolean {
  return uncharged.has(state);
}
