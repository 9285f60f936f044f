import type { Chance } from './chance';
import type { FaultKind, Faults } from './faults';
import type { Time } from './time';

/** The service's behavior where its specification says nothing. */
export interface Policy {
  /** The first check: whether the key was seen before, or whether the request can be charged. */
  readonly order: 'keyFirst' | 'balanceFirst';
  /** How long a key is remembered after the charge, ms. We rely on at least 15 minutes. */
  readonly retentionMs: number;
  /** How far its clock is ahead of true time, ms; undefined if its responses have no Date. */
  readonly clockAheadMs: number | undefined;
  /** The list omits results. */
  readonly bareList: boolean;
  /** How many renders the list has, those called "recent". */
  readonly listLength: number;
  /** The list states model, inputs, and time. */
  readonly tellingList: boolean;
  /** Content has no length. */
  readonly noLength: boolean;
  /** The scope of an Idempotency-Key: one API key, or the whole account. */
  readonly keysPer: 'apiKey' | 'account';
  /** It states what its models make. */
  readonly kindsStated: boolean;
  /** The text next to a file's URL; undefined for none. */
  readonly textBeside: string | undefined;
  /** Where it states that the daily cap is reached, if not in `code`. */
  readonly capIn: keyof typeof capBodies;
}

const cap = 'API_KEY_DAILY_CAP';

/** The same rejection in the style of different frameworks. */
const capBodies = {
  code: { code: cap, message: 'The daily cap of this key is reached' },
  detail: { detail: { code: cap } },
  errors: { errors: [{ status: '409', code: cap }] },
  error: { error: cap },
  type: { error: { type: cap.toLowerCase(), message: 'The daily cap of this key is reached' } },
  message: { statusCode: 409, message: `${cap}: try again tomorrow` },
} as const;

/** Before the first ID, if they're large: no number of JavaScript holds any of them. */
const largeIds = 2n ** 62n;

/** The beginning of the keys of charges for renders that were started elsewhere. */
export const elsewhereKey = 'elsewhere ';

/** A render that none of these accounts has. */
const another = { id: 'gen-900', status: 'succeeded', costCents: 900, modelId: 'x/y/z', inputs: { prompt: 'a cat' } };

/** Rejections of a request that was charged. */
function falseRefusals(id: string): readonly [status: number, body: object][] {
  return [
    [400, { code: 'INVALID_INPUT', message: 'Refused', generationId: id }],
    [402, { message: 'Your balance is too low. This request was already charged.' }],
    [409, { code: cap, generation: { id } }],
    [409, { code: 'IN_PROGRESS', message: 'Not now', request: { prompt: `${cap}, painted` } }],
    [409, { code: 'IN_PROGRESS', message: `Not now. There is also ${cap}.` }],
  ];
}

export interface Request {
  readonly method: string;
  /** Below the catalog root, such as `/generations`. */
  readonly path: string;
  /** The API key. */
  readonly key: string;
  readonly idempotencyKey: string;
  readonly body: string;
  /** It asks caches on the way for nothing that they have kept. */
  readonly isFresh: boolean;
  /** Identifies the request in the schedule. */
  readonly name: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
  /** How long the service takes to send it, ms. */
  readonly afterMs: number;
  /** It states, in the specification's form, that nothing is charged. */
  readonly isRefusal?: boolean;
  /** It states the render that this request is charged for. */
  readonly isAcceptance?: boolean;
  /** It comes from a cache. */
  readonly isKept?: boolean;
}

/** How long an accepted render may be denied, ms. */
const longestDenialMs = 8 * 60_000;

/** How late a list may be, ms. */
const lateListMs = [10 * 60_000, 3 * 60 * 60_000] as const;

/** Ends that the specification doesn't know. */
const oddStatuses: readonly string[] = ['canceled', 'cancelled', 'error', 'timeout', 'expired'];
/** How a service says that a result isn't there yet, or no longer, or not for us. */
const notReadyStatuses = [202, 204, 403, 404, 409, 410, 423, 425, 500, 503] as const;
/** How long a result may take to be there after its render succeeded, ms. */
const longestCopyMs = 10 * 60_000;

/** One charge in the service's books. */
export interface Charge {
  readonly id: string;
  /** The Idempotency-Key of the charge. */
  readonly key: string;
  /** The charged account, and the API key of the request. */
  readonly account: string;
  readonly apiKey: string;
  readonly body: string;
  readonly cents: number;
  /** True ms. */
  readonly at: number;
  readonly listedAt: number;
  readonly endsAt: number;
  /** How it ends, and what becomes of that later, true ms. Any word may be an end; see the fault `oddStatus`. */
  readonly end: string;
  readonly later: { readonly at: number; readonly end: 'succeeded' | 'refunded' } | undefined;
  readonly result: { readonly text: string } | { readonly bytes: Uint8Array };
}

interface ApiKey {
  readonly account: string;
  revoked: boolean;
}

/** The service with its books: everything in them was charged, whatever anyone was told. */
export class Service {
  readonly charges: Charge[] = [];
  /** Renders that others have on their accounts, with IDs of ours. */
  private readonly others: Charge[] = [];
  private readonly balances = new Map<string, number>();
  private readonly apiKeys = new Map<string, ApiKey>();
  /** Keys that stay revoked, since their owner replaced them. */
  private readonly replaced = new Set<ApiKey>();
  /**
   * By Idempotency-Key: how the service rejects this decision each time, for a reason missing from its specification.
   */
  private readonly strange = new Map<string, number>();
  /** It charges every request, whatever its Idempotency-Key. */
  readonly ignoresKeys: boolean;
  /** It reuses the IDs of some earlier renders. */
  readonly repeatsIds: boolean;
  private readonly keepsTime: boolean;
  private kept: { readonly reply: Reply; readonly at: number } | undefined;
  /** Its responses state no more than the specification requires. */
  readonly isTerse: boolean;
  private readonly hasLargeIds: boolean;
  private readonly hasExcerpts: boolean;
  /** It states a charge only once the render has ended, and 0 before. */
  private readonly isFreeUntilDone: boolean;
  private readonly textBeside: string | undefined;
  private readonly hasOddPictures: boolean;
  private readonly sendsParts: boolean;
  /** How often the same bytes arrived as a file, without anything that shows whether they were cut. */
  private readonly untold = new Map<string, number>();
  private readonly capIn: Policy['capIn'];
  /** The Idempotency-Keys of rejected requests: nothing was charged for those. */
  readonly refusals = new Set<string>();
  private risenBy = 0;
  /** When all prices rose, by the machine's monotonic clock; Infinity for never. */
  risenAt = Infinity;
  private readonly deniedUntil = new Map<string, number>();
  /** Results that can't be had until then, true ms, and how it says so. */
  private readonly notReady = new Map<string, { readonly until: number; readonly reply: Reply }>();
  private readonly running = new Map<string, number>();

  constructor(
    private readonly policy: Policy,
    private readonly time: Time,
    private readonly chance: Chance,
    private readonly faults: Faults,
    /** The account of each API key. */
    accounts: Readonly<Record<string, string>>,
    balance: number,
  ) {
    for (const [key, account] of Object.entries(accounts)) {
      this.apiKeys.set(key, { account, revoked: false });
      this.balances.set(account, balance);
    }
    const habit = (kind: FaultKind, likelihood: number) => faults.strikes(kind, 'always', likelihood);
    this.ignoresKeys = habit('keysIgnored', 0.15);
    this.repeatsIds = habit('idTwice', 0.4);
    this.keepsTime = habit('cachedTime', 0.5);
    this.isTerse = habit('terse', 0.5);
    this.hasLargeIds = habit('largeIds', 0.4);
    this.hasExcerpts = habit('excerpts', 0.7);
    this.isFreeUntilDone = habit('freeUntilDone', 0.8);
    this.capIn = habit('capElsewhere', 0.7) ? policy.capIn : 'code';
    this.textBeside = habit('textBeside', 0.5) ? policy.textBeside : undefined;
    this.hasOddPictures = habit('oddPictures', 0.7);
    this.sendsParts = habit('partIsAll', 0.7);
  }

  /** From now on, everything costs this many euro cents more. */
  raise(cents: number): void {
    this.risenBy += cents;
    this.risenAt = this.time.ticks;
  }

  /** The account of an API key. */
  accountOf(apiKey: string): string | undefined {
    return this.apiKeys.get(apiKey)?.account;
  }

  /** The owner of an API key has created another, and this one becomes invalid. */
  revoke(apiKey: string): void {
    const key = this.apiKeys.get(apiKey)!;
    key.revoked = true;
    this.replaced.add(key);
  }

  /** Ends all its faults. */
  heal(): void {
    for (const key of this.apiKeys.values()) key.revoked = this.replaced.has(key);
    for (const [account, balance] of this.balances) this.balances.set(account, balance + 10_000);
    this.strange.clear();
  }

  statusOf({ endsAt, end, later }: Charge): string {
    if (this.time.now < endsAt) return 'queued';
    return later && this.time.now >= later.at ? later.end : end;
  }

  /** Whether nothing more becomes of a render, and the list has it. */
  isOver({ endsAt, later, listedAt }: Charge): boolean {
    return this.time.now >= Math.max(endsAt, later?.at ?? 0, listedAt);
  }

  /** Whether it will never say how a render ended. */
  isStuck({ end }: Charge): boolean {
    return oddStatuses.includes(end);
  }

  /** How a render ends, and later may end otherwise. */
  private endOf(name: string, endsAt: number): Pick<Charge, 'end' | 'later'> {
    const { chance, faults } = this;
    const later = (end: 'succeeded' | 'refunded') => ({
      at: endsAt + chance.mostlySmall(`${name} ${end}`, 0, 240_000),
      end,
    });
    if (faults.strikes('renderFails', name, 0.25)) return { end: 'failed', later: later('refunded') };
    if (faults.strikes('succeedsLate', name, 0.25)) return { end: 'failed', later: later('succeeded') };
    if (faults.strikes('refundsLate', name, 0.25)) return { end: 'succeeded', later: later('refunded') };
    if (faults.strikes('oddStatus', name, 0.25))
      return { end: chance.pick(`${name} odd`, oddStatuses), later: undefined };
    return { end: 'succeeded', later: undefined };
  }

  answer(request: Request): Reply {
    const apiKey = this.apiKeys.get(request.key);
    const { faults } = this;
    if (apiKey && faults.strikes('keyRefused', request.name, 0.03)) apiKey.revoked = true;
    if (!apiKey || apiKey.revoked) {
      this.refusals.add(request.idempotencyKey);
      return { ...this.refusal(401, 'UNAUTHORIZED'), isRefusal: true };
    }
    if (faults.strikes('tooManyRequests', request.name, 0.06)) {
      const seconds = this.chance.mostlySmall(`${request.name} wait`, 0, 90);
      const after = faults.strikes('centuries', request.name, 0.5) ? 10 ** 10 : seconds;
      return this.refusal(429, undefined, seconds > 20 && after === seconds ? {} : { 'retry-after': String(after) });
    }
    if (faults.strikes('errorBefore', request.name, 0.12)) {
      return this.refusal(this.chance.pick(request.name, [500, 502, 503, 504]), 'INTERNAL');
    }
    if (request.path === '/quote') return this.json({ costCents: this.priceOf(request.body) });
    if (request.method === 'POST') return this.start(request, apiKey.account);
    if (request.path === '/me') return this.me(request, apiKey.account);
    if (request.path.startsWith('/models/')) return this.json({ id: 'a/b/c', fields: [] });
    const [, , id, content] = request.path.split('/');
    if (id === undefined) return this.list(apiKey.account);
    // Of two renders with the same ID, the first is lost.
    const isTheirs = (one: Charge) => one.id === id && one.account === apiKey.account;
    const charge = this.charges.findLast(isTheirs) ?? this.others.find(isTheirs);
    if (!charge || this.denies(request, charge)) return this.refusal(404, 'NOT_FOUND');
    return content === undefined ? this.json(this.shown(charge)) : this.content(charge, request);
  }

  private start(request: Request, account: string): Reply {
    const strange = this.turnedAway(request);
    if (strange !== undefined) return this.refusal(strange, undefined);
    const refused = () => {
      const refusal = this.refused(request, account);
      if (refusal) this.refusals.add(request.idempotencyKey);
      return refusal && { ...refusal, isRefusal: true };
    };
    const known = () => this.known(request);
    const before = this.policy.order === 'keyFirst' ? (known() ?? refused()) : (refused() ?? known());
    if (before) return before;
    const charge = this.charge(request, account);
    const afterMs = this.faults.strikes('slowToAnswer', request.name, 0.25)
      ? this.chance.between(`${request.name} slow`, 2_000, 100_000)
      : 5;
    this.running.set(charge.key, this.time.now + afterMs);
    if (this.faults.strikes('errorAfter', request.name, 0.12)) {
      return {
        ...this.refusal(this.chance.pick(request.name, [500, 502, 503, 504, 403, 404, 422]), 'INTERNAL'),
        afterMs,
      };
    }
    const { id } = charge;
    if (this.faults.strikes('falseRefusal', request.name, 0.12)) {
      const [status, body] = this.chance.pick(`${request.name} false`, falseRefusals(id));
      return { ...this.said(status, body), afterMs };
    }
    if (this.faults.strikes('errorWithId', request.name, 0.12))
      return { ...this.json({ error: { code: 'INTERNAL', message: 'It failed' }, id: `req-${id}` }), afterMs };
    if (this.faults.strikes('anotherAnswer', request.name, 0.12)) return { ...this.json(another), afterMs };
    return { ...this.json(this.shown(charge)), afterMs, isAcceptance: true };
  }

  /**
   * The user starts the same elsewhere, on this API key's account, with another option or at a price that no order has,
   * also after a rise: nothing but the price may tell them apart.
   */
  elsewhere(apiKey: string, order: { readonly modelId: string; readonly inputs: object }, name: string): void {
    const isDearer = this.chance.unit(`${name} dearer`) < 0.5;
    const inputs = isDearer ? order.inputs : { ...order.inputs, quality: 'high' };
    const body = JSON.stringify({ modelId: order.modelId, inputs });
    const number = this.charges.length + 1;
    const endsAt = this.time.now + 5_000;
    this.charges.push({
      ...{ id: this.idOf(number), key: `${elsewhereKey}${number}`, account: this.accountOf(apiKey)!, apiKey, body },
      ...{ cents: this.priceOf(body) + (isDearer ? 2 : 0), at: this.time.now, listedAt: this.time.now, endsAt },
      ...{ end: 'succeeded', later: undefined, result: this.resultOf(`gen-${number}`, body) },
    });
  }

  /** A proxy on the way keeps the response, and says for how long it has. Some give it whatever is asked for. */
  private me({ isFresh, name }: Request, account: string): Reply {
    const reply = this.json({ balanceCents: this.balances.get(account) });
    if (!this.keepsTime || this.faults.over) return reply;
    const isObedient = this.chance.unit('obedient cache') < 0.7;
    if (!this.kept || (isFresh && isObedient)) this.kept = { reply, at: this.time.now };
    const seconds = Math.round((this.time.now - this.kept.at) / 1000);
    if (seconds === 0) return reply;
    this.faults.note('cachedTime', name);
    return { ...this.kept.reply, headers: { ...this.kept.reply.headers, age: String(seconds) }, isKept: true };
  }

  /** The status with which a proxy, or the service itself, permanently rejects a decision; undefined if it doesn't. */
  private turnedAway({ idempotencyKey, name }: Request): number | undefined {
    if (!this.strange.has(idempotencyKey) && this.faults.strikes('strangeRefusal', name, 0.08))
      this.strange.set(idempotencyKey, this.chance.pick(`${name} strange`, [403, 404, 405, 410, 413, 415, 422]));
    return this.strange.get(idempotencyKey);
  }

  /** Rejections before anything is charged. */
  private refused({ name, body }: Request, account: string): Reply | undefined {
    if (this.faults.strikes('invalidInput', name, 0.05)) return this.refusal(400, 'INVALID_INPUT');
    if (this.faults.strikes('dailyCap', name, 0.12)) return this.said(409, capBodies[this.capIn]);
    if (this.balances.get(account)! < this.priceOf(body)) {
      this.faults.note('balanceTooLow', name);
      return this.refusal(402, 'INSUFFICIENT_BALANCE');
    }
    return undefined;
  }

  /** The response to a known key. */
  private known({ idempotencyKey, key, body }: Request): Reply | undefined {
    const isTheirs = (one: Charge) =>
      this.policy.keysPer === 'apiKey' ? one.apiKey === key : one.account === this.accountOf(key);
    const charge = this.charges.findLast((one) => one.key === idempotencyKey && isTheirs(one));
    if (!charge || this.ignoresKeys || this.time.now - charge.at > this.policy.retentionMs) return undefined;
    if (this.time.now < (this.running.get(idempotencyKey) ?? 0)) return this.refusal(409, 'IN_PROGRESS');
    if (charge.body !== body) return this.refusal(422, 'KEY_REUSED');
    return { ...this.json(this.shown(charge)), isAcceptance: true };
  }

  private charge({ idempotencyKey, key, body, name }: Request, account: string): Charge {
    const { chance, faults } = this;
    const more = faults.strikes('chargedMore', name, 0.5) ? chance.between(`${name} more`, 1, 20) : 0;
    const cents = this.priceOf(body) + more;
    this.balances.set(account, this.balances.get(account)! - cents);
    const number = this.charges.length + 1;
    const before = this.charges.findLast((one) => one.account === account && one.key !== idempotencyKey);
    const id = this.repeatsIds && before && chance.unit(`${name} id`) < 0.5 ? before.id : this.idOf(number);
    const endsAt = this.time.now + chance.mostlySmall(`${name} render`, 1_000, 90_000);
    const late = faults.strikes('listLate', name, 0.3) ? chance.mostlySmall(`${name} listed`, 1_000, 300_000) : 0;
    const [soonest, latest] = lateListMs;
    const later = faults.strikes('listHoursLate', name, 0.3) ? chance.between(`${name} listed`, soonest, latest) : 0;
    if (faults.strikes('deniedLong', name, 0.2))
      this.deniedUntil.set(id, this.time.now + chance.between(`${name} denied`, 10_000, longestDenialMs));
    const charge: Charge = {
      ...{ id, key: idempotencyKey, account, apiKey: key, body, cents, at: this.time.now, endsAt },
      listedAt: this.time.now + Math.max(late, later),
      ...this.endOf(name, endsAt),
      result: this.resultOf(`gen-${number}`, body),
    };
    this.charges.push(charge);
    if (faults.strikes('idsPerAccount', name, 0.5)) this.othersHave(charge);
    return charge;
  }

  private idOf(number: number): string {
    return this.hasLargeIds ? String(largeIds + BigInt(number)) : `gen-${number}`;
  }

  /** Somebody else has a render with this ID on each of the other accounts: another image, often at the same price. */
  private othersHave({ id, at, cents, account }: Charge): void {
    const body = JSON.stringify({ modelId: 'a/b/picture-model', inputs: { prompt: 'a cat' } });
    for (const other of this.balances.keys()) {
      if (other === account) continue;
      this.others.push({
        ...{ id, at, body, account: other, key: elsewhereKey, apiKey: '', listedAt: at, endsAt: at },
        cents: this.chance.pick(`${id} of ${other}`, [cents, 900]),
        ...{ end: 'succeeded', later: undefined, result: this.resultOf(`${id} of ${other}`, body) },
      });
    }
  }

  /** The account's renders in the current list. */
  listed(account: string): Charge[] {
    return this.charges
      .filter(
        (charge, at) => charge.account === account && charge.listedAt <= this.time.now && !this.isHidden(charge, at),
      )
      .slice(-this.policy.listLength);
  }

  /** How far its clock is ahead of true time, ms; undefined if it doesn't state it. */
  get clockAheadMs(): number | undefined {
    return this.policy.clockAheadMs;
  }

  /** Whether the list states what a render can be recognized by. */
  get listTells(): boolean {
    return this.policy.tellingList && !this.isTerse;
  }

  /** Of two renders with the same ID, only the second is known. */
  private isHidden({ id, account }: Charge, at: number): boolean {
    return this.repeatsIds && this.charges.findLastIndex((one) => one.id === id && one.account === account) !== at;
  }

  private list(account: string): Reply {
    const theirs = this.others.filter((one) => one.account === account);
    const rows = [...theirs, ...this.listed(account)].map((charge) => {
      const { contentUrl, textOutput, ...rest } = this.shown(charge);
      const { id, status, costCents } = rest;
      return {
        ...(this.policy.tellingList ? rest : { id, status, costCents }),
        ...(!this.policy.bareList && {
          contentUrl,
          textOutput: this.hasExcerpts ? textOutput?.slice(0, 9) : textOutput,
        }),
      };
    });
    return this.json({ generations: rows.reverse() });
  }

  /** Some part of the service doesn't know of it yet. */
  private denies({ name }: Request, { id }: Charge): boolean {
    if (this.faults.strikes('denied', name, 0.06))
      this.deniedUntil.set(id, this.time.now + this.chance.between(`${name} denied`, 1_000, 40_000));
    return this.time.now <= (this.deniedUntil.get(id) ?? 0);
  }

  private shown(charge: Charge) {
    const { id, cents, body, at, result } = charge;
    const status = this.statusOf(charge);
    const done = status === 'succeeded';
    const { modelId, inputs } = JSON.parse(body) as { modelId: string; inputs: object };
    return {
      ...{ id, status, costCents: status === 'queued' && this.isFreeUntilDone ? 0 : cents },
      ...(!this.isTerse && {
        modelId,
        inputs,
        createdAt: new Date(at + (this.policy.clockAheadMs ?? 0)).toISOString(),
      }),
      contentUrl: done && 'bytes' in result ? `https://models.example/files/${id}` : undefined,
      textOutput: done ? ('text' in result ? result.text : this.textBeside) : undefined,
    };
  }

  private content({ result, id }: Charge, { name: asked }: Request): Reply {
    if (!('bytes' in result)) return this.refusal(404, 'NO_FILE');
    const { bytes } = result;
    if (this.faults.strikes('notReady', asked, 0.7)) {
      const status = this.chance.pick(`${asked} not ready`, notReadyStatuses);
      const wish = this.chance.unit(`${asked} wish`) < 0.2 ? { 'retry-after': '3600' } : undefined;
      const until = this.time.now + this.chance.between(`${asked} ready`, 1_000, longestCopyMs);
      this.notReady.set(id, { until, reply: this.refusal(status, undefined, wish) });
    }
    const { until = 0, reply } = this.notReady.get(id) ?? {};
    if (reply && this.time.now < until) return reply;
    if (this.faults.strikes('redirects', asked, 0.25))
      return this.said(302, {}, { location: `https://files.example/${id}?signature=1` });
    const other = this.faults.strikes('notTheResult', asked, 0.35) ? this.otherThan(bytes, asked) : undefined;
    if (other) return { status: 200, headers: { ...this.date(), ...other.headers }, body: other.body, afterMs: 5 };
    // Only an image shows its own end.
    const length: Record<string, string> =
      this.policy.noLength && isImage(bytes) ? {} : { 'content-length': String(bytes.length) };
    const range: Record<string, string> = this.sendsParts
      ? { 'content-range': `bytes 0-${bytes.length - 1}/${bytes.length}` }
      : {};
    const headers = { ...this.date(), ...length, ...range, 'content-type': 'image/png', 'x-generation': id };
    return { status: this.sendsParts ? 206 : 200, headers, body: bytes, afterMs: 5 };
  }

  /** Something that isn't the file. A text can be told from an image only if an image was ordered. */
  private otherThan(bytes: Uint8Array, name: string): { headers: Record<string, string>; body: Buffer } {
    const isKnown = isImage(bytes) && this.policy.kindsStated;
    const [type, body] = this.chance.pick(`${name} other`, isKnown ? [...errors, ...texts] : errors);
    return { headers: { 'content-type': type, 'content-length': String(body.length) }, body: Buffer.from(body) };
  }

  /** Bytes arrived as a file, without anything that shows whether they were cut. */
  tellsNothing(bytes: Uint8Array): void {
    const seen = Buffer.from(bytes).toString('latin1');
    this.untold.set(seen, (this.untold.get(seen) ?? 0) + 1);
  }

  /** How often the same bytes arrived that way. */
  timesUntold(bytes: Uint8Array): number {
    return this.untold.get(Buffer.from(bytes).toString('latin1')) ?? 0;
  }

  /** What a model makes, if the service states that. */
  kindOf(modelId: string): 'image' | 'text' | 'other' | undefined {
    if (!this.policy.kindsStated) return undefined;
    return modelId.includes('picture') ? 'image' : modelId.includes('text') ? 'text' : 'other';
  }

  private json(value: object): Reply {
    return this.said(200, value);
  }

  private refusal(status: number, code: string | undefined, more: Record<string, string> = {}): Reply {
    return this.said(status, { code, message: `Refused: ${status}` }, more);
  }

  private said(status: number, value: object, more: Record<string, string> = {}): Reply {
    const headers = { ...this.date(), 'content-type': 'application/json', ...more };
    const text = JSON.stringify(value);
    const body = Buffer.from(this.hasLargeIds ? text.replaceAll(/"id":"(\d+)"/g, '"id":$1') : text);
    return { status, headers, body, afterMs: 5 };
  }

  /** The current price of a render, euro cents, which depends on its inputs and on whether prices have risen. */
  priceOf(body: string): number {
    return (/"size":"large"/.test(body) ? 9 : 4) + this.risenBy;
  }

  private resultOf(id: string, body: string): Charge['result'] {
    if (body.includes('text-model')) return { text: `An answer to ${id}.` };
    if (body.includes('sound-model'))
      return { bytes: Buffer.concat([Buffer.from([1, 2, 3, 0]), Buffer.alloc(300, id)]) };
    const bytes = image(id, this.chance);
    return { bytes: this.hasOddPictures ? bytes.subarray(0, -12) : bytes };
  }

  private date(): Record<string, string> {
    const { clockAheadMs } = this.policy;
    return clockAheadMs === undefined ? {} : { date: new Date(this.time.now + clockAheadMs).toUTCString() };
  }
}

/** What a service, or something in front of it, sends with 200 while there's no file. */
const errors = [
  ['application/json', '{"error":{"code":"NOT_READY","message":"The result is being copied"}}'],
  ['application/json', '{"status":"processing"}'],
  ['text/plain', 'data:image/png;base64,iVBORw0KGgo='],
] as const;
const texts = [
  ['text/plain; charset=utf-8', 'upstream request timeout'],
  ['image/png', 'Bad gateway'],
] as const;

function isImage(bytes: Uint8Array): boolean {
  return bytes[0] === 0x89;
}

/** The minimum of a PNG: its signature, a chunk of unique bytes, and its end. */
function image(id: string, chance: Chance): Uint8Array {
  const size = chance.mostlySmall(`${id} size`, 40, 900);
  const inner = Buffer.alloc(size, `${id} ${chance.seed} `);
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from('tEXt'), inner, Buffer.alloc(4)]);
  chunk.writeUInt32BE(size);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk, Buffer.from('0000000049454e44ae426082', 'hex')]);
}
