import type { JsonObject } from '../base/json';

/**
 * The life of a render: `planned → sent → accepted → succeeded → saved`.
 * Ends: `failed`, `refunded` (the service says so), `refused` (proven: nothing charged), `unknown` (cannot be told any
 * more whether it was charged; never sent again), `discarded` (never sent, or given up by the person).
 */
export type RenderState =
  'planned' | 'sent' | 'accepted' | 'succeeded' | 'saved' | 'failed' | 'refunded' | 'refused' | 'unknown' | 'discarded';

/** Where the result is to go, fixed when the render is ordered. */
export interface Target {
  /**
   * URI of the workspace folder it was started for; undefined when no folder was open: the result stays in the spool.
   */
  readonly root?: string;
  /** Folder below the root, `/` between segments; '' is the root itself. */
  readonly folder: string;
  /**
   * Name template without extension, for instance `${date}-${model}-${slug}`. With an `ending` the very name, and no
   * template.
   */
  readonly fileName: string;
  /**
   * For a file that a document names: the ending it gives it, without dot. The result keeps that spelling where it is
   * of that format, and takes its own where not.
   */
  readonly ending?: string;
  /**
   * The file this is rendered to replace: nothing is replaced by itself, so the result is staged, and waits to be
   * compared with it. The rest says where it is saved when both are kept.
   */
  readonly replaces?: Replaced;
}

/** A file as it was when something was ordered to replace it. */
export interface Replaced {
  readonly uri: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** The same without the file to replace: saved beside it. */
export function besides({ root, folder, fileName, ending }: Target): Target {
  return { root, folder, fileName, ending };
}

/**
 * `agent`: something that acts for the person, as another extension, a task, a keybinding or an agent; also when they
 * were asked and said yes.
 */
export type OrderedBy = 'person' | 'agent';

/** What a person decided: this model, these inputs, there, at this price. */
export interface Order {
  /**
   * A UUID made when the price was shown, and the key of the record: two orders of one intent (a double click) are one
   * render.
   */
  readonly intent: string;
  readonly modelId: string;
  /** Exactly what goes into the body; optional fields left out take the model's default. */
  readonly inputs: JsonObject;
  readonly target: Target;
  /**
   * The price that stood on the screen, in euro cents; undefined when the service stated none and the person agreed.
   */
  readonly shownCents: number | undefined;
  /** The account the price was asked for: an order never goes to another. */
  readonly account: string;
  /** Who ordered it. */
  readonly by?: OrderedBy;
  /** Who the agent said it was: a claim. */
  readonly agent?: string;
}

/** Why a render is where it is; `code` is ours (see `host/words`), `detail` the service's or the system's own words. */
export interface Problem {
  readonly code: ProblemCode;
  readonly detail?: string;
  /** For `invalidInput`: what the service says of which field. */
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
  | 'tooLargeThere'
  | 'noFolder'
  | 'serviceSays'
  | 'notRecorded'
  | 'altered'
  | 'gone'
  | 'sameId';

/**
 * One render as the ledger keeps it. Values, never changed in place. Its target is the one that was decided on, or
 * where that has moved.
 */
export interface RenderRecord extends Omit<Decision, 'body'>, Progress {
  /**
   * True when its body is large: it is kept in a file, and `inputs` are cut short; `Ledger.inputsOf` has them whole.
   */
  readonly isApart?: true;
  /** Counts the ledger's renders from 1. */
  readonly index: number;
  /** Grows with every change: what a compare-and-swap compares, with state and attempt. */
  readonly version: number;
}

/** What is fixed, on disk, before the first byte leaves, and never changes after. */
export interface Decision {
  /** The Idempotency-Key, a UUID, and the record's own name. */
  readonly key: string;
  /** The service's normalised address, or `sandbox`: the built-in one, whose port changes. */
  readonly place: string;
  /** The salted fingerprint of the API key the order was made with. */
  readonly account: string;
  readonly modelId: string;
  readonly inputs: JsonObject;
  /** The exact bytes every attempt sends. */
  readonly body: Uint8Array;
  readonly shownCents?: number;
  readonly target: Target;
  /** Undefined where it was not recorded. */
  readonly by?: OrderedBy;
  /** Who the agent said it was: a claim. */
  readonly agent?: string;
  /** ms since 1970, the machine's clock. */
  readonly plannedAt: number;
}

/** What changes in the life of a render. */
export interface Progress {
  readonly state: RenderState;
  /** How many attempts were recorded, each before its bytes left. */
  readonly attempt: number;
  /** How many of them may have reached the service and were not answered in a way that proves what became of them. */
  readonly unanswered: number;
  /** The window at work on it, or that was; see Ledger leases. */
  readonly owner: string;
  /** The first attempt, ms since 1970: by the machine's clock and, where it was known, by the service's. */
  readonly firstSentAt?: number;
  readonly firstSentServiceTime?: number;
  /** How many attempts since then left or may have left, that one included. Undefined where it was not recorded. */
  readonly tries?: number;
  readonly generationId?: string;
  /**
   * Other renders that the service answered the same request with: each may have been charged as well. Told, never sent
   * for.
   */
  readonly otherIds?: readonly string[];
  /**
   * The keys of other orders that the service has answered with the same generation: what each was charged nobody can
   * tell.
   */
  readonly sharedWith?: readonly string[];
  /**
   * The fingerprint of another API key, which the service has answered what matches: with it the render is read as
   * well.
   */
  readonly readBy?: string;
  /** The service's own word. */
  readonly status?: string;
  /** When it was accepted, ms since 1970, the machine's clock. */
  readonly acceptedAt?: number;
  /** What the service says it charged, euro cents. */
  readonly costCents?: number;
  readonly contentUrl?: string;
  readonly textOutput?: string;
  readonly problem?: Problem;
  /** The complete, checked result in the spool. */
  readonly spooled?: Spooled;
  /** URI of the name its file was about to take: what tells our own file from another's after a crash. */
  readonly claimed?: string;
  /** URI of the saved file. */
  readonly file?: string;
  /** True while that file is staged, and waits to be compared with the one it was rendered to replace. */
  readonly staged?: boolean;
  /**
   * When a request was sent that the service last answered with “not ended”, ms since 1970, the machine's clock; kept
   * once it has ended. Undefined where nobody looked before.
   */
  readonly pendingAt?: number;
  /** The target, since the person renamed or moved the file that is to be replaced. */
  readonly moved?: Target;
  /** When the service's part ended, ms since 1970, the machine's clock. */
  readonly endedAt?: number;
  /** True when a file beside the saved one tells how it was made, false when there should be one and is not. */
  readonly sidecar?: boolean;
  /** What the person says of an unknown render: their word, not the service's. */
  readonly settled?: Settled;
  /** Deleted at the service by the person. */
  readonly deleted?: boolean;
  /** The person had its words forgotten on this computer: of the render only what it cost is kept. */
  readonly forgotten?: boolean;
}

/** The answer that a render has in place of a file: what is stated beside a file, or is empty, is none. */
export function answerOf({ contentUrl, textOutput }: Pick<Progress, 'contentUrl' | 'textOutput'>): string | undefined {
  return contentUrl === undefined && textOutput !== '' ? textOutput : undefined;
}

/** What a person found out about the money of a render of which the service gave no account. */
export interface Settled {
  readonly charged: boolean;
  /** ms since 1970. */
  readonly at: number;
}

/** A complete result kept next to the ledger. */
export interface Spooled {
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** As sniffed from the bytes. */
  readonly mediaType: string;
  /** Without dot. */
  readonly extension: string;
  /** True when how it was made was written into it: `bytes` and `sha256` are those of the file as it is since. */
  readonly inscribed?: boolean;
  /** Of the picture alone, as the service delivered it, where something was written beside it: hexadecimal. */
  readonly pictureSha256?: string;
}
