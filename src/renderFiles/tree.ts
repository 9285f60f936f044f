import { createScanner, type JSONScanner } from 'jsonc-parser';
import type { Json } from '../base/json';
import type { Yielder } from '../base/concurrency';
import type { Span, Written } from '../documents/scan';
import type { EntryProblem, EntryProblemCode } from './renderFile';

/** A value in a JSON text, with its span. */
export type JsonNode = ObjectNode | ArrayNode | ScalarNode;

export interface ObjectNode extends Span {
  readonly kind: 'object';
  /** As written; the last of several with the same name counts. */
  readonly properties: readonly Property[];
}

export interface ArrayNode extends Span {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
}

export interface ScalarNode extends Span {
  readonly kind: 'scalar';
  readonly value: null | boolean | number | string;
}

export interface Property {
  /** Without its quotes. */
  readonly key: Written;
  /** Undefined if it's still missing. */
  readonly value: JsonNode | undefined;
}

export interface Tree {
  readonly root: JsonNode | undefined;
  readonly problems: readonly EntryProblem[];
}

/** Nothing in a render file nests deeper. */
const deepest = 64;
/** More errors in one text help nobody, so nothing after them is read. */
const mostFaults = 100;
/** Values and names, as of ten thousand entries with ten each. A much larger tree takes long to build. */
const mostValues = 100_000;
/** This many tokens take less than a millisecond. */
const tokensAtOnce = 512;

/**
 * Reads JSON with comments and trailing commas, taking turns with other work. Reads half-typed text as far as possible:
 * an error never hides what follows it.
 */
export async function readTree(text: string, turns: Yielder): Promise<Tree> {
  const reader = new TreeReader(createScanner(text, true));
  while (reader.read(tokensAtOnce)) await turns.next();
  return reader.tree;
}

/**
 * True if a JSON text nests deeper before an offset than any render file may: then no parser that calls itself may read
 * it, since it would run out of stack.
 */
export function isTooDeep(text: string, before = text.length): boolean {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let kind: number = scanner.scan(); kind !== endOfFile; kind = scanner.scan()) {
    if (scanner.getTokenOffset() >= before) return false;
    if (kind === openBrace || kind === openBracket) depth += 1;
    else if (kind === closeBrace || kind === closeBracket) depth = Math.max(0, depth - 1);
    if (depth > deepest) return true;
  }
  return false;
}

type Open = OpenObject | OpenArray;

interface OpenObject {
  readonly node: { kind: 'object'; start: number; end: number; properties: Writable<Property>[] };
  /** The property whose colon or value is still to come. */
  pending?: Writable<Property> & { hasColon?: boolean };
  wantsComma: boolean;
}

interface OpenArray {
  readonly node: { kind: 'array'; start: number; end: number; items: JsonNode[] };
  pending?: undefined;
  wantsComma: boolean;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

// The kinds of tokens, which the package declares as constants that a bundler doesn't see.
const [openBrace, closeBrace, openBracket, closeBracket, comma, colon] = [1, 2, 3, 4, 5, 6];
const [nullWord, trueWord, falseWord, stringLiteral, numericLiteral, unknown, endOfFile] = [7, 8, 9, 10, 11, 16, 17];
/** The scanner's errors: 0 is none, 1 an unterminated comment, and any greater one an error in a string or number. */
const openComment = 1;

class TreeReader {
  private root: JsonNode | undefined;
  private readonly stack: Open[] = [];
  private readonly problems: EntryProblem[] = [];
  /** The end of the last token. */
  private end = 0;
  private values = 0;

  constructor(private readonly scanner: JSONScanner) {}

  get tree(): Tree {
    return { root: this.root, problems: this.problems };
  }

  /** Reads this many tokens; false once there are no more. */
  read(tokens: number): boolean {
    for (let left = tokens; left > 0; left--) if (!this.take(this.scanner.scan())) return false;
    return true;
  }

  private take(kind: number): boolean {
    if (this.error === openComment) this.fault();
    if (kind === endOfFile) return this.close();
    if (kind === openBrace || kind === openBracket) {
      if (this.stack.length === deepest) return this.giveUp({ code: 'tooDeep' });
      this.open(kind === openBrace);
    } else if (kind === closeBrace || kind === closeBracket) this.closed(kind === closeBrace ? 'object' : 'array');
    else if (kind === comma) this.comma();
    else if (kind === colon) this.colon();
    else if (kind === stringLiteral) this.text();
    else if (kind === unknown) this.fault();
    else this.value({ kind: 'scalar', ...this.place, value: this.scalar(kind) });
    this.end = this.place.end;
    if (this.values > mostValues) return this.giveUp({ code: 'tooManyValues', most: mostValues });
    return this.problems.length < mostFaults || this.close();
  }

  private get place(): Span {
    const start = this.scanner.getTokenOffset();
    return { start, end: start + this.scanner.getTokenLength() };
  }

  private get error(): number {
    return this.scanner.getTokenError();
  }

  private get top(): Open | undefined {
    return this.stack.at(-1);
  }

  private open(isObject: boolean): void {
    const opened: Open = isObject
      ? { node: { kind: 'object', ...this.place, properties: [] }, wantsComma: false }
      : { node: { kind: 'array', ...this.place, items: [] }, wantsComma: false };
    this.value(opened.node);
    this.stack.push(opened);
  }

  /** Skips a bracket that nothing opened; one of an outer value also closes the inner ones. */
  private closed(kind: 'object' | 'array'): void {
    if (!this.stack.some(({ node }) => node.kind === kind)) return this.fault();
    for (;;) {
      const top = this.stack.pop();
      if (!top) return;
      this.leave(top);
      if (top.node.kind === kind) {
        top.node.end = this.place.end;
        return;
      }
      this.fault();
      top.node.end = this.place.start;
    }
  }

  private close(): boolean {
    if (this.stack.length > 0) this.fault({ start: this.end, end: this.end });
    else if (!this.root) this.fault({ start: this.end, end: this.end });
    for (const top of this.stack.reverse()) {
      this.leave(top);
      top.node.end = this.place.end;
    }
    return false;
  }

  private giveUp(problem: EntryProblemCode): boolean {
    this.problems.push({ ...problem, severity: 'error', ...this.place });
    return this.close();
  }

  /** A property without a value is still a property. */
  private leave(top: Open): void {
    if (top.pending) this.fault(top.pending.key);
    top.pending = undefined;
  }

  private comma(): void {
    const { top } = this;
    if (!top) return this.fault();
    if (top.pending) this.leave(top);
    else if (!top.wantsComma) this.fault();
    top.wantsComma = false;
  }

  private colon(): void {
    const { top } = this;
    if (top?.node.kind !== 'object') return this.fault();
    const open = top as OpenObject;
    open.pending ??= takenForValue(open);
    if (!open.pending || open.pending.hasColon) return this.fault();
    open.pending.hasColon = true;
  }

  private text(): void {
    if (this.error > openComment) this.fault();
    const { top } = this;
    if (top?.node.kind === 'object' && !top.pending?.hasColon) this.key(top as OpenObject);
    else this.value({ kind: 'scalar', ...this.place, value: this.scanner.getTokenValue() });
  }

  private key(open: OpenObject): void {
    this.values += 1;
    if (open.wantsComma) this.fault({ start: this.end, end: this.place.start + 1 });
    this.leave(open);
    const { start, end } = this.place;
    const key = { start: start + 1, end: Math.max(start + 1, end - 1), text: this.scanner.getTokenValue() };
    open.pending = { key, value: undefined };
    open.node.properties.push(open.pending);
    open.wantsComma = true;
  }

  private value(node: JsonNode): void {
    const { top } = this;
    this.values += 1;
    if (!top) {
      if (this.root) this.fault();
      else this.root = node;
    } else if (top.node.kind === 'array') {
      if (top.wantsComma) this.fault({ start: this.end, end: this.place.start + 1 });
      top.node.items.push(node);
    } else if (top.pending) {
      if (!top.pending.hasColon) this.fault();
      top.pending.value = node;
      top.pending = undefined;
    } else this.fault();
    if (top) top.wantsComma = true;
  }

  private scalar(kind: number): ScalarNode['value'] {
    if (kind === nullWord) return null;
    if (kind === trueWord || kind === falseWord) return kind === trueWord;
    const number = kind === numericLiteral ? Number(this.scanner.getTokenValue()) : NaN;
    if (Number.isFinite(number)) return number;
    this.fault();
    return null;
  }

  private fault(place: Span = this.place): void {
    this.problems.push({ code: 'syntax', severity: 'error', start: place.start, end: place.end });
  }
}

/** While a value is missing, the name of the next property was read as the value. */
function takenForValue({ node }: OpenObject): OpenObject['pending'] {
  const last = node.properties.at(-1);
  if (last?.value?.kind !== 'scalar' || typeof last.value.value !== 'string') return undefined;
  const { start, end, value: text } = last.value;
  last.value = undefined;
  const pending = { key: { start: start + 1, end: end - 1, text }, value: undefined };
  node.properties.push(pending);
  return pending;
}

/** The value of a node. Names such as `__proto__` are data. */
export function jsonOf(node: JsonNode): Json {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(jsonOf);
  return Object.fromEntries(node.properties.flatMap(({ key, value }) => (value ? [[key.text, jsonOf(value)]] : [])));
}
