/** From one beat of the extension host to the next: its monotonic clock in µs, and what its thread worked, ms. */
export interface Pause {
  readonly from: number;
  readonly to: number;
  readonly workMs: number;
}

/** What V8's sampling profiler saw of a thread; times in µs of the same clock. */
export interface CpuProfile {
  readonly startTime: number;
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  /** The innermost node of each sample, and how long after the one before it was taken. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface Watched {
  readonly pauses: readonly Pause[];
  readonly profile: CpuProfile;
}

/** How the thread of the extension host, which all extensions share, was held at most, ms. */
export interface Held {
  /** From one beat to the next: also where the machine gave its time to others. */
  readonly pauseMs: number;
  /** That the thread itself worked in one pause. */
  readonly workMs: number;
  /** That it worked in one pause for code of ours, and for what that called. */
  readonly oursMs: number;
}

/**
 * How the thread was held, by anybody and by code whose files are below this folder. Time is what the thread had of the
 * processor, so that a busy machine changes little; the profile says whose part of it that was. To load code takes as
 * long in any folder, and is nobody's.
 */
export function heldIn({ pauses, profile }: Watched, ours: string): Held {
  const isOurs = samplesBelow(profile, ours);
  const held = { pauseMs: 0, workMs: 0, oursMs: 0 };
  let next = 0;
  let at = profile.startTime + (profile.timeDeltas[0] ?? 0);
  for (const { from, to, workMs } of pauses) {
    const counted = { all: 0, ours: 0 };
    for (; next < profile.samples.length && at <= to; at += profile.timeDeltas[++next] ?? 0) {
      const whose = isOurs[next];
      if (at < from || whose === undefined) continue;
      counted.all++;
      if (whose) counted.ours++;
    }
    const pauseMs = (to - from) / 1000;
    const worked = Math.min(workMs, pauseMs);
    held.pauseMs = Math.max(held.pauseMs, pauseMs);
    held.workMs = Math.max(held.workMs, worked);
    if (counted.ours > 0) held.oursMs = Math.max(held.oursMs, (worked * counted.ours) / counted.all);
  }
  return held;
}

/** Of each sample whether code of that folder was at work; undefined where the thread had nothing to do. */
function samplesBelow({ nodes, samples }: CpuProfile, folder: string): (boolean | undefined)[] {
  const named = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  const below = withCalled(nodes, (url) => url.includes(folder));
  for (const id of withCalled(nodes, (url) => url.startsWith('node:internal/modules/'))) below.delete(id);
  let last = false;
  return samples.map((id) => {
    if (named.get(id) === '(idle)') return undefined;
    // What is collected is what whoever ran before has left.
    if (named.get(id) !== '(garbage collector)') last = below.has(id);
    return last;
  });
}

/** The nodes with code of such a file on the stack. */
function withCalled(nodes: CpuProfile['nodes'], isSuch: (url: string) => boolean): Set<number> {
  const found = new Set<number>();
  // A parent stands before its children.
  for (const { id, callFrame, children = [] } of nodes) {
    if (isSuch(callFrame.url)) found.add(id);
    if (found.has(id)) for (const child of children) found.add(child);
  }
  return found;
}
