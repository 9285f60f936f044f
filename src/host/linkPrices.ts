import type { Clock } from '../base/clock';
import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import type { Session } from '../catalog/session';
import type { Size } from '../documents/shape';
import type { Drafts } from './drafts';
import type { LastModel } from './lastModel';
import { linkInputs } from './linkInputs';

/** How long a price stands beside a link, ms. It is a hint: the one that counts is asked for before anything is ordered. */
const freshMs = 5 * 60_000;

/** What renders for links would cost, with the model a quick render begins with. One question at a time, and none twice. */
export class LinkPrices {
  private readonly known = new Map<string, { readonly cents: number | undefined; readonly at: number }>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: Pick<Session, 'client' | 'state' | 'model'>,
    private readonly drafts: Pick<Drafts, 'rendered'>,
    private readonly lastModel: Pick<LastModel, 'read'>,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Cents; undefined while nobody is connected, no model was rendered with yet, or the price cannot be had. Never rejects. */
  of(prompt: string, size: Size | undefined): Promise<number | undefined> {
    const asked = this.last.then(() => this.ask(prompt, size));
    this.last = asked;
    return asked;
  }

  private async ask(prompt: string, size: Size | undefined): Promise<number | undefined> {
    const { client, state } = this.session;
    const modelId = this.lastModel.read();
    if (!client || state.status !== 'connected' || modelId === undefined) return undefined;
    try {
      const model = await this.session.model(modelId);
      const inputs =
        model.kind === 'image' ? linkInputs(model, this.drafts.rendered(modelId), prompt, size) : undefined;
      if (!inputs) return undefined;
      const id = JSON.stringify([client.account, modelId, inputs]);
      const known = this.known.get(id);
      if (known && this.clock.now() - known.at < freshMs) return known.cents;
      const { costCents } = await client.quote(modelId, inputs);
      this.known.set(id, { cents: costCents, at: this.clock.now() });
      return costCents;
    } catch (error) {
      this.log.info(`No price for a link: ${reasonOf(error)}`);
      return undefined;
    }
  }
}
