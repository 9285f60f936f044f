import type { ProblemCode, RenderState } from '../../../src/renders/record';
import type { Kind, Point } from './points';

/** One decision of the user. */
export interface Wish {
  readonly intent: string;
  readonly kind: Kind;
  /** The image to be replaced, and its content. */
  readonly hero?: { readonly name: string; readonly text: string };
}

/** The apparent length of a stop, ms: longer than a key is trusted to be remembered. */
export const asleepMs = 11 * 60_000;

/** A window's task, until all its wishes have ended. */
export interface Task {
  /** The sandbox, and its account's key. */
  readonly base: string;
  readonly key: string;
  /** The folder of ledger and spool. */
  readonly storage: string;
  /** The folder for results. */
  readonly project: string;
  /** The folder for deleted files. */
  readonly trash: string;
  /** How far the window's clock is ahead of the machine's, ms. */
  readonly shiftMs: number;
  /** How much of that also applies to the service's clock, ms. */
  readonly sleptMs?: number;
  readonly wishes: readonly Wish[];
  /** The point where the process kills itself, on the given visit. */
  readonly killAt?: { readonly point: Point; readonly time: number };
  /**
   * The point where the process stops itself, for at least a second and until it's continued; by its clock that takes
   * `asleepMs`.
   */
  readonly stopAt?: Point;
  /** The intents of renders that the user forgets at the end. */
  readonly forgets?: readonly string[];
  /** The user's word on every unconfirmed render: charged or not; null takes it back. */
  readonly says?: boolean | null;
  /** Also ends when a wish is in this state, since nothing further happens to it automatically. */
  readonly restsAt?: { readonly state: RenderState; readonly problem?: ProblemCode };
}

/** The state of a render in the ledger. */
export interface Standing {
  readonly key: string;
  readonly state: RenderState;
  /** True while it's about to be sent. */
  readonly due?: boolean;
  readonly attempt: number;
  readonly problem?: ProblemCode;
  readonly file?: string;
  /** For a render whose large body may still be needed: whether it's intact. */
  readonly body?: 'whole' | 'lost';
  /** The user's word: charged or not. */
  readonly settled?: boolean;
  readonly cents?: number;
}

/** Events that a window prints, one per line. */
export type Told =
  /** The ledger is open, and nothing was done yet. */
  | { readonly opened: readonly Standing[]; readonly setAside?: string; readonly readOnly: boolean }
  /** The used part of this project's limit, euro cents, and the states at that time. */
  | { readonly used: number; readonly of: readonly Standing[] }
  /** The ledger can't be opened. */
  | { readonly notOpened: string }
  /** The order was rejected, with this reason. */
  | { readonly notOrdered: string; readonly intent: string }
  /** A planned render was sent without the user. */
  | { readonly sentByItself: string }
  /** It's about to stop itself. */
  | { readonly stopsAt: Point }
  /** Not everything can be recorded anymore, for this reason; or it can again. */
  | { readonly trouble: string | undefined }
  /** Everything has ended. */
  | { readonly ended: readonly Standing[] };
