import { wait, type Clock } from '../base/clock';
import { eachOf } from '../base/eachOf';
import type { Order, ProblemCode, RenderRecord } from '../renders/record';

/** How orders are placed, and how it is heard whether the service took them. */
export interface OrderDesk {
  /** As `Spend.renderAgreed`. */
  place(order: Order): Promise<RenderRecord | undefined>;
  /** As `Renderer.send`. */
  send(key: string): Promise<RenderRecord>;
}

/** What became of orders that were agreed to together. */
export interface Ordered {
  /** Of those that were recorded. */
  readonly keys: readonly string[];
  /** Why no more were placed, where that is not told of with a render: an error of `OrderDesk.place`. */
  readonly problem?: unknown;
}

/** One that the service does not answer holds up the others no longer than this, ms. */
const patienceMs = 10_000;
/** After these the others would be refused as well. */
const forAll: ReadonlySet<ProblemCode | undefined> = new Set<ProblemCode>(['balanceTooLow', 'dailyCap', 'keyRefused']);

/**
 * Places orders that one yes was said to, one after the other, so that a refusal that holds for all of them is heard once. What is not placed then was
 * neither recorded nor sent. Never rejects.
 */
export async function orderTogether(orders: readonly Order[], desk: OrderDesk, clock: Clock): Promise<Ordered> {
  const keys: string[] = [];
  let problem: unknown;
  let goesOn = true;
  const order = async (one: Order) => {
    try {
      const record = await desk.place(one);
      if (record) keys.push(record.key);
      goesOn = record !== undefined && !isRefusedForAll(await answered(desk.send(record.key), clock));
    } catch (error) {
      problem = error;
      goesOn = false;
    }
  };
  await eachOf(orders, 1, order, () => goesOn);
  return { keys, problem };
}

/** Where the record stands once the service has answered; undefined while it does not. */
async function answered(sending: Promise<RenderRecord>, clock: Clock): Promise<RenderRecord | undefined> {
  const over = new AbortController();
  const late = wait(clock, patienceMs, over.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([sending, late]);
  } finally {
    over.abort();
  }
}

/** Also one that could not be sent, and waits for the person. */
function isRefusedForAll(record: RenderRecord | undefined): boolean {
  return record?.state === 'planned' || (record?.state === 'refused' && forAll.has(record.problem?.code));
}
