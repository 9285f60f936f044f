import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import type { Library, LibraryEntry } from './library';
import type { RenderRecord } from './record';
import type { Renderer } from './renderer';

/** What becomes of a render that something waits for. */
export type Fate =
  /** It ended: `saved`, `succeeded` and in the way of a file, `failed`, `refunded`, `refused`, or `unknown`. */
  | { readonly is: 'ended'; readonly entry: LibraryEntry }
  /** It couldn't be sent, was not charged, and is given up: it's never sent. */
  | { readonly is: 'notSent'; readonly entry: LibraryEntry }
  /** It couldn't be sent, and couldn't be given up either, as the ledger can't be written: it waits for the person. */
  | { readonly is: 'waiting'; readonly entry: LibraryEntry }
  /** Its account hasn't been in use for a while: what becomes of it shows when that is connected again. */
  | { readonly is: 'away'; readonly entry: LibraryEntry };

/** What is needed to wait for it. */
export interface FateWorld {
  readonly renderer: Pick<Renderer, 'isSending' | 'send' | 'discard'>;
  readonly library: Pick<Library, 'ofRecord' | 'onDidChange'>;
  /** True while the account of the record can be asked about it. A change is told by the library. */
  isInUse(record: RenderRecord): boolean;
  readonly clock: Clock;
}

/** How long an account may be away before nobody waits for it any more, ms. */
const awayMs = 5 * 60_000;

/**
 * Waits for what becomes of a render that was just ordered for a caller. One that can't be sent is given up, so that
 * it's never sent behind the back of a caller who orders again. Resolves in any case while its account can be asked; a
 * service that is away is waited for.
 */
export async function fateOf(key: string, world: FateWorld): Promise<Fate> {
  for (;;) {
    // How the sending fails shows in the record.
    if (world.renderer.isSending(key)) await world.renderer.send(key).catch(() => undefined);
    const entry = await restOf(key, world);
    if (entry.state === 'discarded') return { is: 'notSent', entry };
    if (entry.group === 'active') return { is: 'away', entry };
    if (entry.state !== 'planned') return { is: 'ended', entry };
    if (world.renderer.isSending(key)) continue;
    try {
      if (world.renderer.discard(key)) return { is: 'notSent', entry };
    } catch {
      return { is: 'waiting', entry };
    }
  }
}

/** Where it stands once it is not under way, or its account has been away for too long. */
function restOf(key: string, world: FateWorld): Promise<LibraryEntry> {
  const { library, clock } = world;
  return new Promise((resolve) => {
    let away: Disposable | undefined;
    const end = (entry: LibraryEntry) => {
      listening.dispose();
      away?.dispose();
      resolve(entry);
    };
    const look = () => {
      const entry = library.ofRecord(key);
      if (!entry) return;
      if (entry.group !== 'active') return end(entry);
      const isAway = entry.record !== undefined && !world.isInUse(entry.record);
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
