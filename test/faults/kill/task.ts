import type { ProblemCode, RenderState } from '../../../src/renders/record';
import type { Kind, Point } from './points';

/** One decision of the person. */
export interface Wish {
  readonly intent: string;
  readonly kind: Kind;
}

/** What a stop is taken for, ms: longer than a key is trusted to be remembered. */
export const asleepMs = 11 * 60_000;

/** What a window is to do until all its wishes have come to their end. */
export interface Task {
  /** The sandbox, and the key of its account. */
  readonly base: string;
  readonly key: string;
  /** Where the ledger and the spool lie. */
  readonly storage: string;
  /** The folder results are saved in. */
  readonly project: string;
  /** How far ahead of the machine's clock the window's is, ms. */
  readonly shiftMs: number;
  readonly wishes: readonly Wish[];
  /** Where the process kills itself, the how manieth time it comes by. */
  readonly killAt?: { readonly point: Point; readonly time: number };
  /** Where the process stops itself, for a second at least and until somebody lets it go on; its clock takes that for `asleepMs`. */
  readonly stopAt?: Point;
  /** Ends also when this is how a wish stands, as nothing more comes of it by itself. */
  readonly restsAt?: { readonly state: RenderState; readonly problem?: ProblemCode };
}

/** How a render stands in the ledger. */
export interface Standing {
  readonly key: string;
  readonly state: RenderState;
  readonly attempt: number;
  readonly problem?: ProblemCode;
  readonly file?: string;
}

/** What a window tells, one a line. */
export type Told =
  /** The ledger is open, and nothing has been done yet. */
  | { readonly opened: readonly Standing[]; readonly setAside?: string; readonly readOnly: boolean }
  /** The ledger cannot be opened. */
  | { readonly notOpened: string }
  /** The order was not taken, for this reason. */
  | { readonly notOrdered: string; readonly intent: string }
  /** A planned render was sent, and no person had said so. */
  | { readonly sentByItself: string }
  /** It is about to stop itself. */
  | { readonly stopsAt: Point }
  /** Not all can be recorded any more, for this reason; or it can again. */
  | { readonly trouble: string | undefined }
  /** All has come to its end. */
  | { readonly ended: readonly Standing[] };
