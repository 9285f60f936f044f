import type { ProblemCode, RenderState } from '../../../src/renders/record';
import type { Kind, Point } from './points';

/** One decision of the person. */
export interface Wish {
  readonly intent: string;
  readonly kind: Kind;
  /** The picture that is to be replaced, and what it is. */
  readonly hero?: { readonly name: string; readonly text: string };
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
  /** The folder in which the person's files lie that were given up. */
  readonly trash: string;
  /** How far ahead of the machine's clock the window's is, ms. */
  readonly shiftMs: number;
  /** How much of that the service's clock is ahead as well, ms. */
  readonly sleptMs?: number;
  readonly wishes: readonly Wish[];
  /** Where the process kills itself, the how manieth time it comes by. */
  readonly killAt?: { readonly point: Point; readonly time: number };
  /**
   * Where the process stops itself, for a second at least and until somebody lets it go on; its clock takes that for
   * `asleepMs`.
   */
  readonly stopAt?: Point;
  /** The renders the person forgets in the end, by their intents. */
  readonly forgets?: readonly string[];
  /** The person's own word on every unknown render: whether it was charged, null to take back what they said. */
  readonly says?: boolean | null;
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
  /** Of a render with a large body that may still be needed: whether it is there, as it was decided. */
  readonly body?: 'whole' | 'lost';
  /** The person's own word: whether it was charged. */
  readonly settled?: boolean;
  readonly cents?: number;
}

/** What a window tells, one a line. */
export type Told =
  /** The ledger is open, and nothing has been done yet. */
  | { readonly opened: readonly Standing[]; readonly setAside?: string; readonly readOnly: boolean }
  /** What the limit of this project counts as used, euro cents, and how all stood when it did. */
  | { readonly used: number; readonly of: readonly Standing[] }
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
