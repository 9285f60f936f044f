/**
 * **Session**: which service this window uses, with which account, and whether it responds.
 *
 * One value, replaced as a whole and announced: status, service, balance, why something is wrong, in words, and until
 * when to wait. The client, which has the account, is next to it; `renders` asks for it before each request. The
 * session also has the models, read once and shared. It never spends and never stores a key: `features/account`
 * connects it.
 */

import type { Clock } from '../base/clock';
import { type Disposable, Disposables, Emitter, type Event } from '../base/disposable';
import type { CatalogClient } from './client';
import { isLimit, ServiceError } from './errors';
import type { Listing, Model, ModelKind, ModelSummary } from './fields';

/** Which service, and whether it is the built-in sandbox. */
export interface Place {
  /** Normalized address, for instance `https://models.example`; the sandbox's loopback address. */
  readonly base: string;
  readonly sandbox: boolean;
}

/**
 * The state of the connection to the service. One value, replaced as a whole. `starting` before the first response ·
 * `noKey` an address but no key · `connected` the service responds, at first perhaps only with a limit, its `problem` ·
 * `offline` it isn't responding · `keyRefused` 401 to GET /me: paid work pauses until the key changes · `unusable` the
 * address, the secret store, or the sandbox fails.
 */
export interface SessionState {
  readonly status: 'starting' | 'noKey' | 'connected' | 'offline' | 'keyRefused' | 'unusable';
  readonly place?: Place;
  /** Why, in words for a user in the editor's language. */
  readonly problem?: string;
  readonly balance?: Balance;
  /** Until when the service asks for no requests, ms since 1970; undefined if it doesn't. */
  readonly quietUntil?: number;
}

export interface Balance {
  readonly cents: number;
  /** When the service stated it, ms since 1970. */
  readonly at: number;
  /** When it was requested, ms since 1970: it may or may not include charges since then. */
  readonly askedAt?: number;
}

/** The one owner of client, balance, and models. Views read it; `features/account/connection` feeds it. */
export class Session implements Disposable {
  private readonly changed = new Emitter<SessionState>();
  private readonly modelsChanged = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  readonly onDidChangeModels = this.modelsChanged.event;
  private current: SessionState = { status: 'starting' };
  private connected: CatalogClient | undefined;
  private listening: Disposable | undefined;
  private quiet: Disposable | undefined;
  private asking: Promise<void> | undefined;
  private asked: Promise<void> | undefined;
  private list: Promise<Listing<ModelSummary>> | undefined;
  private listedAt: number | undefined;
  private readonly details = new Map<string, Promise<Model>>();
  /** Lists with all known kinds, by the service's own list, so that views recognize the same list. */
  private complete = new WeakMap<Listing<ModelSummary>, Listing<ModelSummary>>();
  private readonly learning: Disposable | undefined;

  /**
   * `worded` says in the editor's language what an error means for a user. `kinds` knows what the service doesn't
   * state.
   */
  constructor(
    private readonly clock: Clock,
    private readonly worded: (error: ServiceError) => string,
    private readonly kinds?: KnownKinds,
  ) {
    this.learning = kinds?.onDidChange(() => {
      this.complete = new WeakMap();
      this.modelsChanged.fire();
    });
  }

  get state(): SessionState {
    return this.current;
  }

  /** Present while there is an address and a key, even when offline or rejected. */
  get client(): CatalogClient | undefined {
    return this.connected;
  }

  /**
   * Uses this client from now on, or none: without a key, or because of `problem`, in words. Late responses to an
   * earlier client change nothing.
   */
  connect(place: Place | undefined, client: CatalogClient | undefined, problem?: string): void {
    this.listening?.dispose();
    this.waitUntil(undefined);
    this.connected = client;
    this.listening = client && this.listenTo(client);
    this.asking = this.asked = undefined;
    const status = client ? 'starting' : place && problem === undefined ? 'noKey' : 'unusable';
    this.setState({ status, place, problem });
    this.refreshModels();
  }

  /**
   * Requests GET /me, after one in progress, which may be older than what the caller knows. Callers share one that
   * hasn't been sent yet. Never rejects: a failure becomes the state.
   */
  refreshBalance(): Promise<void> {
    const { connected } = this;
    this.asked ??= Promise.resolve(this.asking).then(() => {
      if (this.connected !== connected) return;
      this.asked = undefined;
      return this.ask();
    });
    return this.asked;
  }

  /** The model list; requested once, then from memory until `refreshModels`. Rejects with ServiceError. */
  models(): Promise<Listing<ModelSummary>> {
    if (!this.list) {
      const asking = this.ofCurrent((client) => client.models());
      this.list = asking;
      this.listedAt = undefined;
      asking.then(
        () => {
          if (this.list === asking) this.listedAt = this.clock.now();
        },
        () => {
          if (this.list === asking) this.list = undefined;
        },
      );
    }
    return this.list.then((list) => this.completed(list));
  }

  /** What a model of the service in use makes, as far as it's known without a request. */
  async kindOf(id: string): Promise<ModelKind | undefined> {
    const { place } = this.current;
    const list = this.modelsAt === undefined ? undefined : await this.models();
    return list?.items.find((model) => model.id === id)?.kind ?? (place && this.kinds?.of(place, id));
  }

  /** When the model list in memory was received, ms since 1970; undefined if there is none. */
  get modelsAt(): number | undefined {
    return this.list && this.listedAt;
  }

  /** One model with its fields; from memory when read before. Rejects with ServiceError. */
  model(id: string): Promise<Model> {
    let model = this.details.get(id);
    if (!model) {
      const asking = this.ofCurrent((client) => client.model(id));
      model = asking;
      this.details.set(id, asking);
      asking.catch(() => {
        if (this.details.get(id) === asking) this.details.delete(id);
      });
    }
    return model.then((read) => this.withKind(read));
  }

  /** The model if it was read before; sends no request. Never rejects. */
  async readModel(id: string): Promise<Model | undefined> {
    return this.details.get(id)?.catch(() => undefined);
  }

  /** Forgets the models and fires `onDidChangeModels`. */
  refreshModels(): void {
    this.list = undefined;
    this.details.clear();
    this.modelsChanged.fire();
  }

  /** A call to the service failed elsewhere. The state changes if the error is about our connection. */
  report(error: ServiceError): void {
    const isRefused = this.current.status === 'keyRefused';
    // While we wait for a limit, requests fail without having been sent: they say nothing about the connection.
    if (error.status && isLimit(error)) this.answered(error);
    else if (error.kind === 'noAnswer') this.move('offline', error);
    // A 401 may be about one render alone, or its file: only GET /me says that the key itself is refused. If that is in
    // progress, its answer decides.
    else if (error.kind === 'keyRefused' && !isRefused && !this.asking) void this.refreshBalance();
  }

  dispose(): void {
    this.listening?.dispose();
    this.quiet?.dispose();
    this.learning?.dispose();
    this.changed.dispose();
    this.modelsChanged.dispose();
  }

  private completed(list: Listing<ModelSummary>): Listing<ModelSummary> {
    let complete = this.complete.get(list);
    if (!complete) {
      complete = { ...list, items: list.items.map((model) => this.withKind(model)) };
      this.complete.set(list, complete);
    }
    return complete;
  }

  /** With what is known, if the service doesn't state what the model makes. */
  private withKind<T extends ModelSummary>(model: T): T {
    const { place } = this.current;
    if (model.kind !== undefined || !place) return model;
    const kind = this.kinds?.of(place, model.id);
    return kind === undefined ? model : { ...model, kind };
  }

  private ask(): Promise<void> {
    const client = this.connected;
    if (!client) return Promise.resolve();
    const asking = this.askBalance(client).finally(() => {
      if (this.asking === asking) this.asking = undefined;
    });
    this.asking = asking;
    return asking;
  }

  private async askBalance(client: CatalogClient): Promise<void> {
    const askedAt = this.clock.now();
    try {
      const { balanceCents } = await client.me();
      if (this.connected !== client) return;
      this.setState({
        status: 'connected',
        place: this.current.place,
        balance: { cents: balanceCents, at: this.clock.now(), askedAt },
      });
    } catch (error) {
      if (this.connected !== client || !(error instanceof ServiceError) || error.kind === 'cancelled') return;
      if (error.kind === 'keyRefused') this.move('keyRefused', error);
      // Before a first response we can't claim to be connected; later, a single failure changes nothing.
      else if (error.kind === 'noAnswer' || this.current.status !== 'connected') this.move('offline', error);
    }
  }

  /**
   * The service responded, perhaps only to name a limit. That doesn't lift a rejection, since it may have been in
   * transit when the key was revoked.
   */
  private answered(limit?: ServiceError): void {
    const { status } = this.current;
    if (status === 'offline' || status === 'starting') this.move('connected', limit);
  }

  private move(status: 'connected' | 'offline' | 'keyRefused', error?: ServiceError): void {
    const { place, balance, status: before } = this.current;
    if (before === status) return;
    this.setState({ status, place, problem: error && this.worded(error), balance });
  }

  private setState(state: SessionState): void {
    this.current = { ...state, quietUntil: this.current.quietUntil };
    this.changed.fire(this.current);
  }

  private listenTo(client: CatalogClient): Disposable {
    const own = new Disposables();
    own.add(client.onOutcome((error) => (error ? this.report(error) : this.answered())));
    own.add(client.onDidSlowDown((ms) => this.beQuiet(ms)));
    return own;
  }

  /** The client in use sends nothing for this time, so every view can say until when. */
  private beQuiet(ms: number): void {
    this.waitUntil(this.clock.now() + ms);
    this.quiet = this.clock.after(ms, () => {
      this.waitUntil(undefined);
      this.changed.fire(this.current);
      const { status, balance } = this.current;
      if (status === 'connected' && !balance && !this.asking) void this.refreshBalance();
    });
    this.changed.fire(this.current);
  }

  private waitUntil(quietUntil: number | undefined): void {
    this.quiet?.dispose();
    this.current = { ...this.current, quietUntil };
  }

  /** Requests from the client in use; a response is ignored once the client is no longer in use. */
  private async ofCurrent<T>(ask: (client: CatalogClient) => Promise<T>): Promise<T> {
    const client = this.connected;
    if (!client) throw new ServiceError('notAllowed', 'Not connected to a service');
    const response = await ask(client);
    if (this.connected !== client) throw new ServiceError('cancelled', 'The response is for an earlier connection');
    return response;
  }
}

/** Knows what a model makes if its service doesn't say. */
export interface KnownKinds {
  readonly onDidChange: Event<void>;
  /** Undefined while unknown. */
  of(place: Place, modelId: string): ModelKind | undefined;
}

/**
 * The name under which data of a service is kept: its normalized address, or `sandbox` for the built-in one, whose port
 * changes.
 */
export function placeName({ base, sandbox }: Place): string {
  return sandbox ? sandboxName : base;
}

export const sandboxName = 'sandbox';
