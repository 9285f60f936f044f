import type { Chance } from './chance';
import type { Faults } from './faults';
import type { Time } from './time';

/** How a service behaves where its specification says nothing. */
export interface Policy {
  /** What is looked at first: whether the key was seen before, or whether the request could be charged. */
  readonly order: 'keyFirst' | 'balanceFirst';
  /** How long a key is remembered from the charge on, ms. Our promise rests on at least 15 minutes. */
  readonly retentionMs: number;
  /** How far its clock is ahead of the truth, ms; undefined when its answers have no Date. */
  readonly clockAheadMs: number | undefined;
  /** The list leaves out what was made. */
  readonly bareList: boolean;
  /** How many renders the list holds: "recent" ones. */
  readonly listLength: number;
  /** The list says which model and inputs it was, and when. */
  readonly tellingList: boolean;
  /** Content goes without a length. */
  readonly noLength: boolean;
}

export interface Request {
  readonly method: string;
  /** Below the catalog root, for instance `/generations`. */
  readonly path: string;
  /** The API key. */
  readonly key: string;
  readonly idempotencyKey: string;
  readonly body: string;
  /** Names the request in the schedule. */
  readonly name: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
  /** How long the service takes to give it, ms. */
  readonly afterMs: number;
}

/** One charge of the service's own book. */
export interface Charge {
  readonly id: string;
  /** The Idempotency-Key it was charged for. */
  readonly key: string;
  readonly account: string;
  readonly body: string;
  readonly cents: number;
  /** True ms. */
  readonly at: number;
  readonly listedAt: number;
  readonly endsAt: number;
  readonly refundAt: number | undefined;
  readonly result: { readonly text: string } | { readonly bytes: Uint8Array };
}

interface Account {
  balance: number;
  revoked: boolean;
}

/** The service with its own book: what stands in it was charged, whatever anybody heard of it. */
export class Service {
  readonly charges: Charge[] = [];
  readonly accounts = new Map<string, Account>();
  /** The Idempotency-Keys of requests it has refused: nothing was charged for that request. */
  readonly refusals = new Set<string>();
  private readonly deniedUntil = new Map<string, number>();
  private readonly running = new Map<string, number>();

  constructor(
    private readonly policy: Policy,
    private readonly time: Time,
    private readonly chance: Chance,
    private readonly faults: Faults,
    accounts: readonly string[],
    balance: number,
  ) {
    for (const key of accounts) this.accounts.set(key, { balance, revoked: false });
  }

  /** Whatever was wrong with it is over. */
  heal(): void {
    for (const account of this.accounts.values()) {
      account.revoked = false;
      account.balance += 10_000;
    }
  }

  statusOf(charge: Charge): 'queued' | 'succeeded' | 'failed' | 'refunded' {
    if (this.time.now < charge.endsAt) return 'queued';
    if (charge.refundAt === undefined) return 'succeeded';
    return this.time.now < charge.refundAt ? 'failed' : 'refunded';
  }

  answer(request: Request): Reply {
    const account = this.accounts.get(request.key);
    const { faults } = this;
    if (account && faults.strikes('keyRefused', request.name, 0.03)) account.revoked = true;
    if (!account || account.revoked) {
      this.refusals.add(request.idempotencyKey);
      return this.refusal(401, 'UNAUTHORIZED');
    }
    if (faults.strikes('tooManyRequests', request.name, 0.06)) {
      const seconds = this.chance.mostlySmall(`${request.name} wait`, 0, 90);
      return this.refusal(429, undefined, seconds > 20 ? {} : { 'retry-after': String(seconds) });
    }
    if (faults.strikes('errorBefore', request.name, 0.12)) {
      return this.refusal(this.chance.pick(request.name, [500, 502, 503, 504]), 'INTERNAL');
    }
    if (request.method === 'POST') return this.start(request, account);
    const [, , id, content] = request.path.split('/');
    if (id === undefined) return this.list(request);
    const charge = this.charges.find((one) => one.id === id && one.account === request.key);
    if (!charge || this.denies(request, charge)) return this.refusal(404, 'NOT_FOUND');
    return content === undefined ? this.json(this.shown(charge)) : this.content(charge);
  }

  private start(request: Request, account: Account): Reply {
    const refused = () => {
      const refusal = this.refused(request, account);
      if (refusal) this.refusals.add(request.idempotencyKey);
      return refusal;
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
      return { ...this.refusal(this.chance.pick(request.name, [500, 502, 503, 504]), 'INTERNAL'), afterMs };
    }
    return { ...this.json(this.shown(charge)), afterMs };
  }

  /** What can be refused before anything is charged. */
  private refused({ name, body }: Request, account: Account): Reply | undefined {
    if (this.faults.strikes('invalidInput', name, 0.05)) return this.refusal(400, 'INVALID_INPUT');
    if (this.faults.strikes('dailyCap', name, 0.06)) return this.refusal(409, 'API_KEY_DAILY_CAP');
    if (account.balance < costOf(body)) {
      this.faults.note('balanceTooLow', name);
      return this.refusal(402, 'INSUFFICIENT_BALANCE');
    }
    return undefined;
  }

  /** The answer to a key that was seen before. */
  private known({ idempotencyKey, key, body }: Request): Reply | undefined {
    const charge = this.charges.findLast((one) => one.key === idempotencyKey && one.account === key);
    if (!charge || this.time.now - charge.at > this.policy.retentionMs) return undefined;
    if (this.time.now < (this.running.get(idempotencyKey) ?? 0)) return this.refusal(409, 'IN_PROGRESS');
    if (charge.body !== body) return this.refusal(422, 'KEY_REUSED');
    return this.json(this.shown(charge));
  }

  private charge({ idempotencyKey, key, body, name }: Request, account: Account): Charge {
    const { chance, faults } = this;
    const cents = costOf(body);
    account.balance -= cents;
    const id = `gen-${this.charges.length + 1}`;
    const endsAt = this.time.now + chance.mostlySmall(`${name} render`, 1_000, 90_000);
    const fails = faults.strikes('renderFails', name, 0.25);
    const late = faults.strikes('listLate', name, 0.3) ? chance.between(`${name} listed`, 1_000, 60_000) : 0;
    const charge: Charge = {
      ...{ id, key: idempotencyKey, account: key, body, cents, at: this.time.now, endsAt },
      listedAt: this.time.now + late,
      refundAt: fails ? endsAt + chance.mostlySmall(`${name} refund`, 0, 240_000) : undefined,
      result: resultOf(id, body, chance),
    };
    this.charges.push(charge);
    return charge;
  }

  /** The renders of an account that the list holds now. */
  listed(key: string): Charge[] {
    return this.charges
      .filter(({ account, listedAt }) => account === key && listedAt <= this.time.now)
      .slice(-this.policy.listLength);
  }

  private list({ key }: Request): Reply {
    const rows = this.listed(key).map((charge) => {
      const { contentUrl, textOutput, modelId, inputs, createdAt, ...rest } = this.shown(charge);
      return {
        ...rest,
        ...(!this.policy.bareList && { contentUrl, textOutput }),
        ...(this.policy.tellingList && { modelId, inputs, createdAt }),
      };
    });
    return this.json({ generations: rows.reverse() });
  }

  /** Some part of the service has not heard of it yet. */
  private denies({ name }: Request, { id }: Charge): boolean {
    if (this.faults.strikes('denied', name, 0.06))
      this.deniedUntil.set(id, this.time.now + this.chance.between(`${name} denied`, 1_000, 40_000));
    return !this.faults.over && this.time.now <= (this.deniedUntil.get(id) ?? 0);
  }

  private shown(charge: Charge) {
    const { id, cents, body, at, result } = charge;
    const status = this.statusOf(charge);
    const done = status === 'succeeded';
    const { modelId, inputs } = JSON.parse(body) as { modelId: string; inputs: object };
    return {
      ...{ id, status, costCents: cents, modelId, inputs },
      createdAt: new Date(at + (this.policy.clockAheadMs ?? 0)).toISOString(),
      contentUrl: done && 'bytes' in result ? `https://models.example/files/${id}` : undefined,
      textOutput: done && 'text' in result ? result.text : undefined,
    };
  }

  private content({ result, id }: Charge): Reply {
    if (!('bytes' in result)) return this.refusal(404, 'NO_FILE');
    // Only a picture shows its own end.
    const length: Record<string, string> =
      this.policy.noLength && isPicture(result.bytes) ? {} : { 'content-length': String(result.bytes.length) };
    const name = { 'content-type': 'image/png', 'x-generation': id };
    return { status: 200, headers: { ...this.date(), ...length, ...name }, body: result.bytes, afterMs: 5 };
  }

  private json(value: object): Reply {
    const headers = { ...this.date(), 'content-type': 'application/json' };
    return { status: 200, headers, body: Buffer.from(JSON.stringify(value)), afterMs: 5 };
  }

  private refusal(status: number, code: string | undefined, more: Record<string, string> = {}): Reply {
    const headers = { ...this.date(), 'content-type': 'application/json', ...more };
    return { status, headers, body: Buffer.from(JSON.stringify({ code, message: `Refused: ${status}` })), afterMs: 5 };
  }

  private date(): Record<string, string> {
    const { clockAheadMs } = this.policy;
    return clockAheadMs === undefined ? {} : { date: new Date(this.time.now + clockAheadMs).toUTCString() };
  }
}

/** What a render costs, euro cents: as its inputs say. */
function costOf(body: string): number {
  return /"size":"large"/.test(body) ? 9 : 4;
}

function resultOf(id: string, body: string, chance: Chance): Charge['result'] {
  if (body.includes('text-model')) return { text: `An answer to ${id}.` };
  if (body.includes('sound-model')) return { bytes: Buffer.concat([Buffer.from([1, 2, 3, 0]), Buffer.alloc(300, id)]) };
  return { bytes: picture(id, chance) };
}

function isPicture(bytes: Uint8Array): boolean {
  return bytes[0] === 0x89;
}

/** A PNG as far as anybody looks: its signature, bytes of its own, its end. */
function picture(id: string, chance: Chance): Uint8Array {
  const size = chance.mostlySmall(`${id} size`, 40, 900);
  const inner = Buffer.alloc(size, `${id} ${chance.seed} `);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), inner, Buffer.from('0000000049454e44ae426082', 'hex')]);
}
