import { Emitter } from '../../../src/base/disposable';
import type { JsonObject } from '../../../src/base/json';
import type { SessionState } from '../../../src/catalog/session';
import type { Model, Quote } from '../../../src/catalog/fields';

/** The part of a session that the form uses, controlled by a test. */
export class ScriptedSession {
  private readonly changed = new Emitter<SessionState>();
  readonly onDidChange = this.changed.event;
  state: SessionState;
  account = 'first';
  /** How often the user requested something themselves. */
  probes = 0;
  price: (inputs: JsonObject) => Promise<Quote> = () => Promise.resolve({ costCents: 4 });
  private used = this.clientOf('first');

  constructor(
    /** Replaced by tests that need the model to fail. */
    public model: (id: string) => Promise<Model>,
    balanceCents: number,
  ) {
    const place = { base: 'https://models.example', sandbox: true };
    this.state = { status: 'connected', place, balance: { cents: balanceCents, at: 0 } };
  }

  get client() {
    if (this.used.account !== this.account) this.used = this.clientOf(this.account);
    return this.used;
  }

  private clientOf(account: string) {
    return {
      account,
      base: 'https://models.example',
      probe: () => void (this.probes += 1),
      quote: (_: string, inputs: JsonObject) => this.price(inputs),
    };
  }

  refreshBalance(): Promise<void> {
    return Promise.resolve();
  }

  become(state: Partial<SessionState>, account = this.account): void {
    this.state = { ...this.state, ...state };
    this.account = account;
    this.changed.fire(this.state);
  }
}
