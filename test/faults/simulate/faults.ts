import type { Chance } from './chance';

/** Every kind of fault in schedules. Each schedule switches each on or off. */
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
  'pause', // the machine stands still with all its clocks, for up to 30 hours
  'clockYears', // its clock is set by years
  'storageGone', // ledger and spool are moved away while windows are open, and later back
  'newerWindow', // a window of a later version writes into a record what this one does not know
  'largeInputs',
  'callerChanges', // who ordered changes the objects it handed over, and asks again after an error
  'keyReplaced', // by another of the same account; the old one may be revoked
  'pricesRise', // between the price that was shown and the order
  'deniedLong', // 404 for minutes after it was accepted
  'idTwice', // two orders get the same id
  'keysIgnored', // every request is charged, whatever its Idempotency-Key
  'strangeRefusal', // 403, 404, 413 or 422, each time
  'centuries', // Retry-After of 317 years
  'capElsewhere', // the daily cap isn't told in `code`
  'textBeside', // a file has a text as well, perhaps an empty one
  'terse', // no answer tells more than the specification names
  'noLinks', // the disk gives no file a second name, and says so in its own way
  'diskBusy', // what is there cannot be touched for a while
  'folderDeleted', // with all that is in it
  'folderReplaced', // another one with files of the same names stands in its place
  'folderReadOnly',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Decides which faults strike in a run, and records which did. */
export class Faults {
  /** The faults that struck, by name: `kind where`. */
  readonly struck: string[] = [];
  /** No more faults: everything works again. */
  over = false;

  constructor(
    private readonly chance: Chance,
    private readonly on: ReadonlySet<FaultKind>,
    /** How much worse than usual: 1 is usual. */
    private readonly harshness: number,
    /** Names of faults that don't strike this time, for shortening a trace. */
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

  /** Records a fault that the schedule or an earlier fault caused. */
  note(kind: FaultKind, where: string): void {
    this.struck.push(`${kind} ${where}`);
  }
}

export function kindOf(struck: string): FaultKind {
  return struck.slice(0, struck.indexOf(' ')) as FaultKind;
}
