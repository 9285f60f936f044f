import type { Chance } from './chance';

/** Every kind of fault a schedule can hold. Each schedule switches each on or off. */
export const faultKinds = [
  // The window and its machine.
  'crashBefore', // the process goes before an effect of it …
  'crashAfter', // … or after it
  'powerLoss', // every window goes, and with them what was not synced
  'windowCloses',
  'freeze',
  'sleep',
  'clockSet',
  'ledgerFull',
  // The network.
  'noConnection',
  'requestLost',
  'requestLate', // by up to three minutes
  'answerLost',
  'answerSlow',
  'answerCut',
  // The service.
  'errorBefore', // 5xx, nothing was charged
  'errorAfter', // 5xx, although it was charged
  'slowToAnswer', // the first request still runs when the next one comes
  'tooManyRequests',
  'balanceTooLow',
  'dailyCap',
  'invalidInput',
  'keyRefused',
  'accountChanges',
  'unreadable', // 2xx with a web page, or without an id
  'renderFails',
  'listLate', // a generation is not listed at once
  'denied', // 404 for a generation that is there
  // The disk.
  'diskFull',
  'notWritable',
  'nameTaken', // the person's own file has the name, at the last moment
  'folderGone',
  'torn', // after a loss of power, bytes that were not synced are gone or zero
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Decides which faults befall a run, and remembers which did. */
export class Faults {
  /** Those that struck, by name: `kind where`. */
  readonly struck: string[] = [];
  /** No more faults: the world is whole again. */
  over = false;

  constructor(
    private readonly chance: Chance,
    private readonly on: ReadonlySet<FaultKind>,
    /** How much worse than usual this world is: 1 is usual. */
    private readonly harshness: number,
    /** Names of faults that do not strike this time: what a trace is shortened by. */
    private readonly spared: ReadonlySet<string> = new Set(),
  ) {}

  /** True when this fault strikes at this point of the run. */
  strikes(kind: FaultKind, where: string, likelihood: number): boolean {
    if (this.over || !this.on.has(kind)) return false;
    const name = `${kind} ${where}`;
    if (this.chance.unit(name) >= likelihood * this.harshness || this.spared.has(name)) return false;
    this.struck.push(name);
    return true;
  }

  /** Notes a fault that the schedule or an earlier fault brought about. */
  note(kind: FaultKind, where: string): void {
    this.struck.push(`${kind} ${where}`);
  }
}

export function kindOf(struck: string): FaultKind {
  return struck.slice(0, struck.indexOf(' ')) as FaultKind;
}
