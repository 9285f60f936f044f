/** The interval between two beats of the extension host: its monotonic clock in µs, and the work of its thread, ms. */
export interface Pause {
  readonly from: number;
  readonly to: number;
  readonly workMs: number;
}

/** What V8's sampling profiler recorded of a thread; times in µs of the same clock. */
export interface CpuProfile {
  readonly startTime: number;
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  /** The innermost node of each sample, and the time since the previous sample. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface Watched {
  readonly pauses: readonly Pause[];
  readonly profile: CpuProfile;
}

/** The longest blocks of the extension host's thread, which all extensions share, ms. */
export interface Held {
  /** Between two beats, including time that the machine gave to others. */
  readonly pauseMs: number;
  /** The thread's own work in one pause. */
  readonly workMs: number;
  /** Its work in one pause for our code and what that called. */
  readonly oursMs: number;
}

/**
 * How long the thread was blocked, in total and by code from this folder. Measures the thread's CPU time, so that a
 * busy machine changes little; the profile attributes it. Loading code takes as long in any folder, and is attributed
 * to nobody.
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

/** For each sample, whether code from that folder was running; undefined if the thread was idle. */
function samplesBelow({ nodes, samples }: CpuProfile, folder: string): (boolean | undefined)[] {
  const named = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  const below = withCalled(nodes, (url) => url.includes(folder));
  for (const id of withCalled(nodes, (url) => url.startsWith('node:internal/modules/'))) below.delete(id);
  let last = false;
  return samples.map((id) => {
    if (named.get(id) === '(idle)') return undefined;
    // Garbage is attributed to the code that ran before.
    if (named.get(id) !== '(garbage collector)') last = below.has(id);
    return last;
  });
}

/** The nodes with code from such a file on the stack. */
function withCalled(nodes: CpuProfile['nodes'], isSuch: (url: string) => boolean): Set<number> {
  const found = new Set<number>();
  // Parents come before their children.
  for (const { id, callFrame, children = [] } of nodes) {
    if (isSuch(callFrame.url)) found.add(id);
    if (found.has(id)) for (const child of children) found.add(child);
  }
  return found;
}
