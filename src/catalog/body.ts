import { pipeline, type Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Clock } from '../base/clock';
import type { Yielder } from '../base/concurrency';
import { ServiceError } from './errors';
import { lengthOf } from './headers';
import type { Shape } from './shape';
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

/** What is parsed at once, characters: a millisecond or two. */
const piece = 64 * 1024;

/** How many characters are looked at between two looks at the clock. */
const atOnce = 4096;

/** The most names in an object of a long text: no more can be gone through at once. */
const mostNames = 20_000;

/**
 * Parses JSON of any length; others have their turn meanwhile. A short text is parsed at once. Rejects with
 * SyntaxError, also where a name, a number, or a gap is longer than any service writes, and with ServiceError
 * `tooLarge` for more values than `most`.
 */
export async function parseJson(text: string, most: number, turns: Yielder): Promise<unknown> {
  if (text.length <= piece) return exactJson(text);
  const whole = new Members(text, -1, true);
  const open = [whole];
  let [values, pause, startOfText] = [1, atOnce, -1];
  for (let at = 0; at < text.length; at++) {
    if (at >= pause) {
      await turns.next();
      pause = at + atOnce;
    }
    const code = text.charCodeAt(at);
    const inner = open.at(-1) ?? whole;
    if (startOfText >= 0) {
      if (code === backslash) at++;
      if (code !== quote) continue;
      if (at - startOfText > piece) inner.setLong(startOfText, at + 1, await textBetween(text, startOfText, at, turns));
      startOfText = -1;
    } else if (code === quote) startOfText = at;
    else if (code === comma || code === bracket || code === brace) {
      // Each value but the first follows one of these.
      if (++values > most) throw new ServiceError('tooLarge', `The response has more than ${most} values`);
      if (code === comma) inner.endMember(at);
      else open.push(new Members(text, at, code === bracket));
    } else if (code === closingBracket || code === closingBrace) {
      open.pop();
      const outer = open.at(-1);
      if (!outer || inner.isArray !== (code === closingBracket)) throw new SyntaxError('An end without a start');
      if (at - inner.start > piece) outer.setLong(inner.start, at + 1, inner.end(at));
    }
  }
  const parsed = whole.end(text.length) as unknown[];
  if (open.length > 1 || startOfText >= 0 || parsed.length !== 1) throw new SyntaxError('Not one whole value');
  return parsed[0];
}

/** As `JSON.parse`. An integer that a number can't hold becomes its digits as a text, since it may be an ID. */
function exactJson(json: string): unknown {
  if (!/\d{16}/.test(json)) return JSON.parse(json);
  return JSON.parse(json.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*/gs, exactToken));
}

function exactToken(token: string): string {
  return /^-?[1-9]\d*$/.test(token) && String(Number(token)) !== token ? `"${token}"` : token;
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [bracket, closingBracket, brace, closingBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The members of an array or object whose end hasn't come yet. Its short ones are parsed several at once. */
class Members {
  private readonly array: unknown[] = [];
  private readonly object: Record<string, unknown> = {};
  /** How many values are in it, with those whose name is repeated. */
  private size = 0;
  /** Where the members begin that aren't parsed yet, and where the current one does. */
  private from: number;
  private member: number;
  private long: { readonly start: number; readonly end: number; readonly value: unknown } | undefined;

  constructor(
    private readonly text: string,
    readonly start: number,
    readonly isArray: boolean,
  ) {
    this.from = this.member = start + 1;
  }

  /** A part of the current member that is too long to be parsed at once. */
  setLong(start: number, end: number, value: unknown): void {
    this.long = { start, end, value };
  }

  endMember(at: number, isLast = false): void {
    const { text, from, member, long } = this;
    if (long) {
      if (from < member) this.add(text.slice(from, member - 1));
      this.add(`${text.slice(member, long.start)}null${text.slice(long.end, at)}`, long);
      this.long = undefined;
    } else if (isLast || at - from > piece) this.add(text.slice(from, at));
    else {
      this.member = at + 1;
      return;
    }
    this.from = this.member = at + 1;
  }

  /** The array or object, which ends there. */
  end(at: number): unknown {
    this.endMember(at, true);
    return this.isArray ? this.array : this.object;
  }

  /** `known`: the value of the one member that these are. */
  private add(members: string, known?: { readonly value: unknown }): void {
    if (members.length > 4 * piece) throw new SyntaxError('A name, a number, or a gap is too long');
    const before = this.size;
    if (this.isArray) {
      for (const value of exactJson(`[${members}]`) as unknown[]) this.array.push(known ? known.value : value);
      this.size = this.array.length;
    } else {
      for (const [name, value] of Object.entries(exactJson(`{${members}}`) as Shape)) {
        this.name(name, known ? known.value : value);
        this.size++;
      }
      if (this.size > mostNames)
        throw new ServiceError('tooLarge', `The response has an object of more than ${mostNames} names`);
    }
    if (this.size === before && this.member > this.start + 1) throw new SyntaxError('A comma without a value');
  }

  private name(name: string, value: unknown): void {
    if (name !== '__proto__') this.object[name] = value;
    // Assigned, it would be no name.
    else Object.defineProperty(this.object, name, { value, configurable: true, enumerable: true, writable: true });
  }
}

/** The text between two quotes. */
async function textBetween(json: string, start: number, end: number, turns: Yielder): Promise<string> {
  let text = '';
  for (let from = start + 1; from < end;) {
    const to = Math.min(end, afterEscape(json, from, from + piece));
    text += JSON.parse(`"${json.slice(from, to)}"`) as string;
    from = to;
    await turns.next();
  }
  return text;
}

/** The end of the escape sequence that an offset is inside of, or else the offset. `from` isn't inside of one. */
function afterEscape(json: string, from: number, at: number): number {
  for (let start = at - 1; start > at - '\\u1234'.length; start--) {
    const isEscape = json.charCodeAt(start) === backslash && !isEscaped(json, from, start);
    const end = start + (json[start + 1] === 'u' ? '\\u1234' : '\\n').length;
    if (isEscape && end > at) return end;
  }
  return at;
}

/** Whether a character has an odd number of backslashes before it, counted back to `from`. */
function isEscaped(json: string, from: number, at: number): boolean {
  let start = at;
  while (start > from && json.charCodeAt(start - 1) === backslash) start--;
  return (at - start) % 2 === 1;
}
