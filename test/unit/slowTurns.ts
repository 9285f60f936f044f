import { Turns } from '../../src/base/concurrency';

/** Turns that are over at each look at the clock, and how often they have paused. */
export function slowTurns(): { readonly turns: Turns; readonly pauses: () => number } {
  let [ms, pauses] = [0, 0];
  const after = (_: number, call: () => void) => {
    pauses++;
    setImmediate(call);
    return { dispose: () => undefined };
  };
  return { turns: new Turns({ now: () => ms, ticks: () => (ms += 30), after }), pauses: () => pauses };
}
