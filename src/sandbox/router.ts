import type { Clock } from '../base/clock';
import { isObject, type JsonObject } from '../base/json';
import type { Account, Content, Generation } from './account';
import { complete, type Field } from './fields';
import { withoutImages } from './givenImage';
import { type Language, ProblemDetails, say, localized } from './problem';
import { type Model, modelOf, models } from './models';
import type { Studio } from './studio';

/** The root path of all endpoints (specification: Base address). */
export const root = '/api/v1/api/catalog';

/** How many renders `GET /generations` lists. */
const recent = 100;

/** A request with a valid key. */
export interface Request {
  readonly method: string;
  /** Below the catalog root, such as `/me`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The API key. */
  readonly key: string;
  readonly idempotencyKey?: string;
  /** For what a user reads. */
  readonly language: Language;
  /** Reads the JSON body; throws a Problem if it isn't JSON. */
  readonly body: () => Promise<unknown>;
}

/** The body of a response: JSON, a file, or nothing (204). */
export type Reply = { readonly json: object } | { readonly file: Content } | { readonly nothing: true };

type Handler = (request: Request, id: string) => Reply | Promise<Reply>;

/** The specification's endpoints for an account. */
export class Router {
  private readonly endpoints: readonly { path: RegExp; handlers: Readonly<Record<string, Handler>> }[] = [
    { path: /^\/me$/, handlers: { GET: ({ key }) => this.me(key) } },
    { path: /^\/models$/, handlers: { GET: ({ language }) => this.models(language) } },
    { path: /^\/models\/detail$/, handlers: { GET: ({ language, query }) => this.model(language, query.get('id')) } },
    { path: /^\/quote$/, handlers: { POST: (request) => this.quote(request) } },
    {
      path: /^\/generations$/,
      handlers: { GET: ({ language }) => this.list(language), POST: (request) => this.start(request) },
    },
    {
      path: /^\/generations\/([^/]+)$/,
      handlers: { GET: ({ language }, id) => this.one(language, id), DELETE: (_, id) => this.remove(id) },
    },
    { path: /^\/generations\/([^/]+)\/content$/, handlers: { GET: (_, id) => this.content(id) } },
  ];

  constructor(
    private readonly account: Account,
    private readonly studio: Studio,
    private readonly clock: Clock,
    /** How long a render of pace 1 takes, ms. */
    private readonly latencyMs: number,
    /** The URL of this service, for `contentUrl`. */
    private readonly base: () => string,
  ) {}

  /** Throws a Problem for every error response. */
  async answer(request: Request): Promise<Reply> {
    for (const { path, handlers } of this.endpoints) {
      const match = path.exec(request.path);
      if (!match) continue;
      const handler = Object.hasOwn(handlers, request.method) ? handlers[request.method] : undefined;
      if (!handler) throw notAllowed(Object.keys(handlers));
      return await handler(request, decoded(match[1] ?? ''));
    }
    throw ProblemDetails.noSuchPath();
  }

  private me(key: string): Reply {
    const dailyCapCents = this.account.dailyCap(key) ?? null;
    return {
      json: {
        balanceCents: this.account.balance(),
        key: { dailyCapCents, spentTodayCents: this.account.spentToday(key) },
      },
    };
  }

  private models(language: Language): Reply {
    return { json: { models: models.map((model) => summaryIn(language, model)) } };
  }

  private model(language: Language, id: string | null): Reply {
    if (id === null || id === '') throw ProblemDetails.invalid([{ field: 'id', message: say('is required.') }]);
    const model = modelOf(id);
    if (!model) throw ProblemDetails.notFound(say('There is no model “{0}”.', id));
    const fields = model.fields.map((field) => fieldIn(language, field));
    return { json: { ...summaryIn(language, model), fields } };
  }

  private async quote(request: Request): Promise<Reply> {
    const { model, costCents } = priced(await request.body());
    return { json: { modelId: model.id, costCents } };
  }

  private async start(request: Request): Promise<Reply> {
    const { model, inputs, costCents } = priced(await request.body());
    const generation = this.account.start({
      key: request.key,
      modelId: model.id,
      inputs,
      costCents,
      readyAt: this.clock.now() + Math.round(model.pace * this.latencyMs),
      idempotencyKey: checkedIdempotencyKey(request.idempotencyKey),
    });
    this.studio.take(generation);
    // A repeated request gets the same response as the first, whatever has happened to the render since.
    return {
      json: this.shown(request.language, {
        ...generation,
        inputs,
        status: 'queued',
        hasContent: false,
        textOutput: undefined,
        finishedAt: undefined,
        reason: undefined,
      }),
    };
  }

  private list(language: Language): Reply {
    const found = this.account.generations(recent + 1);
    const generations = found.slice(0, recent);
    generations.forEach((generation) => this.studio.take(generation));
    return {
      json: { generations: generations.map((each) => this.shown(language, each)), hasMore: found.length > recent },
    };
  }

  private one(language: Language, id: string): Reply {
    const generation = this.find(id);
    // A process that has ended may have left it behind.
    this.studio.take(generation);
    return { json: this.shown(language, generation) };
  }

  private content(id: string): Reply {
    this.find(id);
    const file = this.account.content(id);
    if (!file) throw new ProblemDetails(404, 'NO_CONTENT', say('This render has no result file.'));
    return { file };
  }

  /**
   * The specification doesn't define this. A final render is deleted with its result, answered with 204, and stays
   * charged. A running one is a 409 GENERATION_RUNNING, so that nothing paid for is lost midway.
   */
  private remove(id: string): Reply {
    const { status } = this.find(id);
    if (status === 'queued' || status === 'failed') {
      throw new ProblemDetails(
        409,
        'GENERATION_RUNNING',
        say('The render is still running. Delete it when it has ended.'),
      );
    }
    this.account.remove(id);
    return { nothing: true };
  }

  private find(id: string): Generation {
    const generation = this.account.generation(id);
    if (!generation) throw ProblemDetails.notFound(say('There is no render “{0}”.', id));
    return generation;
  }

  private shown(language: Language, generation: Generation): object {
    const { id, status, costCents, modelId, inputs, createdAt, finishedAt, hasContent, textOutput, reason } =
      generation;
    return {
      id,
      status,
      costCents,
      modelId,
      inputs: withoutImages(inputs),
      createdAt: new Date(createdAt).toISOString(),
      finishedAt: finishedAt === undefined ? undefined : new Date(finishedAt).toISOString(),
      contentUrl: hasContent ? `${this.base()}${root}/generations/${id}/content` : undefined,
      textOutput,
      reason: reason && localized(reason, language),
    };
  }
}

/** Shared by `/quote` and `/generations`, so that their prices agree (specification: Endpoints, rule 2). */
function priced(body: unknown): { model: Model; inputs: JsonObject; costCents: number } {
  if (!isObject(body)) throw new ProblemDetails(400, 'INVALID_JSON', say('The body must be a JSON object.'));
  const { modelId, inputs } = body;
  if (typeof modelId !== 'string')
    throw ProblemDetails.invalid([{ field: 'modelId', message: say('must be a model identifier.') }]);
  const model = modelOf(modelId);
  if (!model) throw ProblemDetails.invalid([{ field: 'modelId', message: say('There is no model “{0}”.', modelId) }]);
  return { model, inputs: inputs as JsonObject, costCents: model.price(complete(model.fields, inputs)) };
}

function checkedIdempotencyKey(key: string | undefined): string | undefined {
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw ProblemDetails.invalid([
    { field: 'Idempotency-Key', message: say('must be 1 to 255 visible ASCII characters.') },
  ]);
}

function notAllowed(methods: readonly string[]): ProblemDetails {
  const allow = methods.join(', ');
  return new ProblemDetails(405, 'METHOD_NOT_ALLOWED', say('Allowed here: {0}.', allow), { allow });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // Invalid percent-encoding names nothing.
    throw ProblemDetails.noSuchPath();
  }
}

/** Long enough to be looked up by the alphabet, not read through. */
const long = 30;

/** A value, with its name where the language has another one for it. */
type Named = string | { readonly value: string; readonly label: string };

/** A model's facts without its fields, in a language. Its name is a proper name. */
function summaryIn(language: Language, { id, name, description, type, testing }: Model): object {
  return { id, name, description: localized(description, language), type, testing };
}

/** A field in a language, as `GET /models/detail` returns it. What is sent stays the same in all of them. */
function fieldIn(language: Language, field: Field): object {
  return {
    ...field,
    label: localized(field.label, language),
    help: field.help && localized(field.help, language),
    ...('examples' in field && { examples: field.examples?.map((text) => localized(text, language)) }),
    ...('values' in field && { values: valuesIn(language, field.values) }),
  };
}

function valuesIn(language: Language, values: readonly string[]): readonly Named[] {
  const named = values.map((value) => ({ value, label: localized(value, language) }));
  if (named.every(({ value, label }) => value === label)) return values;
  if (values.length < long) return named;
  const { compare } = new Intl.Collator(language);
  return named.sort((a, b) => compare(a.label, b.label));
}
