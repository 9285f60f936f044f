import type { Event } from '../base/event';
import type { Generation } from '../catalog/types';
import type { JsonObject } from '../base/json';
import type { Problem, RenderRecord, RenderState } from './record';

/** Which group of the tree a render stands in. */
export type Group = 'notSent' | 'active' | 'paidNotSaved' | 'unknown' | 'finished';

/** One render as every view shows it: ours joined with the service's own list. */
export interface LibraryEntry {
  /** Our key, or `service:<generation id>` for one started elsewhere. */
  readonly id: string;
  readonly group: Group;
  /** Our state; undefined for a render started elsewhere. */
  readonly state?: RenderState;
  /** The service's word, as it is. */
  readonly status?: string;
  readonly generationId?: string;
  readonly modelId: string | undefined;
  readonly inputs: JsonObject;
  /** Charged by the service's own word, euro cents. */
  readonly costCents?: number;
  readonly shownCents?: number;
  /** ms since 1970. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly file?: string;
  readonly mediaType?: string;
  readonly textOutput?: string;
  readonly problem?: Problem;
  readonly record?: RenderRecord;
  readonly generation?: Generation;
}

/** What views read of renders. */
export interface Library {
  /** Active first, then newest first. */
  readonly entries: readonly LibraryEntry[];
  readonly onDidChange: Event<void>;
  /** Fires once for every render that comes to its end while this window is open. */
  readonly onDidEnd: Event<LibraryEntry>;
  get(id: string): LibraryEntry | undefined;
  /** Asks the service for its list. Never rejects; a failure is in `problem`. */
  refresh(): Promise<void>;
  /** Charged today (local day) by the service's own word, euro cents, for the account in use, refunds not counted. */
  spentTodayCents(): number;
  /** Why the service's own list is not in it, if it is not. */
  readonly problem: string | undefined;
}
