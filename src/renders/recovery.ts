import { reasonOf } from '../base/errors';
import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import type { Log } from '../base/log';
import type { Listing, Generation } from '../catalog/types';
import type { Connected, Connection } from './connected';
import type { Ledger } from './ledger';
import { LedgerError } from './ledgerError';
import { matchesOf } from './matching';
import type { RenderRecord } from './record';
import type { Renderer } from './renderer';
import { acceptance } from './renderer';
import { leaseMs } from './windowLease';
import type { WindowLease } from './windowLease';

/** Brings the renders that an ended window left half way to their end, and compares the unknown with the service's list. */
export class Recovery {
  private again: Disposable | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly connection: Connection,
    private readonly renderer: Renderer,
    private readonly window: WindowLease,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Goes on with what was sent and not answered; a planned record is left for the person to decide. Run at the start and whenever the
   * account connects; running it again changes nothing. Never rejects.
   */
  async run(): Promise<void> {
    this.dispose();
    try {
      const connected = this.connection();
      if (!connected || this.ledger.readOnly) return;
      if (this.areAnothers(connected)) this.runAgain();
      await Promise.all(this.left(connected).map((record) => this.renderer.send(record.key)));
      this.watch();
      if (this.unknown(connected).length > 0) await this.compare();
    } catch (error) {
      this.log.error(`Recovery stopped: ${reasonOf(error)}`);
      // A disk that was full for a moment leaves nothing half way for good.
      if (error instanceof LedgerError) this.runAgain();
    }
  }

  /**
   * Compares every unknown render with the service's list: a unique match is adopted; several are reported, none is taken. One the
   * service denied and lists again is followed again.
   * Returns how many were found. Rejects with ServiceError when the list cannot be had.
   */
  async compare(): Promise<number> {
    const connected = this.connection();
    if (!connected) return 0;
    const unknown = this.unknown(connected);
    const { value: list } = await connected.client.generations();
    return unknown.filter((record) =>
      record.generationId === undefined ? this.adopt(record, list) : this.isBack(record, list),
    ).length;
  }

  /** Something changed: what another window sends is looked after here, should that window end half way; so is what this one could not go on with. */
  watch(): void {
    const connected = this.connection();
    if (this.again || !connected || this.ledger.readOnly) return;
    const isOpen = (record: RenderRecord) => record.owner !== this.window.id || this.isMine(record);
    if (this.ledger.inStates('sent').some((record) => belongs(record, connected) && isOpen(record))) this.runAgain();
  }

  dispose(): void {
    this.again?.dispose();
    this.again = undefined;
  }

  private runAgain(): void {
    this.again ??= this.clock.after(leaseMs, () => void this.run());
  }

  private adopt(record: RenderRecord, list: Listing<Generation>): boolean {
    const all = this.ledger.all();
    const taken = new Set(all.flatMap(({ generationId, otherIds = [] }) => [generationId ?? [], otherIds].flat()));
    const found = matchesOf(record, list.items, taken);
    const [only] = found;
    // What was ordered twice and is listed once may be either.
    const isAnothers = all.some((other) => isRival(record, other) && matchesOf(other, found, taken).length > 0);
    const moved = this.ledger.advance(record.key, (now) => {
      if (now.state !== 'unknown' || only === undefined) return undefined;
      if (found.length === 1 && isAnothers) return undefined;
      if (found.length === 1) return { ...acceptance(only, this.clock.now()), unanswered: 0 };
      const detail = found.map(({ id }) => id).join(', ');
      const isTold = now.problem?.code === 'twoFound' && now.problem.detail === detail;
      return isTold ? undefined : { problem: { code: 'twoFound', detail } };
    });
    return moved?.state === 'accepted';
  }

  private isBack({ key, generationId }: RenderRecord, list: Listing<Generation>): boolean {
    if (!list.items.some(({ id }) => id === generationId)) return false;
    const moved = this.ledger.advance(key, ({ state }) =>
      state === 'unknown' ? { state: 'accepted', problem: undefined, endedAt: undefined } : undefined,
    );
    return moved?.state === 'accepted';
  }

  /** What was sent by a window that is gone. */
  private left(connected: Connected): RenderRecord[] {
    return this.ledger
      .inStates('sent')
      .filter((record) => belongs(record, connected) && (!this.window.isAlive(record.owner) || this.isMine(record)));
  }

  /** True when another window is sending: should it end half way, its lease ends soon after. */
  private areAnothers(connected: Connected): boolean {
    return this.ledger
      .inStates('sent')
      .some(
        (record) => belongs(record, connected) && record.owner !== this.window.id && this.window.isAlive(record.owner),
      );
  }

  private isMine(record: RenderRecord): boolean {
    return record.owner === this.window.id && !this.renderer.isSending(record.key);
  }

  private unknown(connected: Connected): RenderRecord[] {
    return this.ledger.inStates('unknown').filter((record) => belongs(record, connected));
  }
}

/** True for another render of the same account that may have a generation nobody knows of. */
function isRival({ key, place, account }: RenderRecord, other: RenderRecord): boolean {
  const isOpen = other.state === 'sent' || (other.state === 'unknown' && other.generationId === undefined);
  return isOpen && other.key !== key && other.place === place && other.account === account;
}

/** True when the record was made with the account in use. */
export function belongs(record: RenderRecord, { place, client }: Connected): boolean {
  return record.place === place && record.account === client.account;
}
