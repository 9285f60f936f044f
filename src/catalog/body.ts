import { pipeline, type Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Clock } from '../base/clock';
import { ServiceError } from './errors';
import { lengthOf } from './headers';
import type { Incoming } from './transport';

/**
 * The complete body as text. One of JSON that is longer than `kept` bytes comes without the texts in it that don't fit:
 * `{}` replaces them. Rejects with `tooLarge` as soon as it's known to be longer than `most` bytes.
 */
export async function readText(incoming: Incoming, kept: number, most: number): Promise<string> {
  if ((lengthOf(incoming.headers) ?? 0) > most) {
    incoming.body.destroy();
    throw tooLarge(most);
  }
  const decoder = new TextDecoder();
  const text = new Kept(kept);
  for await (const chunk of incoming.body as AsyncIterable<Uint8Array>) {
    // Leaving the loop closes the connection.
    if (incoming.received() > most) throw tooLarge(most);
    text.add(decoder.decode(chunk, { stream: true }));
  }
  text.add(decoder.decode());
  return text.all;
}

/** In place of a text that is left out: it's stated, unlike `null`, and neither a text nor equal to any. */
const leftOut = '{}';

/** A text in JSON is left out only if it's longer, characters: names and IDs stay. */
const longText = 64 * 1024;

/** JSON as it arrives, about so many characters of it: a long text in it that would pass that is left out. */
class Kept {
  all = '';
  /** Texts are told from the rest only once it's needed. */
  private isLong = false;
  private isInside = false;
  /** Where the text begins that hasn't ended yet; undefined if it's left out. */
  private start: number | undefined;
  private isEscaped = false;

  constructor(private readonly most: number) {}

  /** Throws `tooLarge` when the rest is too long as well. */
  add(part: string): void {
    const whole = this.isLong ? part : this.all + part;
    if (!this.isLong && whole.length <= this.most) this.all = whole;
    else {
      if (!this.isLong) this.all = '';
      this.isLong = true;
      this.sort(whole);
    }
  }

  private sort(part: string): void {
    for (let from = 0; from < part.length;) {
      const end = this.isInside ? this.endIn(part, from) : part.indexOf('"', from) + 1;
      const to = end > 0 ? end : part.length;
      this.keep(part.slice(from, to));
      if (end > 0) this.isInside = !this.isInside;
      if (end > 0) this.start = this.isInside ? this.all.length - 1 : undefined;
      from = to;
    }
  }

  /** The end of the text that an offset is inside of; 0 if it isn't in this part. */
  private endIn(part: string, from: number): number {
    const special = /["\\]/g;
    special.lastIndex = from + (this.isEscaped ? 1 : 0);
    this.isEscaped = false;
    for (let found = special.exec(part); found; found = special.exec(part)) {
      if (found[0] === '"') return special.lastIndex;
      this.isEscaped = special.lastIndex >= part.length;
      special.lastIndex += 1;
    }
    return 0;
  }

  private keep(part: string): void {
    if (this.isInside && this.start === undefined) return;
    this.all += part;
    if (this.all.length <= this.most) return;
    if (this.start !== undefined && this.all.length - this.start > longText) {
      this.all = `${this.all.slice(0, this.start)}${leftOut}`;
      this.start = undefined;
    } else if (this.all.length > 2 * this.most) throw tooLarge(2 * this.most);
  }
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

const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** True for the encoding of a body that `decoded` knows. */
export function isDecodable(coding: string): boolean {
  return decoders.has(coding);
}

/**
 * The decoded body of a file that is stored encoded. Fails with ServiceError `unreadable` if it's damaged or cut, and
 * `tooLarge` beyond `most` bytes: a small body can expand without bound.
 */
export function decoded({ body, status }: Incoming, coding: string, most: number): Readable {
  const decoder = decoders.get(coding)?.();
  if (!decoder) throw new Error(`no decoder for ${coding}`);
  let bytes = 0;
  const capped = new Transform({
    transform: (chunk: Uint8Array, _, done) => {
      bytes += chunk.length;
      done(bytes > most ? tooLarge(most) : null, chunk);
    },
  });
  body.once('error', (error) => capped.destroy(error));
  decoder.once('error', (error) =>
    capped.destroy(new ServiceError('unreadable', `The file isn’t complete ${coding}`, { status, cause: error })),
  );
  pipeline(body, decoder, capped, () => {});
  return capped;
}

function tooLarge(most: number): ServiceError {
  return new ServiceError('tooLarge', `The response is larger than ${most} bytes`);
}

/** The most names in an object: no more can be gone through at once. */
const mostNames = 20_000;

/**
 * Parses JSON. An integer that a number can't hold becomes its digits as a text, since it may be an ID. Throws
 * SyntaxError, and ServiceError `tooLarge` for more than `most` values, or an object of too many names, before anything
 * is parsed.
 */
export function parseJson(text: string, most: number): unknown {
  refuseTooMany(text, most);
  return /\d{16}/.test(text) ? JSON.parse(text, exactNumber) : JSON.parse(text);
}

/** `source`: the number as it was written; the declarations of the language don't have it yet. */
const exactNumber = ((_name: string, value: unknown, { source }: { readonly source?: string }) =>
  typeof value === 'number' && source !== undefined && /^-?[1-9]\d*$/.test(source) && String(value) !== source
    ? source
    : value) as unknown as (name: string, value: unknown) => unknown;

/** Each value but the first follows a comma, a bracket, or a brace outside of texts. */
function refuseTooMany(text: string, most: number): void {
  /** For each object and array around a place, how many names it has there; an array has none. */
  const names = [0];
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === ']' || character === '}') names.pop();
    else if (character === ',' || character === '[' || character === '{') {
      if (++values > most) throw new ServiceError('tooLarge', `The response has more than ${most} values`);
      const count = character === ',' ? (names.pop() ?? 0) + 1 : character === '{' ? 1 : -Infinity;
      names.push(count);
      if (count > mostNames)
        throw new ServiceError('tooLarge', `The response has an object of more than ${mostNames} names`);
    }
  }
}

/** The place of the quotation mark that ends a text, which starts with one at `start`. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let escape = end;
    while (json[escape - 1] === '\\') escape--;
    if ((end - escape) % 2 === 0) return end;
  }
  return json.length;
}
