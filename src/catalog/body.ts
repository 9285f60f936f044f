import type { Clock } from '../base/clock';
import { ServiceError } from './errors';
import { lengthOf } from './headers';
import type { Incoming } from './transport';

/** The complete body as text. Rejects with `tooLarge` as soon as it's known to be longer than `most` bytes. */
export async function readText(incoming: Incoming, most: number): Promise<string> {
  if ((lengthOf(incoming.headers) ?? 0) > most) {
    incoming.body.destroy();
    throw tooLarge(most);
  }
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of incoming.body as AsyncIterable<Uint8Array>) {
    // Leaving the loop closes the connection.
    if (incoming.received() > most) throw tooLarge(most);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The body of an error: at most `most` bytes, or what had arrived when it broke off. Never rejects. */
export async function readWhatComes(incoming: Incoming, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of incoming.body as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      if (incoming.received() > most) break;
    }
  } catch {
    // The status says what matters; the text is optional.
  }
  return text;
}

export interface TransferPace {
  /** The longest pause without a byte, ms. */
  readonly idleMs: number;
  /** At least `bytes` within any `withinMs`. */
  readonly bytes: number;
  readonly withinMs: number;
}

/** Ends a body that has almost stopped arriving. Waits for a reader that is slow itself. */
export function keepPace(incoming: Incoming, clock: Clock, { idleMs, bytes, withinMs }: TransferPace): void {
  const { body } = incoming;
  let last = { at: clock.ticks(), received: incoming.received() };
  let span = last;
  const look = () => {
    const now = { at: clock.ticks(), received: incoming.received() };
    if (now.received > last.received) last = now;
    // Bytes have arrived but aren't being read, so the network isn't the cause.
    if (body.readableLength > 0) last = span = now;
    if (now.at - last.at >= idleMs) return fail(`no byte for ${idleMs / 1000} s`);
    if (now.at - span.at >= withinMs) {
      if (now.received - span.received < bytes) return fail(`fewer than ${bytes} bytes in ${withinMs / 1000} s`);
      span = now;
    }
    timer = clock.after(every, look);
  };
  const fail = (what: string) => {
    body.destroy(new ServiceError('noAnswer', `The file stopped arriving: ${what}`, { systemCode: 'ETIMEDOUT' }));
  };
  const every = Math.min(idleMs, withinMs) / 4;
  let timer = clock.after(every, look);
  body.once('close', () => timer.dispose());
}

function tooLarge(most: number): ServiceError {
  return new ServiceError('tooLarge', `The response is larger than ${most} bytes`);
}
