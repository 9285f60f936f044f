import type { Account, Generation, Listing, Model, ModelSummary, Quote } from './types';
import type { JsonObject } from '../base/json';
import type { Readable } from 'node:stream';

/** An answer of the service with its clock (`Date` header), ms since 1970. */
export interface Answer<T> {
  readonly value: T;
  readonly serviceTime?: number;
}

/** A result file on its way; the stream fails when the transfer is cut. */
export interface Content {
  readonly stream: Readable;
  /** Content-Length, bytes; undefined when not stated. */
  readonly length?: number;
  /** Content-Type as stated. */
  readonly type?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** The service, one method per endpoint of its specification. Every failure is a ServiceError. */
export interface CatalogClient {
  /** The normalised base address all requests go to, for instance `https://models.example`. */
  readonly base: string;
  /** A salted fingerprint of the key: tells accounts apart, tells nothing else. */
  readonly account: string;
  /**
   * The service's clock now, ms since 1970: its last Date header carried forward by the longer of the two times our clocks say
   * have passed since (one stalls in sleep, the other can be set back). Undefined before any answer.
   */
  serviceTime(): number | undefined;
  me(options?: CallOptions): Promise<Account>;
  models(options?: CallOptions): Promise<Listing<ModelSummary>>;
  model(id: string, options?: CallOptions): Promise<Model>;
  /** Starts nothing, charges nothing. Sent at most twice. */
  quote(modelId: string, inputs: JsonObject, options?: CallOptions): Promise<Quote>;
  /**
   * Sends these exact bytes once, with this Idempotency-Key; never repeats by itself. CHARGES. Only the Renderer calls it.
   * `beforeSend` runs in the same synchronous step that hands the bytes to the socket; when it throws, nothing is sent.
   */
  createGeneration(body: Uint8Array, key: string, beforeSend: () => void, options?: CallOptions): Promise<Answer<Generation>>;
  generations(options?: CallOptions): Promise<Answer<Listing<Generation>>>;
  generation(id: string, options?: CallOptions): Promise<Answer<Generation>>;
  content(id: string, options?: CallOptions): Promise<Content>;
  delete(id: string, options?: CallOptions): Promise<void>;
}
