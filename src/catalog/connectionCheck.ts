import type { Clock } from '../base/clock';
import type { JsonObject } from '../base/json';
import { catalogRoot } from './address';
import type { CatalogClient } from './client';
import { Deadline } from './deadline';
import { checkInputs, initialValues, inputsOf } from './fields';
import type { Transport } from './transport';
import type { Field, Listing, ModelSummary } from './types';

/** The way to a price, in the order it is walked. */
export const checkSteps = ['address', 'reach', 'key', 'account', 'models', 'quote'] as const;
export type CheckStep = (typeof checkSteps)[number];

/** What a step found; `skipped` when there was nothing to try it with. */
export type Finding =
  | { readonly kind: 'address'; readonly base: string }
  | { readonly kind: 'answers'; readonly status: number }
  | { readonly kind: 'keyFound' }
  | { readonly kind: 'balance'; readonly cents: number }
  | { readonly kind: 'models'; readonly count: number }
  | { readonly kind: 'price'; readonly modelId: string; readonly cents: number }
  | { readonly kind: 'skipped' };

/** How a step ended; `ms` is what it took. What comes after a failed step was not reached. */
export type StepReport =
  | { readonly step: CheckStep; readonly outcome: 'passed' | 'skipped'; readonly ms: number; readonly found: Finding }
  | { readonly step: CheckStep; readonly outcome: 'failed'; readonly ms: number; readonly error: unknown }
  | { readonly step: CheckStep; readonly outcome: 'notReached' };

/** An answer that can be read and still leaves nothing to render with. */
export class CheckError extends Error {
  override readonly name = 'CheckError';

  constructor(readonly code: 'noModels' | 'noPrice') {
    super(code === 'noModels' ? 'The service lists no models' : 'The service states no price');
  }
}

/** What the check asks of the service: nothing that charges. */
export type CheckClient = Pick<CatalogClient, 'me' | 'models' | 'model' | 'quote'>;

/** What the check is done with. Each may reject; that is where the check stops. */
export interface CheckWorld {
  readonly clock: Clock;
  /** The normalised address in use. */
  address(): Promise<string>;
  /** The status of whatever answers there to a request without a key; see `reach`. */
  reach(base: string, signal: AbortSignal): Promise<number>;
  /** A client with the key that is stored for the address. */
  client(base: string): Promise<CheckClient>;
}

/**
 * Walks to a price and stops where it does not go on. Asks each question once and orders nothing. `starts` hears of each step before it
 * is tried. Never rejects; when `signal` is aborted the rest is not reached.
 */
export async function checkConnection(
  world: CheckWorld,
  signal: AbortSignal,
  starts: (step: CheckStep) => void,
): Promise<readonly StepReport[]> {
  const walk = new Walk(world, signal);
  const reports: StepReport[] = [];
  for (const step of checkSteps) {
    const goesOn = !signal.aborted && reports.every(({ outcome }) => outcome === 'passed');
    if (goesOn) starts(step);
    reports.push(goesOn ? await timed(step, world.clock, signal, () => walk[step]()) : { step, outcome: 'notReached' });
  }
  return reports;
}

/** Resolves with the status of the answer to a request without a key: the name, the connection and its safety are good then. */
export async function reach(transport: Transport, clock: Clock, base: string, signal: AbortSignal): Promise<number> {
  const deadline = new Deadline(clock, reachMs, signal);
  try {
    const url = new URL([base, ...catalogRoot, 'me'].join('/'));
    const headers = { accept: 'application/json', 'user-agent': 'model-catalog' };
    const incoming = await transport.send({ method: 'GET', url, headers, signal: deadline.signal });
    incoming.body.destroy();
    return incoming.status;
  } finally {
    deadline.dispose();
  }
}

/** Inputs a model can be priced with: its defaults, and a sample text where it wants one. Undefined when that does not suffice. */
export function sampleInputs(fields: readonly Field[]): JsonObject | undefined {
  const isText = ({ kind }: Field) => kind === 'text' || kind === 'longText';
  const byName = new Map(fields.map((field) => [field.name, field]));
  const values = initialValues(fields).map(([name, value]) => {
    const field = byName.get(name);
    return [name, field?.required && isText(field) && value === '' ? samplePrompt : value] as const;
  });
  return checkInputs(fields, values).length === 0 ? inputsOf(fields, values) : undefined;
}

const samplePrompt = 'A lighthouse at dusk';
const reachMs = 20_000;
/** How many models are looked at for one that can be priced by itself. */
const mostTried = 5;

class Walk implements Record<CheckStep, () => Promise<Finding>> {
  private base = '';
  private asked: CheckClient | undefined;
  private listing: Listing<ModelSummary> | undefined;
  private readonly once: { readonly signal: AbortSignal; readonly times: 1 };

  constructor(
    private readonly world: CheckWorld,
    private readonly signal: AbortSignal,
  ) {
    this.once = { signal, times: 1 };
  }

  async address(): Promise<Finding> {
    this.base = await this.world.address();
    return { kind: 'address', base: this.base };
  }

  async reach(): Promise<Finding> {
    return { kind: 'answers', status: await this.world.reach(this.base, this.signal) };
  }

  async key(): Promise<Finding> {
    this.asked = await this.world.client(this.base);
    return { kind: 'keyFound' };
  }

  async account(): Promise<Finding> {
    const { balanceCents } = await this.client.me(this.once);
    return { kind: 'balance', cents: balanceCents };
  }

  async models(): Promise<Finding> {
    this.listing = await this.client.models(this.once);
    const count = this.listing.items.length;
    if (count === 0) throw new CheckError('noModels');
    return { kind: 'models', count };
  }

  async quote(): Promise<Finding> {
    for (const { id } of this.listing?.items.slice(0, mostTried) ?? []) {
      const inputs = sampleInputs((await this.client.model(id, this.once)).fields);
      if (!inputs) continue;
      const { costCents } = await this.client.quote(id, inputs, this.once);
      if (costCents === undefined) throw new CheckError('noPrice');
      return { kind: 'price', modelId: id, cents: costCents };
    }
    return { kind: 'skipped' };
  }

  private get client(): CheckClient {
    if (!this.asked) throw new Error('the step with the key comes first');
    return this.asked;
  }
}

async function timed(
  step: CheckStep,
  clock: Clock,
  signal: AbortSignal,
  run: () => Promise<Finding>,
): Promise<StepReport> {
  const start = clock.ticks();
  try {
    const found = await run();
    const outcome = found.kind === 'skipped' ? 'skipped' : 'passed';
    return { step, outcome, ms: clock.ticks() - start, found };
  } catch (error) {
    if (signal.aborted) return { step, outcome: 'notReached' };
    return { step, outcome: 'failed', ms: clock.ticks() - start, error };
  }
}
