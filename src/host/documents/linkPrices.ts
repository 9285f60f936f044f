import type { Clock } from '../../base/clock';
import { reasonOf } from '../../base/errors';
import type { JsonObject } from '../../base/json';
import type { Log } from '../../base/log';
import { Quotes } from '../../catalog/quotes';
import type { Session } from '../../catalog/session';
import type { Size } from '../../documents/shape';
import { connectedClient } from '../account/connectedClient';
import type { Drafts } from '../models/drafts';
import type { LastModel } from '../models/lastModel';
import { linkInputs } from './linkInputs';

/** How long a price stands beside a link, ms. It is a hint: the one that counts is asked for before anything is ordered. */
const hintMs = 5 * 60_000;

/** What renders for links would cost. One question at a time, and none twice while its answer is young enough. */
export class LinkPrices {
  private readonly quotes: Quotes;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: Session,
    private readonly drafts: Pick<Drafts, 'rendered'>,
    private readonly lastModel: Pick<LastModel, 'read'>,
    clock: Clock,
    private readonly log: Log,
  ) {
    this.quotes = new Quotes(clock);
  }

  /**
   * Cents with the model a quick render begins with; undefined while nobody is connected, no model was rendered with yet, or the price cannot
   * be had. Never rejects.
   */
  async of(prompt: string, size: Size | undefined): Promise<number | undefined> {
    const modelId = this.lastModel.read();
    if (this.session.state.status !== 'connected' || modelId === undefined) return undefined;
    try {
      const model = await this.session.model(modelId);
      if (model.kind !== 'image') return undefined;
      const inputs = linkInputs(model, this.drafts.rendered(modelId), prompt, size);
      return inputs && (await this.price(modelId, inputs, hintMs));
    } catch (error) {
      this.log.info(`No price for a link: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /**
   * Cents for exactly these inputs, as the service said within the last `freshMs`; undefined when it states none. Rejects with UserError
   * without an account, with ServiceError when the price cannot be had.
   */
  price(modelId: string, inputs: JsonObject, freshMs: number): Promise<number | undefined> {
    const asked = this.last.then(() => this.ask(modelId, inputs, freshMs));
    // How this question ends is no matter of the next.
    this.last = asked.catch(() => undefined);
    return asked;
  }

  private async ask(modelId: string, inputs: JsonObject, freshMs: number): Promise<number | undefined> {
    return (await this.quotes.of(connectedClient(this.session), modelId, inputs, { freshMs })).costCents;
  }
}
