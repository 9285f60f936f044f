import type { Disposable } from '../base/disposable';
import type { Log } from '../base/log';
import { reasonOf } from '../base/errors';
import type { Ledger } from './ledger';
import type { RenderRecord } from './record';

/** How long a render took at the service, as far as looks at it show. */
export interface Duration {
  /** ms: it was still in progress then. */
  readonly longerThan: number;
  /** ms: it had ended by then. */
  readonly atMost: number;
}

/** A render whose duration is asked for: renders of one model at one service take about as long. */
export type Timed = Pick<RenderRecord, 'place' | 'modelId' | 'inputs'>;

/** How many renders must have been seen before anything is said of the next one. */
const fewest = 5;
/** Older ones count no longer: services and models change. */
const most = 40;
/** Inputs are of like size while one is at most so many times as large as the other. */
const alike = 4;

/** How long renders of each model took, learned from the ledger: the newest first, those with inputs of like size. */
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

  /** The durations to go by for such a render, the newest first; undefined while too few were seen. Never throws. */
  of(render: Timed): readonly Duration[] | undefined {
    const all = this.ended(render);
    const size = sizeOf(render);
    const near = all.filter((other) => isAlike(sizeOf(other), size));
    const chosen = (near.length >= fewest ? near : all).flatMap((record) => durationOf(record) ?? []);
    return chosen.length >= fewest ? chosen : undefined;
  }

  /** How long such a render usually takes, ms: the median. Undefined while too few were seen. */
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

/** Undefined where it wasn’t recorded, or a clock was set meanwhile. */
function durationOf({ acceptedAt, pendingAt, endedAt }: RenderRecord): Duration | undefined {
  if (acceptedAt === undefined || endedAt === undefined || endedAt <= acceptedAt) return undefined;
  const longerThan = Math.max(0, (pendingAt ?? acceptedAt) - acceptedAt);
  const atMost = endedAt - acceptedAt;
  return longerThan < atMost ? { longerThan, atMost } : undefined;
}

/** In characters, roughly: large inputs are cut short in a record. */
function sizeOf({ inputs }: Timed): number {
  return JSON.stringify(inputs).length;
}

function isAlike(one: number, other: number): boolean {
  return Math.max(one, other) <= alike * Math.min(one, other);
}

function nameOf({ place, modelId }: Timed): string {
  return JSON.stringify([place, modelId]);
}
