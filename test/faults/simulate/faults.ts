import type { Chance } from './chance';

/** Every kind of fault in schedules. Each schedule turns each on or off. */
export const faultKinds = [
  // The window and its machine.
  'crashBefore', // the process ends before one of its effects …
  'crashAfter', // … or after it
  'powerLoss', // all windows end, and unsynced data is lost
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
  'slowToAnswer', // the first request is still running when the next one arrives
  'tooManyRequests',
  'balanceTooLow',
  'dailyCap',
  'invalidInput',
  'keyRefused',
  'accountChanges',
  'unreadable', // 2xx with a web page, or without an ID
  'renderFails',
  'succeedsLate', // it's said to have failed, and succeeds later
  'refundsLate', // it's refunded after it succeeded
  'oddStatus', // it never ends with a status of the specification
  'excerpts', // the list has only the beginning of a text
  'listLate', // a generation isn't listed immediately
  'denied', // 404 for an existing generation
  // The disk.
  'diskFull',
  'notWritable',
  'nameTaken', // the user's own file takes the name at the last moment
  'folderGone',
  'torn', // after a power loss, unsynced bytes are gone or zero
  'pause', // the machine is suspended with all its clocks, for up to 30 hours
  'clockYears', // its clock is changed by years
  'storageGone', // ledger and spool are moved away while windows are open, and back later
  'newerWindow', // a later version's window writes fields into a record that this one doesn't know
  'largeInputs',
  'callerChanges', // the caller changes the objects it passed, and calls again after an error
  'keyReplaced', // by another of the same account; the old one may be revoked
  'pricesRise', // between the shown price and the order
  'deniedLong', // 404 for minutes after it was accepted
  'idTwice', // two orders get the same ID
  'keysIgnored', // every request is charged, whatever its Idempotency-Key
  'strangeRefusal', // 403, 404, 413, or 422, every time
  'centuries', // Retry-After of 317 years
  'capElsewhere', // the daily cap isn't stated in `code`
  'notReady', // a result that succeeded can't be had for a while, in one of many ways
  'textBeside', // a file also has a text, possibly an empty one
  'terse', // no response states more than the specification requires
  'noLinks', // the disk has no hard links, with varying errors
  'diskBusy', // existing files can't be accessed for a while
  'folderDeleted', // with everything in it
  'folderReplaced', // another one with files of the same names replaces it
  'folderReadOnly',
  'falseRefusal', // after a charge, a rejection that also says so, or only mentions the daily cap
  'errorWithId', // after a charge, 200 with an error and the ID of the request
  'anotherAnswer', // after a charge, 200 with a render of another account
  'ordersElsewhere', // the same model and inputs, started elsewhere, with another option or at another price
  'cachedTime', // a proxy keeps the response that the service's time is read from
  'notTheResult', // 200, and instead of the file an error, a text, or an address with data
  'oddPictures', // images are complete, and don't have their end
  'partIsAll', // 206 with all of a file
  'redirects', // a file is elsewhere
  'diskStalls', // the disk fails for a moment, in one of several ways
  'noModes', // the disk knows no modes of files
  'almostFull', // the disk has less space than the ledger needs, for a while
  'otherSpelling', // an order is for the project under another spelling of its URI
  'freeUntilDone', // a charge is stated as 0 until the render has ended
  'chargedMore', // a charge is higher than the price quoted just before
  'largeIds', // IDs are integers of 64 bits
  'idsPerAccount', // a render of another account has the same ID
  'listHoursLate',
  'wrongWord', // the user marks a render as not charged as soon as it's unconfirmed
  'ledgerRestored', // a backup replaces the ledger, which has changed since
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Those that only a third of all schedules has, since they change all that follows. */
export const seldomKinds: ReadonlySet<FaultKind> = new Set([
  ...(['largeIds', 'idsPerAccount', 'listHoursLate', 'wrongWord', 'ledgerRestored'] as const),
]);

/** Decides which faults strike in a run, and records those that did. */
export class Faults {
  /** The faults that struck, by name: `kind where`. */
  readonly struck: string[] = [];
  /** No more faults: everything works again. */
  over = false;

  constructor(
    private readonly chance: Chance,
    private readonly on: ReadonlySet<FaultKind>,
    /** How much worse than usual; 1 is usual. */
    private readonly harshness: number,
    /** Names of faults that don't strike this time, for shortening a trace. */
    private readonly spared: ReadonlySet<string> = new Set(),
  ) {}

  /** Whether this fault strikes at this point of the run. */
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
