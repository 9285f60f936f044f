import type { Order, RenderRecord } from './record';

/** The only one that spends. */
export interface Renderer {
  /**
   * Records the order durably, then sends it. Resolves with the record as soon as it is accepted, refused or unknown, or when
   * sending goes on in the background (`sent`). Rejects only when nothing was recorded, so nothing was sent.
   */
  order(order: Order): Promise<RenderRecord>;
  /** Sends a planned record that was never sent ("Not sent, nothing charged"). */
  send(key: string): Promise<RenderRecord>;
  /** Gives up a planned record. */
  discard(key: string): void;
}
