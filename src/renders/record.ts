import type { JsonObject } from '../base/json';

/**
 * The life of a render: `planned → sent → accepted → succeeded → saved`.
 * Ends: `failed`, `refunded` (the service says so), `refused` (proven: nothing charged), `unknown` (cannot be told any more whether
 * it was charged; never sent again), `discarded` (never sent, or given up by the person).
 */
export type RenderState =
  | 'planned'
  | 'sent'
  | 'accepted'
  | 'succeeded'
  | 'saved'
  | 'failed'
  | 'refunded'
  | 'refused'
  | 'unknown'
  | 'discarded';

/** Where the result is to go, fixed when the render is ordered. */
export interface Target {
  /** URI of the workspace folder it was started for; undefined when no folder was open: the result stays in the spool. */
  readonly root?: string;
  /** Folder below the root, `/` between segments; '' is the root itself. */
  readonly folder: string;
  /** Name template without extension, for instance `${date}-${model}-${slug}`. */
  readonly fileName: string;
}

/** What a person decided: this model, these inputs, there, at this price. */
export interface Order {
  readonly modelId: string;
  /** Exactly what goes into the body; optional fields left out take the model's default. */
  readonly inputs: JsonObject;
  readonly target: Target;
  /** The price that stood on the screen, in euro cents; undefined when the service stated none and the person agreed. */
  readonly shownCents: number | undefined;
  /** The account the price was asked for: an order never goes to another. */
  readonly account: string;
}

/** Why a render is where it is; `code` is ours (see `host/words`), `detail` the service's or the system's own words. */
export interface Problem {
  readonly code: ProblemCode;
  readonly detail?: string;
  /** For `invalidInput`: which field. */
  readonly field?: string;
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
  | 'twoFound'
  | 'noContent'
  | 'emptyFile'
  | 'cutFile'
  | 'diskFull'
  | 'notWritable'
  | 'outsideFolder'
  | 'folderGone'
  | 'noFolder'
  | 'serviceSays'
  | 'notRecorded'
  | 'gone';

/** One render as the ledger keeps it. Values, never changed in place. */
export interface RenderRecord {
  /** The Idempotency-Key, a UUID, and the record's own name. */
  readonly key: string;
  readonly state: RenderState;
  /** How many attempts were recorded, each before its bytes left. */
  readonly attempt: number;
  /** How many of them may still be unanswered. */
  readonly unanswered: number;
  readonly base: string;
  readonly account: string;
  readonly modelId: string;
  readonly inputs: JsonObject;
  /** The exact bytes every attempt sends. */
  readonly body: Uint8Array;
  readonly shownCents?: number;
  readonly target: Target;
  /** ms since 1970, the machine's clock. */
  readonly plannedAt: number;
  /** The first attempt, ms since 1970, the machine's clock. */
  readonly firstSentAt?: number;
  /** The service's clock minus the machine's when last seen before the first attempt, ms. */
  readonly clockOffset?: number;
  readonly generationId?: string;
  /** The service's own word. */
  readonly status?: string;
  /** What the service says it charged, euro cents. */
  readonly costCents?: number;
  readonly contentUrl?: string;
  readonly textOutput?: string;
  readonly problem?: Problem;
  /** Name of the complete, checked result in the spool. */
  readonly spooled?: string;
  /** URI of the saved file. */
  readonly file?: string;
  /** Bytes of the saved file, its SHA-256 in hexadecimal, and its type as sniffed. */
  readonly bytes?: number;
  readonly sha256?: string;
  readonly mediaType?: string;
  /** When it came to its end, ms since 1970. */
  readonly endedAt?: number;
  /** Deleted at the service by the person. */
  readonly deleted?: boolean;
}
