import { Yielder } from '../../src/base/concurrency';

/** Turns that are over at each look at the clock, and how often they have paused. */
export function slowTurns(): { readonly turns: Yielder; readonly pauses: () => number } {
  let [ms, pauses] = [0, 0];
  const after = (_: number, call: () => void) => {
    pauses++;
    setImmediate(call);
    return { dispose: () => undefined };
  };
  return { turns: new Yielder({ now: () => ms, ticks: () => (ms += 30), after }), pauses: () => pauses };
}
