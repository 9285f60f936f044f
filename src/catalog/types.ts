import type { Json, JsonObject } from '../base/json';

/**
 * The control a field gets. `images` is a list of images, given by their URLs. `json` is the fallback for an
 * unknown type: a text, with JSON as an option.
 */
export type FieldKind =
  'text' | 'longText' | 'choice' | 'integer' | 'number' | 'boolean' | 'seed' | 'image' | 'images' | 'json';

/** What a field for an image accepts; what it doesn't state has our defaults. */
export interface ImageLimits {
  /** Media types, at least one. */
  readonly types: readonly string[];
  /** Of the image's bytes. */
  readonly maxBytes: number;
  /** The field takes bare base64 instead of a data address. */
  readonly base64?: boolean;
  /** Pixels. They're shown, and only the service checks them. */
  readonly minWidth?: number;
  readonly minHeight?: number;
  readonly maxWidth?: number;
  readonly maxHeight?: number;
}

export interface Choice {
  readonly value: string | number | boolean;
  readonly label: string;
}

/** One input of a model (specification: Resources, Model). */
export interface Field {
  /** The key inside `inputs`; may be any string, `__proto__` too. */
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly kind: FieldKind;
  /** The type in the service's own words. */
  readonly statedType: string;
  readonly required: boolean;
  /** The value the service uses when the field is left out. */
  readonly default?: Json;
  readonly choices?: readonly Choice[];
  /** For kind `json`: the values to choose from, if they're objects. */
  readonly objects?: readonly JsonObject[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly step?: number;
  readonly maxLength?: number;
  /** For kind `image`. */
  readonly image?: ImageLimits;
}

export type ModelKind = 'image' | 'text' | 'other';

export interface ModelSummary {
  /** `<provider>/<family>/<model_name>`. */
  readonly id: string;
  readonly provider: string;
  readonly family: string;
  /** The last segment of the id. */
  readonly name: string;
  /** The service's own title, else the name. */
  readonly title: string;
  readonly description?: string;
  /** What it makes; undefined if neither the service nor its results have shown it. Never guessed from the ID. */
  readonly kind?: ModelKind;
}

export interface Model extends ModelSummary {
  readonly fields: readonly Field[];
}

/** A list as the service gave it. */
export interface Listing<T> {
  readonly items: readonly T[];
  /** The service says that the list is incomplete. */
  readonly incomplete: boolean;
  /** Rows that couldn't be read. */
  readonly unreadable: number;
}

/**
 * Statuses at which polling stops (specification: States and transitions). Any other is shown as it is, and polling
 * continues.
 */
export const finalStatuses: ReadonlySet<string> = new Set(['succeeded', 'failed', 'refunded']);

/** A render at the service (specification: Resources, Generation). */
export interface Generation {
  readonly id: string;
  readonly status: string;
  /** The charge, in euro cents; undefined when not stated. */
  readonly costCents?: number;
  /** Shown, never fetched. */
  readonly contentUrl?: string;
  readonly textOutput?: string;
  /** What a list has of its text, perhaps shortened: to look at, never the result. */
  readonly excerpt?: string;
  readonly modelId?: string;
  readonly inputs?: JsonObject;
  /** Milliseconds since 1970. */
  readonly createdAt?: number;
  /** Why it failed, in the service's own words. */
  readonly reason?: string;
}

/** Key and balance (specification: GET /me). */
export interface Account {
  readonly balanceCents: number;
}

/** A price for exact inputs; undefined if the response states no readable one, never 0 for that. */
export interface Quote {
  readonly costCents: number | undefined;
}
