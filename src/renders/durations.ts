import type { Disposable } from '../base/disposable';
import type { Log } from '../base/log';
import { reasonOf } from '../base/errors';
import type { Ledger } from './ledger';
import type { RenderRecord } from './record';

/** Bounds on how long a render took at the service, as far as polling shows. */
export interface Duration {
  /** It was still in progress after this time, ms. */
  readonly longerThan: number;
  /** It had ended by this time, ms. */
  readonly atMost: number;
}

/** Identifies renders that take about as long: one model at one service. */
export type Timed = Pick<RenderRecord, 'place' | 'modelId' | 'inputs'>;

/** Past renders needed before a duration is estimated. */
const fewest = 5;
/** Only the newest ones count: services and models change. */
const most = 40;
/** A render that was still in progress after this long wasn't: the clock was set forward meanwhile. ms */
const implausibleMs = 24 * 3_600_000;
/** Inputs are of similar size while one is at most this many times as large as the other. */
const alike = 4;

/**
 * How long past renders of each model took, learned from the ledger: newest first, only those with inputs of similar
 * size.
 */
export class Durations implements Disposable {
  private readonly learned = new Map<string, readonly RenderRecord[]>();
  private readonly listening: Disposable;

  constructor(
    private readonly ledger: Ledger,
    private readonly log: Log,
  ) {
    this.listening = ledger.onDidChange((record) => {
      if (record.state === 'succeeded') this.learned.delete(nameOf(record));
    });
  }

  /** Durations of comparable renders, newest first; undefined while there are too few. Never throws. */
  of(render: Timed): readonly Duration[] | undefined {
    const all = this.ended(render);
    const size = sizeOf(render);
    const near = all.filter((other) => isAlike(sizeOf(other), size));
    const chosen = (near.length >= fewest ? near : all).flatMap((record) => durationOf(record) ?? []);
    return chosen.length >= fewest ? chosen : undefined;
  }

  /** The median duration of comparable renders, ms; undefined while there are too few. */
  usualMs(render: Timed): number | undefined {
    const middles = this.of(render)?.map(({ longerThan, atMost }) => (longerThan + atMost) / 2);
    return middles?.toSorted((one, other) => one - other)[Math.floor(middles.length / 2)];
  }

  dispose(): void {
    this.listening.dispose();
  }

  private ended(render: Timed): readonly RenderRecord[] {
    const name = nameOf(render);
    try {
      const ended = this.learned.get(name) ?? this.ledger.newestSuccesses(render.place, render.modelId, most);
      this.learned.set(name, ended);
      return ended;
    } catch (error) {
      this.log.warn(`Couldn’t read how long renders took: ${reasonOf(error)}`);
      return [];
    }
  }
}

/** Undefined where it wasn’t recorded, or the clock was changed meanwhile. */
function durationOf({ acceptedAt, pendingAt, endedAt }: RenderRecord): Duration | undefined {
  if (acceptedAt === undefined || endedAt === undefined || endedAt <= acceptedAt) return undefined;
  const longerThan = Math.max(0, (pendingAt ?? acceptedAt) - acceptedAt);
  const atMost = endedAt - acceptedAt;
  return longerThan < atMost && longerThan < implausibleMs ? { longerThan, atMost } : undefined;
}

/** In characters, roughly: a record holds only the beginnings of large inputs. */
function sizeOf({ inputs }: Timed): number {
  return JSON.stringify(inputs).length;
}

function isAlike(one: number, other: number): boolean {
  return Math.max(one, other) <= alike * Math.min(one, other);
}

function nameOf({ place, modelId }: Timed): string {
  return JSON.stringify([place, modelId]);
}
