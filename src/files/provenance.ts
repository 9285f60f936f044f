import { isObject, type JsonObject } from '../base/json';
import { redact } from '../base/log';

/** How a result was made: what somebody with an API key of their own needs to make it again. Holds no key. */
export interface Provenance {
  readonly modelId: string;
  /** As they were sent, without their texts when `promptLeftOut`. */
  readonly inputs: JsonObject;
  readonly promptLeftOut?: boolean;
  /** Of all that was sent, where some of it is left out; see `inputsSha256`. */
  readonly inputsSha256?: string;
  /** True for a recipe that a person gave to a file afterwards: how that was made nobody can tell. */
  readonly adopted?: boolean;
  /** The service's address, or `sandbox`; undefined when that is nobody else's business. */
  readonly service?: string;
  readonly generationId?: string;
  /** Charged by the service's own word, euro cents. */
  readonly costCents?: number;
  /** When it was ordered, ms since 1970. */
  readonly orderedAt?: number;
  /** The program that wrote this, with its version. */
  readonly tool?: string;
  /** Hexadecimal: of the whole file if this is next to it, of all but its XMP if this is in it. */
  readonly sha256?: string;
}

/** The name the built-in service goes by. */
export const sandboxService = 'sandbox';

/** The ending that a sidecar file adds to the name of its file. */
export const sidecarEnding = '.render.json';

/** Tells a file of ours from any other JSON, and says how it is to be read. */
const layout = 1;

/** As one line of JSON that XML can hold; `indent` spreads it over lines for a person to read. */
export function writeProvenance(provenance: Provenance, indent?: number): string {
  const { orderedAt, ...facts } = provenance;
  const written = { modelCatalogRender: layout, ...facts, orderedAt: dateText(orderedAt) };
  return redact(JSON.stringify(written, undefined, indent)).replace(/[\ufffe\uffff]/g, escaped);
}

/** A moment (ms since 1970) as computers write it; undefined for one that no calendar has. */
export function dateText(ms = NaN): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** What a file says about how it was made, if it does. Anybody may have written it: every text in it is foreign. */
export function readProvenance(text: string): Provenance | undefined {
  const said = parsed(text);
  if (!isObject(said) || typeof said.modelCatalogRender !== 'number') return undefined;
  const { modelId, inputs, costCents, orderedAt } = said;
  if (typeof modelId !== 'string' || !isObject(inputs) || !isWithin(inputs, deepest)) return undefined;
  const time = typeof orderedAt === 'string' ? Date.parse(orderedAt) : NaN;
  return {
    modelId,
    inputs: inputs as JsonObject,
    promptLeftOut: said.promptLeftOut === true,
    ...(textOf(said.inputsSha256) && { inputsSha256: textOf(said.inputsSha256) }),
    ...(said.adopted === true && { adopted: true }),
    service: textOf(said.service),
    generationId: textOf(said.generationId),
    costCents: Number.isSafeInteger(costCents) ? (costCents as number) : undefined,
    orderedAt: Number.isNaN(time) ? undefined : time,
    tool: textOf(said.tool),
    sha256: textOf(said.sha256),
  };
}

/** No model takes inputs that nest deeper; what shows or sends them on cannot go down any number of levels. */
const deepest = 64;

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`;
}

/** To read as many values, which may lie in each other, takes some ms. */
const mostValues = 20_000;

const codes = { quote: 0x22, comma: 0x2c, bracket: 0x5b, backslash: 0x5c, brace: 0x7b } as const;

/** Whether a JSON text has more values than `mostValues`. Nothing inside its strings counts. */
function hasTooMany(text: string): boolean {
  let [values, isInString] = [0, false];
  for (let at = 0; at < text.length && values <= mostValues; at++) {
    const code = text.charCodeAt(at);
    if (code === codes.quote) isInString = !isInString;
    else if (isInString && code === codes.backslash) at += 1;
    else if (!isInString && (code === codes.comma || code === codes.bracket || code === codes.brace)) values += 1;
  }
  return values > mostValues;
}

function parsed(text: string): unknown {
  if (hasTooMany(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // No JSON says nothing.
    return undefined;
  }
}
