import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import type { Library, LibraryEntry } from './library';
import type { RenderRecord } from './record';
import type { Renderer } from './renderer';

/** The outcome of a render that a caller waits for. */
export type Fate =
  /** It ended: `saved`, `succeeded` but blocked from being saved, `failed`, `refunded`, `refused`, or `unknown`. */
  | { readonly is: 'ended'; readonly entry: LibraryEntry }
  /** It couldn't be sent, wasn't charged, and was given up: it will never be sent. */
  | { readonly is: 'notSent'; readonly entry: LibraryEntry }
  /** It could be neither sent nor given up, since the ledger can't be written: it waits for the person. */
  | { readonly is: 'waiting'; readonly entry: LibraryEntry }
  /** Its account hasn't been in use for a while; the outcome shows once it's connected again. */
  | { readonly is: 'away'; readonly entry: LibraryEntry };

/** Dependencies of the wait. */
export interface FateDeps {
  readonly renderer: Pick<Renderer, 'isSending' | 'send' | 'discard'>;
  readonly library: Pick<Library, 'ofRecord' | 'onDidChange'>;
  /** True while the record's account can be asked about it. The library reports changes. */
  isInUse(record: RenderRecord): boolean;
  readonly clock: Clock;
}

/** How long an account may be disconnected before callers stop waiting, ms. */
const awayMs = 5 * 60_000;

/**
 * Waits for the outcome of a render just ordered for a caller. A render that can't be sent is given up, so that it's
 * never sent after the caller has ordered again. Always resolves while its account is reachable and the window stays
 * open; waits out a service that isn't responding.
 */
export async function fateOf(key: string, deps: FateDeps): Promise<Fate> {
  let outdated: RenderRecord | undefined;
  for (;;) {
    // The record shows how sending failed.
    if (deps.renderer.isSending(key)) await deps.renderer.send(key).catch(() => undefined);
    const entry = await restOf(key, outdated, deps);
    if (entry.state === 'discarded') return { is: 'notSent', entry };
    if (entry.group === 'active') return { is: 'away', entry };
    if (entry.state !== 'planned') return { is: 'ended', entry };
    if (deps.renderer.isSending(key)) continue;
    try {
      if (deps.renderer.discard(key)) return { is: 'notSent', entry };
    } catch {
      return { is: 'waiting', entry };
    }
    // Another window has taken it, and the library hasn't heard yet; or this one is closing, and it never will.
    outdated = entry.record;
  }
}

/**
 * Resolves once the render is no longer in progress, or its account has been away for too long. Waits while the library
 * has an `outdated` record of it.
 */
function restOf(key: string, outdated: RenderRecord | undefined, deps: FateDeps): Promise<LibraryEntry> {
  const { library, clock } = deps;
  return new Promise((resolve) => {
    let away: Disposable | undefined;
    const end = (entry: LibraryEntry) => {
      listening.dispose();
      away?.dispose();
      resolve(entry);
    };
    const look = () => {
      const entry = library.ofRecord(key);
      if (!entry || (outdated && entry.record?.version === outdated.version)) return;
      if (entry.group !== 'active') return end(entry);
      const isAway = entry.record !== undefined && !deps.isInUse(entry.record);
      if (isAway) away ??= clock.after(awayMs, () => end(library.ofRecord(key) ?? entry));
      else {
        away?.dispose();
        away = undefined;
      }
    };
    const listening = library.onDidChange(look);
    look();
  });
}
