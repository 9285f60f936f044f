import type { Clock } from '../base/clock';
import type { JsonObject } from '../base/json';
import { catalogRoot } from './address';
import type { AskOptions, CatalogClient } from './client';
import { ServiceError } from './errors';
import { checkInputs, type Field, initialValues, inputsOf, type Listing, type ModelSummary } from './fields';
import { Deadline, type Exchange } from './request';
import type { Transport } from './transport';

/** The steps to a price, in order. */
export const checkSteps = ['address', 'reach', 'key', 'account', 'models', 'quote'] as const;
export type CheckStep = (typeof checkSteps)[number];

/** The result of a step; `skipped` when there was nothing to try it with. */
export type CheckFinding =
  | { readonly kind: 'address'; readonly base: string }
  | { readonly kind: 'answers'; readonly status: number }
  | { readonly kind: 'keyFound' | 'keyTyped' }
  | { readonly kind: 'balance'; readonly cents: number }
  | { readonly kind: 'models'; readonly count: number; readonly unreadable: number }
  | { readonly kind: 'price'; readonly modelId: string; readonly cents: number }
  | { readonly kind: 'skipped' };

/** The requests it makes. */
type CheckQuestion = 'me' | 'models' | 'detail' | 'quote';

/** A request of the check, and its response. */
export interface Heard extends Exchange {
  readonly question: CheckQuestion;
}

/**
 * How a step ended; `ms` is how long it took; `heard` is the last response, unless it was read completely. Steps after
 * a failed one weren't reached.
 */
export type StepReport =
  | {
      readonly step: CheckStep;
      readonly outcome: 'passed' | 'skipped';
      readonly ms: number;
      readonly found: CheckFinding;
      readonly heard?: Heard;
    }
  | {
      readonly step: CheckStep;
      readonly outcome: 'failed';
      readonly ms: number;
      readonly error: unknown;
      /** Undefined when no response came. */
      readonly heard?: Heard;
    }
  | { readonly step: CheckStep; readonly outcome: 'notReached' };

/** A response that can be read and yet leaves nothing to render with. */
export class CheckError extends Error {
  override readonly name = 'CheckError';

  constructor(readonly code: 'noModels' | 'noPrice') {
    super(code === 'noModels' ? 'The service lists no models' : 'The service states no price');
  }
}

/**
 * True when the service's response isn't what the specification says, or not all of it: then its operator can use the
 * report. A refusal isn't, and neither is a web page, which comes from something else.
 */
export function isMisread(report: StepReport): boolean {
  if (report.outcome !== 'failed') return report.outcome === 'passed' && report.heard !== undefined;
  const { error } = report;
  if (error instanceof CheckError) return error.code === 'noPrice';
  return error instanceof ServiceError && error.kind === 'unreadable' && !error.html;
}

/** The requests the check may make. None of them charges. */
export type CheckClient = Pick<CatalogClient, 'me' | 'models' | 'model' | 'quote'>;

/** The means of the check. When one rejects, the check stops there. */
export interface CheckDeps {
  readonly clock: Clock;
  /** The normalized address in use. */
  address(): Promise<string>;
  /** The status of the response to a request without a key; see `reach`. */
  reach(base: string, signal: AbortSignal): Promise<number>;
  /** True when a user typed the key for this check; otherwise it's the one stored for the address. */
  readonly isKeyTyped?: boolean;
  /** A client with that key. */
  client(base: string): Promise<CheckClient>;
}

/**
 * Takes the steps to a price and stops at the first failure. Makes each request once and orders nothing. Calls `starts`
 * before each step. Never rejects; once `signal` is aborted, the other steps aren't reached.
 */
export async function checkConnection(
  deps: CheckDeps,
  signal: AbortSignal,
  starts: (step: CheckStep) => void,
): Promise<readonly StepReport[]> {
  const walk = new CheckWalk(deps, signal);
  const reports: StepReport[] = [];
  for (const step of checkSteps) {
    const goesOn = !signal.aborted && reports.every(({ outcome }) => outcome === 'passed');
    if (goesOn) starts(step);
    reports.push(goesOn ? await timed(step, deps.clock, signal, walk) : { step, outcome: 'notReached' });
  }
  return reports;
}

/**
 * Resolves with the status of the response to a request without a key: then the host name resolves and the connection
 * is safe.
 */
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

/**
 * Inputs that a model can be priced with: its defaults, and a sample text where one is required. Undefined if those
 * don't suffice.
 */
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
/** How many models are read to find one that can be priced without a user's inputs. */
const mostTried = 5;

class CheckWalk implements Record<CheckStep, () => Promise<CheckFinding>> {
  private base = '';
  private asked: CheckClient | undefined;
  private listing: Listing<ModelSummary> | undefined;
  /** The outcome of the step's last request. */
  heard: Heard | undefined;

  constructor(
    private readonly deps: CheckDeps,
    private readonly signal: AbortSignal,
  ) {}

  async address(): Promise<CheckFinding> {
    this.base = await this.deps.address();
    return { kind: 'address', base: this.base };
  }

  async reach(): Promise<CheckFinding> {
    return { kind: 'answers', status: await this.deps.reach(this.base, this.signal) };
  }

  async key(): Promise<CheckFinding> {
    this.asked = await this.deps.client(this.base);
    return { kind: this.deps.isKeyTyped ? 'keyTyped' : 'keyFound' };
  }

  async account(): Promise<CheckFinding> {
    const { balanceCents } = await this.client.me(this.once('me'));
    return { kind: 'balance', cents: balanceCents };
  }

  async models(): Promise<CheckFinding> {
    this.listing = await this.client.models(this.once('models'));
    const { items, unreadable } = this.listing;
    if (items.length === 0 && unreadable > 0) throw new ServiceError('unreadable', 'No model in the list can be read');
    if (items.length === 0) throw new CheckError('noModels');
    return { kind: 'models', count: items.length, unreadable };
  }

  async quote(): Promise<CheckFinding> {
    for (const { id } of this.listing?.items.slice(0, mostTried) ?? []) {
      const inputs = sampleInputs((await this.client.model(id, this.once('detail'))).fields);
      if (!inputs) continue;
      const { costCents } = await this.client.quote(id, inputs, this.once('quote'));
      if (costCents === undefined) throw new CheckError('noPrice');
      return { kind: 'price', modelId: id, cents: costCents };
    }
    return { kind: 'skipped' };
  }

  /** Makes each request once and keeps the response. */
  private once(question: CheckQuestion): AskOptions {
    this.heard = undefined;
    return {
      signal: this.signal,
      times: 1,
      hear: (exchange) => {
        this.heard = { question, ...exchange };
      },
    };
  }

  private get client(): CheckClient {
    if (!this.asked) throw new Error('The step with the key must come first');
    return this.asked;
  }
}

async function timed(step: CheckStep, clock: Clock, signal: AbortSignal, walk: CheckWalk): Promise<StepReport> {
  const start = clock.ticks();
  walk.heard = undefined;
  try {
    const found = await walk[step]();
    const outcome = found.kind === 'skipped' ? 'skipped' : 'passed';
    const isPartial = found.kind === 'models' && found.unreadable > 0;
    return { step, outcome, ms: clock.ticks() - start, found, ...(isPartial && { heard: walk.heard }) };
  } catch (error) {
    if (signal.aborted) return { step, outcome: 'notReached' };
    return { step, outcome: 'failed', ms: clock.ticks() - start, error, heard: walk.heard };
  }
}

/**
 * The parts of the service's specification about a response, quoted verbatim and so in English, so that whoever runs
 * the service can find them there.
 */
export function expectedOf({ question, status }: Heard): readonly string[] {
  if (status === 401) return ['A missing, wrong, or revoked key gives HTTP 401.'];
  if (status < 200 || status > 299)
    return [endpoints[question], 'An error response is JSON with a code and a message.'];
  return [endpoints[question], rules[question]];
}

/** The rows of the table “Endpoints”. */
const endpoints: Readonly<Record<CheckQuestion, string>> = {
  me: 'GET | /me | Your key and balance | none | JSON including balanceCents',
  models: 'GET | /models | Every model | none | JSON list of models',
  detail:
    'GET | /models/detail?id=<model_id> | One model and its fields | query parameter id (model identifier) | JSON model with its input fields',
  quote:
    'POST | /quote | Price for exact inputs, starts nothing, charges nothing | JSON body: modelId (string), inputs (object) | JSON with the price in euro cents',
};

const rules: Readonly<Record<CheckQuestion, string>> = {
  me: 'balanceCents | integer | Money left on the balance, in euro cents',
  models:
    'A model is identified by a model identifier string of the form <provider>/<family>/<model_name> (three segments separated by a slash).',
  detail: 'Each input field is described by: Name, Type, Required, Default',
  quote: 'All money amounts are integers in euro cents (see the fields costCents and balanceCents).',
};
